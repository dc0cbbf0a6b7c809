"""Cards as people type them: a question on its line and the answer below, or lines Q: and A:."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
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
from quizzes.formats.parsing.failures import read_item
from quizzes.formats.parsing.languages import decode_text
from quizzes.formats.parsing.markdown_escape import escape_markdown
from quizzes.formats.parsing.naming import Names
from quizzes.formats.parsing.source_items import Origin, build_item

name = "flashcards"
extensions = ("txt", "md")

_MARK = re.compile(r"(Q|A|P|R|Front|Back|Anverso|Reverso)\s*:\s*(.*)", re.IGNORECASE)
_HINT = re.compile(r"(?:Hints?|Mnemonics?|Pistas?|Mnemotecnia)\s*:\s*(.*)", re.IGNORECASE)
_FRONTS = {"q", "p", "front", "anverso"}
_ASKED = re.compile(r"[ \t]*[QP][ \t]*:.", re.IGNORECASE)
_ANSWERED = re.compile(r"[ \t]*[AR][ \t]*:", re.IGNORECASE)
_WORD = re.compile(r"flash ?cards?\b|\btarjetas\b", re.IGNORECASE)
_CHECK_BOX = re.compile(
    r"[ \t]{0,12}(?:[-*+][ \t]{1,4}|\d{1,4}[.)][ \t]{1,4})?(?:\[[ xX*]?\]|\([ xX*]?\)|[☐☑☒])[ \t]"
)
_OPTION = re.compile(r"[ \t]{0,12}(?:[-*+][ \t]{1,4})?\*?\(?([ab])[.)][ \t]+\S", re.IGNORECASE)
_NEAR = 4000
"""Bytes in which a file says that it holds cards."""
_FAR = 200_000
"""Bytes in which there may be what no card has."""
_MARKED = re.compile(r"^[ \t]*(?:Q|P|Front|Anverso)[ \t]*:", re.IGNORECASE | re.MULTILINE)
_NUMBER = re.compile(r"\d{1,4}[.)]\s+")


@dataclass(slots=True)
class _Card:
    line: int
    last: int
    front: list[str]
    back: list[str] = field(default_factory=list)
    hint: list[str] = field(default_factory=list)
    turned: bool = False  # what follows is of the back


def detect(data: bytes, filename: str) -> bool:
    """Return whether a text has lines Q: and A:, or a title that says it holds cards.

    A file with check boxes is a quiz, and so is one with lettered options but for its title.
    """
    if not filename.lower().endswith(extensions):
        return False
    near, lines = _first_lines(data, _NEAR), _first_lines(data, _FAR)
    if any(map(_CHECK_BOX.match, lines)):
        return False
    return _is_marked(near) or (_is_titled(near) and not _is_lettered(lines))


def _first_lines(data: bytes, most: int) -> list[str]:
    """Return the lines within so many bytes; one that is cut there is cut at no character."""
    whole = len(data) <= most
    part = data if whole else data[: data.rfind(b"\n", 0, most) + 1] or data[:most]
    return decode(part)[0].split("\n")


def _is_marked(lines: list[str]) -> bool:
    """Return whether a line Q: stands right above a line A:, but for blank ones."""
    filled = [line for line in lines if line]
    return any(_ASKED.match(line) and _ANSWERED.match(below) for line, below in pairwise(filled))


def _is_lettered(lines: list[str]) -> bool:
    """Return whether options A and B are among the lines."""
    letters = {option[1].lower() for option in map(_OPTION.match, lines) if option}
    return letters == {"a", "b"}


def _is_titled(lines: list[str]) -> bool:
    """Return whether the words above the first question say that these are cards."""
    above = takewhile(lambda line: not line.rstrip().endswith("?"), lines)
    return any(map(_WORD.search, above))


def read(data: bytes, *, language: str = "") -> ParsedFile:
    """Read a file; what stands before the first card is its title, and noise."""
    text, spoken, noise = decode_text(data, language)
    names = Names()
    before: list[Note] = []
    cards = list(_cards(text, before))
    title = _NUMBER.sub("", before[0].quote) if before else ""
    found = tuple(
        read_item(partial(_found, card, names, spoken or "en"), Origin(card.line, card.last))
        for card in cards
    )
    return ParsedFile(
        items=found, metadata=FileMetadata(title, spoken), ignored_lines=(*noise, *before)
    )


def write(parsed_file: ParsedFile, *, language: str) -> ExportResult:
    """Write cards with lines Q:, A: and Hint:; questions of other kinds are losses."""
    exporter = QuestionExporter({"flashcard": (_write_card, ("study",))})
    texts, warnings = exporter.export(parsed_file, language)
    return ExportResult("\n".join(texts).encode(), warnings)


def _cards(text: str, before: list[Note]) -> Iterator[_Card]:
    marked = _MARKED.search(text)
    card: _Card | None = None
    for number, line in enumerate(text.split("\n"), start=1):
        said = line.strip()
        mark = _MARK.fullmatch(said) if marked else None
        begins = mark[1].lower() in _FRONTS if mark else not marked and said.endswith("?")
        if begins:
            if card:
                yield card
            card = _Card(number, number, [mark[2] if mark else said], turned=not mark)
        elif card is None:
            if said:
                before.append(Note("text_before_cards", number, said[:200]))
        else:
            _add(card, number, said, mark[2] if mark else None)
    if card:
        yield card


def _add(card: _Card, number: int, said: str, back: str | None) -> None:
    card.last = number if said else card.last
    card.turned = card.turned or back is not None
    if found := _HINT.fullmatch(said):
        card.hint.append(found[1])
    else:
        (card.back if card.turned else card.front).append(said if back is None else back)


def _found(card: _Card, names: Names, language: str) -> SourceItem:
    front, back, hint = (
        escape_markdown("\n".join(part)) for part in (card.front, card.back, card.hint)
    )
    called = names.name(front)
    codes = {"back_missing": back, "prompt_missing": front}
    notes = tuple(Note(code, card.line, front[:200]) for code, text in codes.items() if not text)
    question = build_flashcard(Head(card.line, called, language, front), back, hint)
    return build_item(Origin(card.line, card.last).with_name(called), question, notes)


def _write_card(tracker: ExportTracker) -> str:
    texts = (tracker.text("prompt"), tracker.feedback("back"), tracker.text("hint"))
    front, back, hint = map(tracker.remove_markup, texts)
    lines = f"{front}\n{back}\n{hint}".split("\n")
    if any(_MARK.fullmatch(line.strip()) or _HINT.fullmatch(line.strip()) for line in lines):
        raise ExportRefused(tracker.question, "line_like_a_mark")
    hint_lines = "".join(f"Hint: {line}\n" for line in hint.split("\n") if line)
    return f"Q: {front}\nA: {back}\n{hint_lines}"
