"""Pairs of a bank over REST: listed, merged as they were seen, kept apart, and remembered."""

import pytest

from quizzes.audit.models import AuditEvent
from quizzes.bank.models import BankRight, BankShare, Question
from quizzes.imports import importer
from tests.factories import NOW, create_bank
from tests.quizzes.api.programs import program
from tests.quizzes.matching.quiz import english, spanish

pytestmark = pytest.mark.django_db


@pytest.fixture
def bank(users):
    bank = create_bank(users)
    for parcel in (english(), spanish()):
        importer.run_import(bank=bank, parsed_file=parcel, by=None, now=NOW)
    return bank


@pytest.fixture
def author(users):
    return program(users.instructor, "authoring")


def address(bank, suffix: str = "") -> str:
    return f"banks/{bank.uuid}/language-matches{suffix}"


def find_pair(client, bank, absorb: str = "que-volcan"):
    items = client.get(address(bank)).json()["items"]
    return next(pair for pair in items if pair["absorb"]["name"] == absorb)


def answer(pair, **more):
    return {
        "keep": pair["keep"]["id"],
        "absorb": pair["absorb"]["id"],
        "same": True,
        "keep_revision": pair["keep"]["revision"],
        "absorb_revision": pair["absorb"]["revision"],
        "rows": pair["rows"],
        **more,
    }


def test_pairs_are_listed_with_how_sure_why_and_both_texts(users, author, bank):
    page = author.get(address(bank), lang="en").json()
    percents = [pair["percent"] for pair in page["items"]]
    assert percents == sorted(percents, reverse=True)
    pair = find_pair(author, bank)
    assert (pair["keep"]["name"], pair["keep"]["language"]) == ("volcano", "en")
    assert "1883" in " ".join(reason["message"] for reason in pair["reasons"])
    assert any(options["existing"]["correct"] for options in pair["options"])
    assert AuditEvent.objects.filter(code="keys_viewed", actor=users.instructor.uuid).count() == 1
    items: list[object] = []
    cursor = None
    while True:
        part = author.get(address(bank), limit=1, **({"cursor": cursor} if cursor else {})).json()
        items, cursor = [*items, *part["items"]], part["cursor"]
        if part["next"] is None:
            break
    assert items == page["items"]


def test_a_pair_is_merged_as_it_was_seen_and_is_none_any_more(author, bank):
    pair = find_pair(author, bank)
    stale = author.post(address(bank), answer(pair, keep_revision=77))
    assert (stale.status_code, stale.json()["code"]) == (409, "draft_changed")
    unsaid = {name: value for name, value in answer(pair).items() if name != "absorb_revision"}
    refused = author.post(address(bank), unsaid)
    assert refused.json()["errors"] == [{"where": "absorb_revision", "code": "required"}]
    merged = author.post(address(bank), answer(pair))
    assert (merged.status_code, merged.json()) == (
        200,
        {"question": pair["keep"]["id"], "is_merged": True},
    )
    absorbed = Question.objects.get(uuid=pair["absorb"]["id"])
    assert absorbed.merged_into == Question.objects.get(uuid=pair["keep"]["id"])
    assert absorbed.retired_at is not None
    names = [other["absorb"]["name"] for other in author.get(address(bank)).json()["items"]]
    assert "que-volcan" not in names
    again = author.post(address(bank), answer(pair))
    assert (again.status_code, again.json()["code"]) == (409, "match_gone")
    decisions = author.get(address(bank, "/decisions")).json()["items"]
    assert {(row["question_name"], row["other_name"], row["same"]) for row in decisions} == {
        ("volcano", "que-volcan", True)
    }


def test_rows_that_are_paired_twice_are_refused(author, bank):
    pair = find_pair(author, bank)
    target = next(iter(pair["rows"].values()))
    refused = author.post(address(bank), answer(pair, rows=dict.fromkeys(pair["rows"], target)))
    assert (refused.status_code, refused.json()["code"]) == (422, "row_paired_twice")


def test_two_that_are_kept_apart_are_not_listed_again(author, bank):
    pair = find_pair(author, bank)
    apart = author.post(address(bank), answer(pair, same=False))
    assert apart.json() == {"question": pair["keep"]["id"], "is_merged": False}
    names = [other["absorb"]["name"] for other in author.get(address(bank)).json()["items"]]
    assert "que-volcan" not in names
    (decision,) = author.get(address(bank, "/decisions")).json()["items"]
    assert (decision["same"], decision["decided_by"]) == (False, "Instructor")


def test_a_bank_too_large_to_compare_says_so(author, bank, monkeypatch):
    monkeypatch.setattr("quizzes.matching.merge.MAX_QUESTIONS", 1)
    refused = author.get(address(bank))
    assert (refused.status_code, refused.json()["code"]) == (409, "too_many_questions")


def test_who_may_use_the_bank_reads_and_decides_nothing(users, author, bank):
    pair = find_pair(author, bank)
    BankShare.objects.create(bank=bank, person=users.outsider, right=BankRight.USE)
    reader = program(users.outsider)
    assert reader.get(address(bank)).json()["items"]
    assert reader.post(address(bank), answer(pair)).status_code == 404
    assert program(users.learner).get(address(bank)).status_code == 404
    assert program(users.learner).get(address(bank, "/decisions")).status_code == 404
    foreign = create_bank(users, "foreign")
    assert author.post(address(foreign), answer(pair)).status_code == 404
