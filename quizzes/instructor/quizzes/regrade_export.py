"""The preview of a regrade as CSV: a row an attempt, before and after, exact and as per cent."""

from collections.abc import Iterator
from decimal import Decimal
from uuid import UUID

from django.http import HttpRequest, StreamingHttpResponse
from django.utils.translation import gettext as _

from grading.totals import format_decimal
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.formats.tables.table_writer import TableCell, generate_delimited
from quizzes.instructor.quizzes.regrade_pages import get_question_to_regrade, parse_complete_choice
from quizzes.lib.read_replica import stream_from_replica
from quizzes.presentation.messages.regrades import CHANGES, describe_preview_problem
from quizzes.publishing.models import Quiz
from quizzes.results.attempt_report import Score
from quizzes.results.regrade_counts import find_change
from quizzes.results.regrade_preview import RegradePreview, preview_rule


def export_regrade(request: HttpRequest, quiz: Quiz, uuid: UUID) -> StreamingHttpResponse:
    """Return the file: every attempt by an older version, also those that nothing happens to."""
    question = get_question_to_regrade(request, quiz, uuid)
    choice = parse_complete_choice(request.GET, question)
    record(
        AuditCode.RESULTS_EXPORTED,
        about=quiz,
        group=quiz.group_id,
        after={"regrade": question.name, **choice.query},
    )
    previews = preview_rule(quiz=quiz, question=question, proposed=choice.proposed)
    return StreamingHttpResponse(
        stream_from_replica(
            iter(generate_delimited(_list_rows(preview for (preview,) in previews), ","))
        ),
        content_type="text/csv; charset=utf-8",
        headers={
            "Content-Disposition": f'attachment; filename="regrade-{choice.policy}.csv"',
            "Cache-Control": "no-store, private",
        },
    )


def _list_rows(previews: Iterator[RegradePreview]) -> Iterator[list[TableCell]]:
    scores = [_("points"), _("of"), _("exact points"), _("per cent"), _("passed")]
    person = [_("Name"), _("E-mail"), _("School id"), _("Attempt")]
    before = [_("before: %(column)s") % {"column": name} for name in scores]
    after = [_("after: %(column)s") % {"column": name} for name in scores]
    yield [*person, *before, *after, _("change")]
    for preview in previews:
        attempt, learner = preview.result.attempt, preview.result.learner
        yield [
            learner.name,
            learner.email,
            learner.school_id,
            attempt.number,
            *_describe_score(preview.before),
            *_describe_score(preview.after),
            _describe_change(preview),
        ]


def _describe_score(score: Score | None) -> list[TableCell]:
    if score is None:
        return [""] * 5
    return [
        Decimal(format_decimal(score.total)),
        Decimal(format_decimal(score.maximum)),
        str(score.total),
        Decimal(score.percent),
        _("yes") if score.passed else _("no"),
    ]


def _describe_change(preview: RegradePreview) -> str:
    if preview.problem is not None:
        return describe_preview_problem(preview.problem)
    return str(CHANGES[find_change(preview)])
