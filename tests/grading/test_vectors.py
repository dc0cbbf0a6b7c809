"""The credit of every way to answer, from a table of our own and from the shared one if present."""

from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

from grading.kinds import KINDS
from tests.grading.examples import TABLES, load, ratios, vectors

multiple_choice: Any = KINDS["multiple_choice"]


def own_table():
    table = load(TABLES / "multiple_choice.json")
    for question in table["questions"]:
        for chosen, scores in question["scores"].items():
            expected = dict(
                zip(table["scoring_methods"], map(Fraction, scores.split()), strict=True)
            )
            yield (question["options"], question["right"], chosen), expected


def shared_table():
    for case in vectors("multiple_choice.json"):
        row = tuple("".join(case[part]) for part in ("options", "key", "chosen"))
        yield row, ratios(case["expected"])


OWN = dict(own_table())
SHARED = dict(shared_table())
ROWS = [
    pytest.param(row, expected, id="-".join((name, *row)))
    for name, table in (("own", OWN), ("shared", SHARED))
    for row, expected in table.items()
]


@pytest.mark.parametrize("offered", [True, False], ids=["none-offered", "options-alone"])
@pytest.mark.parametrize(("row", "expected"), ROWS)
def test_an_answer_earns_what_the_tables_say(row, expected, offered):
    options, right, chosen = row
    content = {"options": [{"id": id_} for id_ in options], "none_apply": offered}
    answer = multiple_choice.parse(content, {"chosen": list(chosen)})
    key = {"right": list(right)}
    scores = {name: multiple_choice.score(content, key, answer, name) for name in expected}
    assert {name: score.credit for name, score in scores.items()} == expected


def test_our_table_says_whatever_the_shared_one_says():
    assert {row: OWN.get(row) for row in SHARED} == SHARED


@pytest.mark.parametrize(
    ("options", "right"),
    [("ABCDE", "ABC"), ("ABCD", "AC"), ("ABCD", "ABCD"), ("ABC", "B"), ("AB", "A"), ("AB", "AB")],
)
def test_our_table_holds_every_way_to_choose(options, right):
    sizes = range(1, len(options) + 1)
    ways = {"".join(way) for size in sizes for way in combinations(options, size)}
    assert {row[2] for row in OWN if row[:2] == (options, right)} == ways


def test_our_table_holds_every_scoring_method_that_counts():
    counting = frozenset(multiple_choice.scoring_methods) - {"option_weights"}
    assert {frozenset(expected) for expected in OWN.values()} == {counting}
