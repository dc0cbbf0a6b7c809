"""A paper of the draft of a quiz over REST: drawn as an attempt is, begun by nobody, no keys."""

import pytest

from quizzes.attempts.models import Attempt
from quizzes.bank.models import BankRight, BankShare
from quizzes.publishing.models import Quiz, Slot
from tests.factories import create_bank, create_question, create_quiz
from tests.quizzes.api.programs import program
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def quiz(users) -> Quiz:
    """One question, and a draw of two of twelve others."""
    bank = create_bank(users)
    quiz = create_quiz(users, [create_question(bank, "fixed")])
    for number in range(12):
        create_question(bank, f"drawn-{number}")
    section = quiz.sections.get()
    section.title = {"en": "Warming up"}
    section.save()
    section.slots.create(position=9, pool_bank=bank, draw=2)
    return quiz


def address(quiz: Quiz) -> str:
    return f"quizzes/{quiz.uuid}/preview"


def list_prompts(paper) -> list[str]:
    return [question["texts"]["prompt_html"] for question in paper["questions"]]


def test_the_paper_is_that_of_the_page_in_each_language(users, quiz):
    client = program(users.instructor, "authoring")
    page = logged_in_client(users.instructor).get(
        f"/admin/publishing/quiz/{quiz.pk}/preview/", {"paper": "3"}
    )
    for lang in ("en", "es"):
        paper = client.get(address(quiz), paper=3, lang=lang).json()
        assert [row["number"] for row in paper["questions"]] == [1, 2, 3]
        assert all(prompt in page.content.decode() for prompt in list_prompts(paper))
        assert {row["texts"]["language"] for row in paper["questions"]} == {lang}
    assert [row["section_title"] for row in paper["questions"]] == ["Warming up", "", ""]
    assert not Attempt.objects.exists()


def test_another_paper_is_another_draw_and_the_same_number_the_same(users, quiz):
    client = program(users.instructor)
    papers = [client.get(address(quiz), paper=number).json() for number in (1, 2, 3, 1)]
    assert len({tuple(list_prompts(paper)) for paper in papers}) > 1
    assert papers[0] == papers[3] == client.get(address(quiz)).json()
    for paper in ("0", "10000", "01", "x", "-1"):
        assert client.get(address(quiz), paper=paper).status_code == 422


def test_no_key_and_no_feedback_is_in_a_paper(users, quiz):
    paper = program(users.instructor).get(address(quiz))
    text = paper.content.decode()
    assert "right" not in text
    assert all(word not in text for word in ("Feedback", "Because"))


def test_a_draft_with_problems_has_them_in_the_language_asked_for(users, quiz):
    Slot.objects.all().delete()
    messages = []
    for lang in ("en", "es"):
        paper = program(users.instructor).get(address(quiz), lang=lang).json()
        assert (paper["questions"], paper["problems"][0]["code"]) == ([], "no_questions")
        messages.append(paper["problems"][0]["message"])
    assert messages[0] != messages[1]


def test_a_bank_that_is_hidden_from_the_reader_shows_no_texts(users, quiz):
    bank = create_bank(users, "foreign")
    bank.group = users.other_group
    bank.save()
    share = BankShare.objects.create(bank=bank, person=users.instructor, right=BankRight.USE)
    drawn = create_quiz(users, [create_question(bank, "alone")], slug="drawn")
    share.delete()
    (question,) = program(users.instructor).get(address(drawn)).json()["questions"]
    assert (question["texts"], question["public_view"]) == (None, None)


def test_learners_and_others_find_none(users, quiz):
    for person in (users.learner, users.outsider, users.stranger):
        assert program(person).get(address(quiz)).status_code == 404


def test_it_costs_the_same_for_more_questions(users, questions, counted):
    client = program(users.instructor)
    small = create_quiz(users, questions[:1], slug="small")
    large = create_quiz(users, questions, slug="large")
    for quiz in (small, large):
        client.get(address(quiz))
    with counted() as few:
        client.get(address(small))
    with counted() as many:
        client.get(address(large))
    assert len(few) == len(many)
