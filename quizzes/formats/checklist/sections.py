"""A checklist's pieces as sections: what one heading or label stands over. Pure."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from quizzes.formats.checklist.pieces import Piece, What

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
EXPLAINS = re.compile(
    r"[\W_]{0,6}(?:Explanation|Explication|Explicación|Explicação|Spiegazione|Erklärung|Reference"
    r"|Referencia|Referência|Référence|Riferimento|Referenz|Ref|Source|Fuente|Fonte|Quelle|Answer"
    r"|Respuesta|Resposta|Réponse|Risposta|Antwort|Reason|Razón|Razão|Note|Nota|Hint|Pista"
    r"|See also|Read more|Back to|Explained|Justification|Justificación)s?\b"
    r"|[^\w!]{0,3}\[[^\]]*\] ?\(|<?https?://|</?(?:details|summary)",
    re.IGNORECASE,
)
"""How words begin that are said of the answer, below the options."""


def is_explanation(line: str) -> bool:
    """Return whether a line explains the answer beyond doubt: a word and a colon, or `<details>`.

    An option that goes on in the next line may begin that with such a word, too.
    """
    begins = EXPLAINS.match(line)
    if begins is None:
        return False
    return line.startswith("<") or line[begins.end() :].lstrip("*_ ").startswith(":")


@dataclass(slots=True)
class Section:
    """A heading or label with all up to the next; `head` is None above the first."""

    head: Piece | None
    body: list[Piece] = field(default_factory=list)

    @property
    def has_items(self) -> bool:
        """Return whether it has options."""
        return any(one.what is What.ITEM for one in self.body)

    @property
    def ours(self) -> bool:
        """Return whether its heading is a name, as we write them."""
        head = self.head
        return head is not None and head.what is What.HEADING and bool(_NAME.fullmatch(head.text))

    @property
    def labelled(self) -> bool:
        """Return whether its head counts questions."""
        return self.head is not None and self.head.labelled

    @property
    def level(self) -> int:
        """Return the level of its heading; that of a label is below all headings."""
        return len(self.head.mark) or 7 if self.head else 0

    @property
    def asks(self) -> bool:
        """Return whether its head is a question by itself."""
        return self.labelled or (self.head is not None and asks(self.head.text))


def asks(text: str) -> bool:
    """Return whether words end as a question does."""
    return text.rstrip(" *_`)\"'»”\\").endswith(("?", ":", "？", "："))


def sections(pieces: Iterable[Piece]) -> list[Section]:
    """Return the sections, those that are a part of the question before them joined to it."""
    found: list[Section] = []
    for section in _cut(pieces):
        before = found[-1] if found else None
        if before is not None and section.head and _is_part(before, section):
            before.body += [_as_text(section.head), *section.body]
        else:
            found.append(section)
    return found


def _cut(pieces: Iterable[Piece]) -> Iterator[Section]:
    section = Section(None)
    for piece in pieces:
        begins = piece.what is What.HEADING or (
            piece.what is What.LABEL and (not section.ours or section.has_items)
        )
        if not begins:
            section.body.append(piece)
            continue
        if section.head or section.body:
            yield section
        section = Section(piece)
    yield section


def _is_part(before: Section, section: Section) -> bool:
    """Return whether a heading stands within the question before it."""
    if section.labelled or before.head is None or section.head is None or section.ours:
        return False
    if before.has_items:
        explains = EXPLAINS.match(section.head.text) is not None
        deeper = section.level > before.level and before.asks
        return not section.has_items and (deeper or explains)
    empty = not any(one.what is not What.BLANK for one in before.body)
    bare = empty and not before.head.text
    return before.labelled and (bare or section.level != before.level) and section.level != 1


def _as_text(head: Piece) -> Piece:
    return replace(head, what=What.TEXT, lines=(head.lines[0].lstrip("# \t").rstrip() or "#",))
