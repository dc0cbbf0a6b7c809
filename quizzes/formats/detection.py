"""Which format a file is of: by what each could read of it, not by their order or its name.

Packages, XML, bank files and workbooks say what they are. Plain texts do not: each format that
sees its marks in a text reads it, and the one that makes the most of it wins. The name of a file
decides only where nothing in it does. A short text that was read to weigh it is not read again: its
evidence has the parsed file.

Of a long text every format reads a sample: the beginning, and parts of the rest, of each sort of
marks as many as it has (`text_samples`). The best of them reads all of it. What it leaves unread is
what the sample may have missed: of that, every other format reads a sample, and one that may read
about as much as the best reads all of it, too. The better one wins, and of two that are near
somebody is asked. So it does not matter where in the file the questions are. Prose has no marks,
is in no sample, and costs nothing; the time grows with the file.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from quizzes.formats import FORMATS, csv_sheet
from quizzes.formats.anki_tsv import is_export
from quizzes.formats.cell_texts import SAMPLE_ROWS, read_cell_texts
from quizzes.formats.contract import (
    Format,
    ImportStatus,
    Note,
    ParsedFile,
    ParsedQuestion,
    SourceItem,
)
from quizzes.formats.csv_sheet import name_columns
from quizzes.formats.parsing.decoding import decode
from quizzes.formats.parsing.failures import log_failure, read_file
from quizzes.formats.parsing.other_questions import OtherQuestions
from quizzes.formats.parsing.packages import is_package_with, is_tarball, is_zip
from quizzes.formats.parsing.progress import count_item, ignore_progress
from quizzes.formats.parsing.reading_limits import LimitExceeded
from quizzes.formats.parsing.text_samples import drop_unmarked, take_sample
from quizzes.formats.tables import is_workbook

PLAIN: Final = frozenset(
    "aiken anki-tsv checklist csv flashcards gift letter_key text2qti transcript".split()
)
"""Formats of plain text."""
NEAR: Final = Fraction(9, 10)
"""A format that makes this much of a file, compared with the best, may be the right one, too."""
LEAST: Final = Fraction(1, 50)
"""What explains less of a file than this share is not its format."""
CLEAR: Final = Fraction(1, 2)
"""The share that a format must explain of the text in the cells of a table."""
CLOSE: Final = Fraction(1, 2)
"""A format that may read this much of what the best reads, in what that leaves, is weighed, too."""
ROUNDS: Final = 2
"""Times that what the best format leaves unread is looked at, for a better one."""
WHOLE_BYTES: Final = 100_000
"""Bytes of a text that is weighed as a whole where it may be of several formats."""
_WORKBOOKS: Final = frozenset({"kahoot", "xlsx"})
_TEXT_IN_CELLS: Final = Note("text_in_cells", 1)
_COLUMNS_NAMED: Final = Note("columns_named", 1)
_NAMED: Final = frozenset({"anki-apkg", "h5p"})
"""Packages that a name alone may claim; then there is something else in them."""
_OWN_NAME: Final = frozenset({"gift"})
"""Formats whose usual extension claims any text: their others do not."""
_WORTH: Final[Mapping[ImportStatus, Fraction]] = {
    ImportStatus.IMPORTED: Fraction(1),
    ImportStatus.REPAIRED: Fraction(1),
    ImportStatus.REVIEW: Fraction(1, 2),
    ImportStatus.REFUSED: Fraction(0),
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a format makes of a file: of how many items how much, of how many lines how many."""

    format_: Format
    questions: tuple[ParsedQuestion, ...] = ()
    items: int = 0
    readable_items: Fraction = Fraction(0)
    lines: int = 0
    explained_lines: int = 0
    read_items: int = 0
    parsed_file: ParsedFile | None = None  # of the whole file, where that was read
    line_numbers: frozenset[int] = frozenset()  # of the lines that it explains
    cell_text: bytes = b""  # of the cells of a table, where it is that which is read
    cell_notes: tuple[Note, ...] = ()

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of the questions that it reads, the most frequent first."""
        return tuple(
            kind for kind, _ in Counter(each.kind for each in self.questions).most_common()
        )

    @property
    def unexplained_lines(self) -> int:
        """How many lines, of those that are not empty, are in no question."""
        return self.lines - self.explained_lines

    @property
    def share(self) -> Fraction:
        """From 0 to 1: the share of the items that it reads, times that of the lines."""
        if not self.items or not self.lines:
            return Fraction(0)
        return self.readable_items / self.items * Fraction(self.explained_lines, self.lines)

    @property
    def strength(self) -> Fraction:
        """How many items it reads, less what it cannot explain."""
        return self.readable_items * self.share

    def is_same_reading(self, other: "Evidence") -> bool:
        """Return whether the options and the keys are the same, whatever the prompts are."""
        return [(each.kind, _list_rows(each)) for each in self.questions] == [
            (each.kind, _list_rows(each)) for each in other.questions
        ]

    def has_all_of(self, other: "Evidence") -> bool:
        """Return whether it reads more, and with the same keys all that the other reads clean."""
        rows, others = (
            Counter(
                f"{item.question.kind} {_list_rows(item.question)}"
                for item in (evidence.parsed_file.items if evidence.parsed_file else ())
                if item.question and _WORTH[item.status] == 1
            )
            for evidence in (self, other)
        )
        return others < rows and self.readable_items > other.readable_items

    @property
    def comment_lines(self) -> frozenset[int]:
        """Return the lines that it takes for comments: keys at the end of a page, too."""
        notes = self.parsed_file.ignored_lines if self.parsed_file else ()
        return frozenset(note.line for note in notes if note.code == "comment")

    def is_rival(self, best: "Evidence") -> bool:
        """Return whether it reads as many questions, most of them where the best reads none."""
        others = len(self.line_numbers - best.line_numbers - best.comment_lines)
        reads_many = self.read_items >= best.read_items * NEAR
        return reads_many and others * 2 > len(self.line_numbers)

    def count_characters(self) -> int:
        """Return how long the texts are: the number of a question is no part of its prompt."""
        texts = (texts for each in self.questions for texts in each.all_texts)
        return sum(len(text) for by_language in texts for text in by_language.values())


def detect_formats(data: bytes, filename: str) -> tuple[Format, ...]:
    """Return the format of a file: none that is known, or several that are nearly as likely."""
    return tuple(evidence.format_ for evidence in find_evidence(data, filename))


def find_evidence(data: bytes, filename: str, language: str = "") -> tuple[Evidence, ...]:
    """Return what its format makes of a file; of several that are nearly as likely, what each does.

    A format that a file names itself is not weighed. `language` is that of the texts, if known.
    """
    structured = [name for name in FORMATS if name not in PLAIN]
    if is_workbook(data) and is_package_with(data, "xl/workbook."):
        structured.sort(key=lambda name: name not in _WORKBOOKS)  # others would unpack it, too
    for name in structured:
        if _claims(FORMATS[name], data):
            if name == "xlsx" and (in_cells := _weigh_cells(data, language)):
                return in_cells
            return (Evidence(FORMATS[name]),)
    if in_cells := _weigh_cells(data, language):
        return in_cells
    # The bytes of a package may look like lines of text, by chance.
    likely = () if is_zip(data) or is_tarball(data) else _weigh_texts(data, language)
    if len(likely) > 1:
        return _prefer_named(likely, filename)
    likely = likely or _detect_by_name(data, filename)
    return _weigh_two_columns(likely, data, language) or likely


def _weigh_two_columns(
    likely: Sequence[Evidence], data: bytes, language: str
) -> tuple[Evidence, ...]:
    """Return what is made of two columns without headings: cards, or questions with their answers.

    None of what is no such text.
    """
    if [each.format_.name for each in likely] != ["anki-tsv"] or is_export(data):
        return ()
    named = name_columns(data)
    if not named:
        return ()
    with ignore_progress():
        cards = weigh(likely[0].format_, _cut_sample(data), language)
        questions = weigh(FORMATS["csv"], _cut_sample(named), language)
    cards = replace(cards, cell_text=likely[0].cell_text, cell_notes=likely[0].cell_notes)
    explained = min(questions.explained_lines, cards.lines)  # the headings are no line of the file
    questions = replace(
        questions,
        lines=cards.lines,
        explained_lines=explained,
        cell_text=named,
        cell_notes=(_COLUMNS_NAMED,),
    )
    return tuple(replace(each, parsed_file=None) for each in (cards, questions))


def build_evidence(name: str, data: bytes, language: str = "") -> Evidence:
    """Return that a file is of the format of this name, which somebody chose."""
    if name == "csv":
        return _build_sheet_evidence(data)
    cell_texts = read_cell_texts(data) if name in PLAIN else None
    if cell_texts is None:
        return Evidence(FORMATS[name])
    with ignore_progress():
        # Cards are in several columns, other texts rather in one.
        texts = cell_texts.texts[::-1] if name == "anki-tsv" else cell_texts.texts
        weighed = [weigh(FORMATS[name], _cut_sample(each.text), language) for each in texts]
    strengths = list(map(_strength, weighed))
    best = texts[strengths.index(max(strengths))]
    return Evidence(FORMATS[name], cell_text=best.text, cell_notes=(_TEXT_IN_CELLS, *best.notes))


def _build_sheet_evidence(data: bytes) -> Evidence:
    """Return that a file is a table of text, whose two columns may have no headings."""
    cell_texts = read_cell_texts(data)
    texts = [each.text for each in cell_texts.texts] if cell_texts else [data]
    named = next(filter(None, map(name_columns, texts)), b"")
    has_header = csv_sheet.detect(data, "a.csv")
    if has_header or not named:
        return Evidence(FORMATS["csv"])
    return Evidence(FORMATS["csv"], cell_text=named, cell_notes=(_COLUMNS_NAMED,))


def _weigh_cells(data: bytes, language: str) -> tuple[Evidence, ...]:
    """Return the formats that explain the text in the cells of a table without named columns.

    None where that is not clear: most of it must be read.
    """
    try:
        sample = read_cell_texts(data, SAMPLE_ROWS)
        if sample is None:
            return ()
        with ignore_progress():
            likely = [_weigh_plain(_cut_sample(each.text), language) for each in sample.texts]
        strengths = [max(map(_strength, formats), default=Fraction(0)) for formats in likely]
        best = strengths.index(max(strengths))
        clear = tuple(each for each in likely[best] if each.share >= CLEAR)
        cell_texts = (read_cell_texts(data) if sample.is_sample else sample) if clear else None
    except LimitExceeded:  # reading it says so
        return ()
    if cell_texts is None:
        return ()
    in_cells = tuple(
        replace(
            each,
            parsed_file=None,
            cell_text=cell_texts.texts[best].text,
            cell_notes=(_TEXT_IN_CELLS, *cell_texts.texts[best].notes),
        )
        for each in clear
    )
    return _weigh_two_columns(in_cells, cell_texts.texts[best].text, language) or in_cells


def _strength(evidence: Evidence) -> Fraction:
    return evidence.strength


def _weigh_texts(data: bytes, language: str) -> tuple[Evidence, ...]:
    """Return the formats that explain a text best: of a long one, those that a sample points to.

    Several are weighed by the whole text, unless that takes long: somebody is asked about what
    each makes of it.
    """
    text = _cut_sample(data)
    with ignore_progress():  # of readings that may come to nothing
        likely = _weigh_plain(text, language)
    if text is data or not likely:
        for _item in range(likely[0].items if likely else 0):
            count_item()
        return likely
    if len(likely) > 1 and len(data) > WHOLE_BYTES:
        return likely
    entire = [weigh(each.format_, data, language) for each in likely]
    likely = _select_likely(entire) or tuple(entire[:1])
    return likely if len(likely) > 1 else _find_better(likely[0], data, language)


def _find_better(best: Evidence, data: bytes, language: str) -> tuple[Evidence, ...]:
    """Return the best reading of a long text: this one, or what reads more of what it leaves."""
    for _round in range(ROUNDS):
        rival = _find_rival(best, data, language)
        if rival is None:
            break
        likely = _select_likely([best, weigh(rival.format_, data, language)])
        if len(likely) != 1 or likely[0] is best:
            return likely or (best,)
        (best,) = likely
    return (best,)


def _find_rival(best: Evidence, data: bytes, language: str) -> Evidence | None:
    """Return the format that reads most of what the best leaves, if that is about as much."""
    if best.parsed_file is None or best.parsed_file.errors:
        return None
    lines = decode(data)[0].split("\n")
    left = [
        "" if number in best.line_numbers else line for number, line in enumerate(lines, start=1)
    ]
    text = "\n".join(drop_unmarked(left)).strip()
    sample = take_sample(text)
    with ignore_progress():
        others = weigh_others(best.format_, sample.encode(errors="surrogatepass"), language)
    rival = max(others, key=lambda each: each.readable_items, default=None)
    if rival is None:
        return None
    estimate = rival.readable_items * len(text) / (len(sample) or 1)
    return rival if estimate >= best.readable_items * CLOSE else None


def weigh_others(format_: Format, text: bytes, language: str = "") -> list[Evidence]:
    """Return what each other format of plain text that claims this one makes of it."""
    others = (FORMATS[name] for name in FORMATS if name in PLAIN and name != format_.name)
    return [weigh(other, text, language) for other in others if _claims(other, text)]


def _weigh_plain(text: bytes, language: str) -> tuple[Evidence, ...]:
    """Return those formats of plain text that explain this one best."""
    plain = (FORMATS[name] for name in FORMATS if name in PLAIN)
    claims = [format_ for format_ in plain if _claims(format_, text)]
    return _select_likely([weigh(format_, text, language) for format_ in claims])


def _cut_sample(data: bytes) -> bytes:
    """Return what stands for all of a long text; a short one as it is."""
    text = decode(data)[0]
    sample = take_sample(text)
    return data if sample is text else sample.encode(errors="surrogatepass")


def detect_format(data: bytes, filename: str) -> Format | None:
    """Return the format of a file; None if it is of none, or of one of several."""
    formats = detect_formats(data, filename)
    return formats[0] if len(formats) == 1 else None


def weigh(format_: Format, data: bytes, language: str = "") -> Evidence:
    """Return what a format makes of a text."""
    parsed_file = read_file(lambda: format_.read(data, language=language), format_.name)
    if parsed_file.errors:
        return Evidence(format_, parsed_file=parsed_file)
    lines = decode(data)[0].split("\n")
    questions = OtherQuestions(lines, format_.name)
    others = [questions.find_lines(item) for item in parsed_file.items]
    filled = {number for number, line in enumerate(lines, start=1) if line.strip()}
    is_guess = format_.name == "anki-tsv" and not is_export(data)
    explained = _explained_lines(parsed_file) | questions.list_headers(parsed_file.items)
    explained = filled & explained - set().union(*others)
    return Evidence(
        format_,
        parsed_file.questions,
        len(parsed_file.items),
        min(
            sum(map(_weigh_item, parsed_file.items, others), Fraction(0)),
            # Nothing says that lines with as many columns are cards.
            Fraction(len(parsed_file.items), 2 if is_guess else 1),
        ),
        len(filled),
        len(explained),
        sum(item.question is not None for item in parsed_file.items),
        parsed_file,
        frozenset(explained),
    )


def _weigh_item(item: SourceItem, of_others: Sequence[int]) -> Fraction:
    """Return how much of an item is read: with another question in its prompt, half at most."""
    worth = _WORTH[item.status]
    return min(worth, _WORTH[ImportStatus.REVIEW]) if of_others else worth


def _list_rows(question: ParsedQuestion) -> list[Any]:
    return [(row.values, list(row.texts.values())) for row in question.rows]


def _explained_lines(parsed_file: ParsedFile) -> set[int]:
    return {
        number
        for item in parsed_file.items
        if item.question is not None
        for number in range(item.line, item.end_line + 1)
    }


def _select_likely(evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Return the formats that explain a file best, the best first; of equal readings one.

    Of a file with questions of two formats both, if it has as many of each; but of two readings
    of which one has all of the other's questions that one.
    """
    plausible = sorted(
        (each for each in evidence if each.share >= LEAST), key=lambda each: -each.strength
    )
    best = plausible[:1]
    near = [
        each
        for each in plausible
        if each.strength >= best[0].strength * NEAR or each.is_rival(best[0])
    ]
    near = [each for each in near if not any(more.has_all_of(each) for more in near)]
    readings = list[Evidence]()
    for each in sorted(near, key=Evidence.count_characters):  # there is nothing to ask about
        if not any(each.is_same_reading(reading) for reading in readings):
            readings.append(each)
    return tuple(sorted(readings, key=lambda each: -each.strength))


