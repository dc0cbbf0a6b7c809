"""`manage.py verify_receipt FILE`: check a receipt, and the record against it."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from quizzes.attempts.models import Attempt
from quizzes.attempts.receipt_file import check_receipt
from quizzes.presentation.messages.receipts import describe_check


class Command(BaseCommand):
    help = "Check a receipt: signature, answers and the record; end with 1 unless all agree."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="the receipt as it was downloaded; - for standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        outcome = check_receipt(_read(options["file"]), Attempt.objects.all())
        for _sign, sentence in describe_check(outcome):
            self.stdout.write(sentence)
        if outcome.is_genuine and not outcome.record:
            raise CommandError("The record has no such attempt.")
        for place in outcome.differences:
            self.stderr.write(f"{place}: the record differs")
        if not outcome.is_genuine or outcome.record != "agrees":
            raise CommandError("The receipt and the record do not agree.")


def _read(name: str) -> str:
    try:
        return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{name} cannot be read: {error}") from error
