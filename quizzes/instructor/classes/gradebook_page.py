"""The page of a class's gradebook: learners and quizzes, points and per cent, states in words."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from accounts.access import groups_taught
from accounts.models import Group
from quizzes.course_grades.selectors import compute_course_totals, load_grade_rule
from quizzes.instructor.admin_base import MAX_SEARCH_LENGTH
from quizzes.instructor.classes.gradebook_export import GradebookExportForm
from quizzes.instructor.permissions import current_user
from quizzes.lib.errors import NotFound
from quizzes.presentation.formatting import format_points, format_score_percent
from quizzes.presentation.gradebook_tables import translate_title
from quizzes.presentation.messages.course_grades import describe_rule
from quizzes.presentation.messages.gradebook_states import STATES
from quizzes.publishing.models import Quiz
from quizzes.results.attempt_report import Score
from quizzes.results.gradebook import (
    GradebookCell,
    GradeState,
    list_gradebook_quizzes,
    load_gradebook,
)

LEARNERS_PER_PAGE: Final = 50


@dataclass(frozen=True, slots=True)
class GradeTexts:
    """A cell in words; no points before the first grading."""

    mark: str
    state: str
    points: str
    percent: str
    attempt: int | None
    is_retaking: bool = False
    has_given_up: bool = False


def show_gradebook(admin: Any, request: HttpRequest, group: Group) -> HttpResponse:
    """Show a page of the gradebook, by name; the search is of name, address and school id."""
    search = request.GET.get("q", "")[:MAX_SEARCH_LENGTH].replace("\0", "").strip()
    after = request.GET.get("after", "")
    if after and not (after.isascii() and after.isdecimal() and len(after) < len(str(2**63))):
        raise Http404
    try:
        every_quiz = list_gradebook_quizzes(group=group, viewer=current_user(request))
        quiz, state = _read_filters(request, every_quiz)
        gradebook = load_gradebook(
            group=group,
            viewer=current_user(request),
            search=search,
            quiz=quiz,
            state=state,
            after=int(after) if after else None,
            limit=LEARNERS_PER_PAGE,
        )
    except NotFound as error:
        raise Http404 from error
    rule = load_grade_rule(group, gradebook.quizzes)
    totals = (
        compute_course_totals(rule, gradebook.quizzes, gradebook.rows)
        if rule
        else [None] * len(gradebook.rows)
    )
    columns = [quiz] if quiz else list(every_quiz)
    chosen = {"quiz": str(quiz.uuid) if quiz else "", "state": state.value if state else ""}
    following = {"q": search, **chosen, "after": gradebook.next_after}
    context = {
        "original": group,
        "can_open_class": groups_taught(request.user).filter(pk=group.pk).exists(),
        "gradebook": gradebook,
        "titles": [translate_title(column) for column in columns],
        "quiz_choices": [(str(row.uuid), translate_title(row)) for row in every_quiz],
        "state_choices": [(row.value, words) for row, (_mark, words) in STATES.items()],
        "chosen": chosen,
        "is_filtered": bool(search or quiz or state),
        "export_form": GradebookExportForm(gradebook.quizzes, auto_id="export-%s"),
        "rows": [
            (
                row.learner,
                describe_grade(total.state, total.score) if total else None,
                [
                    describe_cell(cell)
                    for column, cell in zip(gradebook.quizzes, row.cells, strict=True)
                    if column in columns
                ],
            )
            for row, total in zip(gradebook.rows, totals, strict=True)
        ],
        "total_sentence": describe_rule(rule) if rule else "",
        "search": search,
        "is_continued": bool(after),
        "next_query": urlencode(following) if gradebook.next_after else "",
    }
    title = _("Gradebook of %(group)s") % {"group": group}
    response: HttpResponse = admin.render_page(
        request, "accounts/group/gradebook", context, title=title, page_name=_("Gradebook")
    )
    return response


def _read_filters(
    request: HttpRequest, quizzes: Sequence[Quiz]
) -> tuple[Quiz | None, GradeState | None]:
    """Return the quiz and the state that were chosen; one that there is not: 404."""
    key, state = request.GET.get("quiz", ""), request.GET.get("state", "")
    quiz = next((quiz for quiz in quizzes if str(quiz.uuid) == key), None)
    if (key and quiz is None) or (state and state not in list(GradeState)):
        raise Http404
    return quiz, GradeState(state) if state else None


def describe_cell(cell: GradebookCell) -> GradeTexts:
    """Return a cell in words, its points exact and its per cent never up to a missed pass mark."""
    texts = describe_grade(cell.state, cell.score, cell.attempt)
    return replace(texts, is_retaking=cell.is_retaking, has_given_up=cell.has_given_up)


def describe_grade(
    grade_state: GradeState, score: Score | None, attempt: int | None = None
) -> GradeTexts:
    """Return a grade in words, of a quiz or of a course."""
    mark, state = STATES[grade_state]
    points, percent = "", ""
    if score:
        numbers = {"total": format_points(score.total), "maximum": format_points(score.maximum)}
        points = _("%(total)s of %(maximum)s") % numbers
        percent = format_score_percent(score.percent)
    return GradeTexts(mark, str(state), points, percent, attempt)
