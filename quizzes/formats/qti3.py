"""QTI 3.0: items, and packages of them."""

from quizzes.formats.contract import ExportResult, ParsedFile
from quizzes.formats.qti.packing import Standard
from quizzes.formats.qti.questions import doors
from quizzes.formats.qti.writing import written

name = "qti-3"
extensions = ("zip", "xml", "qti")

detect, read = doors(frozenset({"qti-assessment-item", "qti-assessment-test"}))

_STANDARD = Standard(
    namespace="http://www.imsglobal.org/xsd/imsqtiasi_v3p0",
    templates="https://purl.imsglobal.org/spec/qti/v3p0/rptemplates/{}.xml",
    manifest="http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1",
    schema="QTI Package",
    version="3.0.0",
    resource="imsqti_item_xmlv3p0",
    dashed=True,
)


def write(parsed_file: ParsedFile, *, language: str) -> ExportResult:
    """Write a package of items in one language."""
    return written(parsed_file, language, _STANDARD)
