"""What a learner who has not got a question right may read before its key is shown."""

import pytest

from quizzes.lib import clock
from quizzes.presentation.messages.attempts import REVEAL_MOMENTS
from quizzes.publishing.models import RevealMoment
from quizzes.results.selectors import load_report
from tests.attempt_helpers import later, take_quiz
from tests.factories import create_bank, create_question, create_quiz, publish_change
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db

LATE = {"reveal_feedback": RevealMoment.AFTER_LAST_ATTEMPT}
LATER = LATE | {"reveal_correctness": RevealMoment.AFTER_LAST_ATTEMPT}


@pytest.fixture
def hinted(users):
    """Two questions with two hints, a link, a safe explanation and a safe word on option d."""
    into, questions = create_bank(users), []
    for name in ("first", "second"):
        question = create_question(into, name, right="ab")
        data = question.draft.data
        ids = [option["id"] for option in data["content"]["options"]]
        key = {
            **data["key"],
            "hints": [{"id": "h1"}, {"id": "h2"}],
            "explanation_safe": True,
            "safe_rows": [ids[3]],
        }
        feedback = {
            language: {
                **texts,
                "hint_step": {"h1": "Look closer", "h2": "Two of them"},
                "reading_link": "[Chapter 3](https://example.org/3)",
            }
            for language, texts in data["feedback"].items()
        }
        questions.append(publish_change(question, key=key, feedback=feedback))
    return questions


def report_on(quiz, learner, answers, language="en"):
    attempt = take_quiz(quiz, learner, answers)
    return load_report(attempt=attempt.uuid, viewer=learner, language=language, now=later())


def test_wrong_and_unanswered_questions_have_hints_a_link_and_what_is_safe(users, hinted):
    report = report_on(create_quiz(users, hinted, **LATE), users.learner, {0: "cd"})
    for item in report.questions:
        assert item.hints == ("Look closer", "Two of them")
        assert 'href="https://example.org/3"' in item.reading_link
        assert "Because" in item.explanation
        assert item.solution is None
    # Of the two that were chosen, the feedback on d is safe and that on c waits.
    assert [html for html in report.questions[0].feedback.values() if " d " in html]
    assert not [html for html in report.questions[0].feedback.values() if " c " in html]


def test_a_question_that_was_got_right_has_none_of_them(users, hinted):
    report = report_on(create_quiz(users, hinted, **LATE), users.learner, {0: "ab"})
    right, open_ = report.questions
    assert (right.hints, right.reading_link, right.explanation, right.feedback) == ((), "", "", {})
    assert open_.hints


@pytest.mark.parametrize("hidden", ["reveal_score", "reveal_correctness"])
def test_where_right_and_wrong_are_hidden_all_questions_have_them_alike(users, hinted, hidden):
    quiz = create_quiz(users, hinted, **{hidden: RevealMoment.NEVER}, **LATE)
    right, wrong = report_on(quiz, users.learner, {0: "ab", 1: "cd"}).questions
    assert right.hints == wrong.hints != ()
    assert right.explanation
    assert wrong.explanation
    assert right.feedback == wrong.feedback == {}


def test_an_author_may_keep_them_back(users, hinted):
    quiz = create_quiz(users, hinted, reveal_hints=RevealMoment.NEVER, **LATE)
    for item in report_on(quiz, users.learner, {0: "cd"}).questions:
        assert (item.hints, item.reading_link, item.explanation) == ((), "", "")


def test_a_result_that_hides_right_and_wrong_leads_to_the_hints_and_says_what_comes_when(
    users, hinted
):
    attempt = take_quiz(create_quiz(users, hinted, **LATER), users.learner, {0: "a"}, clock.now())
    page = logged_in_client(users.learner).get(f"/attempts/{attempt.uuid}/result")
    html = " ".join(page.content.decode().split())
    assert '<a class="button" href="#question-1">Look at the hints</a>' in html
    assert "Look at what you missed" not in html
    (sentence,) = page.context["result"].shown_later
    head, _, _ = str(REVEAL_MOMENTS[RevealMoment.AFTER_LAST_ATTEMPT]).partition("%")
    assert sentence.startswith(head)
    assert "what was right and wrong" in sentence
    assert sentence in html
