"""What must hold for the pages of every kind of the register; no kind is named here."""

import re
from datetime import timedelta
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from django.http import HttpResponse, QueryDict
from django.utils import translation

from grading.kinds import KINDS
from quizzes.attempts.responses import ResponseInput, save_responses
from quizzes.attempts.selectors import CurrentResponse
from quizzes.lib import clock
from quizzes.presentation import form_parsing, lenient_parsing, question_rendering, review_rendering
from quizzes.presentation.kinds import PRESENTED_KINDS, answer_text
from quizzes.presentation.question_rendering import QuestionState
from quizzes.results import reveal, selectors
from tests.attempt_helpers import finish, start
from tests.browser_forms import form_values
from tests.factories import create_bank, create_question, create_quiz
from tests.question_factory import document, public_version, publish_document, samples

SAMPLES = [sample for sample in samples() if sample.kind in PRESENTED_KINDS]
PAPERS = {str(sample): public_version(sample) for sample in SAMPLES}
EACH = pytest.mark.parametrize("sample", SAMPLES, ids=str)
LANGUAGE = pytest.mark.parametrize("language", ["en", "es"])
CONTROL = re.compile(r'name="(q-0[^"]*)"')
HOSTILE = '"><script>alert(1)</script>'
ESCAPED = "&quot;&gt;&lt;script&gt;alert(1)"


@pytest.fixture(autouse=True)
def _language(request):
    with translation.override(request.node.callspec.params.get("language", "en")):
        yield


def answers(sample) -> list[Any]:
    """The canonical answers of its examples, and none."""
    return [*(example.source["answer"] for example in sample.readable), None]


def drawn(version, language: str, state: QuestionState) -> str:
    order = [id_ for id_, _ in KINDS[version.kind].shufflable_ids(version.content)]
    slot: Any = SimpleNamespace(points=1, scoring_method=version.scoring_method, order=order)
    return question_rendering.render_question(version, slot, state, language)


def head(answer: Any) -> CurrentResponse:
    return CurrentResponse(slot=0, revision=3, answer=answer)


def posted(html: str, **changes: Any) -> QueryDict:
    """What a browser would send of this page."""
    page = HttpResponse(f"<form>{html}</form>")
    form = QueryDict(mutable=True)
    for name, value in (form_values(page, "r-0") | changes).items():
        form.setlist(name, value if isinstance(value, list) else [value])
    return form


def read(version, form: QueryDict):
    sheet: Any = SimpleNamespace(public_versions=[version])
    return form_parsing.parse_attempt_form(form, sheet)


@EACH
@LANGUAGE
def test_a_form_that_nobody_touched_saves_nothing(sample, language):
    version = PAPERS[str(sample)]
    for answer in answers(sample):
        state = QuestionState(head(answer), answer, flagged=False)
        form = read(version, posted(drawn(version, language, state)))
        assert (form.saves, form.errors) == ([], {}), answer


@EACH
@LANGUAGE
def test_the_form_holds_the_very_answer_it_was_drawn_with(sample, language):
    version = PAPERS[str(sample)]
    for answer in answers(sample):
        state = QuestionState(head(answer), answer, flagged=True)
        form = read(version, posted(drawn(version, language, state), **{"d-0": "another"}))
        assert form.answers == {0: (answer, True)}


@EACH
def test_an_answer_can_be_said_in_words(sample):
    version = PAPERS[str(sample)]
    for answer in filter(None, answers(sample)):
        assert answer_text(version, answer, "en").strip()


@EACH
def test_how_an_answer_was_read_is_said_plainly_or_not_at_all(sample):
    for answer in answers(sample):
        sentence = PRESENTED_KINDS[sample.kind].interpretation(answer, "en") if answer else ""
        assert re.fullmatch("|Can be read in two ways|Read as [^<&]+", sentence)


@EACH
@LANGUAGE
def test_no_gap_of_a_question_stays_open(sample, language):
    version = PAPERS[str(sample)]
    for answer in answers(sample):
        html = drawn(version, language, QuestionState(head(answer), answer, flagged=False))
        assert not re.search("[\x02\x03]", html)


@EACH
def test_each_language_is_drawn_in_its_own_words(sample):
    version = PAPERS[str(sample)]
    pages = [
        drawn(version, code, QuestionState(head(None), None, flagged=False))
        for code in ("en", "es")
    ]
    assert "Text of" in pages[0]
    assert "Texto de" not in pages[0]
    assert "Texto de" in pages[1]


