"""`manage.py rotate_signing_key`: a new key signs from now on; the former ones stay known."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from quizzes.lib import key_file
from quizzes.lib.signing_keys import load_secret, rotate_secret


class Command(BaseCommand):
    help = (
        "Make a new signing key. An embedded site keeps it in its file; elsewhere the new value of"
        " OCHENTA_SIGNING_KEY is printed. It holds from the next start."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        secret = rotate_secret(load_secret())
        if settings.SIGNING_KEY:
            self.stdout.write(secret, ending="")
            return
        key_file.write(settings.SIGNING_KEY_FILE, secret)
        self.stdout.write(f"A new key is in {settings.SIGNING_KEY_FILE}; start the site again.")
