"""`manage.py import_bank FILE --bank SLUG`: import a file of any format into a bank."""

import json
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from quizzes.bank import checks
from quizzes.commands.lookup import get_bank, parse_file
from quizzes.formats import FORMATS
from quizzes.imports import importer
from quizzes.imports.importer import ImportSelection
from quizzes.imports.item_linter import ItemLinter
from quizzes.imports.match_answers import MatchAnswers
from quizzes.lib import clock
from quizzes.presentation.import_report import format_report, localize_report


class Command(BaseCommand):
    help = (
        "Import questions into a bank and report item by item. Exit status: 0, all of the file is "
        "in the bank; 1, some items were refused, need review, or stand in conflict; "
        "2, nothing was imported."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--bank", required=True, metavar="SLUG")
        parser.add_argument("--format", default="", choices=["", *FORMATS], help="else found out")
        parser.add_argument("--language", default="", help="of its words; else found out")
        parser.add_argument(
            "--matches",
            type=_read_answers,
            default="ask",
            metavar="{ask,above:0.9,none}",
            help="questions that the bank has in another language: list them (the default); "
            "merge those that are at least this sure and only add texts; or do not look for them",
        )
        parser.add_argument("--dry-run", action="store_true", help="report, and write nothing")
        parser.add_argument("--json", action="store_true", help="the report as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        path, is_dry_run = options["file"], options["dry_run"]
        bank = get_bank(options["bank"])
        parsed_file = parse_file(path, options["format"], options["language"])
        selection = ImportSelection(answers=options["matches"])
        if is_dry_run:
            report = importer.preview_import(
                bank=bank, parsed_file=parsed_file, selection=selection
            )
        else:
            report = importer.run_import(
                bank=bank,
                parsed_file=parsed_file,
                by=None,
                now=clock.now(),
                selection=selection,
                linter=ItemLinter(),
            )
            checks.refresh_findings(bank)
        if options["json"]:
            payload = localize_report(report.to_json(parsed_file, committed=not is_dry_run))
            self.stdout.write(json.dumps(payload, ensure_ascii=False, indent=1))
        else:
            for line in format_report(report, parsed_file, path.name):
                self.stdout.write(line)
            counts = report.counts() if is_dry_run else report.count_results()
            parts = [f"{n} {name}" for name, n in counts.items() if n]
            self.stdout.write(", ".join(parts) or "no items")
        if not report.is_complete():
            raise SystemExit(1)


def _read_answers(text: str) -> MatchAnswers:
    """Return what is to be done with matches."""
    if text in {"ask", "none"}:
        return MatchAnswers(search=text == "ask")
    word, _, number = text.partition(":")
    try:
        min_confidence = float(number)
    except ValueError:
        min_confidence = -1.0
    if word != "above" or not 0 <= min_confidence <= 1:
        raise ArgumentTypeError(f"{text!r} is neither ask, none, nor above:0.9")
    return MatchAnswers(min_confidence=min_confidence)
