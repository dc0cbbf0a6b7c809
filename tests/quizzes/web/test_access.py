"""Every user at every page: who is let in, and that a stranger learns nothing by trying."""

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from quizzes.attempts import services
from quizzes.attempts.models import Attempt, Response
from quizzes.lib import clock
from quizzes.results.services import finish
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db

OWN = ["home", "history", "profile", "notifications", "devices", "tokens"]
OF_AN_ATTEMPT = ["attempt", "review", "result", "clock", "save", "submit"]
UNSAFE = {"save", "submit"}
TOKEN = "csrfmiddlewaretoken"


@pytest.fixture
def attempt(users, a_quiz) -> Attempt:
    return services.start(quiz=a_quiz.uuid, learner=users.learner, now=clock.now())


def ask(client, name, uuid):
    url = reverse(name, args=[uuid])
    if name == "save":
        body = f'{{"saves":[{{"slot":0,"answer":null,"idempotency_key":"{uuid4()}"}}]}}'
        return client.post(url, body, content_type="application/json")
    return client.post(url) if name in UNSAFE else client.get(url)


def bare(response) -> tuple[int, list[tuple[str, str]], str]:
    """What a stranger could compare, but for the token that differs each time."""
    text = response.content.decode()
    start = text.find(TOKEN)
    while start >= 0:
        end = text.index(">", start)
        text, start = text[:start] + text[end:], text.find(TOKEN, start + 1)
    return response.status_code, sorted(response.headers.items()), text


@pytest.mark.parametrize("name", OF_AN_ATTEMPT)
@pytest.mark.parametrize("who", ["other_learner", "outsider", "stranger"])
def test_a_foreign_attempt_is_not_there(users, attempt, name, who):
    client = logged_in_client(getattr(users, who))
    missing, foreign = ask(client, name, uuid4()), ask(client, name, attempt.uuid)
    assert foreign.status_code == 404
    assert len(bare(foreign)[2]) == len(bare(missing)[2])
    assert [key for key, _ in bare(foreign)[1]] == [key for key, _ in bare(missing)[1]]
    attempt.refresh_from_db()
    assert attempt.state == "open"
    assert Response.objects.count() == 0


@pytest.mark.parametrize("name", OF_AN_ATTEMPT)
def test_an_anonymous_visitor_is_asked_to_sign_in_whether_it_is_there_or_not(attempt, name):
    existing, unknown = ask(Client(), name, attempt.uuid), ask(Client(), name, uuid4())
    assert (
        existing.status_code == unknown.status_code == (401 if name in {"save", "clock"} else 302)
    )


@pytest.mark.parametrize("name", OWN)
def test_pages_of_ones_own_ask_to_sign_in_and_come_back(name):
    response = Client().get(reverse(name))
    assert response.status_code == 302
    assert response["Location"].endswith(f"?next={reverse(name)}")


@pytest.mark.parametrize(
    ("host", "name"), [("http://testserver", "review"), ("https://elsewhere.example", "home")]
)
def test_a_form_sent_signed_out_leads_back_to_the_page_it_stood_on(attempt, host, name):
    page = reverse("review", args=[attempt.uuid])
    url = reverse("submit", args=[attempt.uuid])
    response = Client().post(url, HTTP_REFERER=f"{host}{page}")
    assert response.status_code == 302
    assert response["Location"].endswith(f"?next={page if name == 'review' else reverse('home')}")


@pytest.mark.parametrize("who", ["learner", "other_learner", "instructor", "administrator"])
def test_a_quiz_given_to_a_class_is_open_to_it_and_those_who_teach_it(users, a_quiz, who):
    client = logged_in_client(getattr(users, who))
    status = client.get(reverse("intro", args=[a_quiz.slug])).status_code
    assert status == 200


@pytest.mark.parametrize("who", ["outsider", "stranger"])
def test_a_quiz_that_was_not_given_is_not_there(users, a_quiz, who):
    client = logged_in_client(getattr(users, who))
    for slug in (a_quiz.slug, "no-such-quiz"):
        assert client.get(reverse("intro", args=[slug])).status_code == 404
        assert client.post(reverse("start", args=[slug])).status_code == 404
    assert not Attempt.objects.exists()


def test_who_teaches_the_class_sees_the_result_and_nobody_else(users, attempt):
    finish(attempt=attempt.uuid, learner=users.learner, now=clock.now())
    url = reverse("result", args=[attempt.uuid])
    allowed = {"learner", "instructor", "administrator"}
    for who in ("learner", "other_learner", "instructor", "outsider", "administrator", "stranger"):
        status = logged_in_client(getattr(users, who)).get(url).status_code
        assert status == (200 if who in allowed else 404), who


def test_no_get_changes_a_row(users, attempt, counted):
    client = logged_in_client(users.learner)
    urls = [reverse(name) for name in OWN] + [reverse("intro", args=["quiz"])]
    urls += [
        reverse(name, args=[attempt.uuid]) for name in ("attempt", "review", "result", "clock")
    ]
    with counted() as statements:
        for url in urls:
            client.get(url)
    assert not [
        statement
        for statement in statements
        if not statement.lstrip(" (").startswith(("SELECT", "WITH"))
    ]


@pytest.mark.parametrize("name", ["save", "submit", "start", "language"])
def test_what_changes_something_wants_a_post_with_a_token(users, attempt, name):
    address = {"start": ["quiz"], "language": []}.get(name, [attempt.uuid])
    url = reverse(name, args=address)
    assert logged_in_client(users.learner).get(url).status_code == 405
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(users.learner)
    assert strict.post(url).status_code == 403


def test_every_page_of_a_person_is_kept_out_of_caches(users, attempt):
    client = logged_in_client(users.learner)
    urls = [reverse(name) for name in OWN] + [reverse("intro", args=["quiz"])]
    urls += [reverse(name, args=[attempt.uuid]) for name in OF_AN_ATTEMPT]
    for url in [*urls, "/nowhere/"]:
        assert "no-store" in client.get(url)["Cache-Control"], url
