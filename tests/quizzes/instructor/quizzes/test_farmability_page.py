"""The page that says what guessing reaches: for editors of the quiz and of its banks alone."""

import pytest

from accounts.models import User
from quizzes.bank import services as bank_services
from quizzes.publishing.models import Quiz, Slot
from tests.factories import create_question
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db


def page_of(quiz: Quiz) -> str:
    return f"/admin/publishing/quiz/{quiz.pk}/guessing/"


def measured(client, quiz: Quiz, **settings):
    Quiz.objects.filter(pk=quiz.pk).update(**settings)
    return client.get(page_of(quiz)).context["farmability"]


@pytest.fixture
def author(users):
    return logged_in_client(users.instructor)


def test_keys_shown_after_each_attempt_are_memorised_and_warned_of(author, a_quiz):
    measures = measured(author, a_quiz, reveal_key="after_submit", max_attempts=None)
    numbers, shares = zip(*measures.attempts, strict=True)
    assert numbers == (1, 2, 3, 4, 5)
    everything = "100%"
    # As it draws: mean and chance to pass; then pools of one, two and four times the paper.
    assert shares[1][:3] == (everything,) * 3
    assert [own[3] == everything for own in shares] == [False, False, True, True, True]
    assert [own[4] == everything for own in shares] == [False, False, False, False, True]
    (warning,) = measures.warnings
    assert warning.startswith("Whoever memorises what is shown passes for certain in attempt 2.")


def test_ticking_everything_is_warned_of_where_right_and_wrong_are_shown(author, a_quiz):
    """The default: what each chosen option was tells a question of several right answers whole."""
    measures = measured(author, a_quiz, max_attempts=None)
    assert measures.disclosure == "parts"
    assert any("passes for certain in attempt" in warning for warning in measures.warnings)
    assert b"whoever ticks every option once" in author.get(page_of(a_quiz)).content


@pytest.mark.parametrize(
    ("policy", "count", "disclosure"),
    [
        ({"reveal_correctness": "after_pass", "reveal_feedback": "after_close"}, 5, ""),
        ({"reveal_key": "after_submit", "max_attempts": 1}, 1, ""),
        ({"reveal_key": "after_submit", "max_attempts": 2}, 2, "key"),
    ],
)
def test_nothing_is_memorised_that_is_not_shown_before_another_attempt(
    author, a_quiz, policy, count, disclosure
):
    measures = measured(author, a_quiz, **policy)
    assert (len(measures.attempts), measures.disclosure) == (count, disclosure)
    assert bool(measures.warnings) == bool(disclosure)


def test_a_pass_mark_that_blind_answers_reach_is_warned_of(author, a_quiz):
    warnings = measured(author, a_quiz, pass_percent=1, reveal_key="never").warnings
    assert any(warning.startswith("Random answers pass on average.") for warning in warnings)


def test_figures_have_one_decimal_and_the_quiz_its_title_in_the_language_of_the_page(
    author, a_quiz, users
):
    Quiz.objects.filter(pk=a_quiz.pk).update(
        title={"en": "Distribution", "es": "Distribución"}, current=None
    )
    User.objects.filter(pk=users.instructor.pk).update(language="es")
    page = author.get(page_of(a_quiz), headers={"Accept-Language": "es"})
    assert page.context["title"].endswith("Distribución")
    assert "nunca publicado" in page.content.decode()
    for _, share in page.context["farmability"].rows:
        assert len(share.removesuffix("\N{NO-BREAK SPACE}%").partition(",")[2]) <= 1
    assert "Neither right" not in page.content.decode()


def test_a_draft_with_problems_has_no_figures(author, a_quiz):
    Slot.objects.filter(section__quiz=a_quiz).delete()
    page = author.get(page_of(a_quiz))
    assert page.context["farmability"] is None
    assert "The draft has problems." in page.content.decode()


def test_others_and_those_who_do_not_edit_each_bank_do_not_find_it(author, a_quiz, users):
    for person in (users.outsider, users.learner):
        assert logged_in_client(person).get(page_of(a_quiz)).status_code == 404
    theirs = bank_services.update_or_create_bank(
        slug="theirs", group=users.other_group, fields={"title": {"en": "T"}}, by=None
    )
    section = a_quiz.sections.get()
    section.slots.create(question=create_question(theirs, "secret"), position=9)
    assert author.get(page_of(a_quiz)).status_code == 404


def test_more_questions_ask_no_more_often(author, a_quiz, users, questions, counted):
    author.get(page_of(a_quiz))
    bank = questions[0].bank
    with counted() as few:
        author.get(page_of(a_quiz))
    section = a_quiz.sections.get()
    for number in range(5):
        section.slots.create(question=create_question(bank, f"more-{number}"), position=20 + number)
    with counted() as many:
        author.get(page_of(a_quiz))
    assert len(many) == len(few)
