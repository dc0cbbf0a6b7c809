"""QTI 2.1 and 2.2: items, and packages of them; written as 2.1, which all systems read."""

from quizzes.formats.contract import ExportResult, ParsedFile
from quizzes.formats.qti.packing import Standard
from quizzes.formats.qti.questions import doors
from quizzes.formats.qti.writing import written

name = "qti-2"
extensions = ("zip", "xml", "qti")

detect, read = doors(frozenset({"assessmentItem", "assessmentTest"}))

_STANDARD = Standard(
    namespace="http://www.imsglobal.org/xsd/imsqti_v2p1",
    templates="http://www.imsglobal.org/question/qti_v2p1/rptemplates/{}",
    manifest="http://www.imsglobal.org/xsd/imscp_v1p1",
    schema="QTIv2.1 Package",
    version="1.0.0",
    resource="imsqti_item_xmlv2p1",
)


def write(parsed_file: ParsedFile, *, language: str) -> ExportResult:
    """Write a package of items in one language."""
    return written(parsed_file, language, _STANDARD)
