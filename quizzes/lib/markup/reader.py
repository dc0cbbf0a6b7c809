"""One parser for all uses of an author's text, so that page, lint and search read it alike."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

from quizzes.lib.markup.dollars import use_dollars

# Twenty pages of text. Reading the worst text of this size still ends within two seconds.
MAX_CHARACTERS: Final = 50_000
MAX_NESTING: Final = 20

# Half of a surrogate pair is no character; JSON can smuggle one in, UTF-8 cannot carry it.
_HALVES = re.compile(r"[\ud800-\udfff]")


class MarkupTooLarge(ValueError):
    """The text is longer than MAX_CHARACTERS."""

    def __init__(self, length: int) -> None:
        self.length = length
        super().__init__(f"The text has {length} characters; {MAX_CHARACTERS} are allowed.")


class Placed(NamedTuple):
    """A token with the line of the author's text (from 1) on which it begins."""

    line: int
    token: Token


class _Parser(MarkdownIt):
    def validateLink(self, url: str) -> bool:  # noqa: N802 - the base class names its hook so
        """Accept all: the renderer judges addresses and keeps the words, the lints name them."""
        del url
        return True


def _parser() -> MarkdownIt:
    md = _Parser("commonmark", {"html": False, "maxNesting": MAX_NESTING})
    md.enable(["table", "strikethrough"])
    # Reference links: a short text can name one long address a thousand times (600 MB of HTML).
    # Raw HTML: switched off twice, by the option above and here.
    md.disable(["reference", "html_block", "html_inline"])
    use_dollars(md)
    return md


_MD = _parser()
OPTIONS: Final = _MD.options


def read(source: str, *, inline: bool = False) -> list[Token]:
    """Return the tokens of a text; raises MarkupTooLarge.

    Inline means one run of words without paragraphs, lists or blocks, as for a title.
    """
    if len(source) > MAX_CHARACTERS:
        raise MarkupTooLarge(len(source))
    whole = _HALVES.sub("\ufffd", source)
    return _MD.parseInline(whole) if inline else _MD.parse(whole)


def walk(tokens: list[Token]) -> Iterator[Placed]:
    """Yield every token, those inside of paragraphs included, with its line."""
    line = 1
    for token in tokens:
        line = token.map[0] + 1 if token.map else line
        yield Placed(line, token)
        inner = line
        for child in token.children or ():
            yield Placed(inner, child)
            inner += child.content.count("\n") + (child.type in {"softbreak", "hardbreak"})
