"""Questions as rows, in every language that they have; what no cell can hold is a warning."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from string import ascii_lowercase

from grading.kinds import KINDS
from quizzes.formats.contract import ExportWarning, ParsedFile, ParsedQuestion, ParsedRow
from quizzes.formats.export.tracker import ExportRefused, ExportTracker, plain_text
from quizzes.formats.parsing.boolean_words import OWN_WORDS
from quizzes.formats.parsing.naming import slugify
from quizzes.formats.parsing.numbers import format_number
from quizzes.formats.spreadsheet.answers import write_right_options
from quizzes.formats.spreadsheet.cells import (
    ListEntry,
    parse_pair,
    write_entries,
    write_number,
    write_pair,
    write_share,
)
from quizzes.formats.spreadsheet.columns import Column, write_heading
from quizzes.formats.spreadsheet.kinds import write_kind
from quizzes.formats.spreadsheet.settings import PINNED, write_setting
from quizzes.lib.markup.escape import escape_markdown

_ORDER = (
    "kind question option correct points explanation weight feedback unchosen otherwise hint tags "
    "format name scoring_method settings"
).split()
_UNITS = {"unit", "unit_credit"}
"""Settings that mean nothing without a table of units, for which there is no room."""

Cells = Mapping[Column, str]


@dataclass(slots=True)
class QuestionSheet:
    """The rows by their columns, and what could not be written."""

    rows: list[Cells] = field(default_factory=list)
    warnings: list[ExportWarning] = field(default_factory=list)

    def cells(self, language: str) -> list[list[str]]:
        """Return header and rows, this language first; its words are the headings'."""
        always = map(Column, ("name", "kind", "correct"))
        columns = {Column("question", "", language), *always}.union(*self.rows)
        order = sorted(columns, key=lambda column: _rank(column, language))
        return [
            [write_heading(column, language) for column in order],
            *([_translate_kind(row, column, language) for column in order] for row in self.rows),
        ]


def build_sheet(parsed_file: ParsedFile) -> QuestionSheet:
    """Return the rows of all questions that a row can hold."""
    sheet = QuestionSheet()
    for item in parsed_file.items:
        if item.question is not None:
            try:
                row, warnings = _build_row(item.question, item.points)
            except ExportRefused as refusal:
                row, warnings = {}, [refusal.warning]
            sheet.warnings += warnings
            sheet.rows += [row] if row else []
    return sheet


def _translate_kind(row: Cells, column: Column, language: str) -> str:
    cell = row.get(column, "")
    return write_kind(cell, language) if column.part == "kind" else cell


def _rank(column: Column, language: str) -> tuple[int, str, bool, str]:
    is_other = column.language != language
    return _ORDER.index(column.part), column.letter, is_other, column.language


def _build_row(
    question: ParsedQuestion, points: Fraction | None
) -> tuple[Cells, Iterable[ExportWarning]]:
    if question.kind not in _WRITERS:
        raise ExportRefused(question, "kind_not_held", kind=question.kind)
    if max(map(len, question.tables.values()), default=0) > len(ascii_lowercase):
        raise ExportRefused(question, "too_many_options")
    texts = (text for by_language in question.all_texts for text in by_language.values())
    is_plain = all(escape_markdown(plain_text(text)[0]) == text for text in texts)
    warnings, cells = dict[str, ExportWarning](), dict[Column, str]()
    for language in sorted(question.languages):
        row = _RowWriter(ExportTracker(question, language, tags=True), is_plain)
        row.put_common()
        _WRITERS[question.kind](row)
        cells |= row.cells
        for warning in row.tracker.warnings(KINDS[question.kind].scoring_methods):
            if warning.code != "languages_left_out":  # each has its columns
                warnings[f"{warning.code} {warning.detail}"] = warning
    cells[Column("format")] = "" if is_plain else "markdown"
    cells[Column("points")] = "" if points is None else format_number(points)
    return {column: cell for column, cell in cells.items() if cell}, warnings.values()


@dataclass(slots=True)
class _RowWriter:
    """One question in one language, on its way into cells; plain texts as they show."""

    tracker: ExportTracker
    is_plain: bool
    cells: dict[Column, str] = field(default_factory=dict)

    def put(self, part: str, cell: str, letter: str = "") -> None:
        """Put a cell that is the same in every language."""
        self.cells[Column(part, letter)] = cell

    def put_text(self, part: str, text: str, letter: str = "") -> None:
        """Put a text of this language."""
        self.cells[Column(part, letter, self.tracker.language)] = self.to_cell(text)

    def to_cell(self, text: str) -> str:
        return plain_text(text)[0] if self.is_plain else text

    def put_common(self) -> None:
        """Put what questions of every kind have."""
        tracker, question = self.tracker, self.tracker.question
        self.put("name", slugify(question.name) or question.name)
        if slugify(question.name) != question.name:
            tracker.warn("name_changed", name=question.name)
        self.put("kind", question.kind)
        self.put("tags", ", ".join(question.tags))
        if question.scoring_method != KINDS[question.kind].scoring_methods[0]:
            self.put("scoring_method", question.scoring_method)
        self.put_text("question", tracker.text("prompt"))
        for name in ("explanation", "otherwise"):
            self.put_text(name, tracker.feedback(name))
        settings = [
            write_setting(field, setting)
            for field in KINDS[question.kind].schema.fields
            if field.name not in _UNITS and (setting := tracker.value(field.name)) != field.default
        ]
        rows = zip(ascii_lowercase, question.tables.get("options", ()), strict=False)
        pinned = [letter for letter, row in rows if tracker.value("pinned", row)]
        settings += [f"{PINNED}={','.join(pinned).upper()}"] if pinned else []
        self.put("settings", "; ".join(settings))

    def put_weight(self, option: ParsedRow, letter: str) -> None:
        """Put what an option earns, where it has a weight."""
        if option.values.get("weight"):
            self.put("weight", write_share(self.tracker.ratio("weight", option)), letter)

    def put_feedback(
        self, table: str, rows: Iterable[ParsedRow]
    ) -> Iterator[tuple[str, ParsedRow]]:
        """Yield rows of a table, each with its letter, and put their feedback."""
        for letter, row in zip(ascii_lowercase, rows, strict=False):
            self.put_text("feedback", self.tracker.feedback(table, row), letter)
            self.put_text("unchosen", self.tracker.feedback("unchosen", row), letter)
            yield letter, row


