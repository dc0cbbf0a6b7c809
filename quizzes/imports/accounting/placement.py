"""Where the lines of a choice question ended up: each in its own text, in its order. Pure.

The remainder asks only whether a line is anywhere in its item. Here the lines are attributed one
after the other: those above the options to the prompt, those from an option on to that option or
to what explains the whole. So text in the wrong option is seen, and a short option that got lost
though its words stand in the prompt, too.
"""

import re
from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass

from quizzes.formats.contract import LONGEST_QUOTE, Note, ParsedQuestion, ParsedRow, SourceItem
from quizzes.imports.accounting.normalization import split_segments, squeeze
from quizzes.imports.accounting.source_texts import SourceText

MISPLACED = "line_misplaced"
FORMATS_IN_ORDER = frozenset(
    "aiken checklist csv gift kahoot letter_key moodle-xml olx qti-1.2 qti-2 qti-3 text2qti"
    " transcript xlsx".split()
)
"""Formats in which a question is asked in the order of the file."""
_LABELLED = frozenset({"aiken", "checklist", "letter_key", "text2qti"})
"""Formats whose lines begin with labels, which `strip_labels` takes off."""
_OPTION = re.compile(
    r"\W*(?:\[[ xX*]?\]\W*)?\(?(?:[A-Za-z]|\d{1,3})[.):](?!\s*\[\w\]\W*$)\W*?\s\W*\w"
)
"""A label with words beside it: without both nothing is left, and "A. 3" is no key.

A box alone, as in "1. [x]", has no words: the option is the listing below it. Neither has one with
signs: "1. [x] >=".
"""
_CHOICES = frozenset({"single_choice", "multiple_choice"})
_LONG = 12
"""Letters of a line that may stand at another place of its own text."""
_MOST_CHARACTERS = 20_000_000
"""How many characters are looked through for one item; beyond, nothing is said."""


@dataclass(slots=True)
class _Text:
    """A text, squeezed, that is consumed from its start on; `lines` are its lines."""

    text: str
    lines: frozenset[str]
    at: int = 0
    spent: int = 0

    @classmethod
    def join(cls, texts: Iterable[str]) -> "_Text":
        """Return several texts as one."""
        lines = [line for text in texts for part in text.split("\n") if (line := squeeze(part))]
        return cls("".join(lines), frozenset(lines))

    def consume(self, segment: str) -> bool:
        """Return whether a segment comes next, or further on; then what follows it is next."""
        at = self.text.find(segment, self.at)
        self.spent += (at if at >= 0 else len(self.text)) - self.at
        self.at = at + len(segment) if at >= 0 else self.at
        return at >= 0

    def is_over(self, segment: str) -> bool:
        """Return whether a segment is all of it, and was consumed before."""
        return segment == self.text and self.at == len(self.text)

    def has(self, segment: str) -> bool:
        """Return whether it has a segment anywhere; a short one must be a line."""
        return segment in self.lines or (len(segment) >= _LONG and segment in self.text)


@dataclass(slots=True)
class _Places:
    """The texts of an item by their places, and how far its lines are attributed."""

    prompt: _Text
    rows: Sequence[_Text]
    firsts: Sequence[int]  # lines of the rows; none where rows share lines
    rest: _Text
    quotes: Sequence[str]
    feedback: _Text
    names: frozenset[str]
    row: int = -1

    @property
    def spent(self) -> int:
        """Return how many characters were looked through."""
        return sum(text.spent for text in (self.prompt, self.rest, self.feedback, *self.rows))

    def place(self, line: int, segment: str) -> bool:
        """Return whether a segment of a line stands where it should."""
        self.reach(line)
        if (self.row < 0 and self.prompt.consume(segment)) or self._is_name(segment):
            return True
        if self._place_in_row(segment) or self.rest.has(segment) or self._is_quoted(segment):
            return True
        if self.is_outside and self.rest.consume(segment):
            return True
        if any(row.is_over(segment) for row in self.rows):
            return True  # a key that repeats an option
        if self.row < 0:
            return self.prompt.has(segment)
        return not self.firsts and self.prompt.consume(segment)  # it goes on below its options

    def reach(self, line: int) -> None:
        """Go on to the option that a line belongs to."""
        if self.firsts:
            self.row = max(self.row, bisect_right(self.firsts, line) - 1)

    @property
    def is_outside(self) -> bool:
        """Return whether what comes next may be above or below all options."""
        return not self.firsts or self.row in {-1, len(self.rows) - 1}

    def _place_in_row(self, segment: str) -> bool:
        if self.firsts:
            is_last = self.row == len(self.rows) - 1
            own = self.row >= 0 and self.rows[self.row].consume(segment)
            return own or (is_last and self.feedback.has(segment))
        if segment == "".join(row.text for row in self.rows):  # "Choices: Tajo; Ebro"
            self.row = len(self.rows) - 1
            return True
        for at in range(max(self.row, 0), len(self.rows)):
            if self.rows[at].consume(segment):
                self.row = at
                return True
        # QTI has the feedback on options below all of them.
        return self.feedback.has(segment) or self.feedback.consume(segment)

    def _is_name(self, segment: str) -> bool:
        """Return whether it names the item or a row; a name that was taken has a number more."""
        is_long = len(segment) >= _LONG // 2
        return segment in self.names or (
            is_long and any(name.startswith(segment) for name in self.names)
        )

    def _is_quoted(self, segment: str) -> bool:
        return any(segment.startswith(quote) or segment in quote for quote in self.quotes)


