"""What a command line names, found or the command ends with status 2 and the reason."""

from pathlib import Path

from django.core.management.base import CommandError

from quizzes.bank.models import Bank
from quizzes.formats.contract import ParsedFile
from quizzes.imports import parse, report_format
from quizzes.lib.errors import Invalid


def bank_of(slug: str) -> Bank:
    """Give the bank of this short name."""
    bank = Bank.objects.filter(slug=slug).first()
    if bank is None:
        raise CommandError(f"There is no bank called {slug!r}.", returncode=2)
    return bank


def parcel_of(path: Path, format_: str = "", language: str = "") -> ParsedFile:
    """Open a file; what keeps all of it out ends the command, each trouble on its line."""
    try:
        parcel = parse.parse_upload(
            path.read_bytes(), path.name, format_=format_, language=language
        )
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}", returncode=2) from None
    except Invalid as error:
        raise CommandError(
            f"{path}: {report_format.refusal_message(error)}", returncode=2
        ) from None
    if parcel.errors:
        lines = "\n".join(
            f"{path.name}:{file_error.line}: {file_error.message}" for file_error in parcel.errors
        )
        raise CommandError(f"{path}: nothing of it can be used.\n{lines}", returncode=2)
    return parcel
