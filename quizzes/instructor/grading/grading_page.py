"""One answer on the desk of its marker: the text, the rubric, and the marks that may be seen."""

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
from quizzes.results.double_marking import EffectiveGrade
from quizzes.results.grading_queue import AnswerToGrade, QueuedAnswer
from quizzes.results.models import Purpose

STATES: dict[str, Promise] = {
    grading_queue.NEEDS_GRADING: gettext_lazy("to mark"),
    grading_queue.GRADED_BY_ME: gettext_lazy("waits for another person"),
    grading_queue.DISAGREEMENT: gettext_lazy("marks differ"),
    grading_queue.DONE: gettext_lazy("marked"),
}
ERRORS: dict[str, Promise] = {
    "marked_already": gettext_lazy(
        "Somebody else has marked this answer in the meantime. Your mark was not saved; "
        "to replace theirs, save again."
    ),
    "marked_meanwhile": gettext_lazy(
        "This answer was marked again in the meantime. Your mark was not saved; "
        "look at the newest mark, then save again if you still differ."
    ),
    "comment_too_long": gettext_lazy("The comment is too long."),
    "denominator_too_large": gettext_lazy("Write the points with fewer digits."),
}


def describe_error(trouble: ServiceError) -> str:
    """Say why a mark was not saved."""
    return str(ERRORS.get(trouble.code) or _("The mark was not saved; see below."))


def build_context(
    here: QueuedAnswer, reading: AnswerToGrade, sent: Mapping[str, str] | None
) -> dict[str, Any]:
    """Return the context of an answer with its rubric, filled in with what was `sent`, if any."""
    language, words = get_language() or "en", count_words(reading.text)
    length = load_limits(reading.public_version.content)
    return {
        "answer": here,
        "state": STATES[here.state],
        "prompt": reading.public_version.words(language),
        "text": reading.text,
        "words": words,
        "limits": length,
        "broken": length.find_violation(words),
        "worth": format_points(here.points),
        "rubric": rubric_form.build_rubric_form(
            reading.key_and_feedback, language, worth=here.points, own=reading.own, sent=sent
        ),
        "marks": [
            rubric_form.build_grade_view(
                name, judgement, reading.key_and_feedback, language, here.points
            )
            for name, judgement in _list_grades(reading)
        ],
        "final": _is_final(here, reading),
        "seen": reading.seen,
    }


def _list_grades(reading: AnswerToGrade) -> list[tuple[str, EffectiveGrade]]:
    """Put one's own mark beside those of others, once there are others to be seen."""
    own = [(_("Your mark"), reading.own)] if reading.own and reading.others else []
    return [*own, *reading.others]


def _is_final(here: QueuedAnswer, reading: AnswerToGrade) -> bool:
    """Return whether a mark made now is the final one."""
    if here.state == grading_queue.DISAGREEMENT:
        return True
    marks = [judgement for _name, judgement in reading.others] + (
        [reading.own] if reading.own else []
    )
    settled = any(judgement.purpose == Purpose.FINAL for judgement in marks)
    return here.state == grading_queue.DONE and (settled or reading.own is None)
