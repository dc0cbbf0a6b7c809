"""Asks for a page and files of an instructor; prints what was sent and where it was read.

`python -m tests.faults.replica_pages`: a line of JSON, by name `{"status": …, "size": bytes,
"from_replica": how many statements the replica answered}`.
"""

import json
import os
from collections.abc import Callable
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.db import connections
from django.test.utils import setup_test_environment
from django.urls import reverse

from accounts.models import Scope
from quizzes.formats.ochenta import name as own
from quizzes.lib.read_replica import ALIAS
from tests.attempt_helpers import take_quiz
from tests.factories import create_bank, create_question, create_quiz
from tests.quizzes.api.programs import program
from tests.users import create_users, logged_in_client


def main() -> None:
    """Let a learner take a quiz, and an instructor look at it and take files home."""
    setup_test_environment()  # the host of its client is one of ours
    users = create_users()
    bank = create_bank(users, "replicated")
    question = create_question(bank, "q0", right="a", kind="single_choice")
    take_quiz(create_quiz(users, [question], slug="replicated"), users.learner, {0: "a"})
    client = logged_in_client(users.instructor)
    rest = program(users.instructor, Scope.RESULTS, Scope.AUTHORING)
    group, form = users.group, {"rows": "attempts", "format": "csv"}
    ways: dict[str, Callable[[], Any]] = {
        "list": lambda: client.get(reverse("admin:publishing_quiz_changelist")),
        "gradebook": lambda: rest.get(f"classes/{group.uuid}/gradebook"),
        "gradebook_file": lambda: rest.get(f"classes/{group.uuid}/gradebook/export", **form),
        "gradebook_file_of_page": lambda: client.get(
            reverse("admin:accounts_group_gradebook_export", args=[group.pk]), form
        ),
        "bank_file": lambda: rest.get(f"banks/{bank.uuid}/export", format=own),
        "bank_file_of_page": lambda: client.get(
            reverse("admin:bank_bank_export", args=[bank.pk]),
            {"format": own, "download": "1"},
        ),
    }
    print(json.dumps({name: _ask(way) for name, way in ways.items()}))


def _ask(way: Callable[[], Any]) -> dict[str, int]:
    statements = 0

    def count(execute: Callable[..., Any], query: str, *arguments: Any) -> Any:
        nonlocal statements
        statements += "pg_" not in query  # these only ask how far it is
        return execute(query, *arguments)

    with connections[ALIAS].execute_wrapper(count):
        answer = way()
        data = answer.getvalue() if answer.streaming else answer.content
    return {"status": answer.status_code, "size": len(data), "from_replica": statements}


if __name__ == "__main__":
    main()
