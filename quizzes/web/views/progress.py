"""Progress: topics with how sure that is, cards by day as a chart with a table, days in a row."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from quizzes.lib import clock
from quizzes.lib.charts.line_charts import ChartLine, render_progress
from quizzes.lib.charts.svg_elements import ChartTexts
from quizzes.presentation.messages.study import CERTAINTIES, LEVELS
from quizzes.study.progress import StudyDayCount, load_days, load_mastery, load_streak
from quizzes.study.selectors import load_settings
from quizzes.web import view_models
from quizzes.web.decorators import current_user, login_required_page

TICKS = 7
"""Every so many days the chart has a date."""


@login_required_page
@require_safe
def progress(request: HttpRequest) -> HttpResponse:
    """Show a learner how they get on."""
    learner, now = current_user(request), clock.now()
    settings = load_settings(learner)
    days = load_days(learner, settings, now)
    context = {
        "streak": load_streak(learner, settings, now),
        "topics": [
            view_models.MasteryRow(
                tag=topic.tag,
                questions=topic.questions,
                level=str(LEVELS[topic.level]),
                code=topic.level,
                certainty=str(CERTAINTIES[topic.certainty]),
            )
            for topic in load_mastery(learner, now)
        ],
        "days": [day for day in reversed(days) if day.reviewed],
        "chart": _draw(days) if any(day.reviewed for day in days) else None,
    }
    return render(request, "quizzes/pages/progress.html", context)


def _draw(days: Sequence[StudyDayCount]) -> SafeString:
    reviewed, recalled = sum(day.reviewed for day in days), sum(day.recalled for day in days)
    texts = ChartTexts(
        title=_("Cards by day"),
        summary=_("%(reviewed)s reviews in the last 30 days, %(recalled)s of them recalled.")
        % {"reviewed": reviewed, "recalled": recalled},
        x_label=_("day"),
        y_label=_("cards"),
    )
    lines = [
        ChartLine(_("reviewed"), [float(day.reviewed) for day in days]),
        ChartLine(_("recalled"), [float(day.recalled) for day in days], is_emphasised=True),
    ]
    last = len(days) - 1
    times = [
        (float(place), date_format(day.day, _("j M")) if (last - place) % TICKS == 0 else "")
        for place, day in enumerate(days)
    ]
    return SafeString(render_progress("study-days", lines, times, texts).svg)