def _write_choice(row: _RowWriter) -> None:
    tracker, right, options = row.tracker, list[str](), dict[str, list[str]]()
    for letter, option in row.put_feedback("options", tracker.rows("options")):
        row.put_text("option", tracker.text("options", option), letter)
        right += [letter] if tracker.value("right", option) else []
        row.put_weight(option, letter)
        texts = (texts for text, texts in option.texts.items() if not text.is_feedback)
        options[letter] = [row.to_cell(text) for in_each in texts for text in in_each.values()]
    if right or tracker.value("none_apply"):
        row.put("correct", write_right_options(right, options))


def _write_true_false(row: _RowWriter) -> None:
    tracker = row.tracker
    true, false = OWN_WORDS.get(tracker.language, OWN_WORDS["en"])
    words = {"true": true, "false": false}
    options = sorted(tracker.rows("options"), key=lambda option: option.name != "true")
    for letter, option in row.put_feedback("options", options):
        text = tracker.text("options", option)
        row.put_text("option", "" if text == words.get(option.name) else text, letter)
        row.put_weight(option, letter)
        if tracker.value("right", option):
            row.put("correct", option.name)


def _write_short_text(row: _RowWriter) -> None:
    tracker = row.tracker
    texts = {
        answer.name: str(tracker.value("text", answer))
        for answer in tracker.rows("accepted")
        if not tracker.value("pattern", answer)
    }
    _write_entries(row, "accepted", texts, "pattern_left_out")


def _write_numeric(row: _RowWriter) -> None:
    tracker, names = row.tracker, ("value", "tolerance", "margin")
    texts = {
        number.name: text
        for number in tracker.rows("numbers")
        if (text := write_number(*(str(tracker.value(name, number)) for name in names)))
    }
    _write_entries(row, "numbers", texts, "tolerance_left_out")


def _write_entries(row: _RowWriter, table: str, texts: Mapping[str, str], code: str) -> None:
    """Put the list of what is accepted; what has no text is left out, with a warning."""
    rows = row.tracker.rows(table)
    if len(texts) < len(rows):
        row.tracker.warn(code)
    entries = [
        ListEntry(texts[answer.name], row.tracker.ratio("credit", answer))
        for _, answer in row.put_feedback(table, [each for each in rows if each.name in texts])
    ]
    row.put("correct", write_entries(entries))


def _write_matching(row: _RowWriter) -> None:
    tracker, used, pairs = row.tracker, set(), list[tuple[str, str]]()
    rights = {right.name: tracker.text("rights", right) for right in tracker.rows("rights")}
    lefts = tracker.rows("lefts")
    for _, left in row.put_feedback("lefts", lefts):
        right = str(tracker.value("goes_with", left) or "")
        used.add(right)
        pairs.append((tracker.text("lefts", left), rights.get(right, "")))
    pairs += [("", text) for name, text in rights.items() if name not in used]
    if len(pairs) > len(ascii_lowercase):
        raise ExportRefused(tracker.question, "too_many_options")
    for place, (letter, pair) in enumerate(zip(ascii_lowercase, pairs, strict=False)):
        left_text, right_text = map(row.to_cell, pair)
        if not left_text and place < len(lefts):
            continue
        cell = write_pair(left_text, right_text)
        if parse_pair(cell) != (left_text, right_text):
            raise ExportRefused(tracker.question, "arrow_left_out")
        row.cells[Column("option", letter, tracker.language)] = cell


def _write_ordering(row: _RowWriter) -> None:
    for letter, item in row.put_feedback("items", row.tracker.rows("items")):
        row.put_text("option", row.tracker.text("items", item), letter)


def _write_flashcard(row: _RowWriter) -> None:
    row.put_text("option", row.tracker.feedback("back"), "a")
    row.put_text("hint", row.tracker.text("hint"))


def _write_essay(_row: _RowWriter) -> None:
    """Put nothing more: an essay has its question alone."""


_WRITERS: Mapping[str, Callable[[_RowWriter], None]] = {
    "single_choice": _write_choice,
    "multiple_choice": _write_choice,
    "true_false": _write_true_false,
    "short_text": _write_short_text,
    "numeric": _write_numeric,
    "matching": _write_matching,
    "ordering": _write_ordering,
    "essay": _write_essay,
    "flashcard": _write_flashcard,
}
