"""One answer on the desk of its marker: the text, the rubric, and the marks that may be seen."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from grading.rubric.words import count, limits
from quizzes.instructor.grading import rubric_form
from quizzes.lib.errors import ServiceError
from quizzes.presentation.formatting import format_points
from quizzes.results import waiting
from quizzes.results.judging import Judgement
from quizzes.results.models import Purpose
from quizzes.results.waiting import Answer, Reading

STATES: dict[str, Promise] = {
    waiting.TO_MARK: gettext_lazy("to mark"),
    waiting.ELSEWHERE: gettext_lazy("waits for another person"),
    waiting.DIFFERING: gettext_lazy("marks differ"),
    waiting.DONE: gettext_lazy("marked"),
}
TROUBLES: dict[str, Promise] = {
    "marked_already": gettext_lazy(
        "Somebody else has marked this answer in the meantime. Your mark was not saved; "
        "to replace theirs, save again."
    ),
    "marked_meanwhile": gettext_lazy(
        "This answer was marked again in the meantime. Your mark was not saved; "
        "look at the newest mark, then save again if you still differ."
    ),
    "comment_too_long": gettext_lazy("The comment is too long."),
    "share_too_fine": gettext_lazy("Write the points with fewer digits."),
}


def said(trouble: ServiceError) -> str:
    """Say why a mark was not saved."""
    return str(TROUBLES.get(trouble.code) or _("The mark was not saved; see below."))


def drawn(here: Answer, reading: Reading, sent: Mapping[str, str] | None) -> dict[str, Any]:
    """Return the context of an answer with its rubric, filled in with what was `sent`, if any."""
    language, words = get_language() or "en", count(reading.text)
    length = limits(reading.paper.content)
    return {
        "answer": here,
        "state": STATES[here.state],
        "prompt": reading.paper.words(language),
        "text": reading.text,
        "words": words,
        "limits": length,
        "broken": length.broken(words),
        "worth": format_points(here.points),
        "sheet": rubric_form.sheet(
            reading.secret, language, worth=here.points, own=reading.own, sent=sent
        ),
        "marks": [
            rubric_form.given(name, judgement, reading.secret, language, here.points)
            for name, judgement in _all(reading)
        ],
        "final": _settles(here, reading),
        "seen": reading.seen,
    }


def _all(reading: Reading) -> list[tuple[str, Judgement]]:
    """Put one's own mark beside those of others, once there are others to be seen."""
    own = [(_("Your mark"), reading.own)] if reading.own and reading.others else []
    return [*own, *reading.others]


def _settles(here: Answer, reading: Reading) -> bool:
    """Return whether a mark made now is the final one."""
    if here.state == waiting.DIFFERING:
        return True
    marks = [judgement for _name, judgement in reading.others] + (
        [reading.own] if reading.own else []
    )
    settled = any(judgement.purpose == Purpose.FINAL for judgement in marks)
    return here.state == waiting.DONE and (settled or reading.own is None)
