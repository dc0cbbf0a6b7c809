"""Until reveal, nothing that leaves the server tells anything of key or feedback."""

import json
import re
from uuid import UUID, uuid5

import pytest
from django.urls import reverse

from accounts.models import Group, Membership
from quizzes.attempts import services
from quizzes.bank import selectors as bank_selectors
from quizzes.bank import services as bank_services
from quizzes.bank.models import Bank, Question
from quizzes.lib import clock
from quizzes.presentation import question_rendering
from tests.factories import (
    NOW,
    choice_document,
    create_bank,
    create_question,
    create_quiz,
    option_ids,
)
from tests.users import create_user, logged_in_client

pytestmark = pytest.mark.django_db

UUIDS = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
RANDOM = [
    # Digests of receipts: over salts, ids, times and answers, never over a key.
    re.compile(r"\b[0-9a-f]{64}\b"),
    re.compile(r"(?<=>)[0-9a-f]{12}(?=</code>)"),
    re.compile(r'name="csrfmiddlewaretoken"\s+value="[^"]+"'),
    re.compile(r'name="d-\d+"\s+value="[^"]+"'),  # a print of one's own answer, ids included
    re.compile(r'"at": "[^"]+"'),
    re.compile(r"\d\d:\d\d(:\d\d(\.\d+)?)?"),
    re.compile(r"/quizzes/[a-z-]+/"),
    re.compile(r"alone\d@example.org"),
    re.compile(r"(one|two)-(many|single)"),  # the names of the questions stand in their prompts
]
SECRET_TABLES = ("bank_versionkey", "bank_versionfeedback")


def twin(into: Bank, name: str, right: str, **content) -> Question:
    """The same question to look at, with another key and other feedback."""
    question = create_question(into, name, right=right, **content)
    ids = bank_services.option_ids(question=question, names="abcd", by=None)
    kind = content.get("kind", "multiple_choice")
    item = choice_document(ids, right=right, kind=kind, scoring_method="", name="twin")
    fields = {
        language: {
            "options": {id_: f"{name} {right} {id_}" * len(right) for id_ in ids.values()},
            "explanation": f"only here: {name} {right}",
        }
        for language in ("en", "es")
    }
    item = type(item)(**{**item.to_json(), "feedback": fields})
    bank_services.save_draft(question=question, item=item, revision=None, by=None)
    bank_services.publish(question=question, by=None, now=NOW)
    question.refresh_from_db()
    return question


@pytest.fixture
def twins(users):
    """Two quizzes that differ only in key and feedback."""
    return create_twins(users)


@pytest.fixture
def locking_twins(users):
    """The same, one question a page, which locks once it is left, on one device at a time."""
    return create_twins(users, one_question_a_page=True, lock_questions=True, one_device=True)


def create_twins(users, **rules):
    into = create_bank(users)
    pairs = []
    for slug, many, single in (("one", "ab", "b"), ("two", "d", "a")):
        questions = [twin(into, f"{slug}-many", many)]
        questions.append(twin(into, f"{slug}-single", single, kind="single_choice"))
        quiz = create_quiz(users, questions, slug=slug, shuffle_options=False, **rules)
        pairs.append((quiz, questions))
    return pairs


def mask(text: str) -> str:
    """Return a text without what differs between any two attempts."""
    seen: dict[str, str] = {}
    text = UUIDS.sub(lambda match: seen.setdefault(match[0], f"id-{len(seen)}"), text)
    for pattern in RANDOM:
        text = pattern.sub("?", text)
    return text


def masked(response) -> tuple[int, dict[str, str], str]:
    text = mask(response.content.decode())
    headers = {
        name: value
        for name, value in response.headers.items()
        if name not in {"Location", "Set-Cookie"}
    }
    headers.pop("Content-Length", None)  # csrf tokens and times are of one length: the text tells
    return response.status_code, headers, text


