"""The evaluator of response processing against the grading cases of another implementation."""

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from quizzes.formats.parsing.xml import XmlNode, parse_xml
from quizzes.formats.qti.qti_versions import spell_as_qti2
from quizzes.source_scoring.qti.processing import read_processing
from quizzes.source_scoring.qti.qti12_items import read_rules
from quizzes.source_scoring.rules import NotComparable
from tests.grading.examples import PROJECT, load

CASES = PROJECT.parent / "shared" / "corpora" / "qti-grading"
COUNTED_TWICE = "duplicate responses are counted (and then clamped)"
"""QTI counts a value that a container has twice once; and nobody can choose an option twice."""


def parse(data: bytes) -> XmlNode:
    root = parse_xml(data)
    assert isinstance(root, XmlNode)
    spell_as_qti2(root)
    return root


def write_values(sent: Any) -> tuple[str, ...]:
    values = sent if isinstance(sent, list) else [sent]
    texts = (str(v).lower() if isinstance(v, bool) else str(v) for v in values if v is not None)
    return tuple(texts)


def grade_cases() -> dict[tuple[str, str], tuple[Fraction, Fraction | str]]:
    """Return the expected score of each case, and ours or why there is none."""
    scores: dict[tuple[str, str], tuple[Fraction, Fraction | str]] = {}
    for path in sorted(CASES.rglob("item.xml")):
        root = parse(path.read_bytes())
        for case in load(path.with_name("cases.json"))["cases"]:
            expected = case["expect"].get("score", case["expect"].get("outcomes", {}).get("SCORE"))
            if expected is None:
                continue
            answer = {name: write_values(sent) for name, sent in case["responses"].items()}
            try:
                score: Fraction | str = read_processing(root).compute(answer)
            except NotComparable as reason:
                score = reason.code
            scores[path.parent.name, case["name"]] = Fraction(str(expected)), score
    return scores


def test_every_case_that_can_be_followed_has_the_score_of_the_corpus():
    scores = grade_cases()
    differing = [
        name
        for (_, name), (expected, score) in scores.items()
        if isinstance(score, Fraction) and score != expected
    ]
    assert differing == [COUNTED_TWICE] * bool(scores)


def test_how_many_cases_cannot_be_followed():
    reasons = Counter(score for _, score in grade_cases().values() if isinstance(score, str))
    assert reasons in (Counter(), Counter({"rule_unknown": 37, "no_rule": 3}))


ITEM = """<assessmentItem identifier="i"><responseDeclaration identifier="RESPONSE"
 cardinality="{cardinality}" baseType="{base_type}"><correctResponse>{correct}</correctResponse>
</responseDeclaration><outcomeDeclaration identifier="SCORE" baseType="float"
 cardinality="single"/><responseProcessing {attributes}>{rules}</responseProcessing>
</assessmentItem>"""


def compute(rules: str, *values: str, **fields: str) -> Fraction:
    defaults = {"cardinality": "single", "base_type": "identifier", "correct": "", "attributes": ""}
    text = ITEM.format(**{**defaults, **fields, "rules": rules})
    return read_processing(parse(text.encode())).compute({"RESPONSE": values})


def condition(test: str, points: str = "1") -> str:
    return (
        f"<responseCondition><responseIf>{test}<setOutcomeValue identifier='SCORE'>"
        f"<baseValue baseType='float'>{points}</baseValue></setOutcomeValue></responseIf>"
        "</responseCondition>"
    )


NEAR = (
    "<equal toleranceMode='relative' tolerance='10 20'><variable identifier='RESPONSE'/>"
    "<baseValue baseType='float'>50</baseValue></equal>"
)


@pytest.mark.parametrize(
    ("typed", "points"), [("45", 1), ("44.99", 0), ("60", 1), ("60.01", 0), ("no number", 0)]
)
def test_a_relative_tolerance_has_a_part_below_and_a_part_above(typed, points):
    if typed == "no number":
        with pytest.raises(NotComparable):
            compute(condition(NEAR), typed, base_type="float")
        return
    assert compute(condition(NEAR), typed, base_type="float") == points


def test_a_multiple_response_matches_in_any_order_and_an_ordered_does_not():
    correct = "<value>A</value><value>B</value>"
    template = {"attributes": "template='https://x/match_correct.xml'", "correct": correct}
    assert compute("", "B", "A", cardinality="multiple", **template) == 1
    assert compute("", "A", cardinality="multiple", **template) == 0
    assert compute("", "B", "A", cardinality="ordered", **template) == 0
    assert compute("", "A", "B", cardinality="ordered", **template) == 1
    assert compute("", cardinality="ordered", **template) == 0


NUMBER = "<baseValue baseType='float'>1</baseValue>"


@pytest.mark.parametrize(
    "rules",
    [
        "<lookupOutcomeValue/>",
        condition("<customOperator/>"),
        condition("<isNull/>"),
        condition("<not/>"),
        condition("<match/>"),
        condition(f"<equal toleranceMode='absolute'>{NUMBER}{NUMBER}</equal>"),
        condition(f"<gt>{NUMBER}</gt>"),
        condition(f"<gt>{NUMBER}<subtract>{NUMBER}</subtract></gt>"),
        condition(f"<gt>{NUMBER}<max/></gt>"),
    ],
)
def test_what_is_no_standard_rule_is_not_compared(rules):
    with pytest.raises(NotComparable):
        compute(rules, "A")


QTI12 = """<item><presentation><response_lid ident="R" rcardinality="Multiple"><render_choice>
<response_label ident="A"/><response_label ident="B"/><response_label ident="C"/></render_choice>
</response_lid></presentation><resprocessing><outcomes><decvar {bounds}/></outcomes>{rules}
</resprocessing></item>"""


def compute_qti12(rules: str, *values: str, bounds: str = "") -> Fraction:
    item = parse(QTI12.format(bounds=bounds, rules=rules).encode())
    return read_rules(item).compute({"R": values})


def add(points: int, test: str, **attributes: str) -> str:
    written = " ".join(f'{name}="{text}"' for name, text in attributes.items())
    return (
        f"<respcondition {written}><conditionvar>{test}</conditionvar>"
        f'<setvar action="Add">{points}</setvar></respcondition>'
    )


def test_conditions_of_qti_1_2_add_up_within_the_bounds():
    test = '<varequal respident="R">{}</varequal>'.format
    rules = add(50, test("A")) + add(50, test("B")) + add(-50, test("C"))
    assert compute_qti12(rules, "A", "B") == 100
    assert compute_qti12(rules, "A", "C") == 0
    assert compute_qti12(rules, "C") == -50
    assert compute_qti12(rules, "C", bounds='minvalue="0"') == 0
    assert compute_qti12(rules, "A", "B", bounds='maxvalue="60"') == 60


def test_a_condition_that_stops_ends_them_and_other_is_what_is_left():
    test = '<varequal respident="R">{}</varequal>'.format
    rules = add(5, test("A"), **{"continue": "No"}) + add(1, test("A")) + add(2, "<other/>")
    assert compute_qti12(rules, "A") == 5
    assert compute_qti12(rules, "B") == 2


def test_all_of_several_and_not_the_others():
    both = (
        '<and><varequal respident="R">A</varequal><not><varequal respident="R">B</varequal>'
        "</not></and>"
    )
    assert compute_qti12(add(1, both), "A") == 1
    assert compute_qti12(add(1, both), "A", "B") == 0
