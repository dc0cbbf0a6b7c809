"""The form of answers, as a browser without scripts posts it."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse

from quizzes.attempts import services
from quizzes.attempts.models import Attempt, Response, SaveStatus, State, SubmissionReason
from quizzes.attempts.selectors import load_attempt_view
from quizzes.document import QuestionDocument
from quizzes.lib import clock
from quizzes.presentation import form_parsing
from quizzes.results.services import finish
from quizzes.web.templatetags.question_styles import question_styles
from quizzes.web.views import attempt as attempt_view
from tests.factories import create_bank, create_question, create_quiz, option_ids
from tests.forged_rows import overwrite
from tests.grading.cloze.questions import CONTENT, KEY
from tests.question_factory import publish_document
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db

FIELD = re.compile(r'<input type="hidden"\s+name="(idempotency_key|[rd]-\d+)"\s+value="([^"]*)"')


@pytest.fixture
def attempt(users, a_quiz) -> Attempt:
    return services.start(quiz=a_quiz.uuid, learner=users.learner, now=clock.now())


@pytest.fixture
def client(users):
    return logged_in_client(users.learner)


@pytest.fixture
def url(attempt) -> str:
    return reverse("attempt", args=[attempt.uuid])


def hidden(client, url) -> dict[str, str]:
    return dict(FIELD.findall(client.get(url).content.decode()))


def stands(attempt, learner):
    return [
        head.answer for head in load_attempt_view(attempt=attempt.uuid, learner=learner).responses
    ]


def test_the_form_saves_what_was_touched_and_nothing_else(client, url, users, attempt, questions):
    form = hidden(client, url) | {"q-1": option_ids(questions[1], "b")[0], "f-2": "1"}
    assert client.post(url, form)["Location"] == url
    responses = Response.objects.order_by("slot")
    assert [(response.slot, response.flagged) for response in responses] == [(1, False), (2, True)]
    assert stands(attempt, users.learner)[1] == {
        "chosen": option_ids(questions[1], "b"),
        "none_apply": False,
    }


def test_several_answers_and_none_are_read(client, url, attempt, questions, users):
    form = hidden(client, url) | {"q-0": option_ids(questions[0], "c", "a"), "q-1": ""}
    client.post(url, form)
    answers = stands(attempt, users.learner)
    assert answers[0] == {"chosen": option_ids(questions[0], "a", "c"), "none_apply": False}
    assert answers[1] is None
    assert Response.objects.count() == 1


def test_a_form_posted_twice_is_one_save(client, url, questions):
    form = hidden(client, url) | {"q-1": option_ids(questions[1], "b")[0]}
    client.post(url, form)
    again = client.post(url, form)
    assert again.status_code == 302
    assert Response.objects.count() == 1


def test_an_old_form_with_another_answer_is_no_repeat_but_a_conflict(client, url, questions):
    form = hidden(client, url)
    client.post(url, form | {"q-1": option_ids(questions[1], "b")[0]})
    response = client.post(url, form | {"q-1": option_ids(questions[1], "c")[0]})
    assert response.status_code == 409
    text = response.content.decode()
    assert "You had chosen: “Option c”" in text
    assert list(Response.objects.order_by("pk").values_list("status", flat=True)) == [
        SaveStatus.ACCEPTED,
        SaveStatus.CONFLICT,
    ]
    checked = re.findall(r'value="([^"]+)"\s+checked', text)
    assert option_ids(questions[1], "b")[0] in checked
    assert option_ids(questions[1], "c")[0] not in checked


def test_what_an_old_form_did_not_touch_is_left_alone(client, url, questions):
    old = hidden(client, url)
    client.post(url, old | {"q-1": option_ids(questions[1], "b")[0]})
    response = client.post(url, old | {"q-2": option_ids(questions[2], "a")[0]})
    assert response.status_code == 302
    assert not Response.objects.filter(status=SaveStatus.CONFLICT).exists()


def test_an_answer_can_be_taken_back_with_the_form(client, url, users, attempt, questions):
    client.post(url, hidden(client, url) | {"q-1": option_ids(questions[1], "b")[0]})
    client.post(url, hidden(client, url) | {"q-1": ""})
    assert stands(attempt, users.learner)[1] is None
    assert Response.objects.count() == 2


def test_the_buttons_lead_on(client, url, attempt, questions):
    form = hidden(client, url) | {"q-1": option_ids(questions[1], "b")[0]}
    review = client.post(url, form | {"action": "review"})
    assert review["Location"] == reverse("review", args=[attempt.uuid])
    assert Response.objects.count() == 1
    assert "1" in client.get(review["Location"]).content.decode()


def test_switching_language_keeps_the_answers_and_stays_here(client, url, users, questions):
    form = hidden(client, url) | {"q-1": option_ids(questions[1], "b")[0], "switch": "es"}
    response = client.post(url, form)
    assert response["Location"] == url
    assert response.cookies["language"].value == "es"
    page = client.get(url).content.decode()
    assert '<html lang="es"' in page
    assert "Opción b" in page
    assert Response.objects.get().language == "en"
    users.learner.refresh_from_db()
    assert users.learner.language == "es"


def test_a_language_that_we_do_not_have_changes_nothing(client, url):
    response = client.post(url, hidden(client, url) | {"switch": "xx"})
    assert response.status_code == 302
    assert "language" not in response.cookies


def test_one_unreadable_answer_does_not_hold_up_the_others(users, client):
    into = create_bank(users)
    questions = [
        create_question(into, "n", right="", options="ab", none_apply=True),
        create_question(into, "m"),
    ]
    quiz = create_quiz(users, questions, slug="none")
    attempt = services.start(quiz=quiz.uuid, learner=users.learner, now=clock.now())
    url = reverse("attempt", args=[attempt.uuid])
    form = hidden(client, url) | {
        "q-0": option_ids(questions[0], "a"),
        "q-0-none": "1",
        "q-1": option_ids(questions[1], "a"),
    }
    response = client.post(url, form)
    assert response.status_code == 409
    assert "exclude each other" in response.content.decode()
    assert Response.objects.get().slot == 1


@pytest.fixture
def gaps(users):
    """The address of an attempt at one text with three gaps."""
    texts = {"prompt": "[[1]] [[2]] [[3]]", "options": {"madrid": "M", "rome": "R"}}
    words = {"en": texts, "es": texts}
    document = QuestionDocument(
        kind="cloze", scoring_method="per_gap", content=CONTENT, key=KEY, words=words, feedback={}
    )
    quiz = create_quiz(users, [publish_document(create_bank(users), "gaps", document)], slug="gaps")
    attempt = services.start(quiz=quiz.uuid, learner=users.learner, now=clock.now())
    return reverse("attempt", args=[attempt.uuid])


FILLED = {"q-0-gaps-river-text": "Ebro", "q-0-gaps-pi-typed": "zero", "q-0-gaps-pi-page": "en"}


def invalid(text: str) -> list[str]:
    tags = re.findall(r"<(?:input|select)[^>]*>", text)
    return re.findall(r'data-answer="([^"]+)"', "".join(t for t in tags if 'invalid="true"' in t))


def test_gaps_that_can_be_read_are_saved_and_the_other_is_named_and_marked(client, gaps):
    response = client.post(gaps, hidden(client, gaps) | FILLED)
    text = response.content.decode()
    assert response.status_code == 409
    assert Response.objects.get().answer == {"gaps": {"river": {"text": "Ebro"}}}
    assert 'role="alert" data-error>Gap 3: This cannot be read as a number.' in text
    assert invalid(text) == ["gaps.pi.typed"]
    assert text.count('value="zero"') == 2  # what stands in it, and what stood in it
    assert 'value="Ebro"' in text


def test_a_form_sent_again_saves_nothing_anew_and_still_says_what_is_wrong(client, gaps):
    again = dict(FIELD.findall(client.post(gaps, hidden(client, gaps) | FILLED).content.decode()))
    response = client.post(gaps, again | FILLED)
    assert response.status_code == 409
    assert Response.objects.count() == 1
    mended = client.post(gaps, again | FILLED | {"q-0-gaps-pi-typed": "3.14"})
    assert mended.status_code == 302
    answer = Response.objects.order_by("pk")[1].answer or {}
    assert answer["gaps"]["pi"]["typed"] == "3.14"


def test_a_gap_that_cannot_be_read_beside_a_newer_answer_is_told_with_it(client, gaps):
    old = hidden(client, gaps)
    client.post(gaps, old | {"q-0-gaps-river-text": "Tajo"})
    response = client.post(gaps, old | FILLED)
    text = response.content.decode()
    assert response.status_code == 409
    assert "You had chosen: Gap 2: “Ebro”" in text
    assert "Gap 3: This cannot be read as a number." in text
    assert 'value="Tajo"' in text


def test_the_language_is_switched_with_what_cannot_be_read_in_its_place(client, gaps, users):
    response = client.post(gaps, hidden(client, gaps) | FILLED | {"switch": "es"})
    text = response.content.decode()
    assert response.status_code == 409
    assert response.cookies["language"].value == "es"
    assert '<html lang="es"' in text
    assert response["Content-Language"] == "es"
    assert "Hueco 3: Esto no" in text
    assert 'value="zero"' in text
    assert Response.objects.get().language == "en"
    users.learner.refresh_from_db()
    assert users.learner.language == "es"


def test_a_language_that_we_do_not_have_changes_nothing_of_an_error(client, gaps):
    response = client.post(gaps, hidden(client, gaps) | FILLED | {"switch": "xx"})
    assert '<html lang="en"' in response.content.decode()
    assert "language" not in response.cookies


@pytest.mark.parametrize(
    "nonsense",
    [
        {"q-1": "\x00"},
        {"q-1": "b" * 5000},
        {"r-1": "-5", "q-1": "x"},
        {"r-1": "９", "f-1": "1"},
        {"r-99": "0", "q-99": "x"},
        {"idempotency_key": "x"},
        {"action": "fly"},
    ],
)
def test_nonsense_breaks_nothing(client, url, nonsense):
    response = client.post(url, hidden(client, url) | nonsense)
    assert response.status_code in {302, 409}


def test_after_the_end_the_page_leads_to_the_result(client, url, attempt, questions):
    form = hidden(client, url) | {"q-1": option_ids(questions[1], "b")[0]}
    past = clock.now() - timedelta(minutes=1)
    overwrite(Attempt.objects.all(), deadline_at=past, cutoff_at=past)
    response = client.post(url, form, follow=True)
    assert response.redirect_chain[-1][0] == reverse("result", args=[attempt.uuid])
    assert "do not count" in response.content.decode()
    attempt.refresh_from_db()
    assert (attempt.state, attempt.submission_reason) == (State.GRADED, SubmissionReason.EXPIRED)
    assert Response.objects.get().status == SaveStatus.LATE
    for name in ("attempt", "review"):
        assert client.get(reverse(name, args=[attempt.uuid])).status_code == 302


def test_a_form_that_crosses_a_submit_says_that_it_came_too_late(
    client, url, attempt, questions, monkeypatch
):
    form = hidden(client, url) | {"q-1": option_ids(questions[1], "b")[0]}
    read = form_parsing.parse_attempt_form

    def crossed(*sent):
        finish(attempt=attempt.uuid, learner=attempt.learner, now=clock.now())
        return read(*sent)

    monkeypatch.setattr(attempt_view, "parse_attempt_form", crossed)
    response = client.post(url, form, follow=True)
    assert "do not count" in response.content.decode()
    assert Response.objects.get().status == SaveStatus.LATE


def test_submitting_any_number_of_times_gives_one_result(client, attempt):
    submit = reverse("submit", args=[attempt.uuid])
    answers = {client.post(submit)["Location"] for _ in range(3)}
    assert answers == {reverse("result", args=[attempt.uuid])}
    assert attempt.gradings.count() == 1


def test_submitting_a_void_attempt_says_that_it_was_annulled(client, attempt):
    Attempt.objects.update(state=State.VOID, void_reason="a fire alarm")
    response = client.post(reverse("submit", args=[attempt.uuid]), follow=True)
    assert response.status_code == 200
    assert "Voided" in response.content.decode()


def test_starting_twice_resumes(client, a_quiz, attempt, url):
    start = reverse("start", args=[a_quiz.slug])
    assert client.post(start)["Location"] == url
    assert client.post(start)["Location"] == url
    assert Attempt.objects.count() == 1


def test_where_the_rules_say_no_the_page_says_why(client, users, questions):
    quiz = create_quiz(users, questions, slug="once", max_attempts=1)
    start = reverse("start", args=[quiz.slug])
    taking = client.post(start)["Location"]
    client.post(f"{taking}submit")
    response = client.post(start, follow=True)
    assert response.redirect_chain[-1][0] == reverse("intro", args=["once"])
    assert "used all your attempts" in response.content.decode()
    assert Attempt.objects.filter(quiz=quiz).count() == 1


def test_the_page_has_the_styles_that_its_questions_need_and_no_others(client, url):
    sheets = re.findall(r"/([a-z]+)\.css", client.get(url).content.decode())
    assert "answers" in sheets
    assert {"cloze", "matching", "ordering", "code", "math"}.isdisjoint(sheets)


def test_all_that_holds_up_the_first_paint_is_fetched_in_one_round(client, url):
    """A browser keeps six connections to a server; a seventh file waits for a whole round trip."""
    page = client.get(url).content.decode()
    blocking = re.findall(r'<link rel="stylesheet"|<script src=', page)
    in_questions = question_styles("<code><math>").count("<link")
    assert len(blocking) + in_questions <= 6


@pytest.mark.parametrize(
    ("html", "sheet"),
    [
        ('<fieldset data-kind="cloze">', "cloze"),
        ('<fieldset data-kind="matching">', "matching"),
        ('<fieldset data-kind="ordering">', "ordering"),
        ("<p><code>x</code></p>", "code"),
        ("<math><mi>x</mi></math>", "math"),
        ("<table>", "math"),
    ],
)
def test_each_style_comes_with_what_it_is_for(html, sheet):
    assert re.findall(r"/([a-z]+)\.css", question_styles(html)) == [sheet]
