"""The texts of a file of any format, line by line: what a reader must account for. Pure."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final

from quizzes.formats import kahoot
from quizzes.imports.accounting.json_source import iterate_json
from quizzes.imports.accounting.marks import replace_marks
from quizzes.imports.accounting.table_source import iterate_cards, iterate_cells
from quizzes.imports.accounting.text_source import is_structure, strip_labels
from quizzes.imports.accounting.xml_source import iterate_xml
from quizzes.imports.source_excerpts import line_source, read_member

SourceText = tuple[int, list[str]]
"""A line (from 1), and its text: as it stands, then with fewer and fewer marks."""

_MOODLE: Final = (
    "defaultgrade penalty hidden single shuffleanswers answernumbering usecase tolerance file"
    " unitgradingtype unitpenalty showunits unitsleft responseformat responserequired"
    " responsefieldlines attachments attachmentsrequired maxbytes filetypeslist minwordlimit"
    " maxwordlimit shownumcorrect showstandardinstruction layouttype selecttype gradingtype"
    " group infinite synchronize correctanswerformat correctanswerlength tolerancetype idnumber"
    " multiplier showgrading numberingstyle selectcount"
)
_QTI12: Final = (
    "varequal varsubset varsubstring vargte varlte vargt varlt durequal setvar displayfeedback"
    " fieldlabel fieldentry bankingid"
)
_QTI: Final = "value baseValue qti-value qti-base-value annotation style"
_OLX: Final = "script style answer"
_STRUCTURE: Final[Mapping[str, str]] = {
    "moodle-xml": _MOODLE,
    "qti-1.2": _QTI12,
    "qti-2": _QTI,
    "qti-3": _QTI,
    "olx": _OLX,
}
"""Elements whose text no learner reads, by format."""
_CELLS: Final[Mapping[str, Callable[[bytes, str], Iterator[tuple[int, str]]]]] = {
    "csv": iterate_cells,
    "kahoot": partial(iterate_cells, count=kahoot.count_columns, parse=kahoot.parse_header),
    "xlsx": iterate_cells,
    "anki-tsv": lambda data, _path: iterate_cards(data),
    "h5p": lambda data, _path: iterate_json(data),
}


def iterate_source(data: bytes, format_: str, path: str) -> Iterator[SourceText]:
    """Yield the texts of the file, or of the member at this path of an archive."""
    if structure := _STRUCTURE.get(format_):
        texts = iterate_xml(read_member(data, path) or b"", frozenset(structure.split()))
    elif cells := _CELLS.get(format_):
        texts = cells(data, path)
    else:
        for line, source_line in enumerate(line_source(data, format_)(path), start=1):
            # The fields of a note stand on one line, "Front: … | Hint: … | Back: …".
            for text in source_line.split(" | ") if format_ == "anki-apkg" else [source_line]:
                if not is_structure(text, format_):
                    labelled = strip_labels(replace_marks(text, format_))
                    yield line, list(dict.fromkeys([text, *labelled]))
        return
    for line, text in texts:
        yield line, list(dict.fromkeys([text, replace_marks(text, format_)]))
