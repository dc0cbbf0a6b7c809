"""What to work on after a result: the weakest tags, and the practice that helps on most."""

from fractions import Fraction

import pytest
from django.urls import reverse

from quizzes.bank.models import Tag
from quizzes.lib import clock
from quizzes.practice.study_advice import PracticeOffer, StudyAdvice, load_study_advice
from quizzes.publishing.models import Audience, RevealMoment
from tests.attempt_helpers import report_on, take_quiz
from tests.factories import create_bank, create_question, create_quiz
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def tagged(questions):
    for question, names in zip(questions, ("graphs heaps", "graphs", "trees"), strict=True):
        tag(question, *names.split())
    return questions


def tag(question, *names) -> None:
    question.tags.add(*(Tag.objects.get_or_create(name=name)[0] for name in names))


def advise(attempt, learner=None) -> StudyAdvice:
    return load_study_advice(report_on(attempt), learner or attempt.learner)


def test_the_tags_that_earned_least_come_first(users, tagged, django_assert_num_queries):
    attempt = take_quiz(create_quiz(users, tagged), users.learner, {0: "ab", 1: "b"})
    report = report_on(attempt)
    with django_assert_num_queries(2):  # the first: whether they teach, which a page knows
        advice = load_study_advice(report, attempt.learner)
    assert [(topic.tag, topic.earned, topic.slots) for topic in advice.topics] == [
        ("trees", 0, (2,)),
        ("heaps", Fraction(2, 3), (0,)),
        ("graphs", Fraction(5, 3), (0,)),
    ]
    assert advice.practice is None


def test_where_all_is_right_there_is_nothing_to_work_on(users, tagged, django_assert_num_queries):
    report = report_on(take_quiz(create_quiz(users, tagged[1:2]), users.learner, {0: "b"}))
    with django_assert_num_queries(0):
        assert load_study_advice(report, users.learner) == StudyAdvice([], None)


@pytest.mark.parametrize(
    ("answers", "score", "practice"),
    [
        ({0: "ab"}, "after_submit", PracticeOffer("practice", 2)),
        ({0: "c", 1: "a"}, "after_submit", PracticeOffer("practice", 2)),
        (dict.fromkeys(range(3), "b"), "after_submit", None),
        # Whether it passes is hidden, too, and is not told by what is offered.
        (dict.fromkeys(range(3), "b"), "never", PracticeOffer("practice", 2)),
        ({0: "c"}, "never", PracticeOffer("practice", 2)),
    ],
)
def test_where_right_and_wrong_are_hidden_no_tag_is_weak_and_all_can_be_practised(
    users, tagged, answers, score, practice
):
    quiz = create_quiz(
        users,
        tagged,
        pass_percent=60,
        reveal_score=score,
        reveal_correctness=RevealMoment.NEVER,
    )
    create_quiz(users, tagged[:2], slug="practice", mode="practice")
    assert advise(take_quiz(quiz, users.learner, answers)) == StudyAdvice([], practice)


def test_the_practice_with_most_of_the_missed_questions_helps_first(users, tagged):
    attempt = take_quiz(create_quiz(users, tagged), users.learner, {1: "b"})
    into = create_bank(users)
    others = [create_question(into, name) for name in ("one", "two", "three")]
    for other in others:
        tag(other, "graphs", "heaps")
    create_quiz(users, others[:1], slug="small", mode="practice")
    create_quiz(users, others, slug="large", mode="practice")
    # Of none of the missed questions themselves: the most on their tags.
    assert advise(attempt).practice == PracticeOffer("large", 0)
    create_quiz(users, [tagged[0], tagged[1]], slug="missed", mode="practice")
    assert advise(attempt).practice == PracticeOffer("missed", 1)
    create_quiz(users, [tagged[0], tagged[2]], slug="most", mode="practice")
    assert advise(attempt).practice == PracticeOffer("most", 2)


def test_no_practice_is_named_that_the_person_may_not_take(users, tagged):
    attempt = take_quiz(create_quiz(users, tagged), users.learner, {1: "b"})
    create_quiz(users, tagged, slug="practice", mode="practice")
    assert advise(attempt).practice == PracticeOffer("practice", 2)
    assert advise(attempt, users.stranger).practice is None


def test_a_question_without_tags_finds_its_practice(users, questions):
    attempt = take_quiz(create_quiz(users, questions), users.learner, {1: "b"})
    create_quiz(users, questions[:1], slug="practice", mode="practice")
    assert advise(attempt) == StudyAdvice([], PracticeOffer("practice", 1))


@pytest.fixture
def at_noon(settings, monkeypatch):
    """Remember for ten seconds; return what sets the clock, which stands at 1,000 seconds."""
    settings.ADVICE_MEMORY_SECONDS = 10

    def set_clock(seconds: float) -> None:
        monkeypatch.setattr("quizzes.practice.study_advice.time.monotonic", lambda: seconds)

    set_clock(1000)
    return set_clock


def test_it_is_remembered_for_all_who_were_asked_the_same(users, tagged, at_noon, counted):
    quiz = create_quiz(users, tagged, max_attempts=9)
    everyone = {"mode": "practice", "audience": Audience.SIGNED_IN}
    practice = create_quiz(users, tagged[:1], slug="practice", **everyone)
    first, second = (
        take_quiz(quiz, users.learner, {}),
        take_quiz(quiz, users.other_learner, {1: "b"}),
    )
    advice = advise(first)
    assert advice.practice == PracticeOffer("practice", 1)
    report = report_on(second)
    with counted() as queries:
        other = load_study_advice(report, second.learner)
    assert not [sql for sql in queries if "bank_tag" in sql]
    assert other.practice == advice.practice
    assert other.topics != advice.topics
    practice.retired_at = clock.now()
    practice.save()
    assert advise(first).practice == advice.practice
    at_noon(1010)
    assert advise(first).practice is None


def test_of_practices_for_some_each_is_told_those_they_may_take(users, tagged, at_noon):
    attempt = take_quiz(create_quiz(users, tagged), users.learner, {1: "b"})
    create_quiz(users, tagged, slug="practice", mode="practice")
    for _ in range(2):
        assert advise(attempt).practice == PracticeOffer("practice", 2)
        assert advise(attempt, users.stranger).practice is None


def test_the_page_of_a_result_leads_to_the_practice_on_its_topics(users, tagged):
    attempt = take_quiz(create_quiz(users, tagged), users.learner, {1: "b"})
    other = create_question(create_bank(users), "other")
    tag(other, "trees")
    create_quiz(users, [other], slug="topics", mode="practice")
    page = logged_in_client(users.learner).get(reverse("result", args=[attempt.uuid]))
    assert f'href="{reverse("practice", args=["topics"])}"' in page.content.decode()
