"""`manage.py verify_record`: compute every digest, receipt and grading again."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from quizzes.commands.verifiers import VERIFIERS
from quizzes.lib.record_difference import Differences, Verifier
from quizzes.results.checkpoint_verification import verify_exported_checkpoint


class Command(BaseCommand):
    help = "Verify the whole record; name each row that differs and end with 1 if there is one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--checkpoint", type=Path, help="file of an exported checkpoint")

    def handle(self, *args: Any, **options: Any) -> None:
        verifiers = list(VERIFIERS)
        if path := options["checkpoint"]:
            exported = partial(_verify_exported, path)
            verifiers.append(Verifier("entries of the exported checkpoint", exported))
        try:
            wrong = sum(self._verify(verifier) for verifier in verifiers)
        except (OSError, ValueError) as error:
            raise CommandError(f"The exported checkpoint cannot be read: {error}") from error
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


def _verify_exported(path: Path) -> Iterator[Differences]:
    with path.open(encoding="utf-8") as file:
        yield from verify_exported_checkpoint(map(json.loads, file))
