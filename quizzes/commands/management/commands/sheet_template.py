"""`manage.py sheet_template FILE`: write the sheet to begin with, to be filled with questions."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from quizzes.formats.spreadsheet.template import TEMPLATE_WRITERS


class Command(BaseCommand):
    help = (
        "Write a sheet of three example questions in English and Spanish, with instructions: fill "
        "it in, then bring it in with import_bank. Exit status: 0, written; 2, not."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="ends in .xlsx or .csv")
        parser.add_argument("--language", default="en", choices=["en", "es"], help="of headings")

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        make = TEMPLATE_WRITERS.get(path.suffix.removeprefix(".").lower())
        if make is None:
            endings = " or ".join(f".{extension}" for extension in TEMPLATE_WRITERS)
            raise CommandError(f"{path}: the template ends in {endings}.", returncode=2)
        try:
            path.write_bytes(make(options["language"]))
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror}", returncode=2) from None
        self.stdout.write(f"{path}: written")
