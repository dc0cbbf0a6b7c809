"""Steps of a practised question in its journal: appended, replayed with the tries, and verified.

    digest = SHA-256(digest of the step before + canonical JSON of `step_fields`)

The first is chained to 32 zero bytes. A step says nothing that its learner does not know, so it has
no salt; as of tries, no digest covers a score or a key (ADR 71).
"""

from collections.abc import Iterator, Sequence
from typing import Any

from django.db.models import Count

from quizzes.attempts.chain_verification import verify_chains
from quizzes.lib.hash_chain import START, Difference, chain_digest, format_time
from quizzes.lib.record_difference import Differences, RecordDifference
from quizzes.lib.row_reading import UnreadableRow, read_rows
from quizzes.lib.signing_keys import load_signing_keys
from quizzes.practice.models import PracticeQuestion, PracticeStep, StepAction
from quizzes.practice.try_chain import compute_drawn_digest


def step_fields(question: PracticeQuestion, row: PracticeStep) -> dict[str, Any]:
    """Return what the digest of a step covers, as JSON: also its question as it was drawn."""
    return {
        "question": str(question.uuid),
        "drawn": compute_drawn_digest(question),
        "number": row.number,
        "action": str(row.action),
        "tries_before": row.tries_before,
        "idempotency_key": str(row.idempotency_key),
        "language": row.language,
        "taken_at": format_time(row.taken_at),
    }


def append_step(question: PracticeQuestion, row: PracticeStep) -> None:
    """Insert a step after the last one of its question, which is locked, and replay them all."""
    steps = list(question.steps.order_by("number"))
    row.question, row.learner_id = question, question.learner_id
    row.number = len(steps) + 1
    previous = bytes(steps[-1].digest) if steps else START
    row.digest = chain_digest(previous, step_fields(question, row))
    row.mac = load_signing_keys().compute_mac(row.digest)
    row.save(force_insert=True)
    question.hints_opened, question.asked_for_answer = replay_steps([*steps, row])
    question.save(update_fields=["hints_opened", "asked_for_answer", "updated_at"])


def replay_steps(steps: Sequence[PracticeStep]) -> tuple[int, bool]:
    """Return what the steps of a question come to: hints opened, and whether it was given up."""
    actions = [step.action for step in steps]
    return actions.count(StepAction.HINT), StepAction.GIVEN_UP in actions


def verify_steps() -> Iterator[Differences]:
    """Verify all steps row by row, then that each question stands as its journal says."""
    yield from verify_chains(
        PracticeStep.objects.select_related("question__version"),
        "number",
        lambda row: step_fields(row.question, row),
        parent="question",
    )
    questions = PracticeQuestion.objects.annotate(try_count=Count("tries"))
    for row in read_rows(questions.prefetch_related("steps").order_by("pk")):
        if isinstance(row, UnreadableRow):
            yield (row.to_difference(),)
            continue
        name = f"practised question {row.uuid}"
        yield tuple(RecordDifference(name, *difference) for difference in _find_differences(row))


def _find_differences(row: Any) -> Iterator[Difference]:
    """Yield where a question, with its steps and `try_count`, is not as its journal says."""
    steps = sorted(row.steps.all(), key=lambda step: step.number)
    hints_opened, has_given_up = replay_steps(steps)
    if row.hints_opened != hints_opened:
        yield "hints_opened", str(row.hints_opened), str(hints_opened)
    if row.asked_for_answer != has_given_up:
        yield "asked_for_answer", str(row.asked_for_answer), str(has_given_up)
    counts = [step.tries_before for step in steps]
    last = counts[-1] if counts else 0
    if counts != sorted(counts) or row.try_count < last or (has_given_up and row.try_count > last):
        yield "tries", str(row.try_count), f"as many as its steps say: {counts}"
