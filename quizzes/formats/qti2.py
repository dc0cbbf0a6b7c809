"""QTI 2.1 and 2.2: items, and packages of them; written as 2.1, which all systems read."""

from quizzes.formats.contract import ExportResult, ParsedFile
from quizzes.formats.parsing.contents import contains_document
from quizzes.formats.parsing.xml import read_root_name
from quizzes.formats.qti.packing import QtiStandard
from quizzes.formats.qti.questions import read_qti
from quizzes.formats.qti.writing import write_items

name = "qti-2"
extensions = ("zip", "xml", "qti")

_STANDARD = QtiStandard(
    namespace="http://www.imsglobal.org/xsd/imsqti_v2p1",
    templates="http://www.imsglobal.org/question/qti_v2p1/rptemplates/{}",
    manifest="http://www.imsglobal.org/xsd/imscp_v1p1",
    schema="QTIv2.1 Package",
    version="1.0.0",
    resource="imsqti_item_xmlv2p1",
)


def _is_qti2(data: bytes) -> bool:
    return read_root_name(data) in {"assessmentItem", "assessmentTest"}


def detect(data: bytes, filename: str) -> bool:
    """Return whether the first element, in a package that of any file in it, is of QTI 2."""
    del filename
    return contains_document(data, _is_qti2)


def read(data: bytes, *, language: str = "") -> ParsedFile:
    """Return the items of a document or a package."""
    return read_qti(data, language, _is_qti2)


def write(parsed_file: ParsedFile, *, language: str) -> ExportResult:
    """Return a package of items in one language."""
    return write_items(parsed_file, language, _STANDARD)
