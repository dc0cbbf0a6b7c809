"""From one question of a filtered list to the next, and back with the same filters."""

import re
from html import unescape
from urllib.parse import quote

import pytest
from django.urls import reverse

from quizzes.bank import services
from quizzes.bank.models import Question
from tests.browser_forms import form_values
from tests.factories import create_bank, create_question
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def author(users):
    return logged_in_client(users.instructor)


@pytest.fixture
def some(users) -> dict[str, Question]:
    into = create_bank(users)
    questions = {name: create_question(into, name) for name in ("a", "b", "c", "d")}
    for name in "acd":
        services.set_tags(question=questions[name], names=["easy"], by=None)
    create_question(create_bank(users, "other"), "elsewhere")
    return questions


def address_of(question: Question, filters: str | None = None) -> str:
    address = reverse("admin:bank_question_change", args=[question.pk])
    return address if filters is None else f"{address}?_changelist_filters={quote(filters, '')}"


def open_page(client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return unescape(response.content.decode())


def list_steps(page: str) -> dict[str, str]:
    return {rel: href for href, rel in re.findall(r'<a href="([^"]*)" rel="(prev|next)">', page)}


def test_next_and_previous_are_those_of_the_filtered_list_which_is_kept(author, some):
    page = open_page(author, address_of(some["c"], "tag=easy"))
    assert "2 of 3 in the list" in page
    assert '?tag=easy"' in page
    assert list_steps(page) == {
        "prev": address_of(some["a"], "tag=easy"),
        "next": address_of(some["d"], "tag=easy"),
    }
    history = reverse("admin:bank_question_history", args=[some["c"].pk])
    assert f'"{history}?_changelist_filters=tag%3Deasy"' in page


def test_the_ends_of_the_list_lead_no_further(author, some):
    assert set(list_steps(open_page(author, address_of(some["a"], "tag=easy")))) == {"next"}
    assert set(list_steps(open_page(author, address_of(some["d"], "tag=easy")))) == {"prev"}


def test_the_order_is_that_of_the_list_and_its_page_does_not_matter(author, some):
    page = open_page(author, address_of(some["b"], "bank=bank&o=-1&p=9"))
    assert list_steps(page)["next"] == address_of(some["a"], "bank=bank&o=-1&p=9")


@pytest.mark.parametrize("filters", [None, "draft__updated_by__password=x", "p=\0&bank=bank"])
def test_without_a_list_it_is_that_of_the_bank(author, some, filters):
    page = open_page(author, address_of(some["a"], filters))
    assert "1 of 4 in the list" in page
    assert list_steps(page)["next"].startswith(address_of(some["b"]))


def test_a_question_that_the_list_has_no_more_leads_back_to_it(author, some):
    page = open_page(author, address_of(some["b"], "tag=easy"))
    assert "Back to the list" in page
    assert not list_steps(page)


def test_saving_keeps_the_filters(author, some):
    address = address_of(some["c"], "tag=easy")
    sent = form_values(author.get(address), "q-kind") | {"_save": "1"}
    response = author.post(address, sent)
    assert (response.status_code, response["Location"]) == (302, address)


def test_the_way_through_the_list_costs_the_same_for_more_questions(author, some, users, counted):
    author.get(address_of(some["a"], "bank=bank"))
    with counted() as few:
        author.get(address_of(some["a"], "bank=bank"))
    for number in range(4):
        create_question(some["a"].bank, f"more-{number}")
    with counted() as many:
        author.get(address_of(some["a"], "bank=bank"))
    assert len(many) == len(few)


def test_a_question_begun_from_the_list_of_a_bank_is_for_that_bank(author, some):
    filters = quote("bank=bank", "")
    kinds = open_page(author, f"/admin/bank/question/add/?_changelist_filters={filters}")
    assert "?kind=essay&bank=bank" in kinds
    page = author.get(f"/admin/bank/question/add/?kind=essay&_changelist_filters={filters}")
    assert form_values(page, "q-kind")["q-bank"] == "bank"


def test_banks_and_questions_lead_to_each_other(author, some):
    bank = some["a"].bank
    listed = f"{reverse('admin:bank_question_changelist')}?bank=bank"
    bank_page = reverse("admin:bank_bank_change", args=[bank.pk])
    assert f'"{listed}"' in open_page(author, bank_page)
    assert f'"{bank_page}"' in open_page(author, listed)
    assert f'"{bank_page}"' in open_page(author, address_of(some["a"]))


def test_true_or_false_begins_with_its_two_options_in_each_language(author, some):
    page = author.get("/admin/bank/question/add/?kind=true_false&bank=bank")
    values = form_values(page, "q-kind")
    texts = {value for name, value in values.items() if "words_options" in name}
    assert {"True", "False", "Verdadero", "Falso"} <= texts
    sent = values | {"q-name": "new", "q-words_prompt_en": "Is it?", "_save": "1"}
    assert author.post("/admin/bank/question/add/?kind=true_false", sent).status_code == 302
    draft = Question.objects.get(name="new").draft.data
    assert sorted(draft["words"]["es"]["options"].values()) == ["Falso", "Verdadero"]
    assert [row["value"] for row in draft["content"]["options"]] == [True, False]
