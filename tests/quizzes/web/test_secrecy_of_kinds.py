"""Until reveal, two quizzes that differ only in key and feedback look alike, whatever the kind.

At both doors: unanswered, answered by scripts and by forms, reloaded, submitted.
"""

import json
from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid5

import pytest
from django.urls import reverse

from grading.kinds import KINDS as KINDS_BY_NAME
from grading.schema import HINTS
from quizzes.publishing.models import RevealMoment
from tests.browser_forms import form_values
from tests.factories import create_bank, create_quiz
from tests.question_factory import Sample, document, other_key, publish_document, samples
from tests.quizzes.api.programs import Program, program
from tests.quizzes.api.test_secrecy import neutral
from tests.quizzes.web.test_secrecy import alone_with, masked
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db

SAMPLES = samples()
KINDS = list(dict.fromkeys(sample.kind for sample in SAMPLES))
FILLER = SAMPLES[0]  # a quiz of cards alone could earn nothing, and cannot be published
REVEALED = ("score", "correctness", "feedback", "hints", "key", "explanation")
ALL = 99
JSON = "application/json"
GARBLED = "\N{SNOWMAN}"


@pytest.fixture(autouse=True)
def _still(monkeypatch):
    """Draw without chance, so that whatever differs comes from the key."""
    monkeypatch.setattr("secrets.token_hex", lambda n: "0" * n)
    order = "quizzes.publishing.blueprint.shuffle_unpinned"
    monkeypatch.setattr(order, lambda parts, _: tuple(part[0] for part in reversed(parts)))


def asked_of(kind: str) -> list[Sample]:
    return [FILLER, *(sample for sample in SAMPLES if sample.kind == kind)]


def test_another_key_is_found_for_every_kind_that_has_one():
    for sample in SAMPLES:
        assert (other_key(sample) != sample.key) == bool(sample.key), sample


def twin(users, kind: str, number: int, moment: str = RevealMoment.NEVER) -> tuple[Any, Any]:
    """One of two quizzes: each with its own key and feedback, for a learner of its own."""
    name = ("one", "two")[number]
    into = create_bank(users, name)
    words = "Whispered" if number else "Whispered there, and at greater length:"
    keys = [other_key(sample) if number else sample.key for sample in asked_of(kind)]
    questions = [
        publish_document(into, f"question-{slot}", document(sample, key, words))
        for slot, (sample, key) in enumerate(zip(asked_of(kind), keys, strict=True))
    ]
    quiz = create_quiz(
        users, questions, slug=name, **{f"reveal_{what}": moment for what in REVEALED}
    )
    return quiz, alone_with(quiz, number)


def raws(kind: str, most: int) -> Iterator[tuple[int, Any]]:
    """Give answers of the examples, so many at most to a question; the last may be unreadable."""
    for slot, sample in enumerate(asked_of(kind)):
        for raw in [*sample.raws[: most - 1], sample.raws[-1]]:
            yield slot, raw


def operation(number: int, door: str) -> str:
    return str(uuid5(UUID(int=number), door))


def by_page(
    kind: str, quiz: Any, learner: Any, language: str = "en", most: int = 2
) -> Iterator[Any]:
    """Everything that a person meets, from the intro to a result that tells nothing."""
    client = logged_in_client(learner)
    client.cookies["language"] = language
    yield masked(client.get(reverse("intro", args=[quiz.slug])))
    url = client.post(reverse("start", args=[quiz.slug]))["Location"]
    yield masked(client.get(url))
    for number, (slot, raw) in enumerate(raws(kind, most)):
        save = {"slot": slot, "answer": raw, "idempotency_key": operation(number, "page")}
        yield masked(client.post(f"{url}save", json.dumps({"saves": [save]}), content_type=JSON))
    yield masked(client.get(url))
    form = form_values(client.get(url), "idempotency_key") | {
        "idempotency_key": operation(0, "form")
    }
    touched = {name: GARBLED for name in form if name.startswith("q-")}
    for sent in (form | touched, form | dict.fromkeys(touched, "")):
        yield masked(client.post(url, sent))
        yield masked(client.get(url))
    for address in (f"{url}review", "/", "/attempts/", f"{url}clock"):
        yield masked(client.get(address))
    client.post(f"{url}submit")
    for address in (f"{url}result", "/", "/attempts/"):
        yield masked(client.get(address))


