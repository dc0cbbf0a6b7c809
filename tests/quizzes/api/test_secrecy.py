"""Until reveal, two quizzes that differ only in key and feedback are the same to every byte."""

import re

import pytest

from quizzes.bank import selectors
from quizzes.bank.models import VersionFeedback, VersionKey
from quizzes.lib import clock
from tests.factories import create_bank, create_question, create_quiz, option_ids
from tests.quizzes.api.programs import ROOT, Program, program, token

pytestmark = pytest.mark.django_db

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z")
CURSOR = re.compile(r'(?<="cursor":")[\w-]+')  # holds an id and a time, coded
# Digests of an id, of how often it was written to, and of the body that is compared anyway.
DIGEST = re.compile(r"\b[0-9a-f]{64}\b")
SIGNATURE = re.compile(r'"signature":"[\w-]{86}"')
ETAG = re.compile(r"[0-9a-f]{16}-[0-9a-f]{16}")


@pytest.fixture
def _still(monkeypatch):
    """Draw without chance, so that whatever differs comes from the key."""
    monkeypatch.setattr("secrets.token_hex", lambda n: "0" * n)
    monkeypatch.setattr(
        "quizzes.publishing.blueprint.shuffle_unpinned", lambda parts, _: tuple(p[0] for p in parts)
    )
    monkeypatch.setattr("quizzes.publishing.blueprint.shuffle_ids", lambda ids, _: tuple(ids))


@pytest.fixture
def twin(users):
    """Another learner of the same name, as no two attempts at once may be one person's."""
    users.other_learner.name = users.learner.name
    users.other_learner.save()
    return users.other_learner


def neutral(text):
    """Name ids by their order of appearance, and times not at all."""
    seen: dict[str, str] = {}
    named = UUID.sub(lambda m: seen.setdefault(m[0], f"id-{len(seen)}"), text)
    # Digests are over salts, ids, times and answers, and signatures over digests: never over a key.
    named = SIGNATURE.sub("signature", DIGEST.sub("digest", named))
    return ETAG.sub("etag", CURSOR.sub("cursor", TIME.sub("time", named)))


def told(users, right, who, **policies):
    """Everything the API says of a quiz and an attempt at it; each time in a world of its own."""
    into = create_bank(users, f"bank-{right}")
    questions = [
        create_question(into, "many", right=right, options="abcd"),
        create_question(into, "one", right=right[0], options="abcd", kind="single_choice"),
    ]
    exam = create_quiz(users, questions, slug=f"exam-{right}", **policies)
    assert exam.current is not None
    client = program(who, "read", "attempt")
    started = client.post("attempts", {"quiz": str(exam.uuid)})
    attempt = started.json()
    answers = [
        client.get(f"quizzes/{exam.uuid}"),
        client.get(f"quiz-versions/{exam.current.uuid}"),
        started,
        client.save(
            attempt, [(0, option_ids(questions[0], "a", "c")), (1, option_ids(questions[1], "b"))]
        ),
        client.save(attempt, [(0, ["nonsense"])]),
        client.get(f"attempts/{attempt['id']}", lang="es"),
        client.get(f"results/{attempt['id']}"),
        client.submit(attempt),
        client.get(f"attempts/{attempt['id']}"),
        client.get(f"results/{attempt['id']}"),
        client.get("results", quiz=str(exam.uuid)),
        client.get("quiz-grades"),
    ]
    text = [f"{a.status_code} {list_headers(a)} {a.content.decode()}" for a in answers]
    return [neutral(line.replace(f"exam-{right}", "exam")) for line in text]


def list_headers(answer):
    """The headers; a cursor is as long as the number of the change that it holds."""
    has_cursor = b'"cursor":"' in answer.content
    return sorted((n, v) for n, v in answer.items() if n != "Content-Length" or not has_cursor)


HIDDEN = {
    f"reveal_{what}": "never"
    for what in ("score", "correctness", "feedback", "hints", "key", "explanation")
}


@pytest.mark.usefixtures("_still")
def test_key_and_feedback_change_no_byte_of_what_is_hidden(users, twin):
    first = told(users, "ab", users.learner, **HIDDEN)
    second = told(users, "cd", twin, **HIDDEN)
    for left, other in zip(first, second, strict=True):
        assert left == other


@pytest.mark.usefixtures("_still")
def test_once_revealed_they_do_differ(users, twin):
    first, second = told(users, "ab", users.learner), told(users, "cd", twin)
    assert first[:7] == second[:7]
    assert first[9] != second[9]


def test_no_path_of_an_open_attempt_reads_key_or_feedback(
    users, a_quiz, questions, django_assert_num_queries, monkeypatch
):
    def forbidden(*_, **__):
        raise AssertionError("a key was read")

    monkeypatch.setattr(selectors, "_load_secrets", forbidden)
    monkeypatch.setattr(VersionKey.objects, "filter", forbidden, raising=False)
    monkeypatch.setattr(VersionFeedback.objects, "filter", forbidden, raising=False)
    client = Program(token(users.learner))
    attempt = client.start(a_quiz)
    assert client.save(attempt, [(0, option_ids(questions[0], "a"))]).status_code == 200
    for path in (f"attempts/{attempt['id']}", "attempts", "quizzes", f"quizzes/{a_quiz.uuid}"):
        assert client.client.get(f"{ROOT}{path}").status_code == 200
    assert clock.now() is not None
