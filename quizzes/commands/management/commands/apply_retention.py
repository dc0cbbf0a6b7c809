"""`manage.py apply_retention`: remove what is over its retention."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from quizzes.lib import clock
from quizzes.privacy.retention import apply_retention, list_over_retention


class Command(BaseCommand):
    help = (
        "Say what is over its retention (OCHENTA_RETENTION_…_DAYS), and with --commit remove it:"
        " texts of answers, accounts that nobody confirmed, requests about data. What a legal hold"
        " is on stays; the audit log has a command of its own, prune_audit_log."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--commit", action="store_true", help="remove; it cannot be undone")

    def handle(self, *args: Any, **options: Any) -> None:
        commit = options["commit"]
        rows = (apply_retention if commit else list_over_retention)(now=clock.now())
        for row in rows:
            if row.before is None:
                self.stdout.write(f"{row.kind}: kept for ever")
            else:
                verb = "removed" if commit else "would be removed"
                self.stdout.write(f"{row.kind}: {row.count} {verb}, from before {row.before:%F}")
        if not commit:
            self.stdout.write("Nothing was changed. Add --commit to remove.")
