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
from quizzes.presentation.messages.findings import FINDINGS
from quizzes.presentation.messages.problems import PROBLEMS, describe_rule
from tests.factories import create_bank, create_question, option_ids, share_with_everyone
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
    finding = {
        "question": str(examined.pk),
        "code": "select_all_pays",
        "about": "",
        "digest": item_of(examined).digest(),
        **sent,
    }
    button = finding.pop("button", "waive")
    return client.post(page(examined.bank, f"waive/{query}"), {button: ":".join(finding.values())})


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
    text = read(author, into, "?by=question")
    change = f"/admin/bank/question/{question.pk}/change/"
    for words_ in (
        "Ticking everything earns 67% of the points",
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
    assert "Ticking everything earns 67%" in author.get(change).content.decode()
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
    assert "Show all" in read(author, into, "?severity=hint")
    assert '<option value="error" selected>error (1)</option>' in read(
        author, into, "?severity=error"
    )
    assert "Nothing is left of this." in read(author, into, "?code=some_feedback")


def test_rules_come_first_with_the_questions_that_break_them(author, into):
    """The gravest first; a sentence that is another for each question is shown without details."""
    create_question(into, "none")
    revise(Question.objects.get(name="none"), key={"right": []})
    for name, right in (("three", "abc"), ("four", "abcd"), ("equal", "abc")):
        create_question(into, name, right=right)
    text = read(author, into)
    assert "4 drafts were checked." in text
    assert "4 questions have findings." in text
    rules = [
        ("No option is correct", "?code=nothing_right", "1 question"),
        ("Ticking everything earns … of the points", "?code=select_all_pays", "3 questions"),
    ]
    at = 0
    for rule in rules:
        for words in rule:
            at = text.index(words, at)
    assert "Question three?" not in text
    listed = read(author, into, "?code=select_all_pays")
    assert "Ticking everything earns … of the points" in listed
    assert "Ticking everything earns 67%" in listed
    assert "Question three?" in listed
    assert "No option is correct" not in listed


def test_a_rule_that_always_says_the_same_is_shown_with_its_details(author, into):
    for name in ("one", "two"):
        create_question(into, name, right="abc")
    assert "Ticking everything earns 67% of the points" in read(author, into)


@pytest.mark.parametrize("code", sorted({*FINDINGS, *PROBLEMS}))
def test_every_rule_has_a_sentence_without_details(code):
    sentence = describe_rule(code)
    assert "%" not in sentence.replace("80%", "")
    assert len(sentence) > 10


def test_a_finding_is_let_stand_with_person_and_time_and_looked_at_again(author, into, users):
    question = create_question(into, "pays", right="abc")
    response = decide(author, question, "?severity=warning")
    assert response["Location"] == page(into, "?severity=warning")
    assert Waiver.objects.get().by == users.instructor
    assert "Marked as intended</a>" not in read(author, into, "?by=question")
    assert "There are no findings." in read(author, into)
    text = read(author, into, "?by=waived")
    assert "Marked as intended (1)" in text
    assert f"{users.instructor}," in text
    assert decide(author, question, button="revoke")["Location"] == page(into)
    assert not Waiver.objects.exists()
    assert "Marked as intended (" not in read(author, into)
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
    assert "The bank as a whole" in read(author, into)
    text = read(author, into, "?by=question")
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
    share_with_everyone(into)
    reader = logged_in_client(users.instructor)
    text = read(reader, into, "?by=question")
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


@pytest.mark.parametrize("query", ["?", "?by=question&"])
def test_a_long_list_has_pages_and_as_many_queries_as_a_short_one(author, into, counted, query):
    create_question(into, "q0", right="abc")
    read(author, into, query)
    with counted() as few:
        read(author, into, query)
    for n in range(1, 27):
        create_question(into, f"q{n}", right="abc", options="abcd")
    read(author, into, query)
    with counted() as many:
        read(author, into, query)
    assert len(many) == len(few)
    assert len(few) <= 10


def test_pages_keep_what_was_asked_for(author, into):
    for n in range(26):
        create_question(into, f"q{n}", right="abc")
    text = read(author, into, "?by=question")
    assert "Page 1 of 2" in text
    assert "?by=question&page=2" in text
    assert "?severity=warning&page=1" in read(author, into, "?severity=warning&page=2")
    first = Question.objects.get(name="q0")
    query = "?severity=warning&page=2"
    assert decide(author, first, query)["Location"] == page(into, query)
