"""`manage.py export_bank SLUG --format F`: write a bank as a file, and list what does not fit."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.commands.lookup import get_bank
from quizzes.formats import WRITERS
from quizzes.formats.ochenta import name as own
from quizzes.imports import exporter
from quizzes.presentation.messages.imports import describe_export_warning


class Command(BaseCommand):
    help = (
        "Export a bank. What the format cannot hold is listed on standard error. Exit status: "
        "0, all of it is in the file; 1, something is not; 2, nothing was written."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("bank", metavar="SLUG")
        parser.add_argument("--format", default=own, choices=list(WRITERS))
        parser.add_argument("--language", default="", help="where the format holds only one")
        parser.add_argument(
            "-o", "--output", type=Path, metavar="FILE", help="else standard output"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        bank = get_bank(options["bank"])
        exported = exporter.export_bank(
            bank=bank,
            format_=options["format"],
            language=options["language"],
        )
        try:
            self._write(exported.data, options["output"])
        except OSError as error:
            raise CommandError(f"{options['output']}: {error.strerror}", returncode=2) from None
        record(AuditCode.BANK_EXPORTED, about=bank, after={"format": options["format"]})
        for warning in exported.warnings:
            self.stderr.write(f"{warning.question or 'bank'}: {describe_export_warning(warning)}")
        if exported.warnings:
            raise SystemExit(1)

    def _write(self, data: bytes, path: Path | None) -> None:
        if path:
            path.write_bytes(data)
            return
        raw = getattr(self.stdout, "buffer", None)
        if raw is None:
            self.stdout.write(data.decode(errors="replace"), ending="")
        else:
            raw.write(data)
            raw.flush()
