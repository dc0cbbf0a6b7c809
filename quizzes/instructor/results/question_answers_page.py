"""The page of all answers to one question of a quiz, for who grades by question."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from grading.kinds import KINDS
from quizzes.attempts.key_access import questions_whose_keys_are_visible_to
from quizzes.attempts.models import Attempt
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.bank.models import Question
from quizzes.bank.selectors import PublicVersion, load_keys_and_feedback, load_public_versions
from quizzes.instructor.permissions import current_user
from quizzes.instructor.results.score_errors import describe_score_error
from quizzes.lib import clock
from quizzes.lib.errors import Conflict, Invalid, NotFound, ServiceError
from quizzes.lib.number_parsing import MAX_NUMBER_LENGTH, parse_count, parse_points
from quizzes.presentation.formatting import format_points
from quizzes.presentation.kinds import answer_text
from quizzes.publishing.models import Quiz
from quizzes.results.grading_queue import is_graded_by_persons
from quizzes.results.group_override import AnswerToOverride, override_scores
from quizzes.results.manual_grading import LONGEST_COMMENT
from quizzes.results.question_answers import (
    AnswerStatus,
    filter_question_answers,
    find_asked_question,
    find_neighbours,
    list_same_answers,
    read_answer,
)
from quizzes.results.response_analysis import has_typed_answers

PAGE_SIZE = 50
MAX_ATTEMPT = 2**63 - 1
MAX_MARKS = 999_999_999
"""The largest number of marks of an attempt that its column holds."""
STATUSES: Final[Mapping[str, Promise]] = {
    "": gettext_lazy("All answers"),
    AnswerStatus.NOT_MARKED: gettext_lazy("Not graded by a person"),
    AnswerStatus.MARKED: gettext_lazy("Graded by a person, or commented on"),
    AnswerStatus.NO_CREDIT: gettext_lazy("No points"),
    AnswerStatus.PARTIAL_CREDIT: gettext_lazy("Part of the points"),
    AnswerStatus.FULL_CREDIT: gettext_lazy("Full points"),
}


@dataclass(frozen=True, slots=True)
class AnswerSelection:
    """Which answers to a question somebody goes through, as an address says it."""

    quiz: Quiz
    question: Question
    status: str
    same_as: int | None
    rows: QuerySet[Any]

    def build_address(self, **changes: Any) -> str:
        """Return the address of the list, with other choices."""
        query = {"status": self.status, "same": self.same_as, **changes}
        args = [self.quiz.uuid, self.question.uuid]
        address = reverse("admin:attempts_attempt_question_answers", args=args)
        return _add_query(address, query)

    def build_answer_address(self, row: Any) -> str:
        """Return the address of the score of an answer, from which one goes on to the next."""
        if row is None or not (row.credit is not None and row.points):
            return ""
        args = [row.attempt_pk, row.slot + 1]
        query = {"question": self.question.uuid, "status": self.status, "same": self.same_as}
        return _add_query(reverse("admin:attempts_attempt_override", args=args), query)


def _add_query(address: str, query: Mapping[str, Any]) -> str:
    written = urlencode({name: value for name, value in query.items() if value})
    return f"{address}?{written}" if written else address


@dataclass(frozen=True, slots=True)
class NeighbourAddresses:
    """Where somebody goes on who goes through the answers to a question; "" for nowhere."""

    answers: str = ""
    previous: str = ""
    following: str = ""


def show_question_answers(
    admin: Any, request: HttpRequest, quiz: UUID, question: UUID
) -> HttpResponse:
    """List the answers to a question to who oversees the quiz; on POST replace their scores."""
    selection, language = _read_selection(request, quiz, question), get_language() or "en"
    error, status = "", 200
    if request.method == "POST":
        try:
            _save(request, selection)
        except ServiceError as refused:
            points = request.POST.get("maximum", "")[:MAX_NUMBER_LENGTH]
            error, status = describe_score_error(refused, points)
        else:
            return redirect(selection.build_address(same=None))
    after = parse_count(request.GET.get("after", ""), maximum=MAX_ATTEMPT)
    page = list(selection.rows.filter(attempt_pk__gt=after).order_by("attempt_pk")[: PAGE_SIZE + 1])
    same = () if selection.same_as else list_same_answers(selection.rows, selection.question)
    versions = load_public_versions(
        {row.version_uuid for row in page} | {row.version for row in same}
    )
    newest = versions[page[-1].version_uuid] if page else None
    if newest and is_graded_by_persons(newest.kind):
        return redirect("admin:results_grading_question", quiz, question)
    worth = {row.points for row in page}
    record(AuditCode.KEYS_VIEWED, about=selection.quiz, once=True)
    context = {
        **_describe_question(newest, language),
        "rows": [
            _build_row(row, versions[row.version_uuid], selection, language)
            for row in page[:PAGE_SIZE]
        ],
        "same": [
            {
                **_write_answer(versions[group.version], group.answer, language),
                "count": group.count,
                "earned": " · ".join(map(format_points, group.credits)) or "–",
                "address": selection.build_address(same=group.attempt),
            }
            for group in same
        ],
        "statuses": [
            (label, selection.build_address(status=status, same=None), status == selection.status)
            for status, label in STATUSES.items()
        ],
        "count": selection.rows.count(),
        "is_group": selection.same_as is not None,
        "all_address": selection.build_address(same=None),
        "first_address": selection.build_address(),
        "next_address": selection.build_address(after=page[PAGE_SIZE - 1].attempt_pk)
        if len(page) > PAGE_SIZE
        else "",
        "is_continued": after > 0,
        "typed_answers": _find_typed_answers(request, selection.question),
        "maximum": format_points(max(worth, default=Fraction())),
        "has_other_points": len(worth) > 1,
        "typed_points": request.POST.get("points", "")[:MAX_NUMBER_LENGTH],
        "reason": request.POST.get("reason", ""),
        "chosen": request.POST.getlist("answer"),
        "longest_reason": LONGEST_COMMENT,
        "error": error,
    }
    response: HttpResponse = admin.render_page(
        request,
        "attempts/attempt/question_answers",
        context,
        title=str(selection.quiz),
        page_name=_("Answers to a question"),
        status=status,
    )
    return response


def find_neighbour_addresses(request: HttpRequest, attempt: Attempt) -> NeighbourAddresses:
    """Return where to go on from an attempt's answer, if somebody goes through a question's."""
    if "question" not in request.GET:
        return NeighbourAddresses()
    try:
        question = UUID(request.GET["question"])
        selection = _read_selection(request, attempt.quiz.uuid, question)
    except (ValueError, Http404):
        return NeighbourAddresses()
    previous, following = find_neighbours(selection.rows, attempt.pk)
    return NeighbourAddresses(
        selection.build_address(),
        selection.build_answer_address(previous),
        selection.build_answer_address(following),
    )


def _read_selection(request: HttpRequest, quiz: UUID, question: UUID) -> AnswerSelection:
    viewer, status = current_user(request), request.GET.get("status", "")
    same_as = parse_count(request.GET.get("same", ""), maximum=MAX_ATTEMPT) or None
    try:
        quiz_row, question_row = find_asked_question(quiz=quiz, question=question, viewer=viewer)
        rows = filter_question_answers(
            quiz=quiz_row, question=question_row, viewer=viewer, status=status, same_as=same_as
        )
    except NotFound:
        raise Http404 from None
    status = status if status in STATUSES else ""
    return AnswerSelection(quiz_row, question_row, status, same_as, rows)


def _save(request: HttpRequest, selection: AnswerSelection) -> None:
    """Replace the scores of the answers that were chosen, or of all that are the same."""
    maximum = parse_points(request.POST.get("maximum", ""), maximum=Fraction(MAX_MARKS))
    points = parse_points(request.POST.get("points", ""), maximum=maximum or Fraction())
    if points is None or not maximum:
        raise Invalid("share_out_of_range", where="points")
    chosen = _list_chosen(request, selection)
    refused = override_scores(
        answers=chosen,
        share=points / maximum,
        reason=request.POST.get("reason", ""),
        by=current_user(request),
        now=clock.now(),
    )
    if saved := len(chosen) - len(refused):
        sentence = ngettext("%(n)s score is saved.", "%(n)s scores are saved.", saved)
        messages.success(request, sentence % {"n": saved})
    if refused:
        sentence = ngettext(
            "%(n)s answer was graded in the meantime and stays as it is; look at it again.",
            "%(n)s answers were graded in the meantime and stay as they are; look at them again.",
            len(refused),
        )
        messages.warning(request, sentence % {"n": len(refused)})


def _list_chosen(request: HttpRequest, selection: AnswerSelection) -> list[AnswerToOverride]:
    if selection.same_as is not None:
        rows = [AnswerToOverride(row.attempt_uuid, row.slot, row.marks) for row in selection.rows]
        if str(len(rows)) != request.POST.get("count"):
            raise Conflict("answers_changed")
        return rows
    pairs = [value.partition(":")[::2] for value in request.POST.getlist("answer")]
    seen_by_place = {
        parse_count(place, maximum=MAX_ATTEMPT): parse_count(seen, maximum=MAX_MARKS)
        for place, seen in pairs
    }
    chosen = [
        AnswerToOverride(row.attempt_uuid, row.slot, seen_by_place[row.attempt_pk])
        for row in selection.rows.filter(attempt_pk__in=seen_by_place)
    ]
    if not chosen:
        raise Invalid("nothing_chosen", where="answer")
    return chosen


def _describe_question(version: PublicVersion | None, language: str) -> dict[str, str]:
    """Return the question as it was asked last, with its right answer; nothing before answers."""
    if version is None:
        return {"prompt": "", "lang": language, "expected": ""}
    words, expected = version.words(language), ""
    if KINDS[version.kind].schema.graded:
        key = load_keys_and_feedback([version.uuid])[version.uuid].key
        solution = KINDS[version.kind].correct_answer(version.content, key)
        expected = answer_text(version, solution, language) if solution else ""
    return {"prompt": words.prompt, "lang": words.language, "expected": expected}


def _write_answer(
    version: PublicVersion, answer: Mapping[str, Any] | None, language: str
) -> dict[str, Any]:
    text = answer_text(version, answer, language) if answer else "–"
    return {"text": text, "lang": version.words(language).language}


def _build_row(
    row: Any, version: PublicVersion, selection: AnswerSelection, language: str
) -> dict[str, Any]:
    """Return an answer in words; `choice` is its value in the form."""
    answer, is_overridden = read_answer(row)
    return {
        **_write_answer(version, answer, language),
        "answer": row,
        "choice": f"{row.attempt_pk}:{row.marks}",
        "is_overridden": is_overridden,
        "earned": "–" if row.credit is None else format_points(row.credit * row.points),
        "points": format_points(row.points),
        "address": selection.build_answer_address(row),
    }


def _find_typed_answers(request: HttpRequest, question: Question) -> str:
    """Return the page of what was typed to a question in any quiz, if it is open to who looks."""
    visible = questions_whose_keys_are_visible_to(request.user).filter(pk=question.pk)
    if not has_typed_answers(question) or not visible.exists():
        return ""
    return reverse("admin:results_typed_answers", args=[question.pk])
