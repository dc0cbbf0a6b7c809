"""The measures of a quiz version: what page, REST and CSV show, from the one stored report."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal
from uuid import UUID

from django.db.models import QuerySet

from accounts.access import UserOrAnonymous
from quizzes.attempts.access import quizzes_overseen_by
from quizzes.attempts.key_access import quizzes_hidden_from_taker
from quizzes.bank.models import QuestionVersion
from quizzes.lib.errors import NotFound
from quizzes.publishing.models import PoolCandidate, Quiz, QuizVersion
from quizzes.statistics.small_groups import withhold_small_groups

AttemptSelection = Literal["all", "first"]
EMPTY_MEASURES: Final[Mapping[str, Any]] = {
    "scores": None,
    "histogram": [],
    "reliability": None,
    "pass_decision": None,
    "time_quantiles": {},
    "groups": [],
    "questions": [],
}
"""The measures before anything was measured."""


@dataclass(frozen=True, slots=True)
class QuizStatisticsReport:
    """The measures of one quiz version, of all attempts or of first attempts.

    `measures` and `dif` are JSON as `measuring.build_report` writes it; each question in it has its
    number in the quiz, its name and its ids beside its figures. `is_up_to_date`: nothing has
    changed since `measured_at`, which is none where nothing was measured.
    """

    quiz: Quiz
    quiz_version: QuizVersion
    selection: AttemptSelection
    measured_at: datetime | None
    is_up_to_date: bool
    waiting: int
    measures: Mapping[str, Any]
    dif: list[dict[str, Any]]


def load_quiz_statistics(
    *,
    quizzes: QuerySet[Quiz],
    quiz: UUID,
    quiz_version: UUID | None = None,
    selection: AttemptSelection = "all",
) -> QuizStatisticsReport:
    """Return the measures of a quiz version, by default the newest one that has attempts.

    `quizzes`: those whose statistics the caller may see. Not among them, or never published, or no
    version of it: NotFound. Five queries, however large the quiz is.
    """
    visible = quizzes.filter(uuid=quiz).first()
    if visible is None:
        raise NotFound
    rows = QuizVersion.objects.filter(quiz=visible).select_related("statistics")
    versions = list(rows.defer("statistics__report").order_by("-number"))
    chosen = _choose_version(visible, versions, quiz_version)
    statistics = getattr(chosen, "statistics", None)
    report = statistics.report if statistics else None
    measures = dict(EMPTY_MEASURES if report is None else report[selection])
    labels = _load_labels(chosen, report or {})
    questions = [{**labels[row["version"]], **row} for row in measures["questions"]]
    measures["questions"] = sorted(questions, key=lambda row: row["number"])
    withhold_small_groups(measures)
    return QuizStatisticsReport(
        quiz=visible,
        quiz_version=chosen,
        selection=selection,
        measured_at=statistics.measured_at if statistics else None,
        is_up_to_date=statistics is None or statistics.changes == statistics.measured_changes,
        waiting=report["waiting"] if report else 0,
        measures=measures,
        dif=[_label_dif(part, labels) for part in (report or {}).get("dif", ())],
    )


def list_quizzes_with_statistics(user: UserOrAnonymous) -> QuerySet[Quiz]:
    """Return the quizzes whose statistics this person may see: those that they oversee.

    Not those that share a bank with a graded attempt that they have open: statistics show keys.
    """
    return quizzes_overseen_by(user).exclude(pk__in=quizzes_hidden_from_taker(user))


def _choose_version(quiz: Quiz, versions: list[QuizVersion], uuid: UUID | None) -> QuizVersion:
    matches = [version for version in versions if uuid in {None, version.uuid}]
    if not matches:
        raise NotFound
    measured = [version for version in matches if hasattr(version, "statistics")]
    current = [version for version in matches if version.pk == quiz.current_id]
    return (measured or current or matches)[0]


def _load_labels(chosen: QuizVersion, report: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return by version what names a question: those of the quiz in its order, then others."""
    uuids = {row["version"] for row in report.get("all", EMPTY_MEASURES)["questions"]}
    candidates = PoolCandidate.objects.filter(item__quiz_version=chosen)
    order = list(
        candidates.order_by("item__position", "pk").values_list("version__uuid", flat=True)
    )
    places = {str(uuid): place for place, uuid in enumerate(order, start=1)}
    versions = QuestionVersion.objects.filter(uuid__in=uuids).select_related("question__bank")
    ordered = sorted(versions, key=lambda row: (places.get(str(row.uuid), len(order) + 1), row.pk))
    labels: dict[str, dict[str, Any]] = {}
    number = len(order)
    for version in ordered:
        place = places.get(str(version.uuid))
        if place is None:
            place = number = number + 1
        labels[str(version.uuid)] = {
            "number": place,
            "question": str(version.question.uuid),
            "name": version.question.name,
            "bank": version.question.bank.slug,
            "version_number": version.number,
            "kind": version.kind,
        }
    return labels


def _label_dif(part: dict[str, Any], labels: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    rows = [
        {"number": labels[row["version"]]["number"], "name": labels[row["version"]]["name"], **row}
        for row in part["measures"]
    ]
    return {**part, "measures": sorted(rows, key=lambda row: row["number"])}
