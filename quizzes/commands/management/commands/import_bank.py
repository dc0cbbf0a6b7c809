"""`manage.py import_bank FILE --bank SLUG`: bring a file of any format into a bank."""

import json
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from quizzes.commands.lookup import bank_of, parcel_of
from quizzes.formats import FORMATS
from quizzes.imports import importer, report_format
from quizzes.imports.importer import ImportSelection
from quizzes.imports.match_answers import MatchAnswers
from quizzes.lib import clock


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
            "--twins",
            type=_answers,
            default="ask",
            metavar="{ask,above:0.9,none}",
            help="questions that the bank has in another language: tell of them (the default); "
            "join those at least this sure, where nothing but words is at stake; or keep quiet",
        )
        parser.add_argument("--dry-run", action="store_true", help="tell, and write nothing")
        parser.add_argument("--json", action="store_true", help="the report as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        path, dry = options["file"], options["dry_run"]
        bank = bank_of(options["bank"])
        parcel = parcel_of(path, options["format"], options["language"])
        choice = ImportSelection(answers=options["twins"])
        if dry:
            report = importer.preview_import(bank=bank, parcel=parcel, selection=choice)
        else:
            report = importer.run_import(
                bank=bank, parcel=parcel, by=None, now=clock.now(), selection=choice
            )
        if options["json"]:
            payload = report_format.serialize_report(report, parcel, written=not dry)
            self.stdout.write(json.dumps(payload, ensure_ascii=False, indent=1))
        else:
            for line in report_format.render_lines(report, parcel, path.name):
                self.stdout.write(line)
            counts = report.counts().items()
            self.stdout.write(", ".join(f"{n} {what}" for what, n in counts if n) or "no items")
        if not report_format.is_clean(report):
            raise SystemExit(1)


def _answers(text: str) -> MatchAnswers:
    """Read what is to be done with twins."""
    if text in {"ask", "none"}:
        return MatchAnswers(search=text == "ask")
    word, _, sure = text.partition(":")
    try:
        above = float(sure)
    except ValueError:
        above = -1.0
    if word != "above" or not 0 <= above <= 1:
        raise ArgumentTypeError(f"{text!r} is neither ask, none, nor above:0.9")
    return MatchAnswers(min_confidence=above)
