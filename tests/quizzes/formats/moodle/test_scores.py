"""What came in pays what it paid there: held against Moodle's own rules, written down anew here.

Choice: the shares of what is chosen are added, and held between nothing and everything. Words: the
first answer that matches pays. Numbers: what lies within the tolerance, once the unit is reckoned
in. Pairs, gaps and items: each an equal part, or by its points.
"""

from collections.abc import Iterable
from fractions import Fraction
from itertools import chain, combinations, permutations

import pytest

from grading.contract import InvalidAnswer, ItemScore
from grading.json_types import Json
from grading.kinds import KINDS
from quizzes.formats import moodle
from quizzes.formats.contract import ParsedQuestion
from tests.quizzes.imports.questions import item, parcel

TEXT = "<questiontext format='html'><text>What?</text></questiontext>"


def one(kind: str, inside: str) -> ParsedQuestion:
    """Read a question of this type, write it, and read what was written."""
    data = f"<quiz><question type='{kind}'>{inside}</question></quiz>"
    (question,) = moodle.read(data.encode(), language="en").questions
    written = moodle.write(parcel(question), language="en")
    assert written.warnings == ()
    (again,) = moodle.read(written.data, language="en").questions
    return again


def earns(question: ParsedQuestion, raw: Json) -> Fraction:
    document, kind = item(question), KINDS[question.kind]
    answer = kind.parse(document.content, raw)
    assert not isinstance(answer, InvalidAnswer)
    mark = kind.score(document.content, document.key, answer, document.scoring_method)
    assert isinstance(mark, ItemScore)
    return mark.credit


def answers(shares: Iterable[str]) -> str:
    listed = enumerate(shares)
    return TEXT + "".join(
        f"<answer fraction='{share}'><text>option {n}</text></answer>" for n, share in listed
    )


def meant(share: str) -> Fraction:
    """Give the share that was rounded to five digits."""
    return (Fraction(share) / 100).limit_denominator(30)


SEVERAL = [
    ["100", "0", "0"],
    ["50", "50", "-50", "-50"],
    ["50", "50", "0", "-100"],
    ["33.33333", "33.33333", "33.33333", "-33.33333"],
    ["66.66667", "33.33333", "-16.66667", "0"],
    ["16.66667", "83.33333", "-5", "-12.5"],
    ["14.28571", "14.28571", "14.28571", "14.28571", "14.28571", "14.28571", "14.28571"],
    ["60", "60", "-20"],
]


@pytest.mark.parametrize("shares", SEVERAL, ids=" ".join)
def test_every_choice_of_several_pays_the_sum_of_its_shares(shares):
    question = one("multichoice", answers(shares) + "<single>false</single>")
    names = [row.name for row in question.tables["options"]]
    places = range(len(shares))
    for chosen in chain.from_iterable(combinations(places, n) for n in range(1, len(shares) + 1)):
        total = sum((meant(shares[n]) for n in chosen), Fraction(0))
        due = min(max(total, Fraction(0)), Fraction(1))
        assert earns(question, {"chosen": [names[n] for n in chosen]}) == due


@pytest.mark.parametrize("shares", [["0", "100", "0"], ["100", "50", "-25"]], ids=" ".join)
def test_every_choice_of_one_pays_its_share_or_costs_it(shares):
    question = one("multichoice", answers(shares))
    for row, share in zip(question.tables["options"], shares, strict=True):
        assert earns(question, {"chosen": [row.name]}) == meant(share)


@pytest.mark.parametrize("right", ["true", "false"])
def test_a_statement_pays_who_judges_it_rightly(right):
    inside = "".join(
        f"<answer fraction='{100 * (answer == right)}'><text>{answer}</text></answer>"
        for answer in ("true", "false")
    )
    question = one("truefalse", TEXT + inside)
    for answer in ("true", "false"):
        assert earns(question, {"chosen": [answer]}) == (answer == right)


