"""`manage.py erase_person`: erase a person; scores and the record stay."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from quizzes.commands.lookup import get_person
from quizzes.lib import clock
from quizzes.lib.errors import Refused
from quizzes.presentation.messages.privacy import describe_blocker
from quizzes.privacy.person_erasure import ErasurePlan, erase_person, plan_erasure


class Command(BaseCommand):
    help = (
        "Say what erasing a person would do, and with --commit do it: name, addresses, sign-ins,"
        " memberships and texts of answers go; attempts, scores and the record stay, under the"
        " person's number."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("person", help="an e-mail address or UUID")
        parser.add_argument("--commit", action="store_true", help="erase; it cannot be undone")

    def handle(self, *args: Any, **options: Any) -> None:
        person = get_person(options["person"])
        if not options["commit"]:
            plan = plan_erasure(person)
            self._write(plan, "Would be deleted", "Would stay, without a name")
            for code in plan.blockers:
                self.stdout.write(f"Prevented: {describe_blocker(code)}")
            if not plan.blockers:
                self.stdout.write("Nothing was changed. Add --commit to erase.")
            return
        try:
            plan = erase_person(person=person, by=None, now=clock.now())
        except Refused as refused:
            raise CommandError(f"Nothing was changed: {describe_blocker(refused.code)}") from None
        self._write(plan, "Deleted", "Stays, without a name")
        self.stdout.write("The person is erased.")

    def _write(self, plan: ErasurePlan, deleted: str, staying: str) -> None:
        for heading, counts in ((deleted, plan.deleted), (staying, plan.remaining)):
            rows = ", ".join(f"{model} {count}" for model, count in sorted(counts.items()))
            self.stdout.write(f"{heading}: {rows or 'nothing'}")
        self.stdout.write(f"Answers emptied: {plan.answers}")
        self.stdout.write(f"Audit events without the name: {plan.audit_events}")
