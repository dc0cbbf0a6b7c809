"""Practice: tries, hints, live questions; nothing of it enters a grade."""

from fractions import Fraction
from uuid import uuid4

import pytest
from django.urls import reverse

from quizzes.attempts import services as attempts
from quizzes.attempts.models import Attempt, QuizGrade
from quizzes.lib.errors import Invalid, NotFound, Refused
from quizzes.lib.practice_credits import parse_practice_credits
from quizzes.practice.live_questions import find_live_questions
from quizzes.practice.missed_questions import NONE, load_missed_questions
from quizzes.practice.models import PracticeQuestion, PracticeTry
from quizzes.practice.next_question import choose_next, list_candidates
from quizzes.practice.selectors import load_practice
from quizzes.practice.services import ask_for_answer, check_answer, draw_next, open_hint
from quizzes.publishing.models import RevealMoment
from quizzes.publishing.selectors import load_quiz_version
from tests.attempt_helpers import take_quiz
from tests.corrupt_manifests import EVERY, corrupt_manifest
from tests.factories import (
    NOW,
    create_bank,
    create_question,
    create_quiz,
    option_ids,
    publish_change,
)
from tests.quizzes.web.test_secrecy import alone_with, masked
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db


def hinted(into, name, right="a"):
    question = create_question(into, name, right=right, kind="single_choice")
    data = question.draft.data
    key = {**data["key"], "hints": [{"id": "h1"}, {"id": "h2"}]}
    feedback = {
        language: {**texts, "hint_step": {"h1": "First step", "h2": "Second step"}}
        for language, texts in data["feedback"].items()
    }
    return publish_change(question, key=key, feedback=feedback)


@pytest.fixture
def single(users):
    """A practice of one question."""
    question = hinted(create_bank(users), "first")
    return create_quiz(users, [question], slug="practice", mode="practice"), question


def draw(quiz, learner, after=0):
    return draw_next(quiz=quiz.uuid, learner=learner, after=after, now=NOW)


def send(row, learner, raw, tried=0, key=None):
    return check_answer(
        question=row.uuid,
        learner=learner,
        raw=raw,
        tried=tried,
        idempotency_key=key or uuid4(),
        language="en",
        now=NOW,
    )


def check(row, learner, question, letter, tried=0, key=None):
    return send(row, learner, {"chosen": option_ids(question, letter)}, tried, key)


def hint(row, learner, opened=0, key=None):
    return open_hint(
        question=row.uuid,
        learner=learner,
        opened=opened,
        idempotency_key=key or uuid4(),
        language="en",
        now=NOW,
    )


def give_up(row, learner, key=None):
    return ask_for_answer(
        question=row.uuid,
        learner=learner,
        idempotency_key=key or uuid4(),
        language="en",
        now=NOW,
    )


def view(row, learner):
    row = PracticeQuestion.objects.select_related("version__question").get(pk=row.pk)
    return load_practice(row, learner, "en", NOW)


def test_each_try_is_worth_less_and_the_answer_comes_with_the_last(users, single):
    quiz, question = single
    row = draw(quiz, users.learner)
    for tried, letter in enumerate("bc"):
        check(row, users.learner, question, letter, tried)
        page = view(row, users.learner)
        assert (page.state.is_over, page.report.outcome) == (False, "incorrect")
        assert page.report.solution is None
        assert page.report.explanation == ""
        assert len(page.report.feedback) == 1
    assert view(row, users.learner).state.next_worth == Fraction(1, 4)
    check(row, users.learner, question, "a", 2)
    page = view(row, users.learner)
    assert (page.state.is_over, page.state.credit) == (True, Fraction(1, 4))
    assert page.report.solution is not None
    assert "Because" in page.report.explanation
    check(row, users.learner, question, "a", 3)
    assert PracticeTry.objects.count() == 3


def test_a_try_sent_twice_counts_once_and_nothing_is_no_try(users, single):
    quiz, question = single
    row = draw(quiz, users.learner)
    check(row, users.learner, question, "b", 0)
    check(row, users.learner, question, "c", 0)
    assert [each.number for each in PracticeTry.objects.all()] == [1]
    for raw in (None, {"chosen": ["x"]}):
        with pytest.raises(Invalid):
            send(row, users.learner, raw, tried=1)


def test_hints_open_step_by_step(users, single):
    quiz, _question = single
    row = draw(quiz, users.learner)
    assert (view(row, users.learner).report.hints, view(row, users.learner).hint_count) == ((), 2)
    for opened in (0, 0, 1, 2):
        hint(row, users.learner, opened)
    page = view(row, users.learner)
    assert page.report.hints == ("First step", "Second step")
    assert not page.more_hints


def test_nothing_of_it_enters_a_grade_and_no_attempt_begins(users, single):
    quiz, question = single
    check(draw(quiz, users.learner), users.learner, question, "a")
    assert not Attempt.objects.exists()
    assert not QuizGrade.objects.exclude(attempts_graded=0).exists()
    with pytest.raises(Refused, match="practice_only"):
        attempts.start(quiz=quiz.uuid, learner=users.learner, now=NOW)


