"""Pages beside those of a question that floors above bring: they put themselves in here."""

from collections.abc import Callable
from dataclasses import dataclass

from quizzes.bank.models import Question


@dataclass(frozen=True, slots=True)
class Beside:
    """A page beside a question: its name among the sections, what it is called, its address."""

    section: str
    title: str
    address: str


BESIDE: list[Callable[[Question], Beside | None]] = []


def beside(question: Question | None) -> list[Beside]:
    """Return the pages beside a question; none beside one that is about to be."""
    pages = [page(question) for page in BESIDE] if question else []
    return [page for page in pages if page]
