"""The checks of a bank in the admin: what is found, filtered, let stand; by whom, and for whom."""

from dataclasses import replace
from html import unescape
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.utils import translation

from quizzes.bank import services
from quizzes.bank.lint import SCORING_METHOD, Finding
from quizzes.bank.models import Bank, Draft, Question, Waiver
from quizzes.document import QuestionDocument
from quizzes.instructor.banks.finding_rows import build_address
from quizzes.instructor.questions.finding_place import describe_place
from tests.factories import create_bank, create_question, option_ids
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db


def page(into: Bank, query: str = "") -> str:
    return f"/admin/bank/bank/{into.pk}/checks/{query}"


@pytest.fixture
def into(users) -> Bank:
    return create_bank(users)


@pytest.fixture
def author(users) -> Client:
    return logged_in_client(users.instructor)


def read(client: Client, into: Bank, query: str = "") -> str:
    response = client.get(page(into, query))
    assert response.status_code == 200
    return unescape(response.content.decode())


def item_of(question: Question) -> QuestionDocument:
    return QuestionDocument.from_json(Draft.objects.get(question=question).data)


def revise(question: Question, **parts: Any) -> None:
    services.save_draft(
        question=question, item=replace(item_of(question), **parts), revision=None, by=None
    )


def decide(client: Client, examined: Question, query: str = "", **sent: str):
    digest = item_of(examined).digest()
    form = {"question": str(examined.pk), "code": "select_all_pays", "digest": digest, **sent}
    return client.post(page(examined.bank, f"waive/{query}"), form)


def test_a_bank_leads_to_its_checks_and_a_sound_one_has_nothing_to_look_at(author, into):
    create_question(into, "many")
    form = author.get(f"/admin/bank/bank/{into.pk}/change/").content.decode()
    assert f'href="{page(into)}"' in form
    text = read(author, into)
    assert "1 draft was checked" in text
    assert "There are no findings." in text
    assert "<select" not in text


def test_findings_stand_under_their_question_with_the_way_to_their_place(author, into):
    question = create_question(into, "pays", right="abc")
    words = item_of(question).words
    (d,) = option_ids(question, "d")
    options = {**words["es"]["options"], d: "Ninguna de las anteriores"}
    revise(question, words={**words, "es": {**words["es"], "options": options}})
    text = read(author, into)
    change = f"/admin/bank/question/{question.pk}/change/"
    for words_ in (
        "Ticking everything earns 67 % of the points",
        f'href="{change}#id_q-scoring_method"',
        f'href="{change}#row-{d}"',
        "Option d · Español",
        "Question pays?",
        "(1 question)",
    ):
        assert words_ in text
    written = author.get(change).content.decode()
    assert f'id="row-{d}"' in written
    assert 'id="id_q-scoring_method"' in written


def test_the_authoring_page_says_it_at_the_place_until_it_is_let_stand(author, into):
    question = create_question(into, "pays", right="abc")
    change = f"/admin/bank/question/{question.pk}/change/"
    assert "Ticking everything earns 67 %" in author.get(change).content.decode()
    decide(author, question)
    assert "Ticking everything" not in author.get(change).content.decode()


@pytest.mark.parametrize(
    ("path", "where", "anchor"),
    [
        (Finding("x", path=SCORING_METHOD), "Scoring", "#id_q-scoring_method"),
        (Finding("x", "q", "es", "words.es.prompt"), "Prompt · Español", "#id_q-words_prompt_es"),
        (
            Finding("x", "q", "es", "feedback.es.explanation"),
            "Explanation · Español",
            "#id_q-feedback_explanation_es",
        ),
        (
            Finding("x", "q", "en", "feedback.en.options.i"),
            "Option a · Feedback · English",
            "#row-i",
        ),
        (Finding("x", path="numbers.i"), "Accepted number a", "#row-i"),
        (Finding("x", path="numbers"), "Accepted numbers", ""),
        (Finding("x", path="words.en.poem", language="en"), "English", "#id_q-words_poem_en"),
        (Finding("x", "q", "en"), "", ""),
    ],
)
def test_a_place_has_a_name_and_an_address(path, where, anchor):
    assert describe_place(path, "a" if path.row else "") == where
    assert build_address(path, 7) == f"/admin/bank/question/7/change/{anchor}"