def test_the_next_question_is_one_not_met_yet(users):
    into = create_bank(users)
    questions = [hinted(into, name) for name in ("one", "two", "three")]
    quiz = create_quiz(users, questions, slug="practice", mode="practice")
    rows = [draw(quiz, users.learner, after=number) for number in range(4)]
    assert len({row.version_id for row in rows[:3]}) == 3
    assert rows[3].version_id == rows[0].version_id
    assert draw(quiz, users.learner, after=2) == rows[3]


def test_what_a_graded_quiz_may_ask_comes_last(users, questions):
    quiz = create_quiz(users, questions)
    assert quiz.current is not None
    candidates = list_candidates(load_quiz_version(quiz.current).items)
    first, *others = candidates
    live, met = {first}, {others[0]: 7, others[1]: 3}
    chosen = choose_next(candidates, last_numbers=met, live=live, missed=set(), seed="x")
    assert chosen == candidates[others[1]]
    assert choose_next({}, last_numbers={}, live=set(), missed=set(), seed="x") is None


def walk_live_practice(users, number, right):
    """Everything that practice sends of a live question whose right option is this one."""
    question = hinted(create_bank(users, f"bank-{number}"), "same", right)
    slug = ("one", "two")[number]
    quiz = create_quiz(users, [question], slug=slug, mode="practice", shuffle_options=False)
    learner = alone_with(quiz, number)
    exam = create_quiz(users, [question], slug=f"exam-{number}")
    exam.assignments.create(group=learner.memberships.get().group)
    client, address = logged_in_client(learner), reverse("practice", args=[slug])
    yield masked(client.get(address))
    client.post(address, {"action": "next", "count": "0"})
    row = PracticeQuestion.objects.get(learner=learner)
    sent = {"question": str(row.uuid), "count": "0"}
    for more in ({"action": "hint"}, {"action": "check", "q-0": option_ids(question, "b")[0]}):
        yield masked(client.post(address, sent | more))
        yield masked(client.get(address))
    yield masked(client.post(address, sent | {"action": "show"}))
    yield masked(client.get(address))
    assert view(row, learner).state.is_live


def test_of_a_live_question_no_byte_depends_on_the_key(users):
    walks = [list(walk_live_practice(users, number, right)) for number, right in enumerate("ab")]
    for first, other in zip(*walks, strict=True):
        assert first == other
    last = walks[0][-1][2]
    assert "First step" in last
    assert "Because" not in last
    assert "does not say what is right" in last


@pytest.mark.parametrize(
    ("fields", "is_live"),
    [
        ({}, True),
        ({"practice_shows_keys": True}, False),
        ({"mode": "practice"}, False),
        ({"max_attempts": 1}, False),  # which the learner has used
        ({"max_attempts": 1, "reveal_key": "after_close"}, True),
    ],
)
def test_what_is_live_is_what_a_graded_quiz_may_still_ask(users, fields, is_live):
    question = hinted(create_bank(users), "first")
    exam = create_quiz(users, [question], slug="exam", **fields)
    if "max_attempts" in fields:
        take_quiz(exam, users.learner, {0: "b"})
    ids = [str(question.uuid)]
    assert bool(find_live_questions(users.learner, ids, NOW)) is is_live
    assert not find_live_questions(users.stranger, ids, NOW)


def test_how_many_quizzes_there_are_costs_no_query(users, single, counted):
    _quiz, question = single
    ids = [str(question.uuid)]
    costs = []
    for number in range(3):
        create_quiz(users, [question], slug=f"exam-{number}")
        find_live_questions(users.learner, ids, NOW)
        with counted() as queries:
            assert find_live_questions(users.learner, ids, NOW)
        costs.append(len(queries))
    assert costs == [4, 4, 4]


def test_nobody_practises_what_is_anothers_or_no_practice(users, single, a_quiz):
    quiz, question = single
    row = draw(quiz, users.learner)
    for call in (
        lambda: draw(quiz, users.stranger),
        lambda: draw(a_quiz, users.learner),
        lambda: check(row, users.other_learner, question, "a"),
        lambda: hint(row, users.other_learner),
        lambda: give_up(row, users.other_learner),
    ):
        with pytest.raises(NotFound):
            call()


@pytest.mark.parametrize("text", ["", "1,", "2", "1/2, 1", "1, 1/0", "-1", ",".join(["1"] * 11)])
def test_credits_are_falling_shares(text):
    assert parse_practice_credits("1, 1/2, 0.25") == tuple(map(Fraction, ("1", "1/2", "1/4")))
    with pytest.raises(ValueError, match=r".*"):
        parse_practice_credits(text)