def find_misplaced_lines(
    item: SourceItem,
    source: Sequence[SourceText],
    format_: str,
    noted: Container[int] = (),
) -> Iterator[Note]:
    """Yield a note on each line of a choice question that is not where it should be.

    `noted` are lines that notes of the file say what became of.
    """
    question = item.question
    if question is None or question.kind not in _CHOICES:
        return
    places = _build_places(item, question)
    if places is None:
        return
    keys = {note.line for note in item.keys}
    has_labels = format_ in _LABELLED
    for line, texts in source:
        if line in keys or line in noted:
            continue
        if places.spent > _MOST_CHARACTERS:
            return
        if not _place_any(places, line, texts, has_labels=has_labels):
            yield Note(MISPLACED, line, " ".join(texts[0].split())[:LONGEST_QUOTE])


def _place_any(places: _Places, line: int, texts: Sequence[str], *, has_labels: bool) -> bool:
    """Return whether one of the forms of a line is in its place."""
    places.reach(line)
    may_be_empty = not has_labels or _OPTION.match(texts[0]) is None
    for text in reversed(texts):
        segments = list(split_segments(text))
        if not (segments or text is texts[0] or may_be_empty):
            continue
        texts_of_item = (places.prompt, places.rest, places.feedback, *places.rows)
        row, ends = places.row, [text_of_item.at for text_of_item in texts_of_item]
        if all(places.place(line, segment) for segment in segments):
            return True
        places.row = row
        for text_of_item, at in zip(texts_of_item, ends, strict=True):
            text_of_item.at = at
    return False


def _build_places(item: SourceItem, question: ParsedQuestion) -> _Places | None:
    rows = question.tables.get("options", ())
    if len(rows) < 2:  # noqa: PLR2004 (one cannot be taken for another)
        return None
    lines = [row.line for row in rows]
    are_apart = lines == sorted({*lines}) and item.line <= lines[0] and lines[-1] <= item.end_line
    prompts = [
        text
        for name, by_language in question.texts.items()
        if name.name == "prompt" and not name.is_feedback
        for text in by_language.values()
    ]
    others = [text for by_language in question.texts.values() for text in by_language.values()]
    others = [text for text in others if text not in prompts]
    others += [str(value) for value in question.fields.values()]
    others += [
        text
        for name, table in question.tables.items()
        if name != "options"
        for row in table
        for text in _list_texts(row)
    ]
    others += [item.kind, question.kind, question.scoring_method, *question.tags]
    quotes = [squeeze(note.quote) for note in (*item.notes, *item.keys)]
    joined = [_Text.join(_list_texts(row)) for row in rows]
    texts = {text.text for text in joined}
    return _Places(
        _Text.join(prompts),
        joined,
        lines if are_apart else (),
        _Text.join(others),
        [quote for quote in quotes if quote],
        _Text.join(text for row in rows for text in _list_texts(row, is_feedback=True)),
        frozenset(squeeze(name) for name in (item.name, *(row.name for row in rows))) - texts,
    )


def _list_texts(row: ParsedRow, *, is_feedback: bool | None = None) -> Iterator[str]:
    for name, by_language in row.texts.items():
        if is_feedback is None or name.is_feedback is is_feedback:
            yield from by_language.values()
