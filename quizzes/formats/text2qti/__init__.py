"""text2qti Markdown, from which others make QTI: read and written. Its programs are never run."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

from quizzes.formats.builders import (
    Accepted,
    Head,
    Number,
    Option,
    choice,
    essay,
    numeric,
    short_text,
    true_false,
    with_bands,
)
from quizzes.formats.contract import (
    ExportResult,
    FileMetadata,
    ImportStatus,
    Note,
    ParsedFile,
    ParsedQuestion,
    SourceItem,
)
from quizzes.formats.parsing.boolean_words import OWN_LANGUAGES, parse_boolean
from quizzes.formats.parsing.failures import read_item
from quizzes.formats.parsing.languages import decode_text
from quizzes.formats.parsing.naming import Names
from quizzes.formats.parsing.numbers import between
from quizzes.formats.parsing.percentages import fraction
from quizzes.formats.parsing.source_items import Origin, build_item
from quizzes.formats.text2qti.parts import Part, parts
from quizzes.formats.text2qti.writing import written

name = "text2qti"
extensions = ("txt", "md")

_QUESTION = re.compile(rb"^\d{1,9}\.[ \t]+\S", re.MULTILINE)
_ANSWER = re.compile(
    rb"^(?:\*[A-Za-z]\)[ \t]+\S|\[\*\][ \t]+\S|=[ \t]+[-\[\d.]|_{3,}[ \t]*$|Quiz title:)",
    re.MULTILINE,
)
_SAID = frozenset({"explanation", "plus", "minus", "solution"})
_TEXTS = _SAID | {"question", "one", "many"}
_ANSWERS = frozenset({"one", "many", "text", "number", "essay", "upload"})
_MARGIN = re.compile(r"(\S+)\s*\+-\s*([\d._]+)\s*(%?)")
_RANGE = re.compile(r"\[([^,\]]+),([^,\]]+)\]")
_PICTURE = re.compile(r"!\[[^\]\n]{0,300}\]\((?!https?:|media:)")
_REVIEW = frozenset("key_unknown number_unreadable answers_of_two_kinds".split())
_TWO = 2


@dataclass(slots=True)
class _Block:
    """One question as it stands."""

    question: Part
    title: str = ""
    points: Fraction | None = None
    parts: list[Part] = field(default_factory=list)
    drawn: bool = False  # in a group of which some are drawn
    joined: list[tuple[int, str]] = field(default_factory=list)  # lines at the margin

    @property
    def above(self) -> Part:
        """Its last part."""
        return self.parts[-1] if self.parts else self.question

    def join(self, strays: Sequence[Part]) -> None:
        """Join lines at the margin to the text above them."""
        for part in strays:
            self.above.lines += [part.text, *part.lines]
            self.above.last = part.last
            self.joined.append((part.line, part.text[:200]))

    @property
    def last(self) -> int:
        """Its last line."""
        return self.above.last


def detect(data: bytes, filename: str) -> bool:
    """Tell a file by a numbered question and an answer at the margin."""
    start = data[:200_000].replace(b"\r\n", b"\n")
    known = filename.lower().endswith(extensions)
    return known and bool(_QUESTION.search(start) and _ANSWER.search(start))


def read(data: bytes, *, language: str = "") -> ParsedFile:
    """Read a file; titles of its parts, settings and comments are among its noise."""
    text, known, notes = decode_text(data, language)
    reading = _Reading(known or "en", notes)
    for part in parts(text):
        reading.take(part)
    reading.end()
    metadata = FileMetadata(reading.title, reading.language)
    return ParsedFile(
        items=tuple(reading.found), metadata=metadata, ignored_lines=tuple(reading.noise)
    )


def write(parsed_file: ParsedFile, *, language: str) -> ExportResult:
    """Write what the format can hold; kinds that it has not are losses."""
    made = [
        written(one.question, language, one.points)
        for one in parsed_file.items
        if one.question is not None
    ]
    title = f"Quiz title: {parsed_file.metadata.title}\n\n" if parsed_file.metadata.title else ""
    texts = [f"{n}.  {one}" for n, one in enumerate((one for _, one, _ in made if one), start=1)]
    heads = [head for head, one, _ in made if one]
    text = title + "\n".join(head + one for head, one in zip(heads, texts, strict=True))
    return ExportResult(
        text.encode(), tuple(warning for *_, warnings in made for warning in warnings)
    )


class _Reading:
    """Takes the parts of a file in their order."""

    def __init__(self, language: str, noise: list[Note]) -> None:
        self.language, self.noise = language, noise
        self.found: list[SourceItem] = []
        self.title = ""
        self._names = Names()
        self._block: _Block | None = None
        self._strays: list[Part] = []  # lines at the margin below the last part
        self._next = _Head()
        self._group: Fraction | None = None
        self._grouped = False
        self._shuffle = True

    def take(self, part: Part) -> None:
        """Take one part."""
        if part.what == "setting":
            self.end()
            self._setting(part)
        elif part.what == "question":
            self.end()
            points = self._next.points or self._group
            self._block = _Block(part, self._next.title, points, drawn=self._grouped)
            self._next = _Head()
        elif part.what == "group":
            self.end()
            self._grouped, self._group = part.mark == "GROUP", None
        elif self._block and part.what in _SAID | _ANSWERS:
            self._block.join(self._strays)
            self._strays = []
            self._block.parts.append(part)
        elif self._block and part.what == "stray" and self._block.above.what in _TEXTS:
            self._strays.append(part)
        elif part.what == "run":
            self.end()
            note = Note("run_by_program", part.line, part.whole()[:200])
            called = self._names.name(f"program on line {part.line}")
            refused = ImportStatus.REFUSED
            self.found.append(
                SourceItem(part.line, part.last, called, "program", refused, None, (note,))
            )
        else:
            self._noise(part)

    def _setting(self, part: Part) -> None:
        match part.mark:
            case "Quiz title":
                self.title = part.whole()
            case "Title":
                self._next.title = part.whole()
            case "Points":
                self._next.points = fraction(part.text)
            case "points per question":
                self._group = fraction(part.text)
            case "shuffle answers":
                self._shuffle = part.text.strip() != "false"
            case _:
                self._noise(part)

    def _noise(self, part: Part) -> None:
        code = "setting_left_out" if part.what == "setting" else "belongs_to_no_item"
        quote = f"{part.mark}: {part.text}" if part.mark else part.text
        self.noise.append(Note(code, part.line, quote.strip()[:200]))

    def end(self) -> None:
        """End the question that is being read."""
        while self._block and self._strays and self._strays[0].line == self._block.last + 1:
            self._block.join([self._strays.pop(0)])
        for part in self._strays:
            self._noise(part)
        self._strays = []
        if self._block:
            place = Origin(self._block.question.line, self._block.last)
            self.found.append(read_item(partial(self._made, self._block), place))
        self._block = None

    def _made(self, block: _Block) -> SourceItem:
        line, prompt = block.question.line, block.question.whole()
        called = self._names.name(block.title, prompt)
        said = _general(block)
        head = Head(line, called, self.language, prompt, said.get("explanation", ""))
        notes = [Note("group_draws", line)] if block.drawn else []
        notes += [Note("line_at_margin", number, quote) for number, quote in block.joined]
        if "solution" in said:
            notes.append(Note("solution_left_out", line, said["solution"][:200]))
        if _PICTURE.search("\n".join([prompt, *(one.whole() for one in block.parts)])):
            notes.append(Note("picture_missing", line))
        answers = [one for one in block.parts if one.what in _ANSWERS]
        question = _built(head, block, answers, notes, shuffle=self._shuffle)
        if question:
            bands = {Fraction(1): said.get("plus", ""), Fraction(0): said.get("minus", "")}
            question = with_bands(question, self.language, bands)
        kind, points = answers[0].what if answers else "", block.points
        place = Origin(line, block.last)
        return build_item(place.with_name(called, kind, points), question, notes, review=_REVIEW)


@dataclass(slots=True)
class _Head:
    title: str = ""
    points: Fraction | None = None


def _general(block: _Block) -> dict[str, str]:
    """Give what is said to the question; what follows an answer is said to that one."""
    said: dict[str, str] = {}
    for one in block.parts:
        if one.what in {"one", "many"}:
            break
        if one.what in _SAID:
            said[one.what] = one.whole()
    return said


def _built(
    head: Head, block: _Block, answers: list[Part], notes: list[Note], *, shuffle: bool
) -> ParsedQuestion | None:
    kinds = list(dict.fromkeys(one.what for one in answers))
    if len(kinds) > 1:
        notes.append(Note("answers_of_two_kinds", answers[0].line, answers[0].text[:200]))
        answers = [one for one in answers if one.what == kinds[0]]
    match kinds[:1]:
        case ["one" | "many"]:
            return _chosen(head, block, answers, notes, shuffle=shuffle)
        case ["text"]:
            return short_text(head, [Accepted(one.text.strip()) for one in answers])
        case ["number"]:
            return _number(head, answers[0], notes)
        case ["essay"]:
            return essay(head)
        case ["upload"]:
            notes.append(Note("file_upload", head.line, head.prompt[:200]))
            return None
        case _:
            notes.append(Note("options_missing", head.line, head.prompt[:200]))
            return None


def _chosen(
    head: Head, block: _Block, answers: list[Part], notes: list[Note], *, shuffle: bool
) -> ParsedQuestion | None:
    if len(answers) < _TWO:
        notes.append(Note("options_missing", head.line, head.prompt[:200]))
        return None
    told: dict[int, str] = {}
    last = 0
    for one in block.parts:
        last = one.line if one.what in _ANSWERS else last
        if one.what == "explanation" and last:
            told[last] = one.whole()
    options = [
        Option(one.whole(), right=one.mark == "*", feedback=told.get(one.line, ""), line=one.line)
        for one in answers
    ]
    rights = [one for one in options if one.right]
    many = answers[0].what == "many"
    if not rights or (not many and len(rights) > 1):
        notes.append(Note("key_unknown", head.line, head.prompt[:200]))
    truths = [parse_boolean(one.text) for one in options]
    ours = sorted(map(str, truths)) == ["False", "True"] and head.language in OWN_LANGUAGES
    if ours and not many and len(rights) == 1:
        feedback = {bool(is_it): one.feedback for is_it, one in zip(truths, options, strict=True)}
        return true_false(head, right=parse_boolean(rights[0].text) is True, feedback=feedback)
    return choice(head, options, many=many, shuffle=shuffle)


def _number(head: Head, answer: Part, notes: list[Note]) -> ParsedQuestion:
    number = _bounds(answer.text.strip())
    if number is None:
        notes.append(Note("number_unreadable", answer.line, answer.text[:200]))
    return numeric(head, [number] if number else [])


def _bounds(text: str) -> Number | None:
    value: Fraction | None
    low: Fraction | None
    high: Fraction | None
    if about := _MARGIN.fullmatch(text):
        value, margin = _value(about[1]), _value(about[2])
        if value is None or margin is None:
            return None
        margin = abs(value) * margin / 100 if about[3] else margin
        low, high = value - margin, value + margin
    elif within := _RANGE.fullmatch(text):
        value, low, high = None, _value(within[1]), _value(within[2])
    else:
        value = low = high = _value(text)
    if low is None or high is None:
        return None
    tolerance, told, rest = between(value, *sorted((low, high)))
    return Number(told, tolerance, rest)


def _value(text: str) -> Fraction | None:
    """Read a number; an exponent of three digits at most."""
    digits, _, power = text.strip().replace("_", "").lower().partition("e")
    value = fraction(digits)
    if value is None or not power:
        return value
    return value * Fraction(10) ** int(power) if re.fullmatch(r"[+-]?\d{1,3}", power) else None
