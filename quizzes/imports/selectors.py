"""Imports as lists need them: without their reports, whose items may be thousands."""

from collections.abc import Collection
from uuid import UUID

from django.db.models import QuerySet, TextField, Value
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.db.models.functions import Coalesce

from accounts.access import UserOrAnonymous
from quizzes.bank.models import Bank, Question
from quizzes.imports.access import imports_visible_to
from quizzes.imports.models import ImportJob

REPORT_VALUES = ("status_counts", "action_counts", "published")
REPORT_TEXTS = ("bank_fingerprint", "code")


def list_imports(user: UserOrAnonymous) -> QuerySet[ImportJob]:
    """Return the imports into banks that this person may change, with the head of the report.

    Each row has the attributes REPORT_VALUES and REPORT_TEXTS: None and "" without a report.
    """
    rows = imports_visible_to(user).select_related("bank", "by").defer("report")
    return rows.annotate(
        **{name: KeyTransform(name, "report") for name in REPORT_VALUES},
        **{
            name: Coalesce(KeyTextTransform(name, "report"), Value("", TextField()))
            for name in REPORT_TEXTS
        },
    )


def question_ids_by_name(bank: Bank, names: Collection[str]) -> dict[str, UUID]:
    """Return the ids of these questions of a bank, by name; one query."""
    questions = Question.objects.filter(bank=bank, name__in=names)
    return dict(questions.values_list("name", "uuid"))
