"""QTI 2.1 and 2.2: items, and packages of them; written as 2.1, which all systems read."""

from functools import partial

from quizzes.formats.qti.packing import QtiStandard
from quizzes.formats.qti.questions import detect_qti, read_qti
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
_ROOTS = frozenset({"assessmentItem", "assessmentTest"})

detect = partial(detect_qti, roots=_ROOTS)
read = partial(read_qti, roots=_ROOTS)
write = partial(write_items, standard=_STANDARD)
