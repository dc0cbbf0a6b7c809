"""Questions as rows, in every language that they have; what no cell can hold is a loss."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from string import ascii_lowercase

from grading.kinds import KINDS
from quizzes.formats.contract import ExportWarning, ParsedFile, ParsedQuestion
from quizzes.formats.parsing.export_tracker import ExportTracker, plain_text
from quizzes.formats.parsing.markdown_escape import escape_markdown
from quizzes.formats.parsing.numbers import written
from quizzes.formats.spreadsheet.columns import heading
from quizzes.formats.spreadsheet.kinds import HELD, word_of
from quizzes.formats.spreadsheet.lines import Line, Place
from quizzes.formats.spreadsheet.parts import put

_ORDER = (
    "kind question option correct points explanation weight feedback unchosen otherwise hint tags "
    "format name scoring_method settings"
).split()
_WRITTEN = "languages_left_out"
"""What is no loss here: each language has its columns."""
_ALWAYS = ("name", "kind", "question", "correct")


@dataclass(slots=True)
class Sheet:
    """What is written: the rows under their places, and what was lost on the way."""

    rows: list[Mapping[Place, str]] = field(default_factory=list)
    warnings: list[ExportWarning] = field(default_factory=list)

    def grid(self, language: str) -> list[list[str]]:
        """Give header and rows as cells, this language first; its words are the headings'."""
        places = {place for row in self.rows for place in row}
        places |= {(part, "", language if part == "question" else "") for part in _ALWAYS}
        order = sorted(places, key=lambda one: _rank(one, language))
        return [
            [heading(*place, spoken=language) for place in order],
            *([_cell(row, place, language) for place in order] for row in self.rows),
        ]


def sheet(parsed_file: ParsedFile) -> Sheet:
    """Write all questions that a row can hold."""
    made = Sheet()
    for found in parsed_file.items:
        if found.question is not None:
            row, warnings = _row(found.question, found.points)
            made.warnings += warnings
            if row:
                made.rows.append(row)
    return made


def _cell(row: Mapping[Place, str], place: Place, language: str) -> str:
    cell = row.get(place, "")
    return word_of(cell, language) if place[0] == "kind" else cell


def _rank(place: Place, language: str) -> tuple[int, str, bool, str]:
    part, letter, spoken = place
    return _ORDER.index(part), letter, spoken != language, spoken


def _row(
    question: ParsedQuestion, points: Fraction | None
) -> tuple[Mapping[Place, str], list[ExportWarning]]:
    if question.kind not in HELD:
        return {}, [ExportWarning(question.name, "kind_not_held", {"kind": question.kind})]
    if max(map(len, question.tables.values()), default=0) > len(ascii_lowercase):
        return {}, [ExportWarning(question.name, "too_many_options")]
    plain = all(_is_plain(text) for texts in question.all_texts for text in texts.values())
    warnings, cells = dict[str, ExportWarning](), dict[Place, str]()
    for language in sorted(question.languages):
        line = Line(ExportTracker(question, language, tags=True), plain=plain)
        if refused := put(line):
            return {}, [ExportWarning(question.name, refused)]
        cells |= line.cells
        told = line.tracker.warnings(*KINDS[question.kind].scoring_methods)
        warnings |= {f"{one.code} {one.detail}": one for one in told if one.code != _WRITTEN}
    cells["format", "", ""] = "" if plain else "markdown"
    cells["points", "", ""] = "" if points is None else written(points)
    return {place: cell for place, cell in cells.items() if cell}, list(warnings.values())


def _is_plain(markdown: str) -> bool:
    """Tell whether a text is read back, sign by sign, from the words that it shows."""
    return escape_markdown(plain_text(markdown)[0]) == markdown
