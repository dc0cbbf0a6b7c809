"""`manage.py verify_gradings`: recompute gradings, and the results and quiz grades from them."""

from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from quizzes.attempts.models import Attempt, QuizGrade
from quizzes.lib.record_difference import Differences
from quizzes.results.grading_verification import verify_gradings
from quizzes.results.outcome_verification import verify_quiz_grades, verify_results


class Command(BaseCommand):
    help = (
        "Recompute every stored grading, result and quiz grade; report each difference and what"
        " cannot be read, and end with 1 if there is one."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--quiz", help="short name of one quiz")
        parser.add_argument("--attempt", type=UUID, help="id of one attempt")

    def handle(self, *args: Any, **options: Any) -> None:
        attempts = Attempt.objects.all()
        if options["quiz"]:
            attempts = attempts.filter(quiz__slug=options["quiz"])
        if options["attempt"]:
            attempts = attempts.filter(uuid=options["attempt"])
        quiz_grades = QuizGrade.objects.filter(pk__in=attempts.values("quiz_grade"))
        parts = {
            "gradings": self._count(verify_gradings(attempts)),
            "results": self._count(verify_results(attempts)),
            "quiz grades": self._count(verify_quiz_grades(quiz_grades)),
        }
        if wrong := sum(differ for _, differ in parts.values()):
            checked = sum(checked for checked, _ in parts.values())
            raise CommandError(f"{wrong} of {checked} rows differ from their recomputation.")
        if not parts["gradings"][0] and (options["quiz"] or options["attempt"]):
            raise CommandError("There is no such grading; nothing was recomputed.")
        counts = ", ".join(f"{checked} {name}" for name, (checked, _) in parts.items())
        self.stdout.write(f"{counts} recomputed, no difference.")

    def _count(self, rows: Iterable[Differences]) -> tuple[int, int]:
        """Print the differences; return how many rows were verified, and how many differ."""
        checked = wrong = 0
        for differences in rows:
            checked += 1
            wrong += bool(differences)
            for difference in differences:
                self.stderr.write(str(difference))
        return checked, wrong
