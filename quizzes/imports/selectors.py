"""Imports as lists need them: without the weight of their reports, whose items may be thousands."""

from collections.abc import Collection
from uuid import UUID

from django.db.models import QuerySet
from django.db.models.fields.json import KeyTextTransform, KeyTransform

from accounts.access import UserOrAnonymous
from quizzes.bank.models import Bank, Question
from quizzes.imports.access import imports_visible_to
from quizzes.imports.models import ImportJob

VALUES = ("verdicts", "counts", "published")
TEXTS = ("bank_state", "code")
"""What the head of a report tells; of a row of `heads` each is `told_<name>`."""


def list_imports(user: UserOrAnonymous) -> QuerySet[ImportJob]:
    """Give the imports into banks that this person may change; of each report the head alone."""
    values = {f"told_{name}": KeyTransform(name, "report") for name in VALUES}
    texts = {f"told_{name}": KeyTextTransform(name, "report") for name in TEXTS}
    rows = imports_visible_to(user).select_related("bank", "by").defer("report")
    return rows.annotate(**values, **texts)


def question_ids_by_name(bank: Bank, names: Collection[str]) -> dict[str, UUID]:
    """Give the ids of these questions of a bank, by name; one query."""
    questions = Question.objects.filter(bank=bank, name__in=names)
    return dict(questions.values_list("name", "uuid"))
