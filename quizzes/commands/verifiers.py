"""What `verify_record` verifies, part by part: whoever keeps a record adds a line here."""

from collections.abc import Iterator

from django.apps import apps

from quizzes.attempts.attempt_verification import (
    verify_accommodations,
    verify_attempts,
    verify_extensions,
)
from quizzes.attempts.verification import verify_receipts, verify_responses
from quizzes.audit.verify import verify_audit_log
from quizzes.lib.column_verification import verify_columns
from quizzes.lib.record_difference import Differences, Verifier
from quizzes.practice.step_chain import verify_steps
from quizzes.practice.try_receipts import verify_tries
from quizzes.results.checkpoint_verification import verify_checkpoints
from quizzes.results.grading_verification import (
    verify_grading_digests,
    verify_gradings,
    verify_manual_grade_digests,
)
from quizzes.results.outcome_verification import verify_quiz_grades, verify_results
from quizzes.results.regrade_verification import verify_regrade_rules


def _verify_audit_log() -> Iterator[tuple[object, ...]]:
    return ((difference,) for difference in verify_audit_log())


def _verify_columns() -> Iterator[Differences]:
    configs = map(apps.get_app_config, ("attempts", "results", "audit", "practice"))
    return verify_columns(model for config in configs for model in config.get_models())


VERIFIERS = (
    Verifier("responses", verify_responses),
    Verifier("receipts", verify_receipts),
    Verifier("attempts", verify_attempts),
    Verifier("moves of deadlines", verify_extensions),
    Verifier("accommodations", verify_accommodations),
    Verifier("gradings recomputed", verify_gradings),
    Verifier("digests of gradings", verify_grading_digests),
    Verifier("marks by persons", verify_manual_grade_digests),
    Verifier("rules of regrade", verify_regrade_rules),
    Verifier("results", verify_results),
    Verifier("quiz grades", verify_quiz_grades),
    Verifier("tries in practice", verify_tries),
    Verifier("hints and answers shown in practice", verify_steps),
    Verifier("entries of checkpoints", verify_checkpoints),
    Verifier("differences of the audit log", _verify_audit_log),
    Verifier("columns that reading does not show", _verify_columns),
)