def test_what_is_asked_for_is_shown_alone(author, into):
    question = create_question(into, "pays", right="abc")
    revise(question, feedback={})
    create_question(into, "none")
    revise(Question.objects.get(name="none"), key={"right": []})
    for query, expected, hidden in (
        ("?severity=hint", "There is no feedback", "Ticking everything earns 67"),
        ("?topic=scoring", "Ticking everything earns 67", "There is no feedback"),
        ("?code=nothing_right", "No option is correct", "There is no feedback"),
        (
            "?severity=error&topic=twins",
            "No finding matches these filters.",
            "No option is correct",
        ),
    ):
        text = read(author, into, query)
        assert expected in text
        assert hidden not in text
        assert "Show all" in text
    assert '<option value="error" selected>error (1)</option>' in read(
        author, into, "?severity=error"
    )


def test_a_finding_is_let_stand_with_person_and_time_and_looked_at_again(author, into, users):
    question = create_question(into, "pays", right="abc")
    response = decide(author, question, "?severity=warning")
    assert response["Location"] == page(into, "?severity=warning")
    assert Waiver.objects.get().by == users.instructor
    text = read(author, into)
    assert "1 finding is marked as intended" in text
    assert "There are no findings." in text
    assert f"{users.instructor}," in text
    assert decide(author, question, revoke="1")["Location"] == page(into)
    assert not Waiver.objects.exists()
    assert "marked as intended</summary>" not in read(author, into)
    log = LogEntry.objects.order_by("pk").values_list("change_message", flat=True)
    assert list(log) == ["select_all_pays waived", "select_all_pays waiver revoked"]


def test_of_a_question_that_changed_meanwhile_nothing_is_let_stand(author, into):
    question = create_question(into, "pays", right="abc")
    response = decide(author, question, digest="of yesterday")
    assert response.status_code == 302
    assert "The question was changed meanwhile" in read(author, into)
    decide(author, question, code="nothing_right")
    assert not Waiver.objects.exists()


def test_what_keeps_from_publishing_and_what_is_of_the_bank_has_no_button(author, into):
    question = create_question(into, "none")
    revise(question, key={"right": []})
    for n in range(8):
        create_question(into, f"q{n}", right="a", kind="single_choice", shuffle=False)
    text = read(author, into)
    assert "The bank as a whole" in text
    assert "Mark as intended" not in text


@pytest.mark.parametrize("sent", ["", "x", "999999"])
def test_a_question_that_is_not_of_this_bank_is_not_found(author, into, users, sent):
    question = create_question(into, "pays", right="abc")
    assert decide(author, question, question=sent).status_code == 404
    other = create_question(create_bank(users, "other"), "there", right="abc")
    assert decide(author, question, question=str(other.pk)).status_code == 404


def test_whoever_may_only_read_a_bank_sees_and_decides_nothing(users, into):
    question = create_question(into, "pays", right="abc")
    Bank.objects.filter(pk=into.pk).update(group=None)
    reader = logged_in_client(users.instructor)
    text = read(reader, into)
    assert "Ticking everything" in text
    assert "Mark as intended" not in text
    assert decide(reader, question).status_code == 403
    assert not Waiver.objects.exists()


@pytest.mark.parametrize(
    ("who", "status"),
    [("outsider", 404), ("learner", 404), ("stranger", 404), ("administrator", 200)],
)
def test_a_bank_of_others_has_no_checks_for_them(users, into, who, status):
    create_question(into, "pays", right="abc")
    client = logged_in_client(getattr(users, who))
    assert client.get(page(into)).status_code == status
    assert client.get(page(into, "waive/")).status_code == (302 if status == 200 else 404)


def test_a_decision_without_the_pages_token_is_refused(users, into):
    question = create_question(into, "pays", right="abc")
    client = Client(enforce_csrf_checks=True)
    client.force_login(users.instructor)
    assert decide(client, question).status_code == 403


def test_the_page_speaks_spanish(users, into):
    create_question(into, "pays", right="abc")
    users.instructor.language = "es"
    users.instructor.save()
    with translation.override("es"):
        text = read(logged_in_client(users.instructor), into)
    assert 'lang="es"' in text


def test_a_long_list_has_pages_and_as_many_queries_as_a_short_one(author, into, counted):
    create_question(into, "q0", right="abc")
    read(author, into)
    with counted() as few:
        read(author, into)
    for n in range(1, 52):
        create_question(into, f"q{n}", right="abc", options="abcd")
    read(author, into)
    with counted() as many:
        text = read(author, into)
    assert len(many) == len(few)
    assert len(few) <= 10
    assert "Page 1 of 2" in text
    assert "page=2" in text
    second = read(author, into, "?severity=warning&page=2")
    assert "?severity=warning&page=1" in second