@EACH
def test_every_control_says_where_it_stands_in_the_answer(sample):
    html = drawn(PAPERS[str(sample)], "en", QuestionState(head(None), None, flagged=False))
    assert "data-answer=" in html
    assert 'name="f-0"' in html
    radios = [tag for tag in re.findall(r"<input[^>]*>", html) if 'type="radio"' in tag]
    choices = [tag for tag in radios if 'separator"' not in tag]  # another text undoes that one
    assert "data-no-answer" in html or not choices


@EACH
def test_whatever_is_sent_is_drawn_again_and_does_no_harm(sample):
    version = PAPERS[str(sample)]
    html = drawn(version, "en", QuestionState(head(None), None, flagged=False))
    for name in sorted(set(CONTROL.findall(html))):
        again = drawn(
            version, "en", sent(version, posted(html, **{name: HOSTILE, "d-0": "another"}))
        )
        assert "<script>alert" not in again
        assert ESCAPED in again or not is_typed(html, name), name


def sent(version, form: QueryDict) -> QuestionState:
    """What is shown after a form: the answer it brought, readable or not."""
    parsed = read(version, form)
    if rejected := parsed.errors.get(0):
        sentences = lenient_parsing.describe_problems(version, rejected.problems, "en")
        return QuestionState(head(None), rejected.raw, rejected.flagged, sentences)
    return QuestionState(head(None), *parsed.answers.get(0, (None, False)))


def is_typed(html: str, name: str) -> bool:
    tag = re.search(rf'<(textarea|input|select)\b[^>]*name="{re.escape(name)}"[^>]*>', html)
    return bool(tag and (tag[1] == "textarea" or 'type="text"' in tag[0]))


@EACH
def test_what_is_wrong_is_said_beside_the_question(sample):
    state = QuestionState(head(None), None, flagged=False, error="Not <so>.")
    html = " ".join(drawn(PAPERS[str(sample)], "en", state).split())
    assert 'id="e-0" role="alert" data-error>Not &lt;so&gt;.</p>' in html
    for tag in re.findall(r"<(?:textarea|select)[^>]*>|<input type=\"text\"[^>]*>", html):
        assert 'aria-invalid="true"' in tag
        assert "e-0" in tag.split("aria-describedby=")[1].split('"')[1].split()


STATES = [
    reveal.NOTHING,
    reveal.Visibility(score=True),
    reveal.Visibility(score=True, correctness=True),
    reveal.Visibility(feedback=True),
    reveal.Visibility(score=True, correctness=True, feedback=True),
    reveal.Visibility(feedback=True, all_options=True),
    reveal.Visibility(key=True),
    reveal.Visibility(explanation=True),
    reveal.EVERYTHING,
]


@pytest.fixture
def ended(users, request):
    """An ended attempt at a quiz with one question for each readable example of a kind.

    Its time is over: nobody is asked about numbers that can be read in two ways.
    """
    into, raws = create_bank(users), []
    questions = [create_question(into, "graded")]
    for sample in SAMPLES:
        for example in sample.readable if sample.kind == request.param else ():
            questions.append(publish_document(into, f"question {len(questions)}", document(sample)))
            raws.append(example.raw)
    begun = clock.now()
    attempt = start(create_quiz(users, questions, time_limit=1), users.learner, begun)
    saves = [
        ResponseInput(slot=n, raw=raw, idempotency_key=uuid4()) for n, raw in enumerate(raws, 1)
    ]
    save_responses(
        attempt=attempt.uuid, learner=users.learner, inputs=saves, language="en", now=begun
    )
    return finish(attempt, begun + timedelta(minutes=1))


@pytest.mark.django_db
@pytest.mark.parametrize("ended", PRESENTED_KINDS, indirect=True)
@LANGUAGE
def test_every_example_can_be_looked_back_on_as_far_as_is_shown(ended, language, monkeypatch):
    for state in STATES:
        monkeypatch.setattr(reveal, "reveal", lambda *_, revealed=state: revealed)
        report = selectors.load_report(
            attempt=ended.uuid, viewer=ended.learner, language=language, now=clock.now()
        )
        for question in report.questions[1:]:
            html = review_rendering.render_review([question], language)
            assert not re.search("[\x02\x03]", html)
            assert f'id="question-{question.slot + 1}"' in html
            assert state.feedback or state.explanation or "Said of" not in html
            assert ("Said of explanation" in html) == state.explanation


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("kind_example", samples(), ids=str)
def test_an_authors_preview_draws_the_question_unanswered(kind_example, language):
    with translation.override(language):
        html = question_rendering.preview_question(public_version(kind_example), language, 3)
    assert f"({language})" in html
    assert 'data-answered=""' in html or 'data-answered="false"' in html
    assert "q-3" in html
    assert "\x02" not in html
