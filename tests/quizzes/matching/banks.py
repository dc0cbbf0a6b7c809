"""Banks whose twins are known: those of the demonstration, each of their languages a list."""

from functools import cache
from hashlib import sha256
from pathlib import Path

from django.conf import settings

from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.document_mapping import build_document
from quizzes.imports import parse
from quizzes.matching.comparable import ComparableQuestion, to_comparable

PROJECT = Path(settings.ROOT)
BANKS = sorted((PROJECT / "fixtures" / "banks").glob("*.yaml"))
SEEDS = PROJECT.parent / "shared" / "seeds"


def as_side(question: ParsedQuestion, language: str) -> ComparableQuestion:
    item = build_document(question, {row.name: row.name for row in question.rows}, language)
    return to_comparable(question.name, item, language, frozenset(question.tags))


@cache
def sides(path: Path, language: str) -> tuple[ComparableQuestion, ...]:
    """The questions of a file in this language; rows are called by their names."""
    parcel = parse.parse_upload(path.read_bytes(), path.name)
    return tuple(as_side(question, language) for question in parcel.questions)


def seed(number: str) -> Path | None:
    """One of the documents that are kept beside the project, where they are."""
    return next(SEEDS.glob(f"{number}_*.txt"), None)


def chance(*of: object) -> float:
    """A number from 0 to 1 that looks like chance and is always the same of the same."""
    return int(sha256(repr(of).encode()).hexdigest()[:8], 16) / 2**32
