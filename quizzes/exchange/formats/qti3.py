"""QTI 3.0: items, and packages of them."""

from quizzes.exchange.contract import Parcel
from quizzes.exchange.reading.assessment.questions import parcel
from quizzes.exchange.reading.contents import holds
from quizzes.exchange.reading.xml import root_name

name = "qti-3"
endings = ("zip", "xml", "qti")


def claims(data: bytes, filename: str) -> bool:  # noqa: ARG001  the bytes tell
    """Tell by the first element, in a package by that of any file in it."""
    return holds(data, _is_ours)


def read(data: bytes, *, language: str = "") -> Parcel:
    """Read an item or a package; never raises for what is in it."""
    return parcel(data, _is_ours, language)


def _is_ours(data: bytes) -> bool:
    return root_name(data) in {"qti-assessment-item", "qti-assessment-test"}
