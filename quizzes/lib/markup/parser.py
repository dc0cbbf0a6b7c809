"""One parser for all uses of an author's text, so that page, lint and search read it alike."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

from quizzes.lib.markup.tex_delimiters import use_dollars

# Eight pages of text. Reading the worst text of this size takes half a second.
MAX_CHARACTERS: Final = 20_000
MAX_NESTING: Final = 20
# Rows are filled up to the width of their table: a short text can ask for 65,000 cells.
# So the widest row times all lines bounds them.
MAX_CELLS: Final = 10_000
# Looking for the end of a link starts anew at each bracket.
MAX_BRACKETS: Final = 1_000
TABLES: Final = frozenset({"table"})
LINKS: Final = frozenset({"link", "image"})

# Half of a surrogate pair is no character; JSON can smuggle one in, UTF-8 cannot carry it. Nor is
# what steers a terminal; two of those mark placeholders (quizzes/presentation/fragments.py).
NO_CHARACTER: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


class MarkupTooLarge(ValueError):
    """The text is longer than MAX_CHARACTERS."""

    def __init__(self, length: int) -> None:
        self.length = length
        super().__init__(f"The text has {length} characters; {MAX_CHARACTERS} are allowed.")


class PlacedToken(NamedTuple):
    """A token with the line of the author's text (from 1) on which it begins."""

    line: int
    token: Token


class _Parser(MarkdownIt):
    def validateLink(self, url: str) -> bool:  # noqa: N802 - the base class names its hook so
        """Accept all: the renderer judges addresses and keeps the words, the lints name them."""
        del url
        return True


@cache
def _parser(refused: frozenset[str]) -> MarkdownIt:
    md = _Parser("commonmark", {"html": False, "maxNesting": MAX_NESTING})
    md.enable(["table", "strikethrough"])
    # Reference links: a short text can name one long address a thousand times (600 MB of HTML).
    # Raw HTML: switched off twice, by the option above and here.
    md.disable(["reference", "html_block", "html_inline", *sorted(refused)])
    use_dollars(md)
    return md


OPTIONS: Final = _parser(frozenset()).options


def parse_markdown(source: str, *, inline: bool = False) -> list[Token]:
    """Return the tokens of a text; raises MarkupTooLarge.

    Inline means one run of words without paragraphs, lists or blocks, as for a title.
    """
    if len(source) > MAX_CHARACTERS:
        raise MarkupTooLarge(len(source))
    text = NO_CHARACTER.sub("\ufffd", source)
    md = _parser(refused(text))
    return md.parseInline(text) if inline else md.parse(text)


@lru_cache(maxsize=4)  # the checks read a prompt and its translation several times
def place_tokens(source: str) -> tuple[PlacedToken, ...]:
    """Return every token of a text with its line, to be read only; raises MarkupTooLarge."""
    return tuple(walk(parse_markdown(source)))


def refused(source: str) -> frozenset[str]:
    """Return the rules that would cost too much on this text: TABLES, LINKS, both or none."""
    lines = source.splitlines()
    cells = len(lines) * max((line.count("|") for line in lines), default=0)
    tables = TABLES if cells > MAX_CELLS else frozenset()
    return tables | (LINKS if source.count("[") > MAX_BRACKETS else frozenset())


def walk(tokens: list[Token]) -> Iterator[PlacedToken]:
    """Yield every token, those inside of paragraphs included, with its line."""
    line = 1
    for token in tokens:
        line = token.map[0] + 1 if token.map else line
        yield PlacedToken(line, token)
        inner = line
        for child in token.children or ():
            yield PlacedToken(inner, child)
            inner += child.content.count("\n") + (child.type in {"softbreak", "hardbreak"})
