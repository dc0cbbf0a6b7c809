"""`manage.py verify_record`: compute every digest, receipt and grading again."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from quizzes.commands.verifiers import VERIFIERS
from quizzes.lib.record_difference import Verifier


class Command(BaseCommand):
    help = "Verify the whole record; name each row that differs and end with 1 if there is one."

    def handle(self, *args: Any, **options: Any) -> None:
        wrong = sum(self._verify(verifier) for verifier in VERIFIERS)
        if wrong:
            raise CommandError(f"{wrong} rows of the record differ.")
        self.stdout.write("The record is as it was written.")

    def _verify(self, verifier: Verifier) -> int:
        """Verify one part, print its differences, and return how many rows differ."""
        checked = wrong = 0
        for differences in verifier.verify():
            checked += 1
            wrong += bool(differences)
            for difference in differences:
                self.stderr.write(str(difference))
        self.stdout.write(f"{verifier.rows}: {checked} checked, {wrong} differ")
        return wrong
