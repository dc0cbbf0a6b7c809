"""`manage.py preview_regrade`: whom the newest key of a question would raise or lower, as CSV."""

import csv
from argparse import ArgumentParser
from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from quizzes.commands.lookup import get_question, get_quiz
from quizzes.lib.errors import Refused
from quizzes.results.attempt_report import Score
from quizzes.results.models import RegradePolicy
from quizzes.results.regrade_preview import RegradePreview, preview_regrade

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
        "Write as CSV which attempts of a quiz would have another score by the newest published key"
        " of a question, and which cannot be compared. Nothing is changed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("quiz", help="short name of the quiz")
        parser.add_argument(
            "question", help="bank/name: short name of the bank, name of the question"
        )
        parser.add_argument(
            "--policy",
            choices=RegradePolicy.values,
            default=RegradePolicy.BY_KEY.value,
            help="what is to become of older attempts",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        quiz, question = get_quiz(options["quiz"]), get_question(options["question"])
        try:
            previews = preview_regrade(quiz=quiz, question=question, policy=options["policy"])
        except Refused:
            raise CommandError("The question was never published.", returncode=2) from None
        writer = csv.writer(self.stdout, lineterminator="\n")
        writer.writerow(COLUMNS)
        changes: Counter[str] = Counter()
        for preview in previews:
            change = _describe_change(preview)
            changes[change] += 1
            if change != "same":
                writer.writerow(_build_row(preview, change))
        counts = ", ".join(f"{count} {change}" for change, count in sorted(changes.items()))
        self.stderr.write(f"{changes.total()} attempts by an older key: {counts or 'none'}.")


def _describe_change(preview: RegradePreview) -> str:
    """Return a problem, or what happens to points and pass."""
    if preview.problem or preview.before is None or preview.after is None:
        return str(preview.problem)
    before, after = preview.before, preview.after
    if not preview.changes:
        return "same"
    if before.passed != after.passed:
        return "passes" if after.passed else "no longer passes"
    return "rises" if after.total > before.total else "falls"


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