def _prefer_named(likely: Sequence[Evidence], filename: str) -> tuple[Evidence, ...]:
    """Return the one format whose first extension the file has; else all. Any text is a `txt`."""
    extension = filename.lower().rpartition(".")[2]
    first = "" if extension == "txt" else extension
    named = tuple(each for each in likely if first == each.format_.extensions[0])
    return named if len(named) == 1 else tuple(likely)


def _detect_by_name(data: bytes, filename: str) -> tuple[Evidence, ...]:
    """Return the first format that claims a file of this name."""
    first = next((each for each in FORMATS.values() if _is_own(each, data, filename)), None)
    return () if first is None else (Evidence(first),)


def _claims(format_: Format, data: bytes) -> bool:
    """Return whether a format sees its marks in a file, whatever its name is."""
    extensions = format_.extensions[1:] if format_.name in _OWN_NAME else format_.extensions
    names = [""] if format_.name in _NAMED else [f"file.{extension}" for extension in extensions]
    return any(_is_own(format_, data, name) for name in names)


def _is_own(format_: Format, data: bytes, filename: str) -> bool:
    """Return whether a format detects a file as its own; one that raises does not."""
    try:
        return format_.detect(data, filename)
    except MemoryError:
        raise
    except LimitExceeded:  # reading it says so
        return False
    except Exception as error:  # noqa: BLE001  see `failures`
        log_failure(f"whether a file is of format {format_.name}", error)
        return False
