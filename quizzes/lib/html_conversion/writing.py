r"""Our Markdown as plain HTML for other programs: no classes of ours, TeX as \(…\) and \[…\]."""

from collections.abc import Callable, MutableMapping, Sequence
from html import escape
from typing import Any

from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from quizzes.lib.markup.parser import MAX_CHARACTERS, OPTIONS, parse_markdown

_Env = MutableMapping[str, Any]
Address = Callable[[str], str]
"""From an address in our text (`media:<name>`) to that in the file."""


def to_html(markdown: str, *, inline: bool = False, address: Address = str) -> str:
    """Return HTML, `inline` without paragraphs; a text too large to be shown stays plain."""
    if len(markdown) > MAX_CHARACTERS:
        return f"<p>{escape(markdown)}</p>"
    tokens = parse_markdown(markdown, inline=inline)
    return _Renderer().render(tokens, OPTIONS, {"address": address}).strip()


class _Renderer(RendererHTML):
    """Overrides by token type: the base class calls the method that bears the token's name."""

    def heading_open(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: _Env
    ) -> str:
        tokens[idx].tag = _heading(tokens[idx])
        return self.renderToken(tokens, idx, options, env)

    heading_close = heading_open

    def image(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: _Env) -> str:
        token = tokens[idx]
        token.attrSet("src", env["address"](str(token.attrGet("src"))))
        return super().image(tokens, idx, options, env)

    def formula_inline(
        self, tokens: Sequence[Token], idx: int, _options: OptionsDict, _env: _Env
    ) -> str:
        return rf"\({escape(tokens[idx].content)}\)"

    def formula_display(
        self, tokens: Sequence[Token], idx: int, _options: OptionsDict, _env: _Env
    ) -> str:
        return rf"\[{escape(tokens[idx].content)}\]"

    def formula_block(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: _Env
    ) -> str:
        return f"<p>{self.formula_display(tokens, idx, options, env)}</p>\n"


def _heading(token: Token) -> str:
    """Return the tag that the heading has on our pages: an author's first heading is an h3."""
    return f"h{min(int(token.tag[1:]) + 2, 6)}"
