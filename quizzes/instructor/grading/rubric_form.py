"""A rubric as a form: what its marker chooses from, and what they sent."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext as _

from grading.essay.structure import load_rubric
from quizzes.bank.selectors import KeyAndFeedback
from quizzes.presentation.formatting import format_points
from quizzes.results.double_marking import EffectiveGrade

MAX_NUMBER_LENGTH = 40
"""More than any sensible number has; the longest ones take a computer a while."""


@dataclass(frozen=True, slots=True)
class Level:
    """A level to choose, as HTML, with its points within the rubric."""

    id: str
    html: str
    points: int
    chosen: bool


@dataclass(frozen=True, slots=True)
class Criterion:
    """A criterion with its levels; `error` says what is wrong with what was sent."""

    id: str
    html: str
    levels: tuple[Level, ...]
    error: str


@dataclass(frozen=True, slots=True)
class RubricForm:
    """What a marker fills in: criteria, or points where there are none; and a comment."""

    criteria: tuple[Criterion, ...]
    lang: str
    points: str
    points_error: str
    comment: str


def build_rubric_form(
    secret: KeyAndFeedback,
    language: str,
    *,
    worth: Fraction,
    own: EffectiveGrade | None,
    sent: Mapping[str, str] | None = None,
) -> RubricForm:
    """Return the rubric, filled in with what was sent, else with one's own mark."""
    texts = secret.words(language)
    names, levels = texts.parts.get("criteria", {}), texts.parts.get("levels", {})
    criteria = []
    for criterion in load_rubric(secret.key).criteria:
        own_level = (own.levels if own else {}).get(criterion.id, "")
        chosen = own_level if sent is None else sent.get(f"level-{criterion.id}", "")
        options = tuple(
            Level(level.id, levels.get(level.id, ""), level.points, level.id == chosen)
            for level in criterion.levels
        )
        lacks = sent is not None and not any(level.chosen for level in options)
        error = _("Choose a level.") if lacks else ""
        criteria.append(Criterion(criterion.id, names.get(criterion.id, ""), options, error))
    return RubricForm(
        tuple(criteria),
        texts.language,
        _format_own_points(worth, own, sent),
        _points_error(worth, sent) if not criteria else "",
        (own.comment if own else "") if sent is None else sent.get("comment", ""),
    )


def _format_own_points(
    worth: Fraction, own: EffectiveGrade | None, sent: Mapping[str, str] | None
) -> str:
    if sent is not None:
        return sent.get("points", "")[:MAX_NUMBER_LENGTH]
    return format_points(own.mark.credit * worth) if own else ""


def _points_error(worth: Fraction, sent: Mapping[str, str] | None) -> str:
    if sent is None or parse_share(sent, worth) is not None:
        return ""
    return _("Write a number from 0 to %(points)s: 3, 2.5, 7/3.") % {"points": format_points(worth)}


@dataclass(frozen=True, slots=True)
class GradeView:
    """A mark that stands, to be read: who gave it, what in each criterion, points, comment."""

    name: str
    levels: tuple[tuple[str, str], ...]
    lang: str
    points: str
    comment: str


def build_grade_view(
    name: str, judgement: EffectiveGrade, secret: KeyAndFeedback, language: str, worth: Fraction
) -> GradeView:
    """Return a mark for the page; criteria and levels as HTML."""
    texts = secret.words(language)
    names, levels = texts.parts.get("criteria", {}), texts.parts.get("levels", {})
    return GradeView(
        name,
        tuple((names.get(of, ""), levels.get(level, "")) for of, level in judgement.levels.items()),
        texts.language,
        format_points(judgement.mark.credit * worth),
        judgement.comment,
    )


def parse_levels(secret: KeyAndFeedback, sent: Mapping[str, str]) -> dict[str, str] | None:
    """Return the level chosen of each criterion; None where there are no criteria."""
    criteria = load_rubric(secret.key).criteria
    chosen = {criterion.id: sent.get(f"level-{criterion.id}", "") for criterion in criteria}
    return chosen if criteria else None


def parse_share(sent: Mapping[str, str], worth: Fraction) -> Fraction | None:
    """Read points as the share of what the question is worth; None for what is no such number.

    A comma may stand for the point, whole and part may stand apart: 2,5 and 2 1/3.
    """
    text = sent.get("points", "").strip().replace(",", ".")
    if not text or len(text) > MAX_NUMBER_LENGTH or set(text.lower()) & set("e-_"):
        return None
    try:
        points = sum((Fraction(piece) for piece in text.split()), Fraction())
    except (ValueError, ZeroDivisionError):
        return None
    if not 0 <= points <= worth:
        return None
    return points / worth if worth else Fraction()