def test_the_page_leads_from_the_first_question_to_the_next(users, single):
    _quiz, question = single
    client, address = logged_in_client(users.learner), reverse("practice", args=["practice"])
    assert address in client.get(reverse("intro", args=["practice"])).content.decode()
    assert "Begin" in client.get(address).content.decode()
    client.post(address, {"action": "next", "count": "0"})
    row = PracticeQuestion.objects.get()
    sent = {"question": str(row.uuid), "count": "0"}
    client.post(address, {**sent, "action": "hint"})
    assert "First step" in client.get(address).content.decode()
    assert client.post(address, {**sent, "action": "check"}).status_code == 422
    (wrong,), (right,) = option_ids(question, "b"), option_ids(question, "a")
    client.post(address, {**sent, "action": "check", "q-0": wrong})
    text = client.get(address).content.decode()
    assert "Not right yet" in text
    assert "Because" not in text
    client.post(address, {**sent, "count": "1", "action": "check", "q-0": right})
    text = client.get(address).content.decode()
    assert "Right, at try 2: worth 1/2" in text or "½" in text
    assert "Because" in text
    client.post(address, {"action": "next", "count": "1"})
    assert PracticeQuestion.objects.count() == 2
    for person in (users.stranger, users.outsider):
        assert logged_in_client(person).get(address).status_code == 404


def test_a_practice_counts_its_questions_alone_and_has_no_pass_mark(users, single):
    quiz, question = single
    client, address = logged_in_client(users.learner), reverse("practice", args=[quiz.slug])
    home = client.get(reverse("home")).content.decode()
    assert "practice, in no grade" in home
    assert "pass mark" not in home
    row = draw(quiz, users.learner)
    check(row, users.learner, question, "a")
    page = client.get(address).content.decode()
    assert "Practice, question 1" in " ".join(page.split())
    # Nor another number or other points: a second try is worth less than the review would say.
    assert 'id="question-1"' not in page
    assert "Points: 1 of 1" not in " ".join(page.split())


@pytest.fixture
def failed(users):
    """A practice of four questions, and an attempt that missed two of them and got one right."""
    questions = [hinted(create_bank(users), name) for name in ("one", "two", "three", "four")]
    practice = create_quiz(users, questions, slug="practice", mode="practice")
    exam = create_quiz(users, questions[:3], practice_shows_keys=True)
    attempt = take_quiz(exam, users.learner, {0: "b", 2: "a"})
    return practice, questions, attempt


def test_a_result_offers_to_practise_just_what_was_missed(users, failed):
    practice, _, attempt = failed
    page = logged_in_client(users.learner).get(reverse("result", args=[attempt.uuid]))
    address = f"{reverse('practice', args=[practice.slug])}?missed={attempt.uuid}"
    assert f'href="{address}"' in page.content.decode()
    assert "Practise these 2 questions" in page.content.decode()


def test_what_was_missed_comes_first_and_once_practised_the_others_go_on(users, failed):
    practice, questions, attempt = failed
    client = logged_in_client(users.learner)
    address = f"{reverse('practice', args=[practice.slug])}?missed={attempt.uuid}"
    sentences = (
        "They come first.",
        "Of your attempt, 1 question is still to come.",
        "practised the questions of your attempt",
    )
    for number, sentence in enumerate(sentences):
        assert sentence in client.get(address).content.decode()
        gone_on = client.post(address, {"action": "next", "count": number})
        assert gone_on.headers["Location"] == address
    drawn = list(
        PracticeQuestion.objects.order_by("number").values_list("version__question", flat=True)
    )
    assert set(drawn[:2]) == {question.pk for question in questions[:2]}
    assert drawn[2] not in drawn[:2]
    assert "practised the questions of your attempt" in client.get(address).content.decode()


@pytest.mark.parametrize("garble", EVERY.values(), ids=EVERY.keys())
def test_of_an_attempt_that_cannot_be_read_nothing_was_missed(users, failed, garble):
    practice, _questions, attempt = failed
    corrupt_manifest(attempt, garble)
    assert load_missed_questions(practice, users.learner, attempt.uuid, NOW) == NONE
    client, address = logged_in_client(users.learner), reverse("practice", args=[practice.slug])
    assert client.get(f"{address}?missed={attempt.uuid}").status_code == 200
    answer = client.post(f"{address}?missed={attempt.uuid}", {"action": "next", "count": 0})
    assert answer.status_code == 302
    assert PracticeQuestion.objects.count() == 1


def test_what_another_missed_changes_nothing_and_what_is_hidden_may_all_be_missed(users, failed):
    practice, questions, attempt = failed
    row = draw_next(
        quiz=practice.uuid, learner=users.other_learner, after=0, now=NOW, attempt=attempt.uuid
    )
    assert row.number == 1
    assert load_missed_questions(practice, users.other_learner, attempt.uuid, NOW) == NONE
    hidden = create_quiz(users, questions, slug="hidden", reveal_correctness=RevealMoment.NEVER)
    unknown = take_quiz(hidden, users.learner, {0: "b"})
    missed = load_missed_questions(practice, users.learner, unknown.uuid, NOW)
    assert missed.questions == {str(question.uuid) for question in questions}
    client, address = logged_in_client(users.learner), reverse("practice", args=[practice.slug])
    assert client.get(f"{address}?missed={uuid4()}").status_code == 200
    assert client.get(f"{address}?missed=x").status_code == 404
