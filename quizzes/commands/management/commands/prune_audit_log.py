"""`manage.py prune_audit_log`: remove audit events that are over their retention."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import ProgrammingError

from quizzes.audit import retention
from quizzes.lib import clock
from quizzes.lib.errors import Conflict


class Command(BaseCommand):
    help = (
        "Remove the events of the audit log that are older than OCHENTA_AUDIT_DAYS, whole seals of"
        " them. The seals stay, so that the chain can be checked. The database's role must own the"
        " tables."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--dry-run", action="store_true", help="say what would be removed, and remove nothing"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        days = settings.AUDIT_DAYS
        if not days:
            self.stdout.write("OCHENTA_AUDIT_DAYS is 0: the audit log is kept for ever.")
            return
        now = clock.now()
        expired = retention.find_expired(now=now, days=days)
        if expired is None:
            self.stdout.write(f"No sealed batch is older than {days} days; nothing to remove.")
            return
        seals = f"{expired.events} events of the seals {expired.first_seal} to"
        seals = f"{seals} {expired.last_seal}"
        if options["dry_run"]:
            self.stdout.write(f"Would remove {seals}.")
            return
        try:
            retention.prune(expired=expired, now=now)
        except Conflict as conflict:
            raise CommandError("Nothing removed; the log is being sealed. Try again.") from conflict
        except ProgrammingError as error:
            raise CommandError(f"Nothing removed; run it as the tables' owner: {error}") from error
        self.stdout.write(f"Removed {seals}.")
