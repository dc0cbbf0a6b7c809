"""The canonical form, digests, and chains of them."""

import hashlib
import json
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.lib import hash_chain
from quizzes.lib.hash_chain import ChainReader, chain_digest, to_canonical_json

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abcé"), inner, max_size=4),
    max_leaves=12,
)


def test_the_canonical_form_is_that_of_rfc_8785_for_whole_numbers():
    document = {"peach": "€ñ", "apple": [1, None, True, '\u001f\n"\\/'], "": {"b": 2, "a": -1}}
    assert to_canonical_json(document).decode() == (
        '{"":{"a":-1,"b":2},"apple":[1,null,true,"\\u001f\\n\\"\\\\/"],"peach":"€ñ"}'
    )


@given(JSON)
def test_the_canonical_form_survives_being_stored_as_json(document):
    stored = json.loads(json.dumps(document))
    assert to_canonical_json(stored) == to_canonical_json(document)


def test_a_salted_digest_is_sha_256_over_salt_and_canonical_form():
    salt = hash_chain.make_salt()
    assert len(salt) == hash_chain.SALT_BYTES
    assert salt != hash_chain.make_salt()
    expected = hashlib.sha256(salt + b'{"chosen":["a"]}').digest()
    assert hash_chain.compute_salted_digest(salt, {"chosen": ["a"]}) == expected


def test_times_are_written_in_utc_and_read_back():
    moment = datetime(2026, 11, 22, 18, 0, tzinfo=timezone(timedelta(hours=2)))
    assert hash_chain.format_time(moment) == "2026-11-22T16:00:00.000000Z"
    assert hash_chain.parse_time("2026-11-22T16:00:00.000000Z") == moment.astimezone(UTC)
    with pytest.raises(ValueError, match="does not match"):
        hash_chain.parse_time("2026-11-22")


ROWS = [{"text": "a"}, {"text": "b"}, {"text": "c"}]


def digests(rows=ROWS):
    chained, previous = [], hash_chain.START
    for row in rows:
        previous = chain_digest(previous, row)
        chained.append(previous)
    return chained


def read(rows, stored, places=(1, 2, 3)):
    chain = ChainReader()
    differences = [chain.read(*row) for row in zip(places, stored, rows, strict=True)]
    return [[place for place, _stored, _computed in of_row] for of_row in differences]


def test_a_chain_as_it_was_written_has_no_difference():
    assert read(ROWS, digests()) == [[], [], []]


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_changed_row_is_the_one_that_differs(place):
    rows = [*ROWS[:place], {"text": "forged"}, *ROWS[place + 1 :]]
    assert read(rows, digests()) == [["digest"] if n == place else [] for n in range(3)]


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_changed_digest_is_one_difference_and_not_two(place):
    stored = digests()
    stored[place] = bytes(32)
    assert read(ROWS, stored) == [["digest"] if n == place else [] for n in range(3)]


def test_a_missing_row_is_told_where_the_next_one_is():
    rows = [ROWS[0], ROWS[2]]
    assert read(rows, [digests()[0], digests()[2]], (1, 3)) == [[], ["place in the chain"]]


def test_two_rows_exchanged_are_both_told():
    rows = [ROWS[1], ROWS[0], ROWS[2]]
    assert read(rows, digests())[:2] == [["digest"], ["digest"]]
