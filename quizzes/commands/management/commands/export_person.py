"""`manage.py export_person`: everything that is stored of a person, as a ZIP."""

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from quizzes.commands.lookup import get_person
from quizzes.lib import clock
from quizzes.privacy.person_export import export_person


class Command(BaseCommand):
    help = (
        "Write everything that is stored of a person into a ZIP of JSON and CSV: no secrets, and of"
        " results what the person may see now. Only its owner may read the file."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("person", help="an e-mail address or UUID")
        parser.add_argument("file", type=Path, help="where to write; it must not exist yet")

    def handle(self, *args: Any, **options: Any) -> None:
        person, path = get_person(options["person"]), options["file"]
        try:
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror}", returncode=2) from None
        with os.fdopen(handle, "wb") as file:
            export_person(person=person, by=None, file=file, now=clock.now())
        self.stdout.write(f"{path}: everything that is stored of {person.email}.")
