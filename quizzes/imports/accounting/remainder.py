"""The remainder of a file: every line that is in no text of a question, and in no note.

This is the law of conservation of the readers: what a file says is imported, told in a note,
refused with its item, or listed here with its line. An item with a remainder between its lines is
for a person to look at.
Texts are compared by their letters and digits, without the markup around them.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from operator import itemgetter
from typing import Self

from quizzes.formats.contract import (
    LONGEST_QUOTE,
    ImportStatus,
    Note,
    ParsedFile,
    SourceItem,
)
from quizzes.formats.detection import PLAIN
from quizzes.formats.parsing.other_questions import OtherQuestions
from quizzes.formats.parsing.progress import count_item
from quizzes.imports.accounting.key_signs import find_lost_signs
from quizzes.imports.accounting.normalization import split_segments, squeeze
from quizzes.imports.accounting.placement import FORMATS_IN_ORDER, find_misplaced_lines
from quizzes.imports.accounting.source_texts import SourceText, iterate_source
from quizzes.imports.accounting.table_signs import (
    find_lost_cells,
    find_lost_deletions,
    read_right_cells,
)
from quizzes.imports.source_excerpts import line_source

LEFT_OVER = "line_left_over"
_BETWEEN = -1
"""The number of what is no item."""
_CARDS = frozenset({"anki-apkg", "anki-tsv"})
_NAMED_BY_WORDS = frozenset(
    "aiken anki-apkg anki-tsv checklist csv flashcards kahoot letter_key text2qti transcript"
    " xlsx".split()
)
"""Formats that name an item by its words, or in a cell that nobody reads: its name is no text."""
_SHEETS = frozenset({"csv", "kahoot", "xlsx"})
_CLEAN = frozenset({ImportStatus.IMPORTED, ImportStatus.REPAIRED})
_MAX_CHARACTERS = 200_000_000
"""How many characters are looked through for one file, at most; beyond, lines are left over."""
_LEAST_SHORTENED = 40
"""Letters that a text must share with a note that quotes its beginning."""
_LEAST_ELSEWHERE = 3
"""Letters that a text must have to be looked for outside of its own item."""


def list_remainder(parsed_file: ParsedFile, data: bytes, format_: str) -> ParsedFile:
    """Return the file with the remainder of each of its items, and of what is between them."""
    if parsed_file.errors:
        return parsed_file
    remainders: dict[int, list[Note]] = defaultdict(list)
    paths: dict[str, list[int]] = defaultdict(list)
    for number, item in enumerate(parsed_file.items):
        paths[item.archive_path].append(number)
    shared, budget = _SearchedTexts.from_texts(_list_file_texts(parsed_file)), _Budget()
    cells_by_sheet = read_right_cells(data, format_) if format_ in _SHEETS else {}
    for path, numbers in sorted(paths.items()) or [("", [])]:
        numbered_items = [(number, parsed_file.items[number]) for number in numbers]
        member = _MemberItems(numbered_items, has_names=format_ not in _NAMED_BY_WORDS)
        fields: dict[int, list[str]] = defaultdict(list)
        source = list(iterate_source(data, format_, path))
        for line, texts in _count_items(source, numbered_items):
            if format_ in _CARDS:
                fields[line].append(texts[0])
            place = member.find_unaccounted((line, texts), shared, budget)
            if place is not None and not (
                format_ == "checklist" and _is_name(texts[0], parsed_file.items, place)
            ):
                quote = " ".join(texts[0].split())[:LONGEST_QUOTE]
                remainders[place].append(Note(LEFT_OVER, line, quote))
        for number, notes in _find_lost_signs(parsed_file, numbers, data, path, format_):
            remainders[number] += notes
        for number, notes in _find_misplaced(
            parsed_file, numbers, source, remainders, format_
        ).items():
            remainders[number] += notes
        cells = cells_by_sheet.get(path, {})
        for number in numbers if cells or fields else ():
            item = parsed_file.items[number]
            remainders[number] += find_lost_cells(item, cells)
            lines_of_item = range(item.line, item.end_line + 1)
            texts = [text for line in lines_of_item for text in fields[line]]
            remainders[number] += find_lost_deletions(item, texts)
    items = (
        _with_remainder(item, remainders[number]) for number, item in enumerate(parsed_file.items)
    )
    return replace(parsed_file, items=tuple(items), remainder=tuple(remainders[_BETWEEN]))


def _is_name(text: str, items: Sequence[SourceItem], place: int) -> bool:
    """Return whether a heading is the short name of its item, as our own pages have it."""
    heading = text.strip()
    return place >= 0 and heading.startswith("#") and heading.strip("# ") == items[place].name


def _count_items(
    source: Iterable[SourceText], items: Iterable[tuple[int, SourceItem]]
) -> Iterator[SourceText]:
    """Yield the lines of a file, and count each item at its first line."""
    begins = deque(sorted(item.line for _, item in items))
    for line, texts in source:
        while begins and begins[0] <= line:
            begins.popleft()
            count_item()
        yield line, texts


def _find_lost_signs(
    parsed_file: ParsedFile, numbers: Sequence[int], data: bytes, path: str, format_: str
) -> Iterator[tuple[int, list[Note]]]:
    """Yield the numbers of items with notes on signs of a key that are in none."""
    if format_ not in PLAIN:
        return
    lines = line_source(data, format_)(path)
    questions = OtherQuestions(lines, format_)
    noted = {note.line for note in parsed_file.ignored_lines}
    for number in numbers:
        item = parsed_file.items[number]
        others = [line for line in questions.find_lines(item) if line not in noted]
        yield number, list(find_lost_signs(item, lines, format_, others))


def _list_apart(items: Sequence[SourceItem], numbers: Sequence[int]) -> Iterator[int]:
    """Yield the numbers of clean items that share no line with another."""
    last = 0
    by_line = sorted(numbers, key=lambda number: items[number].line)
    for place, number in enumerate(by_line):
        item = items[number]
        following = by_line[place + 1 : place + 2]
        is_apart = last < item.line and all(item.end_line < items[n].line for n in following)
        last = max(last, item.end_line)
        if is_apart and item.status in _CLEAN:
            yield number


def _find_misplaced(
    parsed_file: ParsedFile,
    numbers: Sequence[int],
    source: Sequence[SourceText],
    remainders: Mapping[int, Sequence[Note]],
    format_: str,
) -> Mapping[int, list[Note]]:
    """Return notes on the lines of items that are in the wrong one of their texts.

    Items of which a line is left over are for a person anyway.
    """
    if format_ not in FORMATS_IN_ORDER:
        return {}
    noted = frozenset(note.line for note in parsed_file.ignored_lines)
    misplaced: dict[int, list[Note]] = {}
    for number in _list_apart(parsed_file.items, numbers):
        item = parsed_file.items[number]
        first = bisect_left(source, item.line, key=itemgetter(0))
        end = bisect_right(source, item.end_line, key=itemgetter(0))
        if not remainders.get(number):
            misplaced[number] = list(find_misplaced_lines(item, source[first:end], format_, noted))
    return misplaced


def _with_remainder(item: SourceItem, notes: Sequence[Note]) -> SourceItem:
    """Return an item with its remainder; one that seemed clean is for a person to look at.

    One that was refused is listed with all its lines anyway.
    """
    if not notes or item.question is None:
        return item
    status = ImportStatus.REVIEW if item.status in _CLEAN else item.status
    return replace(item, status=status, remainder=tuple(notes), is_damaged=True)


@dataclass(slots=True)
class _Budget:
    """How many characters may still be looked through."""

    left: int = _MAX_CHARACTERS

    def spend(self, characters: int) -> bool:
        """Return whether so many are left, and take them."""
        self.left -= characters
        return self.left >= 0


@dataclass(slots=True)
class _SearchedTexts:
    """Texts in which others are looked for, squeezed: as lines, and one after the other.

    `shortened` are quotes of notes that may be the beginning of a text, by their length.
    """

    lines: frozenset[str]
    joined: str
    shortened: Mapping[int, frozenset[str]]
    _at: int = 0

    @classmethod
    def from_texts(cls, texts: Iterable[str], quotes: Iterable[str] = ()) -> Self:
        """Return texts and the quotes of notes, squeezed."""
        parts = [squeeze(line) for text in texts for line in text.split("\n")]
        squeezed_quotes = [squeeze(quote) for quote in quotes]
        return cls(
            frozenset((*parts, *squeezed_quotes)),
            "".join([*parts, "\n", "\n".join(squeezed_quotes)]),
            _group_by_length(quote for quote in squeezed_quotes if len(quote) >= _LEAST_SHORTENED),
        )

    @classmethod
    def combine(cls, several: Sequence["_SearchedTexts"]) -> Self:
        """Return all of several, to be looked through at once."""
        return cls(
            frozenset().union(*(each.lines for each in several)),
            "\n".join(each.joined for each in several),
            _group_by_length(
                quote for each in several for quotes in each.shortened.values() for quote in quotes
            ),
        )

    def has(self, segment: str, budget: _Budget) -> bool:
        """Return whether a text is among these, or a note quotes its beginning."""
        if segment in self.lines:
            return True
        # Texts come mostly in their order: so the next one is near.
        at = self._find(segment, self._at, budget)
        if at < 0 and self._at:
            at = self._find(segment, 0, budget)
        if at >= 0:
            self._at = at
            return True
        return any(segment[:length] in quotes for length, quotes in self.shortened.items())

    def _find(self, segment: str, start: int, budget: _Budget) -> int:
        """Return where a text is, from a place on; -1 where it is not, or was not looked for."""
        if not budget.spend(0):
            return -1
        at = self.joined.find(segment, start)
        budget.spend((len(self.joined) if at < 0 else at) - start)
        return at


def _group_by_length(texts: Iterable[str]) -> Mapping[int, frozenset[str]]:
    groups: dict[int, set[str]] = defaultdict(set)
    for text in texts:
        groups[len(text)].add(text)
    return {length: frozenset(group) for length, group in groups.items()}


def _drop_start(segments: Sequence[str], length: int) -> list[str]:
    """Return segments without as many characters at the start of them all; tags part the rest."""
    rest: list[str] = []
    for segment in segments:
        rest.append(segment[length:])
        length = max(length - len(segment), 0)
    return rest


class _MemberItems:
    """The items of one member of a file, by their lines; `has_names`: the file names them."""

    def __init__(self, items: Sequence[tuple[int, SourceItem]], *, has_names: bool) -> None:
        self._has_names = has_names
        self._items = sorted(items, key=lambda numbered: (numbered[1].line, numbered[0]))
        self._last = list(accumulate((item.end_line for _, item in self._items), max))
        self._texts: dict[int, _SearchedTexts] = {}
        self._all: _SearchedTexts | None = None
        self._keys: dict[int, list[str]] = defaultdict(list)
        for _, item in items:
            for note in item.keys:
                self._keys[note.line].append("".join(split_segments(note.quote)))
        self._start = 0

    def find_unaccounted(
        self, source: SourceText, shared: _SearchedTexts, budget: _Budget
    ) -> int | None:
        """Return the item that a line left over is in, `_BETWEEN` for none; else None.

        Where several items share a line it is the first of them.
        """
        line, texts = source
        own = list(self._iterate_own(line))
        if own and all(item.status == ImportStatus.REFUSED for _, item in own):
            return None  # listed with all its lines anyway
        near = [self._search(number, item) for number, item in own] or [self._search_all()]
        for text in texts:
            segments = self._without_keys(line, list(split_segments(text)))
            if all(_is_in(segment, near, shared, budget) for segment in segments):
                return None
        return own[0][0] if own else _BETWEEN

    def _without_keys(self, line: int, segments: list[str]) -> list[str]:
        """Return the segments of a line without what was read as the key."""
        if line not in self._keys:
            return segments
        for key in filter(None, self._keys[line]):
            words = "".join(segments)
            if words.startswith(key) and not words.endswith(key):
                segments = _drop_start(segments, len(key))
            else:
                is_end = words.endswith(key)
                segments = [words.removesuffix(key) if is_end else words.replace(key, "", 1)]
        return [segment for segment in segments if segment]

    def _iterate_own(self, line: int) -> Iterator[tuple[int, SourceItem]]:
        while self._start < len(self._items) and self._last[self._start] < line:
            self._start += 1
        for number, item in self._items[self._start :]:
            if item.line > line:
                return
            if item.end_line >= line:
                yield number, item

    def _search(self, number: int, item: SourceItem) -> _SearchedTexts:
        if number not in self._texts:
            quotes = [note.quote for note in item.notes]
            details = [str(part) for note in item.notes for part in note.detail.values()]
            texts = _list_item_texts(item, has_name=self._has_names)
            self._texts[number] = _SearchedTexts.from_texts(texts, [*quotes, *details])
        return self._texts[number]

    def _search_all(self) -> _SearchedTexts:
        """Return the texts of all items: a question may use what is above its lines."""
        if self._all is None:
            each = [self._search(number, item) for number, item in self._items]
            self._all = _SearchedTexts.combine(each)
        return self._all


def _is_in(
    segment: str, near: Sequence[_SearchedTexts], shared: _SearchedTexts, budget: _Budget
) -> bool:
    """Return whether a text is in one of these; those that have it as a line are asked first."""
    searched = [*near, shared] if len(segment) >= _LEAST_ELSEWHERE else near
    return any(segment in texts.lines for texts in searched) or any(
        texts.has(segment, budget) for texts in searched
    )


def _list_item_texts(item: SourceItem, *, has_name: bool) -> Iterator[str]:
    yield item.kind
    question = item.question
    if has_name:
        yield from (item.name, question.name if question else "")
    if question is None:
        return
    yield from (question.kind, question.scoring_method, *question.tags)
    yield from map(str, question.fields.values())
    for texts in question.all_texts:
        yield from texts.values()
    for row in question.rows:
        yield row.name
        yield from map(str, row.values.values())


def _list_file_texts(parsed_file: ParsedFile) -> Iterator[str]:
    """Yield what a file says of itself, and what its notes on no item quote."""
    yield from (parsed_file.metadata.title, parsed_file.slug)
    yield from map(str, parsed_file.fields.values())
    for note in parsed_file.ignored_lines:
        yield note.quote
    for item in parsed_file.items:
        if item.question is not None:
            yield from item.question.tags
