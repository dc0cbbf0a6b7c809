"""`manage.py verify_receipt FILE`: check a receipt or a certificate against the record."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from quizzes.attempts.models import Attempt
from quizzes.attempts.receipt_file import check_receipt
from quizzes.certificates.certificate_check import check_certificate, is_certificate
from quizzes.practice.models import PracticeTry
from quizzes.practice.try_receipts import compare_with_tries
from quizzes.presentation.messages.certificates import describe_certificate_check
from quizzes.presentation.messages.receipts import describe_check


class Command(BaseCommand):
    help = "Check a receipt: signature, answers and the record; end with 1 unless all agree."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="the receipt as it was downloaded; - for standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        text = _read(options["file"])
        if is_certificate(text):
            self._verify_certificate(text)
            return
        outcome = check_receipt(
            text, Attempt.objects.all(), compare_with_tries(PracticeTry.objects.all())
        )
        for _sign, sentence in describe_check(outcome):
            self.stdout.write(sentence)
        if outcome.is_genuine and not outcome.record:
            raise CommandError("The record has no such attempt, or no such try.")
        for place in outcome.differences:
            self.stderr.write(f"{place}: the record differs")
        if not outcome.is_genuine or outcome.record != "agrees":
            raise CommandError("The receipt and the record do not agree.")

    def _verify_certificate(self, text: str) -> None:
        check = check_certificate(text)
        for _sign, sentence in describe_certificate_check(check):
            self.stdout.write(sentence)
        if not check.holds:
            raise CommandError("The certificate does not hold.")


def _read(name: str) -> str:
    try:
        return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{name} cannot be read: {error}") from error