def by_program(kind: str, quiz: Any, learner: Any) -> Iterator[Any]:
    """Everything that a program meets."""
    client: Program = program(learner, "read", "attempt")
    started = client.post("attempts", {"quiz": str(quiz.uuid)})
    attempt = started.json()["id"]
    yield from (
        client.get(f"quizzes/{quiz.uuid}"),
        client.get(f"quiz-versions/{quiz.current.uuid}"),
        started,
    )
    for number, (slot, raw) in enumerate(raws(kind, ALL)):
        sent = {"slot": slot, "answer": raw, "idempotency_key": operation(number, "program")}
        yield client.post(f"attempts/{attempt}/responses", {"responses": [sent]})
    for path in (f"attempts/{attempt}", f"results/{attempt}", "attempts"):
        yield from (client.get(path), client.get(path, lang="es"))
    yield client.post(f"attempts/{attempt}/submit")
    for path in (f"attempts/{attempt}", f"results/{attempt}", "results", "quiz-grades"):
        yield client.get(path)


@pytest.mark.parametrize(("language", "most"), [("en", ALL), ("es", 2)])
@pytest.mark.parametrize("kind", KINDS)
def test_no_page_tells_anything_of_key_or_feedback(users, kind, language, most):
    walks = [list(by_page(kind, *twin(users, kind, number), language, most)) for number in (0, 1)]
    for first, other in zip(*walks, strict=True):
        assert first == other
        assert "Whispered" not in first[2]


@pytest.mark.parametrize("kind", KINDS)
def test_no_program_learns_anything_of_key_or_feedback(users, kind):
    walks = [list(by_program(kind, *twin(users, kind, number))) for number in (0, 1)]
    for first, other in zip(*walks, strict=True):
        assert told(first) == told(other)
        assert "Whispered" not in told(first)


@pytest.mark.parametrize("kind", KINDS)
def test_hints_and_what_may_come_early_tell_nothing_of_the_key(users, kind):
    """Of questions that differ in the key alone, where nothing says what is right."""
    answers = []
    for number in (0, 1):
        quiz, learner = twin_with_hints(users, kind, number)
        *_, result, _home, _history = by_page(kind, quiz, learner)
        program_result = program(learner, "read").get(f"results/{learner.attempts.get().uuid}")
        answers.append((result, told(program_result)))
    assert answers[0] == answers[1]
    assert all("Whispered" in str(answer) for answer in answers[0])


def twin_with_hints(users, kind: str, number: int) -> tuple[Any, Any]:
    name = ("one", "two")[number]
    into, questions = create_bank(users, name), []
    for slot, sample in enumerate(asked_of(kind)):
        schema = KINDS_BY_NAME[sample.kind].schema
        early: dict[str, Any] = {
            field.name: True for field in schema.fields if field.about_feedback
        }
        if HINTS in schema.tables:
            early[HINTS.name] = [{"id": "hint-one"}, {"id": "hint-two"}]
        key = {**(other_key(sample) if number else sample.key), **early}
        item = document(sample, key, "Whispered")
        questions.append(publish_document(into, f"question-{slot}", item))
    moments = {f"reveal_{what}": RevealMoment.NEVER for what in REVEALED}
    quiz = create_quiz(
        users, questions, slug=name, **{**moments, "reveal_hints": RevealMoment.AFTER_SUBMIT}
    )
    return quiz, alone_with(quiz, number)


@pytest.mark.parametrize("kind", KINDS)
def test_once_everything_is_revealed_the_two_differ(users, kind):
    results = []
    for number in (0, 1):
        quiz, learner = twin(users, kind, number, RevealMoment.AFTER_SUBMIT)
        *_, result, _home, _history = by_page(kind, quiz, learner)
        results.append(result)
        assert "Whispered" in result[2]
    assert results[0] != results[1]


def told(answer: Any) -> str:
    """Return an answer without ids, times and cursors, which may be of another length."""
    headers = sorted(header for header in answer.items() if header[0] != "Content-Length")
    text = f"{answer.status_code} {headers} {answer.content.decode()}"
    return str(neutral(text.replace('"two"', '"one"')))
