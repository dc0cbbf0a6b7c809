"""QTI 3.0: items, and packages of them."""

from functools import partial

from quizzes.formats.qti.packing import QtiStandard
from quizzes.formats.qti.questions import detect_qti, read_qti
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
    has_external_scoring=True,
)
_ROOTS = frozenset({"qti-assessment-item", "qti-assessment-test"})

detect = partial(detect_qti, roots=_ROOTS)
read = partial(read_qti, roots=_ROOTS)
write = partial(write_items, standard=_STANDARD)
