"""`manage.py load_bank FILE…`: bring question banks to the state of their files."""

from argparse import ArgumentParser
from collections import defaultdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import Group
from quizzes.bank import checks
from quizzes.bank.models import Bank
from quizzes.formats import ochenta
from quizzes.imports.import_plan.values import ImportAction
from quizzes.imports.importer import import_bank_file
from quizzes.imports.report import ImportReport, ReportItem
from quizzes.lib import clock
from quizzes.lib.errors import Invalid

UNCHANGED, NOT_IN_FILE = "unchanged", "kept though not in the file"


class Command(BaseCommand):
    help = "Load bank files (docs/howto/bank-file-format.md). The same file twice changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument("--group", help="name of the group that may edit a new bank")
        parser.add_argument(
            "--force", action="store_true", help="overwrite also what authors changed here"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        group = _get_group(options["group"])
        for path in options["files"]:
            self.stdout.write(load_file(path, group, overwrite=options["force"]))


def _get_group(name: str | None) -> Group | None:
    if name is None:
        return None
    group = Group.objects.filter(name=name).first()
    if group is None:
        raise CommandError(f"There is no group called {name!r}.")
    return group


def load_file(path: Path, group: Group | None, *, overwrite: bool = False) -> str:
    """Load one file and return a line about it; its errors are one CommandError, each on a line."""
    try:
        bank, report = import_bank_file(
            parsed_file=ochenta.read(path.read_bytes()),
            group=group,
            by=None,
            now=clock.now(),
            overwrite=overwrite,
        )
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from None
    except Invalid as error:
        lines = "\n".join(f"  {file_error}" for file_error in error.detail["errors"])
        raise CommandError(f"{path}: nothing was loaded.\n{lines}") from None
    checks.refresh_findings(bank)
    return f"{path.name}: {_summarize(bank, report)}"


def _summarize(bank: Bank, report: ImportReport) -> str:
    """Return how many questions of each sort there were, and which wait for their kind."""
    names: dict[str, list[str]] = defaultdict(list)
    for item in report.items:
        names[_result(item)].append(item.name)
    in_file = {item.name for item in report.items}
    names[NOT_IN_FILE] = [
        name for name in bank.questions.values_list("name", flat=True) if name not in in_file
    ]
    results = (ImportAction.NEW, ImportAction.CHANGED, UNCHANGED, NOT_IN_FILE)
    parts = [f"{len(names[result])} {result}" for result in results if names[result]]
    if conflicts := names[ImportAction.CONFLICT]:
        listed = ", ".join(conflicts)
        parts.append(f"{len(conflicts)} changed here and in the file, left as here: {listed}")
    kinds = {item.kind for item in report.items if item.action == ImportAction.REFUSED}
    if waiting := names[ImportAction.REFUSED]:
        parts.append(f"{len(waiting)} waiting for the kind {', '.join(sorted(kinds))}")
    return ", ".join(parts) or "no questions"


def _result(item: ReportItem) -> str:
    if item.selected and item.in_bank:
        return ImportAction.CHANGED
    is_unchanged = item.action == ImportAction.CONFLICT and not item.changed_in_file
    return UNCHANGED if is_unchanged or item.action == ImportAction.SAME else item.action
