"""The page of one answer: its text, the rubric, and the grades that may be seen."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from grading.essay.word_count import count_words, load_limits
from quizzes.instructor.grading import rubric_form
from quizzes.lib.errors import ServiceError
from quizzes.presentation.formatting import format_points
from quizzes.results import grading_queue
from quizzes.results.double_grading import EffectiveGrade
from quizzes.results.grading_queue import AnswerToGrade, QueuedAnswer
from quizzes.results.models import Purpose

STATES: dict[str, Promise] = {
    grading_queue.NEEDS_GRADING: gettext_lazy("to grade"),
    grading_queue.GRADED_BY_ME: gettext_lazy("waiting for a second grader"),
    grading_queue.DISAGREEMENT: gettext_lazy("grades differ"),
    grading_queue.DONE: gettext_lazy("graded"),
}
ERRORS: dict[str, Promise] = {
    "marked_already": gettext_lazy(
        "Somebody else has graded this answer in the meantime. Your grade was not saved; "
        "to replace theirs, save again."
    ),
    "marked_meanwhile": gettext_lazy(
        "This answer was graded again in the meantime. Your grade was not saved; "
        "look at the newest grade, then save again if you still disagree."
    ),
    "comment_too_long": gettext_lazy("The comment is too long."),
    "denominator_too_large": gettext_lazy("Write the points with fewer digits."),
}


def describe_error(error: ServiceError) -> str:
    """Return why a grade was not saved."""
    return str(ERRORS.get(error.code) or _("The grade was not saved; see below."))


def build_context(
    answer: QueuedAnswer, for_grader: AnswerToGrade, posted: Mapping[str, str] | None
) -> dict[str, Any]:
    """Return the context of an answer with its rubric, filled in with what was posted, if any."""
    language, word_count = get_language() or "en", count_words(for_grader.text)
    limits = load_limits(for_grader.public_version.content)
    secret = for_grader.key_and_feedback
    return {
        "answer": answer,
        "state": STATES[answer.state],
        "prompt": for_grader.public_version.words(language),
        "text": for_grader.text,
        "word_count": word_count,
        "limits": limits,
        "limit_violation": limits.find_violation(word_count),
        "points": format_points(answer.points),
        "rubric": rubric_form.build_rubric_form(
            secret, language, points=answer.points, own=for_grader.own, posted=posted
        ),
        "grades": [
            rubric_form.build_grade_view(name, grade, secret, language, answer.points)
            for name, grade in _list_grades(for_grader)
        ],
        "final": _is_final(answer, for_grader),
        "seen": for_grader.seen,
    }


def _list_grades(for_grader: AnswerToGrade) -> list[tuple[str, EffectiveGrade]]:
    """Return the grades of others, and one's own before them; none if there is only one's own."""
    if not (for_grader.own and for_grader.others):
        return list(for_grader.others)
    return [(_("Your grade"), for_grader.own), *for_grader.others]


def _is_final(answer: QueuedAnswer, for_grader: AnswerToGrade) -> bool:
    """Return whether a grade made now is the final one."""
    if answer.state == grading_queue.DISAGREEMENT:
        return True
    grades = [grade for _name, grade in for_grader.others]
    grades += [for_grader.own] if for_grader.own else []
    is_settled = any(grade.purpose == Purpose.FINAL for grade in grades)
    return answer.state == grading_queue.DONE and (is_settled or for_grader.own is None)
