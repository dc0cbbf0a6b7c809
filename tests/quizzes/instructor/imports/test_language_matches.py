"""The page of a bank's twins: pairs with reasons, joined, kept apart, their options swapped."""

import pytest
from django.test import Client

from quizzes.bank.models import Bank, Question
from quizzes.document import QuestionDocument
from quizzes.imports import importer
from tests.factories import NOW, create_bank, create_quiz, share_with_everyone
from tests.quizzes.instructor.imports.test_admin import read
from tests.quizzes.matching.quiz import english, spanish
from tests.users import Users, logged_in_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def into(users: Users) -> Bank:
    bank = create_bank(users)
    for parcel in (english(), spanish()):
        importer.run_import(bank=bank, parsed_file=parcel, by=None, now=NOW)
    return bank


@pytest.fixture
def author(users: Users) -> Client:
    return logged_in_client(users.instructor)


def address(into: Bank, name: str = "") -> str:
    return f"/admin/matching/pairdecision/bank/{into.pk}/{name}"


def form(client: Client, into: Bank, absorb: str) -> dict[str, str]:
    """The fields of one pair as the page has them."""
    pairs = client.get(address(into)).context["pairs"]
    (pair,) = (pair for pair in pairs if pair.absorb == absorb)
    rows = {
        f"row-{row.id}": id_
        for row in pair.rows
        for id_, _, is_paired in row.candidates
        if is_paired
    }
    return {"keep": pair.keep, "absorb": pair.absorb, "revisions": pair.revisions, **rows}


def say(client: Client, into: Bank, **form_fields: str) -> str:
    return read(client.post(address(into, "decide/"), form_fields, follow=True))


def question(name: str) -> Question:
    return Question.objects.select_related("draft").get(name=name)


def test_the_page_shows_pairs_with_how_sure_why_and_both_texts(author, into):
    text = read(author.get(address(into)))
    for words in (
        "que-volcan → volcano",
        "% sure",
        "The same numbers: 1883.",
        "Which volcano erupted",
        "¿Qué volcán hizo erupción",
        "The file does not say what is right",
        "They differ in what is right",
        "Join them",
    ):
        assert words in text
    assert address(into) in read(author.get(f"/admin/bank/bank/{into.pk}/change/"))


def test_a_pair_is_joined_and_the_other_says_by_whom(author, into):
    text = say(author, into, **form(author, into, "que-volcan"), merge="1")
    assert "volcano has the words of que-volcan now; que-volcan is retired." in text
    assert "que-volcan → volcano" not in text
    gone = question("que-volcan")
    page = read(author.get(f"/admin/bank/question/{gone.pk}/change/"))
    assert "merged into volcano" in page


def test_options_may_be_swapped_before_joining(author, into):
    fields = form(author, into, "que-volcan")
    first, other, _ = (name for name in fields if name.startswith("row-"))
    fields[first], fields[other] = fields[other], fields[first]
    say(author, into, **fields, merge="1")
    words = QuestionDocument.from_json(question("volcano").draft.data).words
    before = QuestionDocument.from_json(question("que-volcan").draft.data).words["es"]["options"]
    assert words["es"]["options"][fields[first]] == before[first.removeprefix("row-")]


def test_an_option_that_is_meant_twice_changes_nothing(author, into):
    fields = form(author, into, "que-volcan")
    first, other, _ = (name for name in fields if name.startswith("row-"))
    text = say(author, into, **{**fields, first: fields[other]}, merge="1")
    assert "Each option goes with one other" in text
    assert question("que-volcan").retired_at is None


def test_what_changed_meanwhile_is_shown_once_more(author, into):
    fields = {**form(author, into, "que-volcan"), "revisions": "7 7"}
    assert "A draft was changed meanwhile" in say(author, into, **fields, merge="1")
    say(author, into, **form(author, into, "que-volcan"), merge="1")
    assert "is retired or has both" in say(
        author, into, **{**fields, "revisions": "2 1"}, merge="1"
    )


def test_two_questions_are_kept_apart_and_not_shown_again(author, into):
    text = say(author, into, **form(author, into, "que-volcan"), reject="1")
    assert "que-volcan and volcano are two questions: that is remembered." in text
    assert "que-volcan → volcano" not in text
    assert "que-volcan" in read(author.get("/admin/matching/pairdecision/"))


def test_a_quiz_that_still_has_the_other_is_named(author, into, users):
    create_quiz(users, [question("que-volcan")])
    text = read(author.get(address(into)))
    assert "que-volcan is used in the draft of 1 quiz" in text


def test_a_bank_without_twins_says_so(author, into):
    for name in ("que-volcan", "que-acelera", "la-biblioteca", "la-fotosintesis"):
        say(author, into, **form(author, into, name), reject="1")
    assert "No two questions seem to be the same one in two languages." in read(
        author.get(address(into))
    )


def test_only_those_who_may_change_the_bank_see_and_say(author, into, users):
    fields = form(author, into, "que-volcan")
    for person in (users.outsider, users.learner, users.stranger):
        client = logged_in_client(person)
        assert client.get(address(into)).status_code == 404
        assert client.post(address(into, "decide/"), {**fields, "merge": "1"}).status_code == 404
    assert Client().get(address(into)).status_code == 302
    share_with_everyone(into)
    assert "Join them" not in read(author.get(address(into)))
    assert author.post(address(into, "decide/"), {**fields, "merge": "1"}).status_code == 403
    assert author.get(address(into, "decide/")).status_code == 405
    assert question("que-volcan").retired_at is None


def test_names_that_are_none_are_not_found(author, into):
    form_fields = {"keep": "volcano", "absorb": "nothing", "reject": "1"}
    assert author.post(address(into, "decide/"), form_fields).status_code == 404


def test_a_bank_too_large_to_compare_says_so(author, into, monkeypatch):
    monkeypatch.setattr("quizzes.matching.merge.MAX_QUESTIONS", 3)
    assert "too many questions to compare" in read(author.get(address(into)))
