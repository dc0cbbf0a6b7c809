"""Attempts as statistics count them, read from their newest grading and their journal."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any

from grading.choice.schema import CHOICE, TRUTH
from grading.kinds import KINDS
from quizzes.attempts.models import Attempt, Response, SaveStatus, State
from quizzes.results.models import ItemResult, Result
from quizzes.statistics.domain.attempt_record import AttemptRecord, Choice, ItemResponse


@dataclass(frozen=True, slots=True)
class CountableAttempt:
    """An attempt that counts, by which grading, and what is counted of it."""

    attempt_id: int
    quiz_version_id: int
    grading_id: int
    record: AttemptRecord


@dataclass(frozen=True, slots=True)
class SaveTimes:
    """What the journal of one attempt says: the language of each answer, the time on each."""

    languages: Mapping[int, str]
    seconds: Mapping[int, int]


def list_countable(attempts: Iterable[int]) -> list[Result]:
    """Return the results of those of these attempts that may count, with attempt and grading.

    Graded in full, not void, not of staff (ADR 29) or guests (ADR 59). What waits for a person's
    mark has no score yet. Whose answers are erased is left out by `load_attempt_records`.
    """
    rows = Result.objects.filter(
        attempt__in=list(attempts),
        attempt__state=State.GRADED,
        attempt__is_staff_attempt=False,
        attempt__learner__guest_since=None,
        grading__provisional=False,
    )
    return list(rows.select_related("attempt", "grading"))


def load_attempt_records(results: Sequence[Result]) -> dict[int, CountableAttempt]:
    """Return what is counted of these attempts, by attempt; two queries.

    Not among them: attempts whose answers are erased, or that asked nothing that is graded.
    """
    item_results: dict[int, list[ItemResult]] = defaultdict(list)
    gradings = [result.grading_id for result in results]
    rows = ItemResult.objects.filter(grading__in=gradings).select_related("version")
    for row in rows.order_by("grading_id", "slot"):
        item_results[row.grading_id].append(row)
    save_times = _load_save_times([result.attempt for result in results])
    records = {}
    for result in results:
        items = item_results[result.grading_id]
        record = _build_record(result, items, save_times[result.attempt_id])
        if record is not None:
            records[result.attempt_id] = CountableAttempt(
                result.attempt_id, result.attempt.quiz_version_id, result.grading_id, record
            )
    return records


def _build_record(
    result: Result, item_results: Sequence[ItemResult], times: SaveTimes
) -> AttemptRecord | None:
    if any(row.erasure_id is not None for row in item_results):
        return None
    attempt, grading = result.attempt, result.grading
    responses = tuple(
        _build_response(row, times.seconds.get(row.slot))
        for row in item_results
        if KINDS[row.version.kind].schema.graded
    )
    if not responses:
        return None
    seconds = None
    if attempt.submitted_at is not None:
        seconds = _count_seconds(attempt.started_at, attempt.submitted_at)
    answered = Counter(
        times.languages.get(row.slot, "") for row in item_results if row.answer is not None
    )
    # The most frequent; of equal ones the first by its code, so that counting again agrees.
    language = min(answered, key=lambda code: (-answered[code], code), default="")
    return AttemptRecord(
        language, attempt.number, grading.total, grading.maximum, responses, seconds
    )


def _build_response(row: ItemResult, seconds: int | None) -> ItemResponse:
    return ItemResponse(
        question=str(row.version.uuid),
        credit=row.credit or Fraction(),
        points=Fraction(row.points_numerator, row.points_denominator),
        choice=read_choice(row.version.kind, row.answer),
        is_omitted=row.answer is None,
        seconds=seconds,
    )


def has_options(kind: str) -> bool:
    """Return whether questions of a kind are answered by choosing among options."""
    return KINDS[kind].schema in (CHOICE, TRUTH)


def read_choice(kind: str, answer: Mapping[str, Any] | None) -> Choice | None:
    """Return the ids of the options that were chosen; none where the kind has no options."""
    if not has_options(kind):
        return None
    return frozenset(map(str, (answer or {}).get("chosen", ())))


def _count_seconds(begun: datetime, ended: datetime) -> int:
    return max(0, round((ended - begun).total_seconds()))


def _load_save_times(attempts: Sequence[Attempt]) -> dict[int, SaveTimes]:
    saves: dict[int, list[Response]] = defaultdict(list)
    rows = Response.objects.filter(
        attempt__in=[attempt.pk for attempt in attempts], status=SaveStatus.ACCEPTED
    )
    columns = ("attempt_id", "slot", "sequence", "language", "received_at")
    for row in rows.only(*columns).order_by("attempt_id", "sequence"):
        saves[row.attempt_id].append(row)
    return {attempt.pk: _read_save_times(attempt, saves[attempt.pk]) for attempt in attempts}


def _read_save_times(attempt: Attempt, saves: Sequence[Response]) -> SaveTimes:
    """Return language and time of each answer.

    The time from one save to the next is that of the question which the next one saves. Where
    several are saved at once, theirs is not known: such questions have none.
    """
    by_time: dict[datetime, list[Response]] = defaultdict(list)
    for save in saves:
        by_time[save.received_at].append(save)
    seconds: Counter[int] = Counter()
    unknown: set[int] = set()
    begun = attempt.started_at
    for received_at, together in sorted(by_time.items()):
        slots = {save.slot for save in together}
        if len(slots) > 1:
            unknown |= slots
        else:
            seconds[slots.pop()] += _count_seconds(begun, received_at)
        begun = received_at
    return SaveTimes(
        languages={save.slot: save.language for save in saves},
        seconds={slot: count for slot, count in seconds.items() if slot not in unknown},
    )