def walk(client, quiz, questions):
    """Everything a learner meets from the intro to the last look; yields masked answers."""
    yield masked(client.get(reverse("intro", args=[quiz.slug])))
    url = client.post(reverse("start", args=[quiz.slug]))["Location"]
    yield masked(client.get(url))
    for slot, letter in ((0, "a"), (0, "d"), (1, "b")):
        save = {
            "slot": slot,
            "answer": {"chosen": option_ids(questions[slot], letter)},
            "idempotency_key": str(uuid5(UUID(int=slot), letter)),
        }
        body = json.dumps({"saves": [save]})
        yield masked(client.post(f"{url}save", body, content_type="application/json"))
        yield masked(client.get(url))
    bad = {"slot": 0, "answer": {"chosen": ["x"]}, "idempotency_key": str(UUID(int=5))}
    body = json.dumps({"saves": [bad]})
    yield masked(client.post(f"{url}save", body, content_type="application/json"))
    for address in (url, f"{url}review", "/", "/attempts/", f"{url}clock"):
        yield masked(client.get(address))
    for address in ("/sw.js", "/offline", "/manifest-en.webmanifest"):
        yield masked(client.get(address))


@pytest.mark.parametrize("language", ["en", "es"])
def test_two_quizzes_that_differ_in_key_and_feedback_look_the_same(users, twins, language):
    walks = []
    for number, (quiz, questions) in enumerate(twins):
        learner = alone_with(quiz, number)
        client = logged_in_client(learner)
        client.cookies["language"] = language
        walks.append(list(walk(client, quiz, questions)))
    for first, other in zip(*walks, strict=True):
        assert first == other


def walk_forward(client, elsewhere, quiz, questions):
    """Answer, leave a question and answer it again, here and on another device."""
    yield masked(client.get(reverse("intro", args=[quiz.slug])))
    url = client.post(reverse("start", args=[quiz.slug]))["Location"]
    yield masked(client.get(url))
    chosen = option_ids(questions[0], "a")
    yield masked(client.post(url, {"r-0": "0", "q-0": chosen, "leave": "0"}, follow=True))
    for number, browser in enumerate((client, elsewhere, client)):
        yield masked(browser.get(url))
        for slot in (0, 1):
            save = {
                "slot": slot,
                "answer": {"chosen": option_ids(questions[slot], "b")},
                "idempotency_key": str(uuid5(UUID(int=slot), str(number))),
            }
            body = json.dumps({"saves": [save]})
            yield masked(browser.post(f"{url}save", body, content_type="application/json"))
        yield masked(browser.post(url, {"r-0": "0", "q-0": chosen, "leave": "0"}, follow=True))
        for address in (f"{url}review", f"{url}clock"):
            yield masked(browser.get(address))


@pytest.mark.parametrize("language", ["en", "es"])
def test_where_questions_lock_on_one_device_they_look_the_same(users, locking_twins, language):
    walks = []
    for number, (quiz, questions) in enumerate(locking_twins):
        learner = alone_with(quiz, number)
        client, elsewhere = logged_in_client(learner), logged_in_client(learner)
        client.cookies["language"] = elsewhere.cookies["language"] = language
        walks.append(list(walk_forward(client, elsewhere, quiz, questions)))
    for first, other in zip(*walks, strict=True):
        assert first == other
    texts = " ".join(text for _, _, text in walks[0])
    assert '"status": "locked"' in texts
    assert {status for status, *_ in walks[0]} > {200}


def alone_with(quiz, number):
    """A learner in a class of their own, to which this quiz alone is given."""
    learner = create_user(f"alone{number}")
    learner.name = "Alone"
    learner.save()
    quiz.assignments.all().delete()
    group = Group.objects.create(name=f"Class {number}")
    Membership.objects.create(group=group, user=learner)
    quiz.assignments.create(group=group)
    return learner


def test_no_statement_of_an_open_attempt_touches_key_or_feedback(users, twins, counted):
    quiz, questions = twins[0]
    client = logged_in_client(users.learner)
    bank_selectors._public_versions.clear()
    question_rendering._questions.clear()
    with counted() as statements:
        list(walk(client, quiz, questions))
    assert statements
    assert not [
        statement for statement in statements for table in SECRET_TABLES if table in statement
    ]
    assert not bank_selectors._keys_and_feedback._cache


def test_feedback_appears_only_once_the_attempt_is_graded(users, twins):
    quiz, questions = twins[0]
    client = logged_in_client(users.learner)
    attempt = services.start(quiz=quiz.uuid, learner=users.learner, now=clock.now())
    url = reverse("attempt", args=[attempt.uuid])
    assert "only here" not in client.get(url).content.decode()
    assert client.get(f"{url}result").status_code == 302
    client.post(f"{url}submit")
    text = client.get(f"{url}result").content.decode()
    assert "only here" not in text  # explanations wait for the last attempt or a pass
    assert questions[0].name not in text