@pytest.mark.parametrize(
    ("typed", "loose", "strict"),
    [
        ("Fe", 1, 1),
        (" Fe ", 1, 1),
        ("fe", 1, 0),
        ("Ferrum", Fraction(1, 2), Fraction(1, 2)),
        ("FERRUM", Fraction(1, 2), 0),
        ("a*b", 1, 1),
        ("axb", 0, 0),
        ("C:\\temp", 1, 1),
        ("año", 1, 1),
        ("ano", 0, 0),
        ("it is iron, I think", Fraction(1, 4), Fraction(1, 4)),
        ("gold", 0, 0),
    ],
)
def test_words_pay_what_the_first_answer_that_matches_pays(typed, loose, strict):
    listed = {"Fe": 100, "Fer*": 50, "a\\*b": 100, "C:\\temp": 100, "año": 100, "*iron*": 25}
    inside = TEXT + "".join(
        f"<answer fraction='{share}'><text>{text}</text></answer>" for text, share in listed.items()
    )
    assert earns(one("shortanswer", inside), {"text": typed}) == loose
    strictly = one("shortanswer", inside + "<usecase>1</usecase>")
    assert earns(strictly, {"text": typed}) == strict


@pytest.mark.parametrize(
    ("typed", "credit"),
    [
        ("8.97 m", 1),
        ("8.98 m", 1),
        ("8.96 m", 1),
        ("8.99 m", Fraction(1, 2)),
        ("897 cm", 1),
        ("897.9 cm", 1),
        ("0.00897 km", 1),
        ("8.97", Fraction(9, 10)),
        ("9.5 m", 0),
    ],
)
def test_numbers_pay_within_their_tolerance_and_by_their_unit(typed, credit):
    units = {"m": "1", "cm": "100", "km": "0.001"}
    question = one(
        "numerical",
        TEXT
        + "<answer fraction='100'><text>8.97</text><tolerance>0.01</tolerance></answer>"
        + "<answer fraction='50'><text>8.97</text><tolerance>0.03</tolerance></answer>"
        + "<unitgradingtype>1</unitgradingtype><unitpenalty>0.1</unitpenalty><units>"
        + "".join(
            f"<unit><multiplier>{times}</multiplier><unit_name>{name}</unit_name></unit>"
            for name, times in units.items()
        )
        + "</units>",
    )
    assert earns(question, {"typed": typed, "language": "en"}) == credit


def test_each_pair_pays_its_part():
    inside = TEXT + "".join(
        f"<subquestion format='html'><text>{left}</text><answer><text>{right}</text></answer>"
        "</subquestion>"
        for left, right in (("a", "1"), ("b", "2"), ("c", "1"), ("", "3"))
    )
    question = one("matching", inside)
    right = {row.name: str(row.values["goes_with"]) for row in question.tables["lefts"]}
    rights = [row.name for row in question.tables["rights"]]
    assert len(rights) == 3
    for first in rights:
        for second in rights:
            pairs = dict(zip(right, (first, second, rights[0]), strict=True))
            due = Fraction(sum(right[left] == choice for left, choice in pairs.items()), 3)
            assert earns(question, {"pairs": pairs}) == due


def test_each_item_in_its_place_pays_its_part():
    inside = TEXT + "".join(f"<answer><text>{word}</text></answer>" for word in "abcd")
    question = one("ordering", inside + "<gradingtype>ABSOLUTE_POSITION</gradingtype>")
    names = [row.name for row in question.tables["items"]]
    for order in permutations(names):
        due = Fraction(sum(a == b for a, b in zip(order, names, strict=True)), 4)
        assert earns(question, {"order": list(order)}) == due


def test_each_gap_pays_by_its_points():
    text = "A {3:MULTICHOICE:=x~y} B {1:NUMERICAL:=5:0.5~%50%7} C {2:SHORTANSWER:=z~%25%w}"
    question = one("cloze", TEXT.replace("What?", text))
    choice = {row.values["right"]: row.name for row in question.tables["options"]}
    for right, first in ((True, Fraction(3)), (False, Fraction(0))):
        for typed, second in (("5.4", Fraction(1)), ("7", Fraction(1, 2)), ("6", Fraction(0))):
            for answer, third in (("Z", Fraction(2)), ("w", Fraction(1, 2)), ("v", Fraction(0))):
                gaps: dict[str, Json] = {
                    "gap-1": {"chosen": [choice[right]]},
                    "gap-2": {"typed": typed, "language": "en"},
                    "gap-3": {"text": answer},
                }
                assert earns(question, {"gaps": gaps}) == (first + second + third) / 6
