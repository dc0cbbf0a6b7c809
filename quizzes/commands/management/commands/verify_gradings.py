"""`manage.py verify_gradings`: recompute all gradings from manifest and journal."""

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from quizzes.attempts.models import Attempt
from quizzes.results.verify import verify


class Command(BaseCommand):
    help = "Recompute every stored grading; report each difference and end with 1 if there is one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--quiz", help="short name of one quiz")
        parser.add_argument("--attempt", type=UUID, help="id of one attempt")

    def handle(self, *args: Any, **options: Any) -> None:
        attempts = Attempt.objects.filter(gradings__isnull=False).distinct().order_by("pk")
        if options["quiz"]:
            attempts = attempts.filter(quiz__slug=options["quiz"])
        if options["attempt"]:
            attempts = attempts.filter(uuid=options["attempt"])
        checked = wrong = 0
        for _, differences in verify(attempts.iterator(chunk_size=200)):
            checked += 1
            wrong += bool(differences)
            for difference in differences:
                self.stderr.write(str(difference))
        if wrong:
            raise CommandError(f"{wrong} of {checked} gradings differ from their recomputation.")
        if not checked and (options["quiz"] or options["attempt"]):
            raise CommandError("There is no such grading; nothing was recomputed.")
        self.stdout.write(f"{checked} gradings recomputed, no difference.")
