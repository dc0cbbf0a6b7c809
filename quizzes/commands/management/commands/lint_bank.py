"""`manage.py lint_bank SLUG` or `--file FILE`: list what is worth a look in a bank or a file."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import translation

from quizzes.bank.checks import load_report
from quizzes.bank.lint import Severity
from quizzes.commands.lookup import get_bank, parse_file
from quizzes.formats import FORMATS
from quizzes.imports import lint_file
from quizzes.presentation import lint_report


class Command(BaseCommand):
    help = (
        "Say what is worth a look in a bank, or in a file of any known format. What an author "
        "said is meant so is counted, not listed. Exit status: 0, nothing as grave as asked for; "
        "1, something is; 2, nothing was looked at."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("bank", nargs="?", metavar="SLUG")
        what.add_argument("--file", type=Path, metavar="FILE", help="a file in place of a bank")
        parser.add_argument("--format", default="", choices=["", *FORMATS], help="else found out")
        parser.add_argument(
            "--severity",
            default=Severity.HINT.value,
            choices=[severity.value for severity in Severity],
            help="list only what is as grave, or graver",
        )
        parser.add_argument(
            "--language", default="en", choices=list(dict(settings.LANGUAGES)), help="to speak in"
        )
        parser.add_argument("--json", action="store_true", help="the report as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        path = options["file"]
        if path:
            check_report = lint_file.lint_parsed_file(parse_file(path, options["format"]))
        else:
            check_report = load_report(get_bank(options["bank"]))
        listed = lint_report.filter_by_severity(check_report.open, Severity(options["severity"]))
        with translation.override(options["language"]):
            if options["json"]:
                payload = lint_report.serialize_report(check_report, listed)
                self.stdout.write(json.dumps(payload, ensure_ascii=False, indent=1))
            else:
                for finding in listed:
                    self.stdout.write(lint_report.format_finding(finding))
                self.stdout.write(lint_report.format_summary(check_report))
        if listed:
            raise SystemExit(1)
