"""`manage.py offer_deck`: let a class, or everyone, study the cards of a bank."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import Group
from quizzes.commands.lookup import get_bank
from quizzes.lib import clock
from quizzes.lib.errors import NotFound
from quizzes.study.offers import offer_deck, withdraw_deck


class Command(BaseCommand):
    help = "Let a class, or without --class everyone who is signed in, study the cards of a bank."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the bank, the class, and whether the offer is taken back."""
        parser.add_argument("bank", help="short name of the bank")
        parser.add_argument("--class", dest="group", help="name of the class")
        parser.add_argument("--withdraw", action="store_true", help="take the offer back")

    def handle(self, *args: Any, **options: Any) -> None:
        bank, group = get_bank(options["bank"]), _find_class(options["group"])
        audience = str(group) if group else "everyone"
        if not options["withdraw"]:
            offer_deck(bank=bank, group=group, by=None, now=clock.now())
            self.stdout.write(f"{bank.slug}: may be studied by {audience}")
            return
        try:
            withdraw_deck(bank=bank, group=group, by=None)
        except NotFound as error:
            raise CommandError(f"{bank.slug} is not offered to {audience}.") from error
        self.stdout.write(f"{bank.slug}: no longer offered to {audience}")


def _find_class(name: str | None) -> Group | None:
    if name is None:
        return None
    group = Group.objects.filter(name=name).first()
    if group is None:
        raise CommandError(f"There is no class called {name!r}.", returncode=2)
    return group
