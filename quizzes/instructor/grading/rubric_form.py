"""A rubric as a form: what its grader chooses from, and what they posted."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext as _

from grading.essay.structure import load_rubric
from quizzes.bank.selectors import KeyAndFeedback
from quizzes.lib.number_parsing import MAX_NUMBER_LENGTH, parse_points
from quizzes.presentation.formatting import format_points
from quizzes.results.double_grading import EffectiveGrade


@dataclass(frozen=True, slots=True)
class Level:
    """A level to choose, as HTML, with its points within the rubric."""

    id: str
    html: str
    points: int
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class Criterion:
    """A criterion with its levels; `error` says what is wrong with what was posted."""

    id: str
    html: str
    levels: tuple[Level, ...]
    error: str


@dataclass(frozen=True, slots=True)
class RubricForm:
    """What a grader fills in: criteria, or points where there are none; and a comment."""

    criteria: tuple[Criterion, ...]
    lang: str
    points: str
    points_error: str
    comment: str


def build_rubric_form(
    secret: KeyAndFeedback,
    language: str,
    *,
    points: Fraction,
    own: EffectiveGrade | None,
    posted: Mapping[str, str] | None = None,
) -> RubricForm:
    """Return the rubric, filled in with what was posted, else with one's own grade."""
    texts = secret.words(language)
    names, levels = texts.parts.get("criteria", {}), texts.parts.get("levels", {})
    criteria = []
    for criterion in load_rubric(secret.key).criteria:
        own_level = (own.levels if own else {}).get(criterion.id, "")
        chosen = own_level if posted is None else posted.get(f"level-{criterion.id}", "")
        options = tuple(
            Level(level.id, levels.get(level.id, ""), level.points, level.id == chosen)
            for level in criterion.levels
        )
        is_missing = posted is not None and not any(level.is_chosen for level in options)
        error = _("Choose a level.") if is_missing else ""
        criteria.append(Criterion(criterion.id, names.get(criterion.id, ""), options, error))
    return RubricForm(
        tuple(criteria),
        texts.language,
        _format_own_points(points, own, posted),
        _points_error(points, posted) if not criteria else "",
        (own.comment if own else "") if posted is None else posted.get("comment", ""),
    )


def _format_own_points(
    points: Fraction, own: EffectiveGrade | None, posted: Mapping[str, str] | None
) -> str:
    if posted is not None:
        return posted.get("points", "")[:MAX_NUMBER_LENGTH]
    return format_points(own.score.credit * points) if own else ""


def _points_error(points: Fraction, posted: Mapping[str, str] | None) -> str:
    if posted is None or parse_share(posted, points) is not None:
        return ""
    return _("Write a number from 0 to %(points)s: 3, 2.5, 7/3.") % {
        "points": format_points(points)
    }


@dataclass(frozen=True, slots=True)
class GradeView:
    """A grade to read: who gave it, the level of each criterion, points, comment."""

    name: str
    levels: tuple[tuple[str, str], ...]
    lang: str
    points: str
    comment: str


def build_grade_view(
    name: str, grade: EffectiveGrade, secret: KeyAndFeedback, language: str, points: Fraction
) -> GradeView:
    """Return a grade for the page; criteria and levels as HTML."""
    texts = secret.words(language)
    names, levels = texts.parts.get("criteria", {}), texts.parts.get("levels", {})
    return GradeView(
        name,
        tuple(
            (names.get(criterion, ""), levels.get(level, ""))
            for criterion, level in grade.levels.items()
        ),
        texts.language,
        format_points(grade.score.credit * points),
        grade.comment,
    )


def parse_levels(secret: KeyAndFeedback, posted: Mapping[str, str]) -> dict[str, str] | None:
    """Return the level chosen of each criterion; None where there are no criteria."""
    criteria = load_rubric(secret.key).criteria
    chosen = {criterion.id: posted.get(f"level-{criterion.id}", "") for criterion in criteria}
    return chosen if criteria else None


def parse_share(posted: Mapping[str, str], maximum: Fraction) -> Fraction | None:
    """Return points as the share of the most that can be earned; None for no such number."""
    points = parse_points(posted.get("points", ""), maximum=maximum)
    if points is None:
        return None
    return points / maximum if maximum else Fraction()
