"""`manage.py load_bank FILE…`: bring question banks to the state of their files."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import Group
from quizzes.formats import ochenta
from quizzes.imports import services
from quizzes.lib import clock
from quizzes.lib.errors import Invalid


class Command(BaseCommand):
    help = "Load bank files (docs/howto/bank-file-format.md). The same file twice changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument("--group", help="name of the group that may edit a new bank")
        parser.add_argument(
            "--force", action="store_true", help="overwrite also what authors changed here"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        group = _group(options["group"])
        for path in options["files"]:
            loaded = load(path, group, force=options["force"])
            self.stdout.write(tell(path, loaded))


def _group(name: str | None) -> Group | None:
    if name is None:
        return None
    group = Group.objects.filter(name=name).first()
    if group is None:
        raise CommandError(f"There is no group called {name!r}.")
    return group


def load(path: Path, group: Group | None, *, force: bool = False) -> services.Loaded:
    """Load one file; troubles become one CommandError that names each line."""
    try:
        parcel = ochenta.read(path.read_bytes())
        return services.load(parcel=parcel, group=group, by=None, now=clock.now(), force=force)
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from None
    except Invalid as error:
        lines = "\n".join(f"  {trouble}" for trouble in error.detail["troubles"])
        raise CommandError(f"{path}: nothing was loaded.\n{lines}") from None


def tell(path: Path, loaded: services.Loaded) -> str:
    """Say in one line what a load did, and list what waits for its kind."""
    parts = [
        f"{len(names)} {what}"
        for what, names in (
            ("new", loaded.new),
            ("changed", loaded.changed),
            ("unchanged", loaded.unchanged),
            ("kept though not in the file", loaded.not_in_file),
        )
        if names
    ]
    if loaded.conflict:
        names = ", ".join(loaded.conflict)
        parts.append(f"{len(loaded.conflict)} changed here and in the file, left as here: {names}")
    kinds = sorted({source_item.kind for source_item in loaded.waiting})
    if loaded.waiting:
        parts.append(f"{len(loaded.waiting)} waiting for the kind {', '.join(kinds)}")
    return f"{path.name}: {', '.join(parts) or 'no questions'}"
