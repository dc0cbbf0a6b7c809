"""Short names saved at the same moment, of quizzes and banks: each its own, or a clear refusal."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest
from django.urls import reverse

from quizzes.bank.models import Bank
from quizzes.lib.errors import Invalid
from quizzes.lib.short_names import MAX_TRIES, ShortNameTaken, retry_taken
from quizzes.publishing.models import Quiz
from tests.browser_forms import form_values
from tests.factories import create_question, create_quiz
from tests.quizzes.api.programs import program
from tests.threads import at_once
from tests.users import logged_in_client

racing = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
AT_ONCE = 4


def answer_at_once(calls: Sequence[Callable[[], Any]]) -> list[Any]:
    return at_once(calls)


class TestAtOnce:
    """Several people, or one whose program sends twice."""

    pytestmark = racing

    @pytest.fixture
    def author(self, transactional_db, users):
        return program(users.instructor, "authoring")

    def test_quizzes_of_one_title_over_rest_have_names_of_their_own(self, users, author):
        body = {"title": {"en": "Cells"}, "class_id": str(users.group.uuid)}
        answers = answer_at_once([partial(author.post, "quizzes", body)] * AT_ONCE)
        assert [answer.status_code for answer in answers] == [201] * AT_ONCE
        assert sorted(Quiz.objects.values_list("slug", flat=True)) == [
            "cells",
            *(f"cells-{number}" for number in range(2, AT_ONCE + 1)),
        ]

    def test_a_suggested_name_that_is_taken_before_it_is_looked_at_is_suggested_anew(
        self, users, author, into, monkeypatch
    ):
        body = {"title": {"en": "Cells"}, "class_id": str(users.group.uuid)}
        suggestions = iter(["taken", "cells"])
        create_quiz(users, [create_question(into, "first")], slug="taken")
        monkeypatch.setattr(
            "quizzes.api.quiz_authoring.suggest_short_name", lambda _title: next(suggestions)
        )
        answer = author.post("quizzes", body)
        assert (answer.status_code, answer.json()["slug"]) == (201, "cells")

    def test_of_quizzes_with_one_name_over_rest_one_is_made(self, users, author):
        body = {"title": {"en": "Cells"}, "slug": "own", "class_id": str(users.group.uuid)}
        keys = [{"Idempotency-Key": f"key-{number}"} for number in range(AT_ONCE)]
        answers = answer_at_once([partial(author.post, "quizzes", body, **key) for key in keys])
        assert sorted(answer.status_code for answer in answers) == [201] + [422] * (AT_ONCE - 1)
        refused = next(answer for answer in answers if answer.status_code != 201)
        assert refused.json()["errors"][0]["where"] == "slug"

    def test_two_quizzes_are_given_one_name_over_rest_and_one_gets_it(self, users, author, into):
        questions = [create_question(into, "first")]
        quizzes = [create_quiz(users, questions, slug=f"q{n}") for n in range(AT_ONCE)]
        answers = answer_at_once(
            [
                partial(author.post, f"quizzes/{quiz.uuid}/settings", {"slug": "own"})
                for quiz in quizzes
            ]
        )
        assert sorted(answer.status_code for answer in answers) == [200] + [422] * (AT_ONCE - 1)
        assert Quiz.objects.filter(slug="own").count() == 1

    def test_of_copies_with_one_name_one_is_made_and_the_others_are_told(self, users, author, into):
        quiz = create_quiz(users, [create_question(into, "first")])
        copying = partial(author.post, f"quizzes/{quiz.uuid}/copies", {"slug": "copy"})
        answers = answer_at_once([copying] * AT_ONCE)
        assert sorted(answer.status_code for answer in answers) == [201] + [422] * (AT_ONCE - 1)
        (code,) = {a.json()["code"] for a in answers if a.status_code != 201}
        assert code == "slug_taken"

    def test_the_copy_page_says_at_its_field_that_the_name_is_taken(self, users, into):
        quiz = create_quiz(users, [create_question(into, "first")])
        address = reverse("admin:publishing_quiz_copy", args=[quiz.pk])
        client = logged_in_client(users.instructor)
        values = form_values(client.get(address), "slug") | {"slug": "copy"}
        clients = [logged_in_client(users.instructor) for _ in range(AT_ONCE)]
        answers = answer_at_once([partial(client.post, address, values) for client in clients])
        assert sorted(answer.status_code for answer in answers) == [302] + [422] * (AT_ONCE - 1)
        refused = next(answer for answer in answers if answer.status_code != 302)
        assert "Another quiz has this short name." in refused.content.decode()

    def test_quizzes_of_one_title_in_the_admin_have_names_of_their_own(
        self, users, transactional_db
    ):
        address = reverse("admin:publishing_quiz_add")
        values = form_values(logged_in_client(users.instructor).get(address), "title_en")
        clients = [logged_in_client(users.instructor) for _ in range(AT_ONCE)]
        posting = [
            partial(client.post, address, values | {"title_en": "Cells"}) for client in clients
        ]
        assert [answer.status_code for answer in answer_at_once(posting)] == [302] * AT_ONCE
        assert Quiz.objects.count() == AT_ONCE

    def test_of_banks_with_one_name_over_rest_one_is_made(self, author):
        body = {"title": {"en": "Cells"}, "slug": "own"}
        keys = [{"Idempotency-Key": f"key-{number}"} for number in range(AT_ONCE)]
        answers = answer_at_once([partial(author.post, "banks", body, **key) for key in keys])
        assert sorted(answer.status_code for answer in answers) == [201] + [422] * (AT_ONCE - 1)
        refused = next(answer for answer in answers if answer.status_code != 201)
        assert refused.json()["errors"][0]["where"] == "slug"
        assert Bank.objects.count() == 1

    def test_banks_with_one_name_in_the_admin_are_refused_at_its_field(
        self, users, transactional_db
    ):
        address = reverse("admin:bank_bank_add")
        values = form_values(logged_in_client(users.instructor).get(address), "title_en")
        values |= {"title_en": "Cells", "slug": "own"}
        clients = [logged_in_client(users.instructor) for _ in range(AT_ONCE)]
        answers = answer_at_once([partial(client.post, address, values) for client in clients])
        assert sorted(answer.status_code for answer in answers) == [200] * (AT_ONCE - 1) + [302]
        refused = next(answer for answer in answers if answer.status_code == 200)
        assert "slug" in refused.context["adminform"].form.errors

    def test_a_name_typed_twice_in_the_admin_is_refused_at_its_field(self, users, transactional_db):
        address = reverse("admin:publishing_quiz_add")
        values = form_values(logged_in_client(users.instructor).get(address), "title_en")
        values |= {"title_en": "Cells", "slug": "own"}
        clients = [logged_in_client(users.instructor) for _ in range(AT_ONCE)]
        answers = answer_at_once([partial(client.post, address, values) for client in clients])
        assert sorted(answer.status_code for answer in answers) == [200] * (AT_ONCE - 1) + [302]
        refused = next(answer for answer in answers if answer.status_code == 200)
        assert "slug" in refused.context["adminform"].form.errors


def test_a_name_that_stays_taken_is_refused_in_the_end():
    calls = []

    def write():
        calls.append(1)
        raise ShortNameTaken(where="slug")

    with pytest.raises(Invalid, match="slug_taken"):
        retry_taken(write)
    assert len(calls) == MAX_TRIES


@pytest.mark.django_db
def test_a_copy_under_a_name_that_is_taken_leaves_nothing(users, into):
    quiz = create_quiz(users, [create_question(into, "first")])
    author = program(users.instructor, "authoring")
    refused = author.post(f"quizzes/{quiz.uuid}/copies", {"slug": quiz.slug})
    assert refused.json()["errors"] == [{"where": "slug", "code": "slug_taken"}]
    assert Quiz.objects.count() == 1
