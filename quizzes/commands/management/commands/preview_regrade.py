"""`manage.py preview_regrade`: whom a regrade of a question would raise or lower, as CSV."""

import csv
from argparse import ArgumentParser
from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from quizzes.commands.lookup import get_question, get_quiz
from quizzes.commands.regrade_arguments import REFUSALS, add_rule_arguments, choose_policy
from quizzes.lib.errors import Invalid, Refused
from quizzes.presentation.messages.regrades import describe_pending_changes
from quizzes.results.attempt_report import Score
from quizzes.results.models import RegradeAction
from quizzes.results.pending_changes import load_pending_changes
from quizzes.results.regrade_counts import find_change
from quizzes.results.regrade_preview import ProposedRule, RegradePreview, preview_rule
from quizzes.results.regrading import check_rule

SCORE_COLUMNS = ("total_numerator", "total_denominator", "percent", "passed")
COLUMNS = (
    "attempt",
    "learner",
    "number",
    *(f"{name}_before" for name in SCORE_COLUMNS),
    *(f"{name}_after" for name in SCORE_COLUMNS),
    "change",
)


class Command(BaseCommand):
    help = (
        "Write as CSV which attempts of a quiz would have another score if commit_regrade were run"
        " with the same options, and which cannot be compared. Nothing is changed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_rule_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        quiz, question = get_quiz(options["quiz"]), get_question(options["question"])
        action = RegradeAction(options["action"])
        try:
            proposed = ProposedRule(
                (choose_policy(options),),
                action,
                options["rule"],
                options["points"],
                options["scoring_method"],
            )
            check_rule(quiz=quiz, question=question, proposed=proposed)
            previews = preview_rule(quiz=quiz, question=question, proposed=proposed)
        except (Refused, Invalid) as error:
            raise CommandError(REFUSALS[error.code], returncode=2) from None
        writer = csv.writer(self.stdout, lineterminator="\n")
        writer.writerow(COLUMNS)
        changes: Counter[str] = Counter()
        for (preview,) in previews:
            change = _describe_change(preview)
            changes[change] += 1
            if change != "same":
                writer.writerow(_build_row(preview, change))
        counts = ", ".join(f"{count} {change}" for change, count in sorted(changes.items()))
        concerned = "by an older key" if action == RegradeAction.KEY else "with the question"
        pending = load_pending_changes(quiz=quiz, question=question).without(
            action, points=proposed.points, scoring_method=proposed.scoring_method
        )
        for described in describe_pending_changes(pending):
            self.stderr.write(f"Left out: {described.sentence}")
        self.stderr.write(f"{changes.total()} attempts {concerned}: {counts or 'none'}.")


def _describe_change(preview: RegradePreview) -> str:
    """Return a problem, or what happens to points and pass."""
    if preview.problem or preview.before is None or preview.after is None:
        return str(preview.problem)
    before, after = preview.before, preview.after
    if not preview.changes:
        return "same"
    if before.passed != after.passed:
        return "passes" if after.passed else "no longer passes"
    return str(find_change(preview))


def _build_row(preview: RegradePreview, change: str) -> list[str | int]:
    attempt = preview.result.attempt
    return [
        str(attempt.uuid),
        str(preview.result.learner.uuid),
        attempt.number,
        *_build_cells(preview.before),
        *_build_cells(preview.after),
        change,
    ]


def _build_cells(score: Score | None) -> tuple[str | int, ...]:
    if score is None:
        return ("",) * len(SCORE_COLUMNS)
    passed = "yes" if score.passed else "no"
    return (score.total.numerator, score.total.denominator, score.percent, passed)
