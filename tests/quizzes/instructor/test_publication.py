"""The page that asks whether memorising may pass a quiz, before it is published."""

import pytest

from quizzes.publishing.models import Quiz, QuizVersion
from tests.browser_forms import form_values
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db


def page_of(quiz: Quiz, page: str = "publish") -> str:
    return f"/admin/publishing/quiz/{quiz.pk}/{page}/"


@pytest.fixture
def author(users):
    return logged_in_client(users.instructor)


@pytest.fixture
def changed(a_quiz: Quiz) -> Quiz:
    """A published quiz whose draft has another introduction."""
    Quiz.objects.filter(pk=a_quiz.pk).update(intro={"en": "New"})
    return a_quiz


def read(response) -> str:
    return " ".join(response.content.decode().split())


@pytest.mark.parametrize(("page", "press"), [("change", "_publish"), ("questions", "do")])
def test_publishing_leads_to_the_question_with_its_figures(author, changed, page, press):
    address = page_of(changed, page)
    form = form_values(author.get(address), "title_en" if page == "change" else "digest")
    answer = author.post(address, form | {press: "publish"})
    assert answer["Location"] == page_of(changed)
    question_page = author.get(page_of(changed))
    assert "memorise it, 100% pass attempt" in read(question_page)
    assert [code for code, *_ in question_page.context["remedies"]] == [
        "show_later",
        "limit_attempts",
    ]
    assert question_page.context["remedies"][1][2][-1] == "–"
    assert QuizVersion.objects.filter(quiz=changed).count() == 1


@pytest.mark.parametrize(
    ("press", "field", "value"),
    [
        ("show_later", "reveal_feedback", "after_last_attempt"),
        ("limit_attempts", "max_attempts", None),
    ],
)
def test_a_remedy_changes_the_settings_and_publishes_in_one_press(
    author, changed, press, field, value
):
    remedies = {
        code: sentence for code, sentence, _ in author.get(page_of(changed)).context["remedies"]
    }
    assert press in remedies
    answer = author.post(page_of(changed), {"do": press})
    assert answer["Location"] == page_of(changed, "change")
    changed.refresh_from_db()
    assert getattr(changed, field) == (value or getattr(changed, field))
    assert getattr(changed, field) is not None
    assert changed.current is not None
    assert (changed.current.number, changed.current.accepted_pass) == (2, None)
    assert author.get(page_of(changed))["Location"] == page_of(changed, "change")


def test_publishing_so_is_kept_and_said_beside_the_version(author, changed):
    accept = author.get(page_of(changed)).context["accept"]
    author.post(page_of(changed), {"do": accept})
    changed.refresh_from_db()
    assert changed.current is not None
    assert changed.current.accepted_pass["disclosure"] == "parts"
    assert "accepted: memorising passes attempt" in read(author.get(page_of(changed, "change")))


@pytest.mark.parametrize("press", ["accept:99", "accept:", "accept:x", "nothing", ""])
def test_what_is_no_answer_publishes_nothing(author, changed, press):
    author.post(page_of(changed), {"do": press})
    assert QuizVersion.objects.filter(quiz=changed).count() == 1


def test_a_draft_with_problems_leads_to_them(author, changed):
    Quiz.objects.filter(pk=changed.pk).update(title={})
    assert author.get(page_of(changed))["Location"] == page_of(changed, "change")


def test_who_may_not_change_the_quiz_is_not_asked(users, changed):
    for person in (users.learner, users.outsider):
        client = logged_in_client(person)
        assert client.get(page_of(changed)).status_code == 404
        assert client.post(page_of(changed), {"do": "show_later"}).status_code == 404
