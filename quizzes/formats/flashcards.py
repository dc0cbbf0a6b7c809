"""Cards as people type them: a question on its line and the answer below, or lines Q: and A:."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise, takewhile

from quizzes.formats.builders import Head, build_flashcard
from quizzes.formats.contract import (
    ExportResult,
    FileMetadata,
    Note,
    ParsedFile,
    SourceItem,
)
from quizzes.formats.export import ExportRefused, ExportTracker, QuestionExporter
from quizzes.formats.parsing.decoding import decode
from quizzes.formats.parsing.failures import read_blocks
from quizzes.formats.parsing.languages import decode_text
from quizzes.formats.parsing.naming import Names
from quizzes.formats.parsing.source_items import Origin, build_item
from quizzes.lib.markup.escape import escape_markdown

name = "flashcards"
extensions = ("txt", "md")

_MARK = re.compile(r"(Q|A|P|R|Front|Back|Anverso|Reverso)\s*:\s*(.*)", re.IGNORECASE)
_HINT = re.compile(r"(?:Hints?|Mnemonics?|Pistas?|Mnemotecnia)\s*:\s*(.*)", re.IGNORECASE)
_FRONTS = {"q", "p", "front", "anverso"}
_QUESTION_LINE = re.compile(r"[ \t]*[QP][ \t]*:.", re.IGNORECASE)
_ANSWER_LINE = re.compile(r"[ \t]*[AR][ \t]*:", re.IGNORECASE)
_WORD = re.compile(r"flash ?cards?\b|\btarjetas\b", re.IGNORECASE)
_CHECK_BOX = re.compile(
    r"[ \t]{0,12}(?:[-*+][ \t]{1,4}|\d{1,4}[.)][ \t]{1,4})?(?:\[[ xX*]?\]|\([ xX*]?\)|[☐☑☒])[ \t]"
)
_OPTION = re.compile(r"[ \t]{0,12}(?:[-*+][ \t]{1,4})?\*?\(?([ab])[.)][ \t]+\S", re.IGNORECASE)
_DETECTED_BYTES = 4000
"""Bytes in which a file says that it holds cards."""
_FAR = 200_000
"""Bytes in which there may be what no card has."""
_FRONT_LINE = re.compile(r"^[ \t]*(?:Q|P|Front|Anverso)[ \t]*:", re.IGNORECASE | re.MULTILINE)
_NUMBER = re.compile(r"\d{1,4}[.)]\s+")


@dataclass(slots=True)
class _CardLines:
    """The lines of one card; `has_turned`: what follows is of the back."""

    line: int
    end_line: int
    front: list[str]
    back: list[str] = field(default_factory=list)
    hint: list[str] = field(default_factory=list)
    is_on_back: bool = False

    def add(self, number: int, text: str, back: str | None) -> None:
        """Add a line; `back` is its text if it is marked as one of the back."""
        self.end_line = number if text else self.end_line
        self.is_on_back = self.is_on_back or back is not None
        if hint := _HINT.fullmatch(text):
            self.hint.append(hint[1])
        else:
            (self.back if self.is_on_back else self.front).append(text if back is None else back)


def detect(data: bytes, filename: str) -> bool:
    """Return whether a text has lines Q: and A:, or a title that says it holds cards.

    Where only a title says so, one with check boxes or with lettered options is a quiz.
    """
    if not filename.lower().endswith(extensions):
        return False
    near, lines = _first_lines(data, _DETECTED_BYTES), _first_lines(data, _FAR)
    filled = [line for line in lines if line]
    if any(_QUESTION_LINE.match(a) and _ANSWER_LINE.match(b) for a, b in pairwise(filled)):
        return True
    if any(map(_CHECK_BOX.match, lines)):
        return False
    letters = {option[1].lower() for option in map(_OPTION.match, lines) if option}
    above = takewhile(lambda line: not line.rstrip().endswith("?"), near)
    return letters != {"a", "b"} and any(map(_WORD.search, above))


def _first_lines(data: bytes, most: int) -> list[str]:
    """Return the lines within so many bytes; one that is cut there is cut at no character."""
    is_all = len(data) <= most
    part = data if is_all else data[: data.rfind(b"\n", 0, most) + 1] or data[:most]
    return decode(part)[0].split("\n")


def read(data: bytes, *, language: str = "") -> ParsedFile:
    """Read a file; what stands before the first card is its title, and noted."""
    text, language, notes = decode_text(data, language)
    before = list[Note]()
    items = read_blocks(_read_card, _split_cards(text, before), language)
    title = _NUMBER.sub("", before[0].quote) if before else ""
    metadata = FileMetadata(title, language)
    return ParsedFile(items=items, metadata=metadata, ignored_lines=(*notes, *before))


def write(parsed_file: ParsedFile, *, language: str) -> ExportResult:
    """Write cards with lines Q:, A: and Hint:; questions of other kinds are warnings."""
    exporter = QuestionExporter(_write_card, {"flashcard": ("study",)})
    texts, warnings = exporter.export(parsed_file, language)
    return ExportResult("\n".join(texts).encode(), warnings)


def _split_cards(text: str, before: list[Note]) -> Iterator[_CardLines]:
    """Yield the cards; what stands before the first one is noted."""
    has_marks = _FRONT_LINE.search(text)
    card: _CardLines | None = None
    for number, line in enumerate(map(str.strip, text.split("\n")), start=1):
        mark = _MARK.fullmatch(line) if has_marks else None
        begins = mark[1].lower() in _FRONTS if mark else not has_marks and line.endswith("?")
        if begins:
            if card:
                yield card
            front = mark[2] if mark else line
            card = _CardLines(number, number, [front], is_on_back=not mark)
        elif card:
            card.add(number, line, mark[2] if mark else None)
        elif line:
            before.append(Note("text_before_cards", number, line[:200]))
    if card:
        yield card


def _read_card(card: _CardLines, names: Names, language: str) -> SourceItem:
    parts = (card.front, card.back, card.hint)
    front, back, hint = (escape_markdown("\n".join(lines)) for lines in parts)
    texts = {"back_missing": back, "prompt_missing": front}
    notes = [Note(code, card.line, front[:200]) for code, text in texts.items() if not text]
    head = Head(card.line, names.assign(front), language, front)
    origin = Origin(card.line, card.end_line, name=head.name)
    return build_item(origin, build_flashcard(head, back, hint), notes)


def _write_card(tracker: ExportTracker) -> str:
    texts = (tracker.text("prompt"), tracker.feedback("back"), tracker.text("hint"))
    front, back, hint = map(tracker.remove_markup, texts)
    lines = map(str.strip, f"{front}\n{back}\n{hint}".split("\n"))
    if any(_MARK.fullmatch(line) or _HINT.fullmatch(line) for line in lines):
        raise ExportRefused(tracker.question, "line_like_a_mark")
    hints = "".join(f"Hint: {line}\n" for line in hint.split("\n") if line)
    return f"Q: {front}\nA: {back}\n{hints}"
