"""The ledger of `./dev chaos` sees each way to break a promise."""

from dataclasses import replace
from uuid import UUID, uuid4

import pytest

from tools.faults.journal import Entry
from tools.faults.learners import Learner
from tools.faults.ledger import build_ledger

ATTEMPT = uuid4()


@pytest.fixture
def learner() -> Learner:
    learner = Learner("session", 1)
    for number in range(3):
        key = UUID(int=number)
        learner.sent[key] = {"slot": number, "answer": {"chosen": ["a", "b"]}}
        learner.acknowledged.add(key)
    return learner


@pytest.fixture
def journal(learner) -> list[Entry]:
    return [
        Entry(ATTEMPT, key, body["slot"], 1, "accepted", {"chosen": ["b", "a"]})
        for key, body in learner.sent.items()
    ]


def test_what_was_acknowledged_and_is_stored_is_whole(learner, journal):
    ledger = build_ledger([learner], journal)
    assert ledger.is_whole
    assert ledger.acknowledged == 3


def test_what_was_sent_and_never_acknowledged_may_be_missing(learner, journal):
    learner.acknowledged.discard(journal[0].operation)
    assert build_ledger([learner], journal[1:]).is_whole


@pytest.mark.parametrize(
    ("fault", "change"),
    [
        ("lost", lambda entries: entries[1:]),
        ("altered", lambda entries: [replace(entries[0], answer={"chosen": []}), *entries[1:]]),
        ("altered", lambda entries: [replace(entries[0], slot=9), *entries[1:]]),
        ("altered", lambda entries: [replace(entries[0], status="late"), *entries[1:]]),
        ("phantom", lambda entries: [*entries, replace(entries[0], operation=uuid4())]),
        ("twice", lambda entries: [*entries, entries[0]]),
    ],
)
def test_every_broken_promise_is_counted(learner, journal, fault, change):
    ledger = build_ledger([learner], change(journal))
    assert getattr(ledger, fault) == 1
    assert not ledger.is_whole
