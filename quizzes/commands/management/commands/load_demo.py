"""`manage.py load_demo`: the banks, people and quizzes of `fixtures/`, to try everything with."""

import secrets
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import yaml
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from accounts import services as people
from accounts.models import Group, Role, User
from quizzes.attempts.models import Assignment
from quizzes.bank.models import Bank
from quizzes.commands.management.commands.load_bank import load_file
from quizzes.lib import clock
from quizzes.publishing import services as publishing
from quizzes.publishing.models import Audience, Quiz, Section, Slot
from quizzes.study.offers import offer_deck

FIXTURES = settings.ROOT / "fixtures"
NEVER = 10_000
"""An attempt so late that publishing refuses every quiz that memorising passes for certain."""
KEPT = {"slug", "questions", "pools"}


class Command(BaseCommand):
    help = "Load the demonstration. Doing it again changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take what a production site asks for."""
        parser.add_argument(
            "--draw-passwords",
            action="store_true",
            help="give each person a new random password, printed once; needed in production",
        )

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        drawn = options["draw_passwords"]
        if not settings.EMBEDDED and not drawn:
            raise CommandError(
                "Demo people have public passwords: not on a production site."
                " With --draw-passwords each gets a random one."
            )
        people_file = _read("people.yaml")
        if drawn:
            _draw_passwords(people_file["people"])
        group = _people(people_file)
        # Reports go to standard error: standard output is the list of sign-ins.
        for path in sorted((FIXTURES / "banks").glob("*.yaml")):
            self.stderr.write(load_file(path, group))
        self.stderr.write(load_file(FIXTURES / "first-page.yaml", None))
        for quiz in _read("quizzes.yaml")["quizzes"]:
            self.stderr.write(_quiz(quiz, group))
        for slug in _read("quizzes.yaml")["study"]:
            offer_deck(bank=Bank.objects.get(slug=slug), group=None, by=None, now=clock.now())
        for person in people_file["people"]:
            self.stdout.write(f"{person['role']:<14} {person['email']:<28} {person['password']}")


def _draw_passwords(people: list[dict[str, Any]]) -> None:
    """Set random passwords; existing users keep theirs."""
    for person in people:
        there = User.objects.filter(email=person["email"]).exists()
        person["password"] = "(as before)" if there else secrets.token_urlsafe(12)


def _read(name: str) -> dict[str, Any]:
    path: Path = FIXTURES / name
    content: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return content


def _people(people_file: dict[str, Any]) -> Group:
    groups = [Group.objects.get_or_create(name=name)[0] for name in people_file["groups"]]
    for entry in people_file["people"]:
        role, fields = entry["role"], {k: v for k, v in entry.items() if k != "role"}
        person = people.get_or_create_user(**fields, administrator=role == "administrator")
        if role in Role.values:
            for group in groups:
                people.add_to_group(user=person, group=group, role=Role(role), by=None)
    return groups[0]


def _quiz(quiz_fields: dict[str, Any], group: Group) -> str:
    """Make and publish a quiz unless its short name is taken: an author may have changed it."""
    slug = quiz_fields["slug"]
    if Quiz.objects.filter(slug=slug).exists():
        return f"{slug}: is there, left as it is"
    fields = {name: value for name, value in quiz_fields.items() if name not in KEPT}
    quiz = Quiz.objects.create(slug=slug, group=group, **fields)
    section = Section.objects.create(quiz=quiz)
    Slot.objects.bulk_create(_slots(section, quiz_fields))
    if quiz.audience != Audience.ANYONE:
        Assignment.objects.create(quiz=quiz, group=group)
    quiz_version = publishing.publish(quiz=quiz, by=None, now=clock.now(), accepted_attempt=NEVER)
    return f"{slug}: published with {quiz_version.question_count} questions"


def _slots(section: Section, quiz_fields: dict[str, Any]) -> list[Slot]:
    slots = []
    if "questions" in quiz_fields:
        bank = Bank.objects.get(slug=quiz_fields["questions"]["bank"])
        slots += [Slot(section=section, question=question) for question in bank.questions.all()]
    for pool in quiz_fields.get("pools", []):
        bank = Bank.objects.get(slug=pool["bank"])
        slots.append(Slot(section=section, pool_bank=bank, draw=pool["draw"]))
    for position, slot in enumerate(slots):
        slot.position = position
    return slots
