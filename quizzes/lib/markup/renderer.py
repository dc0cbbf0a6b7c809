"""Tokens become HTML for a page: coloured code, MathML, own pictures, links that do no harm."""

from collections.abc import MutableMapping, Sequence
from html import escape
from typing import Any, Final

from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from quizzes.lib.filetypes import IMAGE, KINDS
from quizzes.lib.markup import addresses, code_blocks, formulas
from quizzes.lib.markup.budget import select_affordable
from quizzes.lib.markup.extracts import words
from quizzes.lib.markup.parser import OPTIONS, parse_markdown, walk
from quizzes.lib.markup.sanitiser import clean

# The page owns h1 and the question's place h2, so an author's first heading is an h3.
_HEADING_SHIFT: Final = 2
_ALIGNED: Final = "text-align:"

_Env = MutableMapping[str, Any]


def render(source: str, *, inline: bool = False) -> str:
    """Return an author's text as safe HTML; the same text always gives the same bytes.

    Inline gives phrasing content alone, fit for a label or a title. Raises MarkupTooLarge.
    What cannot be shown as meant is shown as written; `markup_warnings` names it.
    """
    tokens = parse_markdown(source, inline=inline)
    for token in tokens:
        token.children = _without_unsafe_links(token.children or [])
    _shift_headings(tokens)
    return clean(
        _Renderer().render(tokens, OPTIONS, {"affordable": select_affordable(walk(tokens))})
    )


def _without_unsafe_links(children: list[Token]) -> list[Token]:
    """Drop links that may not be followed; their words stay. Links never hold links."""
    remaining: list[Token] = []
    unsafe = False
    for token in children:
        if token.type == "link_open":
            unsafe = not addresses.is_safe_link(str(token.attrGet("href")))
        if not (unsafe and token.type in {"link_open", "link_close"}):
            remaining.append(token)
    return remaining


def _shift_headings(tokens: list[Token]) -> None:
    for token in tokens:
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(int(token.tag[1:]) + _HEADING_SHIFT, 6)}"


class _Renderer(RendererHTML):
    """Overrides by token type: the base class calls the method that bears the token's name."""

    def fence(self, tokens: Sequence[Token], idx: int, _options: OptionsDict, env: _Env) -> str:
        token = tokens[idx]
        return code_blocks.to_html(
            token.content, token.info, coloured=id(token) in env["affordable"]
        )

    def code_block(
        self, tokens: Sequence[Token], idx: int, _options: OptionsDict, _env: _Env
    ) -> str:
        return code_blocks.to_html(tokens[idx].content, "", coloured=False)

    def image(self, tokens: Sequence[Token], idx: int, _options: OptionsDict, _env: _Env) -> str:
        token = tokens[idx]
        alt = escape(words(token.children or []))
        source = str(token.attrGet("src"))
        if (file := addresses.parse_media_address(source)) is not None:
            source, family = addresses.media_address(*file), KINDS[file[1]].family
            if family != IMAGE:
                return _player(family, source, alt)
        if not addresses.is_own_image(source):
            return alt
        title = token.attrGet("title")
        named = f' title="{escape(str(title))}"' if title else ""
        return f'<img src="{escape(source)}" alt="{alt}"{named}>'

    def formula_inline(
        self, tokens: Sequence[Token], idx: int, _options: OptionsDict, env: _Env
    ) -> str:
        return _formula(tokens[idx], env, display=False)

    def formula_display(
        self, tokens: Sequence[Token], idx: int, _options: OptionsDict, env: _Env
    ) -> str:
        return _formula(tokens[idx], env, display=True)

    def formula_block(
        self, tokens: Sequence[Token], idx: int, _options: OptionsDict, env: _Env
    ) -> str:
        return f"<p>{_formula(tokens[idx], env, display=True)}</p>\n"

    def table_open(
        self, _tokens: Sequence[Token], _idx: int, _options: OptionsDict, _env: _Env
    ) -> str:
        return '<div class="table-scroll" tabindex="0"><table>\n'

    def table_close(
        self, _tokens: Sequence[Token], _idx: int, _options: OptionsDict, _env: _Env
    ) -> str:
        return "</table></div>\n"

    def th_open(self, tokens: Sequence[Token], idx: int, _options: OptionsDict, _env: _Env) -> str:
        return f'<th scope="col"{_alignment(tokens[idx])}>'

    def td_open(self, tokens: Sequence[Token], idx: int, _options: OptionsDict, _env: _Env) -> str:
        return f"<td{_alignment(tokens[idx])}>"


def _player(family: str, source: str, words: str) -> str:
    """Return a sound or a film, with its words beside it: who cannot hear it reads them."""
    player = f'<{family} controls preload="none" src="{source}" aria-label="{words}"></{family}>'
    return f'<span class="media">{player} <span class="media-words">{words}</span></span>'


def _formula(token: Token, env: _Env, *, display: bool) -> str:
    if id(token) in env["affordable"]:
        try:
            return formulas.to_mathml(token.content, display=display)
        except formulas.FormulaUnreadable:
            pass
    return f'<code class="tex-error">{escape(token.content)}</code>'


def _alignment(cell: Token) -> str:
    """Return a class for a column's alignment; the parser's own way is an inline style."""
    style = str(cell.attrGet("style") or "")
    return f' class="align-{style.removeprefix(_ALIGNED)}"' if style else ""
