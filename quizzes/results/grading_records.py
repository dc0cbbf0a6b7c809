"""Recording a grading: item marks, result, quiz grade and event, inside the caller's lock."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from accounts.models import User
from grading.contract import ENGINE_VERSION, ItemScore
from quizzes.attempts import selectors as attempts
from quizzes.attempts.manifest import Manifest
from quizzes.attempts.models import Attempt, State
from quizzes.bank.selectors import KeyAndFeedback, PublicVersion, load_keys_and_feedback
from quizzes.events import services as events
from quizzes.lib.hash_chain import START, chain_digest
from quizzes.lib.prepared_writes import PreparedInsert, PreparedRowUpdate, sent_together
from quizzes.lib.signing_keys import load_signing_keys
from quizzes.results.corrections import NO_CORRECTIONS, Corrections
from quizzes.results.grading_chain import ChainedItemResult, grading_fields
from quizzes.results.models import Grading, ItemResult, Reason, Result
from quizzes.results.quiz_grades import recompute_quiz_grade, update_quiz_grade
from quizzes.results.regrade_rules import load_corrections
from quizzes.results.scoring import AttemptScore
from quizzes.results.slot_scores import item_score_to_json


@dataclass(frozen=True, slots=True)
class GradingInput:
    """What an attempt is marked from; all sequences go by slot."""

    manifest: Manifest
    public_versions: Sequence[PublicVersion]
    answers: Sequence[Mapping[str, Any] | None]
    keys: Sequence[KeyAndFeedback]
    corrections: Corrections = NO_CORRECTIONS


GRADED: Final = "attempt.graded"
_GRADING, _ITEM_RESULTS = PreparedInsert(Grading), PreparedInsert(ItemResult)
_RESULT = PreparedInsert(Result)
_GRADED_ATTEMPT = PreparedRowUpdate(Attempt, "state", "receipt", "updated_at")


def load_grading_input(row: Attempt, *, is_regraded: bool = True) -> GradingInput:
    """Gather it, for a row that came with its current responses.

    Not `is_regraded`: the caller knows that the quiz has no rules of regrade.
    """
    manifest = Manifest.from_json(row.manifest)
    corrections = load_corrections(row.quiz_id, manifest, most=None if is_regraded else 0)
    return build_grading_input(row, manifest, corrections)


def build_grading_input(row: Attempt, manifest: Manifest, corrections: Corrections) -> GradingInput:
    """Gather it, for a row that came with its current responses: no query once all is cached."""
    public_versions = attempts.load_manifest_versions(manifest)
    keys_by_version = load_keys_and_feedback(slot.version for slot in manifest.slots)
    return GradingInput(
        manifest,
        public_versions,
        [response.answer for response in attempts.current_responses(row, len(public_versions))],
        [keys_by_version[slot.version] for slot in manifest.slots],
        corrections,
    )


@dataclass(frozen=True, slots=True)
class GradingReason:
    """Why a grading is made, by whom, and after how many; how many marks by persons it read."""

    reason: Reason
    by: User | None = None
    previous_number: int = 0
    manual_grades_read: int = 0


def record_grading(
    row: Attempt,
    grading_input: GradingInput,
    attempt_score: AttemptScore,
    reason: GradingReason,
    now: datetime,
) -> Grading:
    """Append a grading, and bring up to date what follows from it."""
    rules = grading_input.corrections.count
    previous = _load_previous_digest(row, reason)
    item_results = _build_item_results(row, grading_input, attempt_score)
    grading = build_grading(row, item_results, attempt_score, reason, rules, previous, now)
    _GRADING.insert(grading)
    for item_result in item_results:
        item_result.grading = grading
    with sent_together():
        _ITEM_RESULTS.insert_all(item_results)
        if reason.previous_number:
            Result.objects.filter(attempt=row).update(
                grading=grading, updated_at=now, regrade_rules_applied=rules
            )
            Attempt.objects.filter(pk=row.pk).update(updated_at=now)
            recompute_quiz_grade(row.quiz_grade, now)
        else:
            _RESULT.add(
                Result(
                    attempt=row,
                    grading=grading,
                    quiz_id=row.quiz_id,
                    learner_id=row.learner_id,
                    updated_at=now,
                    regrade_rules_applied=rules,
                )
            )
            row.state, row.updated_at = State.GRADED, now
            _GRADED_ATTEMPT.update(row)
            update_quiz_grade(row, grading_input.manifest, attempt_score, now)
        events.record(
            kind=GRADED,
            subject=row.uuid,
            data=describe_grading(grading),
            now=now,
            # Of the first grading learners read on the page on which they hand in.
            is_news=bool(reason.previous_number),
        )
    return grading


def _load_previous_digest(row: Attempt, reason: GradingReason) -> bytes:
    """Return the digest of the grading before; the first one needs no query."""
    if not reason.previous_number:
        return START
    before = Grading.objects.filter(attempt=row, number=reason.previous_number)
    return bytes(before.values_list("digest", flat=True).get())


def describe_grading(grading: Grading) -> dict[str, Any]:
    """Return what the event of a grading says of it."""
    return {"grading": grading.number, "reason": grading.reason, "passed": grading.passed}


def build_grading(  # noqa: PLR0913, PLR0917  all that a grading rests on
    row: Attempt,
    item_results: Sequence[ChainedItemResult],
    attempt_score: AttemptScore,
    reason: GradingReason,
    regrade_rules_read: int,
    previous_digest: bytes,
    now: datetime,
) -> Grading:
    """Return a grading of these item results, chained to the one before it; nothing is saved."""
    grading = _build_row(row, attempt_score, reason, regrade_rules_read, now)
    grading.digest = chain_digest(previous_digest, grading_fields(row.uuid, grading, item_results))
    grading.mac = load_signing_keys().compute_mac(grading.digest)
    return grading


def _build_row(
    row: Attempt,
    attempt_score: AttemptScore,
    grading_reason: GradingReason,
    regrade_rules_read: int,
    now: datetime,
) -> Grading:
    return Grading(
        attempt=row,
        learner_id=row.learner_id,
        number=grading_reason.previous_number + 1,
        reason=grading_reason.reason,
        by=grading_reason.by,
        total_numerator=attempt_score.total.numerator,
        total_denominator=attempt_score.total.denominator,
        maximum_numerator=attempt_score.maximum.numerator,
        maximum_denominator=attempt_score.maximum.denominator,
        passed=attempt_score.passed and not attempt_score.provisional,
        provisional=attempt_score.provisional,
        engine=ENGINE_VERSION,
        manual_grades_read=grading_reason.manual_grades_read,
        regrade_rules_read=regrade_rules_read,
        graded_at=now,
    )


def _build_item_results(
    row: Attempt, grading_input: GradingInput, attempt_score: AttemptScore
) -> list[ItemResult]:
    """Return the rows of a grading that is still to be saved."""
    item_results = []
    for number, (points, public_version, answer, outcome) in enumerate(
        zip(
            attempt_score.points,
            grading_input.public_versions,
            grading_input.answers,
            attempt_score.item_scores,
            strict=True,
        )
    ):
        credit = outcome.credit if isinstance(outcome, ItemScore) else None
        item_results.append(
            _ITEM_RESULTS.build(
                learner_id=row.learner_id,
                slot=number,
                version_id=public_version.version_id,
                answer=answer,
                credit_numerator=None if credit is None else credit.numerator,
                credit_denominator=None if credit is None else credit.denominator,
                points_numerator=points.numerator,
                points_denominator=points.denominator,
                score=item_score_to_json(outcome),
            )
        )
    return item_results
