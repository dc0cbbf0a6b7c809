"""QTI 3.0: items, and packages of them."""

from quizzes.formats.contract import ExportResult, ParsedFile
from quizzes.formats.parsing.contents import contains_document
from quizzes.formats.parsing.xml import read_root_name
from quizzes.formats.qti.packing import QtiStandard
from quizzes.formats.qti.questions import read_qti
from quizzes.formats.qti.writing import write_items

name = "qti-3"
extensions = ("zip", "xml", "qti")

_STANDARD = QtiStandard(
    namespace="http://www.imsglobal.org/xsd/imsqtiasi_v3p0",
    templates="https://purl.imsglobal.org/spec/qti/v3p0/rptemplates/{}.xml",
    manifest="http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1",
    schema="QTI Package",
    version="3.0.0",
    resource="imsqti_item_xmlv3p0",
    has_dashes=True,
)


def _is_qti3(data: bytes) -> bool:
    return read_root_name(data) in {"qti-assessment-item", "qti-assessment-test"}


def detect(data: bytes, filename: str) -> bool:
    """Return whether the first element, in a package that of any file in it, is of QTI 3."""
    del filename
    return contains_document(data, _is_qti3)


def read(data: bytes, *, language: str = "") -> ParsedFile:
    """Return the items of a document or a package."""
    return read_qti(data, language, _is_qti3)


def write(parsed_file: ParsedFile, *, language: str) -> ExportResult:
    """Return a package of items in one language."""
    return write_items(parsed_file, language, _STANDARD)
