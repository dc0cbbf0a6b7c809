"""Make a token for a program from the command line; it is printed once."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.addresses import normalize
from accounts.models import Scope, User
from accounts.services import DEFAULT_TOKEN_DAYS, TooManyTokens, issue_token


class Command(BaseCommand):
    help = "Make an API token for a person and print it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email")
        parser.add_argument("--name", default="command line")
        parser.add_argument("--scopes", nargs="+", choices=Scope.values, default=["read"])
        parser.add_argument("--days", type=int, default=DEFAULT_TOKEN_DAYS)

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(email=normalize(options["email"]), is_active=True).first()
        if user is None:
            raise CommandError("There is no such person.")
        try:
            _, token = issue_token(
                user=user, name=options["name"], scopes=options["scopes"], days=options["days"]
            )
        except TooManyTokens as full:
            raise CommandError("This person has too many tokens; revoke one first.") from full
        self.stdout.write(token)
