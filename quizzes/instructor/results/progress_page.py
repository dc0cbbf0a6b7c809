"""The page on which those who oversee a quiz see who is taking it while it runs."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy, ngettext, npgettext
from django.utils.translation import gettext as _

from quizzes.attempts.quiz_progress import (
    SHORT_TIME,
    LearnerProgress,
    ProgressState,
    load_quiz_progress,
)
from quizzes.instructor.permissions import current_user, get_permissions
from quizzes.instructor.quiz_tabs import build_quiz_tabs
from quizzes.instructor.results.late_entry_page import has_closing_time
from quizzes.lib import clock
from quizzes.lib.errors import NotFound
from quizzes.lib.translated_texts import choose_text
from quizzes.publishing.access import may_edit, visible_to
from quizzes.publishing.models import Quiz

STATES: Final = {
    ProgressState.IN_PROGRESS: ("open", gettext_lazy("in progress")),
    ProgressState.PAUSED: ("paused", gettext_lazy("paused")),
    ProgressState.NOT_BEGUN: ("not-begun", gettext_lazy("not begun")),
    ProgressState.HANDED_IN: ("passed", gettext_lazy("handed in")),
    ProgressState.VOID: ("void", gettext_lazy("void")),
}
"""The style of each mark, and its words."""
LEARNERS_PER_PAGE: Final = 50


def name_states(state: ProgressState, count: int) -> str:
    """Return what so many learners are: languages with a plural of such words need the count."""
    words = {
        ProgressState.IN_PROGRESS: npgettext(
            "so many learners", "in progress", "in progress", count
        ),
        ProgressState.PAUSED: npgettext("so many learners", "paused", "paused", count),
        ProgressState.NOT_BEGUN: npgettext("so many learners", "not begun", "not begun", count),
        ProgressState.HANDED_IN: npgettext("so many learners", "handed in", "handed in", count),
        ProgressState.VOID: npgettext("so many learners", "void", "void", count),
    }
    return words[state]


@dataclass(frozen=True, slots=True)
class ProgressRow:
    """A learner in words."""

    progress: LearnerProgress
    mark: str
    state: str
    time_left: str
    is_short: bool
    is_running: bool
    is_over: bool
    has_not_begun: bool
    started_layout: str
    submitted_layout: str


def show_progress(admin: Any, request: HttpRequest, quiz_uuid: UUID) -> HttpResponse:
    """Show who has not begun, is in it, has handed in; with `rows` in the query, the rows alone.

    In pages; who needs attention is on the first.
    """
    viewer = current_user(request)
    quiz = Quiz.objects.filter(uuid=quiz_uuid).select_related("current").first()
    if quiz is None:
        raise Http404
    now = clock.now()
    try:
        learners = load_quiz_progress(quiz=quiz, viewer=viewer, now=now)
    except NotFound:
        raise Http404 from None
    language = get_language() or quiz.source_language
    quiz_title, title_language = choose_text(quiz.title, language, quiz.source_language)
    may_act = get_permissions(request).is_instructor
    states = Counter(learner.state for learner in learners)
    paused = states[ProgressState.PAUSED]
    page = Paginator(learners, LEARNERS_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "quiz": quiz,
        "quiz_title": quiz_title or quiz.slug,
        "title_language": title_language,
        "page": page,
        "rows": [_describe(learner, now) for learner in page],
        "counts": [(name_states(state, states[state]), states[state]) for state in STATES],
        "running": states[ProgressState.IN_PROGRESS] + paused,
        "paused": paused,
        "now": now,
        "may_act": may_act,
        "may_come_late": may_act and has_closing_time(quiz),
    }
    if "rows" in request.GET:
        return TemplateResponse(request, "admin/attempts/attempt/progress_rows.html", context)
    may_read = may_act and visible_to(viewer).filter(pk=quiz.pk).exists()
    can_edit = may_read and may_edit(viewer, quiz)
    context |= build_quiz_tabs(quiz, "progress", may_edit=can_edit, may_read=may_read)
    response: HttpResponse = admin.render_page(
        request,
        "attempts/attempt/progress",
        context,
        title=_("In progress: %(quiz)s") % {"quiz": quiz_title or quiz.slug},
        page_name=_("In progress"),
    )
    return response


def _describe(learner: LearnerProgress, now: datetime) -> ProgressRow:
    mark, state = STATES[learner.state]
    left = learner.time_left
    return ProgressRow(
        progress=learner,
        mark=mark,
        state=str(state),
        time_left="" if left is None else _format_time_left(left),
        is_short=left is not None and left < SHORT_TIME,
        is_running=learner.state in {ProgressState.IN_PROGRESS, ProgressState.PAUSED},
        has_not_begun=learner.state == ProgressState.NOT_BEGUN,
        is_over=learner.state == ProgressState.HANDED_IN,
        started_layout=_choose_layout(learner.started_at, now),
        submitted_layout=_choose_layout(learner.submitted_at, now),
    )


def _choose_layout(at: datetime | None, now: datetime) -> str:
    """Return how a moment is written: today's by its hour alone, another day's by its day, too."""
    is_today = at is not None and timezone.localdate(at) == timezone.localdate(now)
    return "H:i" if is_today else _("j M, H:i")


def _format_time_left(left: timedelta) -> str:
    """Return whole minutes, cut off; below one, in words."""
    minutes = int(left.total_seconds() // 60)
    if not left:
        return _("time is over")
    if not minutes:
        return _("less than a minute")
    return ngettext("%(count)s minute", "%(count)s minutes", minutes) % {"count": minutes}
