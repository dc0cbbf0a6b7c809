"""Essays on the page: a field for a text, its limits in words, and what persons said of it."""

from fractions import Fraction
from typing import Any

import pytest
from django.http import QueryDict
from django.utils import translation

from grading.essay.word_count import WordLimits
from quizzes.attempts.models import Attempt
from quizzes.presentation.kinds import essay
from quizzes.presentation.messages import attempts as messages
from quizzes.publishing.models import RevealMoment
from tests.attempt_helpers import start
from tests.browser_forms import form_values
from tests.essay_factory import TEXT, attempt_with_essay, grade_essay, levels
from tests.essay_factory import create_essay as ask
from tests.factories import create_bank, create_quiz
from tests.question_factory import public_version, samples
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db

LIMITS: dict[str, Any] = {"minimum_words": 5, "maximum_words": 300}


@pytest.fixture(autouse=True)
def _english():
    with translation.override("en"):
        yield


def result(attempt: Attempt, viewer: Any = None) -> str:
    page = logged_in_client(viewer or attempt.learner).get(f"/attempts/{attempt.uuid}/result")
    assert page.status_code == 200
    return page.content.decode()


# --- Asking ----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        (WordLimits(5, 300), "Between 5 and 300 words are asked for."),
        (WordLimits(5, None), "At least 5 words are asked for."),
        (WordLimits(None, 300), "At most 300 words are asked for."),
        (WordLimits(), ""),
    ],
)
def test_limits_are_told_in_words(limits, expected):
    assert essay.describe_limits(limits) == expected


def test_the_page_asks_for_a_text_and_tells_its_length_without_scripts(users):
    attempt = start(create_quiz(users, [ask(create_bank(users), **LIMITS)]), users.learner)
    client = logged_in_client(users.learner)
    page = client.get(f"/attempts/{attempt.uuid}/").content.decode()
    assert 'name="q-0-text"' in page
    assert "Between 5 and 300 words are asked for." in page
    assert messages.describe_scoring_method("rubric") in page
    for secret in ("Criterion", "idea-2", "Level"):
        assert secret not in page


def test_a_text_is_saved_by_the_form_and_stands_there_again_as_it_was_typed(users):
    attempt = start(create_quiz(users, [ask(create_bank(users), **LIMITS)]), users.learner)
    client, url = logged_in_client(users.learner), f"/attempts/{attempt.uuid}/"
    typed = "\r\nOne line,\r\n  </textarea><script>alert(1)</script>\r\n"
    form = form_values(client.get(url), "r-0") | {"q-0-text": typed, "action": "save"}
    assert client.post(url, form).status_code == 302
    page = client.get(url).content.decode()
    assert "</textarea><script>" not in page
    assert (
        ">\n\nOne line,\n  &lt;/textarea&gt;&lt;script&gt;alert(1)&lt;/script&gt;\n</textarea>"
        in page
    )
    assert '<span class="figures" data-words>7</span>' in page
    again = form_values(client.get(url), "r-0") | {"action": "save"}
    client.post(url, again)
    assert attempt.responses.count() == 1


def test_a_form_brings_the_text_and_nothing_where_there_is_none():
    assert essay.parse_form(QueryDict("q-3-text=a+b"), 3) == {"text": "a b"}
    assert essay.parse_form(QueryDict(""), 3) == {"text": ""}


def test_what_could_not_be_read_is_filled_in_again():
    assert essay.placeholder_values({"text": "x<y"}) == {"text": "x&lt;y", "words": "2"}
    assert essay.placeholder_values(None) == {"text": "", "words": "0"}


def test_the_answer_as_text_is_the_whole_text_as_it_was_written():
    essay_paper = public_version(next(sample for sample in samples() if sample.kind == "essay"))
    text = "<b>One</b>\n" + "word " * 50
    assert essay.answer_text(essay_paper, {"text": text}, "en") == text


# --- Looking back ----------------------------------------------------------------------------
def test_until_it_is_marked_the_result_says_that_a_person_will_read_it(users):
    attempt = attempt_with_essay(
        create_quiz(users, [ask(create_bank(users), **LIMITS)]), users.learner
    )
    page = result(attempt)
    for words in (TEXT, "Waiting to be graded by a person", "A person will read and grade this"):
        assert words in page
    assert "Criterion idea" not in page


def test_afterwards_it_tells_criteria_levels_points_and_comment(users):
    attempt = attempt_with_essay(
        create_quiz(users, [ask(create_bank(users))], points=5), users.learner
    )
    grade_essay(attempt, users.instructor, levels(1, 1), comment="Say <more>\nof devices.")
    page = " ".join(result(attempt).split())
    for words in ("Criterion idea", "Level idea-1", "Points: 2", "Criterion form", "Points: 1"):
        assert words in page
    assert page.index("Criterion idea") < page.index("Criterion form")
    assert "Say &lt;more&gt; of devices." in page
    assert "“Level idea-1”: The level reached" in page
    assert "Why 3/5?" in page
    assert "Level idea-2" not in page
    assert "A person will read this" not in page


def test_of_a_share_the_ledger_says_who_gave_it(users):
    attempt = attempt_with_essay(
        create_quiz(users, [ask(create_bank(users), criteria={})]), users.learner
    )
    grade_essay(attempt, users.instructor, Fraction(1, 2))
    page = result(attempt)
    assert "Graded by a person" in page
    assert "+1/2" in page


def test_the_comment_waits_for_feedback_and_the_points_for_the_score(users):
    hidden = {"reveal_feedback": RevealMoment.NEVER}
    attempt = attempt_with_essay(
        create_quiz(users, [ask(create_bank(users))], **hidden), users.learner
    )
    grade_essay(attempt, users.instructor, comment="Well said")
    page = result(attempt)
    assert "Well said" not in page
    assert "Level idea-2" not in page
    assert "Why 1?" in page
    unscored = {"reveal_score": RevealMoment.NEVER, "reveal_correctness": RevealMoment.NEVER}
    attempt = attempt_with_essay(
        create_quiz(users, [ask(create_bank(users, "b"))], slug="b", **unscored), users.learner
    )
    grade_essay(attempt, users.instructor, comment="Well said")
    page = result(attempt)
    assert "Well said" in page
    assert "Level idea-2" in page
    assert "Points: 1" not in page
    assert "Why" not in page


def test_an_unanswered_essay_is_unanswered_and_final(users):
    attempt = attempt_with_essay(
        create_quiz(users, [ask(create_bank(users))]), users.learner, text=""
    )
    page = result(attempt)
    assert "Not answered" in page
    assert "provisional" not in page


def test_the_result_page_stays_within_its_queries(users, counted):
    attempt = attempt_with_essay(create_quiz(users, [ask(create_bank(users))]), users.learner)
    grade_essay(attempt, users.instructor)
    client = logged_in_client(users.learner)
    client.get(f"/attempts/{attempt.uuid}/result")
    with counted() as queries:
        client.get(f"/attempts/{attempt.uuid}/result")
    assert len(queries) <= 6, queries
