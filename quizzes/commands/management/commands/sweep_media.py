"""`manage.py sweep_media`: drop uploaded files that nothing names."""

from typing import Any

from django.core.management.base import BaseCommand

from quizzes.bank import uploads
from quizzes.lib import clock


class Command(BaseCommand):
    help = "Drop the bytes of files that no bank has and nobody uploaded in the last day."

    def handle(self, *args: Any, **options: Any) -> None:
        gone = uploads.sweep(now=clock.now())
        self.stdout.write(f"{gone} files dropped.")
