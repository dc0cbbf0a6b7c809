"""Home, the page before a quiz, history and result: what they tell."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import reverse

from quizzes.attempts import services
from quizzes.attempts.models import Attempt, State
from quizzes.attempts.responses import ResponseInput, save_responses
from quizzes.lib import clock
from quizzes.publishing.models import Quiz, RevealMoment
from quizzes.publishing.services import publish
from quizzes.results.services import finish
from tests.factories import create_bank, create_question, create_quiz, option_ids
from tests.question_factory import document, publish_document, samples
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db


def take(learner, quiz, answers, *, ended=True) -> Attempt:
    """Start, answer (question → letters, in order of slots), and submit."""
    attempt = services.start(quiz=quiz.uuid, learner=learner, now=clock.now())
    saves = [
        ResponseInput(
            slot=slot, raw={"chosen": option_ids(question, *letters)}, idempotency_key=uuid4()
        )
        for slot, (question, letters) in enumerate(answers)
        if letters
    ]
    if saves:
        now = clock.now()
        save_responses(attempt=attempt.uuid, learner=learner, inputs=saves, language="en", now=now)
    if ended:
        finish(attempt=attempt.uuid, learner=learner, now=clock.now())
    return attempt


def text(client, name, *args) -> str:
    response = client.get(reverse(name, args=args))
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


@pytest.fixture
def client(users):
    return logged_in_client(users.learner)


def test_home_tells_what_to_do_where_there_is_nothing(users):
    assert "You have no quizzes yet" in text(logged_in_client(users.stranger), "home")


def test_home_shows_what_is_in_progress_open_and_passed(client, users, questions):
    for slug in ("new", "begun", "done"):
        quiz = create_quiz(users, questions, slug=slug)
        if slug == "begun":
            attempt = take(users.learner, quiz, [(questions[0], "a")], ended=False)
        if slug == "done":
            take(users.learner, quiz, zip(questions, ("abc", "b", "b"), strict=True))
    page = text(client, "home")
    assert reverse("attempt", args=[attempt.uuid]) in page
    assert '<span data-count="answered">1</span>' in page or "1 of 3 answered" in page
    assert reverse("intro", args=["new"]) in page
    assert reverse("intro", args=["begun"]) not in page
    assert "Passed 100%" in page
    again = take(users.learner, Quiz.objects.get(slug="done"), [], ended=False)
    page = text(client, "home")
    assert reverse("attempt", args=[again.uuid]) in page
    assert reverse("intro", args=["done"]) not in page


def list_sections(page: str) -> dict[str, list[str]]:
    """Return the addresses of the quizzes below each heading of the home page."""
    sections = re.findall(
        r'<section class="quiz-list" aria-labelledby="([\w-]+)">(.*?)</section>', page
    )
    return {name: re.findall(r'<h3> <a href="([^"]+)"', content) for name, content in sections}


def test_home_puts_what_closes_first_and_says_when_and_what_opens_later(client, users, questions):
    now = clock.now()
    windows = {
        "open": (None, None),
        "in-two-days": (None, now + timedelta(days=2, hours=1)),
        "tomorrow": (None, now + timedelta(hours=30)),
        "next-month": (now + timedelta(days=30, hours=1), None),
        "next-week": (now + timedelta(days=7, hours=1), now + timedelta(days=9)),
        "over": (None, now - timedelta(days=1)),
    }
    for slug, (opens_at, closes_at) in windows.items():
        quiz = create_quiz(users, questions, slug=slug)
        quiz.assignments.update(opens_at=opens_at, closes_at=closes_at)
    page = text(client, "home")
    addresses = {slug: reverse("intro", args=[slug]) for slug in windows}
    assert list_sections(page) == {
        "due": [addresses["tomorrow"], addresses["in-two-days"]],
        "available": [addresses["open"]],
        "later": [addresses["next-week"], addresses["next-month"]],
        "closed": [addresses["over"]],
    }
    assert "(in 1 day, 5 hours)" in page


def test_home_finds_quizzes_by_a_title_in_any_language(client, users, questions):
    for number in range(8):
        create_quiz(users, questions, slug=f"quiz-{number}")
    assert 'type="search"' not in text(client, "home")
    quiz = create_quiz(users, questions, slug="division")
    Quiz.objects.filter(pk=quiz.pk).update(title={"en": "Dividing", "es": "La división"})
    publish(quiz=Quiz.objects.get(pk=quiz.pk), by=None, now=clock.now())
    assert 'type="search"' in text(client, "home")
    for search, count in (("DIVISION", 1), ("dividing", 1), ("a quiz", 8), ("nothing", 0)):
        page = " ".join(client.get(reverse("home"), {"q": search}).content.decode().split())
        assert len(list_sections(page)["available"]) == count, search
    assert "No quiz that you can begin now is called “nothing”." in page


def test_home_hides_a_score_that_may_not_be_shown(client, users, questions):
    quiz = create_quiz(users, questions, reveal_score=RevealMoment.NEVER)
    take(users.learner, quiz, zip(questions, ("abc", "b", "b"), strict=True))
    page = text(client, "home")
    assert "%" not in page.replace("80%", "")
    assert "Passed" not in page


def test_the_intro_names_rules_scoring_method_and_moments(client, users, questions):
    create_quiz(users, questions, slug="rules", time_limit=45, max_attempts=2, pass_percent=75)
    page = text(client, "intro", "rules")
    assert "75%" in page
    assert "45 minutes" in page
    assert "Each right answer earns an equal share" in page
    assert "As soon as you have submitted, you see: your score" in page
    assert reverse("start", args=["rules"]) in page


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("single_choice", "if yours is right"),
        ("flashcard", "not scored"),
        ("essay", "A person reads"),
        ("ordering", "right place"),
    ],
)
def test_the_intro_says_how_each_kind_is_scored_and_nothing_of_others(client, users, kind, message):
    into = create_bank(users)
    sample = next(sample for sample in samples() if sample.kind == kind)
    questions = [
        publish_document(into, "one", document(sample)),
        create_question(into, "many", right="ab"),
    ]
    page = text(client, "intro", create_quiz(users, questions).slug)
    assert message in page
    assert ("if yours is right" in page) == (kind == "single_choice")


def test_the_intro_says_to_the_minute_when_the_next_attempt_opens(client, users, questions):
    quiz = create_quiz(users, questions, window_attempts=1, window_hours=8)
    attempt = take(users.learner, quiz, [])
    page = text(client, "intro", quiz.slug)
    opens = attempt.started_at + timedelta(hours=8)
    assert opens.isoformat(timespec="minutes")[:16] in page
    assert reverse("start", args=[quiz.slug]) not in page
    assert reverse("result", args=[attempt.uuid]) in page


def test_the_intro_of_a_closed_quiz_says_so_and_offers_no_button(client, users, questions):
    quiz = create_quiz(users, questions, closes_at=clock.now() - timedelta(days=1))
    page = text(client, "intro", quiz.slug)
    assert "This quiz is closed." in page
    assert reverse("start", args=[quiz.slug]) not in page


def test_history_lists_every_attempt_by_pages(client, users, questions):
    quiz = create_quiz(users, questions[:1], window_attempts=None)
    for _ in range(27):
        take(users.learner, quiz, [])
    page = text(client, "history")
    assert page.count("Not passed") == 25
    assert f"{reverse('history')}?page=1" in page
    older = client.get(f"{reverse('history')}?page=1").content.decode()
    assert older.count("Not passed") == 2
    for number in ("-1", "x", "9" * 50, "99999", "１"):
        assert client.get(reverse("history"), {"page": number}).status_code == 200


def test_what_is_graded_is_not_said_to_be_waiting_for_it(client, users, questions):
    quiz = create_quiz(users, questions, reveal_score=RevealMoment.NEVER)
    take(users.learner, quiz, [(questions[0], "a")])
    void = take(users.learner, quiz, [])
    Attempt.objects.filter(pk=void.pk).update(state=State.VOID, void_reason="ill")
    history, intro = text(client, "history"), text(client, "intro", quiz.slug)
    assert "eing graded" not in history + intro
    assert ">Submitted<" in history
    assert ">Voided<" in history
    assert "Voided" in intro


def test_the_result_gives_points_answers_feedback_and_why(client, users, a_quiz, questions):
    attempt = take(users.learner, a_quiz, [(questions[0], "abd"), (questions[1], "b")])
    page = text(client, "result", attempt.uuid)
    assert "Not passed yet" in page
    assert "44.44" in page
    assert "1 1/3 of 3" in page
    assert "Points: 1/3 of 1" in page
    for words in ("Feedback a many", "Feedback d many", "Feedback b single"):
        assert words in page
    for hidden in ("Feedback c many", "Because many", "Right, but not chosen"):
        assert hidden not in page
    assert "Why 1/3?" in page
    assert "“Option d”: Chosen, but wrong" in page
    assert "−1/3" in page
    assert "Not chosen" in page
    assert "Not answered" in page


def test_after_passing_the_key_and_the_explanations_are_shown(client, users, a_quiz, questions):
    answers = zip(questions, ("abc", "b", "b"), strict=True)
    attempt = take(users.learner, a_quiz, answers)
    page = text(client, "result", attempt.uuid)
    assert "<h1> Passed </h1>" in page
    assert "Because many" in page
    assert "Rightly not chosen" in page


@pytest.mark.parametrize(
    ("points", "right", "count", "expected"),
    [("0.5", 12, 12, "6 of 6"), (1, 8, 10, "8 of 10"), ("0.08", 9, 10, "0.72 of 0.8")],
)
def test_totals_on_the_page_are_exact(users, points, right, count, expected):
    into = create_bank(users)
    questions = [
        create_question(into, f"q{n}", right="a", options="ab", kind="single_choice")
        for n in range(count)
    ]
    quiz = create_quiz(users, questions, points=points)
    answers = [(question, "a" if n < right else "b") for n, question in enumerate(questions)]
    attempt = take(users.learner, quiz, answers)
    page = text(logged_in_client(users.learner), "result", attempt.uuid)
    assert expected in page
    assert "<h1> Passed </h1>" in page


def test_where_the_score_is_hidden_the_page_shows_the_answers_alone(client, users, questions):
    quiz = create_quiz(
        users, questions, reveal_score=RevealMoment.NEVER, reveal_feedback=RevealMoment.NEVER
    )
    attempt = take(users.learner, quiz, [(questions[0], "ab"), (questions[1], "c")])
    page = text(client, "result", attempt.uuid)
    assert "Your score is shown later" in page
    assert "Your answer" in page
    for hidden in ("right</p>", "Wrong", "Feedback", "Why", "Points:"):
        assert hidden not in page


def test_none_of_these_is_laid_out_like_an_option(client, users):
    question = create_question(create_bank(users), "none", right="", options="ab", none_apply=True)
    quiz = create_quiz(users, [question])
    attempt = services.start(quiz=quiz.uuid, learner=users.learner, now=clock.now())
    raw = {"none_apply": True}
    saves = [ResponseInput(slot=0, raw=raw, idempotency_key=uuid4())]
    now = clock.now()
    save_responses(
        attempt=attempt.uuid, learner=users.learner, inputs=saves, language="en", now=now
    )
    finish(attempt=attempt.uuid, learner=users.learner, now=clock.now())
    page = text(client, "result", attempt.uuid)
    assert "Your answer, right" in page
    assert "None of these applies: Chosen, and right" in page


def test_an_attempt_that_waits_for_grading_is_not_called_unanswered(
    client, users, a_quiz, monkeypatch
):
    attempt = take(users.learner, a_quiz, [], ended=False)
    services.submit(attempt=attempt.uuid, learner=users.learner, now=clock.now())
    monkeypatch.setattr("quizzes.results.services.score_attempt", None)  # a grader that is broken
    page = text(client, "result", attempt.uuid)
    assert "being graded" in page
    assert "Not answered" not in page


def test_the_next_step_after_failing_is_said(client, users, questions):
    again = create_quiz(users, questions, slug="again")
    page = text(client, "result", take(users.learner, again, []).uuid)
    assert reverse("intro", args=["again"]) in page
    once = create_quiz(users, questions, slug="once", max_attempts=1)
    page = text(client, "result", take(users.learner, once, []).uuid)
    assert "used all your attempts" in page
    later = create_quiz(users, questions, slug="later", cooldown_minutes=60)
    page = text(client, "result", take(users.learner, later, []).uuid)
    assert "The next attempt opens" in page


def test_the_way_to_what_was_missed_is_shown(client, users, a_quiz, questions):
    attempt = take(users.learner, a_quiz, [(questions[0], "abc"), (questions[1], "a")])
    assert 'href="#question-2"' in text(client, "result", attempt.uuid)


def test_a_void_attempt_tells_no_score(client, users, a_quiz, questions):
    attempt = take(users.learner, a_quiz, [(questions[0], "abc")])
    Attempt.objects.update(state=State.VOID, void_reason="an alarm")
    page = text(client, "result", attempt.uuid)
    assert "Voided" in page
    assert "33.33" not in page


def test_a_ledger_opens_itself_only_where_credit_is_partial(client, users, questions):
    quiz = create_quiz(users, questions)
    attempt = take(users.learner, quiz, zip(questions, ("ab", "b", "a"), strict=True))
    page = text(client, "result", attempt.uuid)
    items = page.split('<li class="answer"')[1:]
    assert ['<details class="why" open>' in item for item in items] == [True, False, False]
    assert ['<details class="why">' in item for item in items] == [False, True, True]


def test_a_result_names_its_learner_for_the_printer(client, users, questions):
    attempt = take(users.learner, create_quiz(users, questions), [])
    page = text(client, "result", attempt.uuid)
    assert str(users.learner) in page.split('<div class="print-only">')[1].split("</div>")[0]
