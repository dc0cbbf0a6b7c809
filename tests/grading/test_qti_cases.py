"""Others' grading cases (QTI), where they stand beside the project: our kinds give their scores.

Each question is told here in our own form; the answers and the scores expected are read from the
corpus. What our kinds cannot express is listed with the reason, so that nothing is left out unseen.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

from grading.contract import InvalidAnswer, ItemScore
from grading.json_types import Content, Json, Key
from grading.kinds import KINDS
from tests.grading.examples import PROJECT, load

CASES = PROJECT.parent / "shared" / "corpora" / "qti-grading"
Responses = dict[str, Any]


@dataclass(frozen=True)
class Asked:
    """A question of the corpus in our form; `maximum` is what the corpus scores at most."""

    kind: str
    scoring_method: str
    content: Content
    key: Key
    raw: Callable[[Responses], Json]
    maximum: int = 1

    def score(self, responses: Responses) -> Fraction:
        kind = KINDS[self.kind]
        answer = kind.parse(self.content, self.raw(responses))
        if isinstance(answer, InvalidAnswer):  # what is not offered cannot be chosen here
            return Fraction(0)
        mark = kind.score(self.content, self.key, answer, self.scoring_method)
        assert isinstance(mark, ItemScore)
        return mark.credit * self.maximum


def named(*ids: str) -> list[Json]:
    return [{"id": id_} for id_ in ids]


def chosen(name: str) -> Callable[[Responses], Json]:
    def raw(responses: Responses) -> Json:
        sent = responses.get(name) or []
        return {"chosen": list(sent) if isinstance(sent, list) else [sent]}

    return raw


def typed(field: str) -> Callable[[Responses], Json]:
    return lambda responses: {field: str(responses["R"])}


def paired(responses: Responses) -> Json:
    sent = responses["RESPONSE"]
    pairs = [sent] if isinstance(sent, str) else sent
    return {"pairs": dict(pair.split() for pair in pairs)}


def ordered(responses: Responses) -> Json:
    return {"order": responses["RESPONSE"]}


def in_gaps(responses: Responses) -> Json:
    gaps = {gap: {"chosen": [id_]} for gap, id_ in responses.items() if id_}
    return {"gaps": gaps}


def one_of(right: str, *others: str, name: str = "RESPONSE") -> Asked:
    content = {"options": named(right, *others)}
    return Asked("single_choice", "all_or_nothing", content, {"right": [right]}, chosen(name))


HAS_A = Asked(
    "multiple_choice",
    "option_weights",
    {"options": named("A", "B")},
    {"right": ["A"], "weights": {"A": [1, 1], "B": [0, 1]}},
    chosen("R"),
)
CYCLE = {
    "process_evaporation": "description_liquid_to_gas",
    "process_condensation": "description_gas_to_liquid",
    "process_precipitation": "description_falls_to_ground",
}
EXPRESSIBLE = {
    "choice_match_correct": one_of("A", "B"),
    "responseProcessing_template_match_correct": one_of("A", "B"),
    "responseProcessing_template_match_correct_two_responses": one_of("A", "B"),
    "contains_multiple": HAS_A,
    "member_multiple": HAS_A,
    "mapping_bounds_upperLower": one_of("A", "none of them"),
    "mapping_mapResponse": Asked(
        "single_choice",
        "option_weights",
        {"options": named("A", "B", "C")},
        {"right": ["A"], "weights": {"A": [1, 1], "B": [1, 2], "C": [0, 1]}},
        chosen("RESPONSE"),
        maximum=2,
    ),
    "multiple_unordered_match": Asked(
        "multiple_choice",
        "all_or_nothing",
        {"options": named("A", "B", "C")},
        {"right": ["A", "B"]},
        chosen("RESPONSE"),
    ),
    "ordered_match": Asked(
        "ordering",
        "all_or_nothing",
        {"items": named("A", "B")},
        {"order": ["A", "B"]},
        ordered,
    ),
    "qti22_advanced_q13_match": Asked(
        "matching",
        "all_or_nothing",
        {"lefts": named(*CYCLE), "rights": named(*CYCLE.values())},
        {"pairs": CYCLE},
        paired,
    ),
    "responseProcessing_template_match_correct_directedPair": Asked(
        "matching",
        "all_or_nothing",
        {"lefts": named("A"), "rights": named("B")},
        {"pairs": {"A": "B"}},
        paired,
    ),
    "qti22_advanced_q12_inline_choice": Asked(
        "cloze",
        "per_gap",
        {
            "gaps": [
                {"id": gap, "placeholder": gap, "kind": "single_choice", "points": 1}
                for gap in ("RESPONSE", "RESPONSE_1")
            ],
            "options": [
                {"id": id_, "gap": gap}
                for gap, ids in (
                    ("RESPONSE", ("solid", "liquid", "gas")),
                    ("RESPONSE_1", ("condensation", "evaporation", "precipitation")),
                )
                for id_ in ids
            ],
        },
        {"right": ["liquid", "evaporation"]},
        in_gaps,
        maximum=2,
    ),
    "mapResponse_integer_mapKey": Asked(
        "numeric",
        "accepted_answers",
        {"unit": "none"},
        {
            "numbers": [
                {"id": "one", "value": "1", "tolerance": "exact", "credit": [2, 3]},
                {"id": "minus", "value": "-1", "tolerance": "exact", "credit": [1, 1]},
            ]
        },
        typed("typed"),
        maximum=3,
    ),
    "mapResponse_mapEntry_caseSensitive_override": Asked(
        "short_text",
        "accepted_answers",
        {"case": "counted"},
        {
            "accepted": [
                {"id": "exact", "text": "Hello", "credit": [1, 1]},
                {
                    "id": "any case",
                    "text": "[Ww][Oo][Rr][Ll][Dd]",
                    "credit": [1, 2],
                    "pattern": True,
                },
            ],
        },
        typed("text"),
        maximum=2,
    ),
}
SPECIAL = "computes with variables instead of marking an answer"
WHY_NOT = {
    "baseTypes_all": SPECIAL,
    "isNull_isNotNull": "pays for leaving the question unanswered",
    "mapResponse_bounds_default_duplicates": "pays for leaving the question unanswered",
    "mapResponse_mapping_caseSensitive_defaultValue": "pays more for a miss than for the answer",
    "modalFeedback_basic": "tells feedback, and no score",
    "pair_unordered_match": "pairs without a left and a right",
    "positionObject_coordinateSystem_aspectRatio": "places on a picture",
    "positionObject_mapResponsePoint_scoring": "places on a picture",
    "qti22_basic_q2_single": "echoes the answer, and scores nothing",
    "qti22_basic_q4_order_interaction": "echoes the answer, and scores nothing",
    "responseProcessing_customOperator": "runs a program of its own",
    "responseProcessing_notEqual_basic": "accepts every number but one",
    "responseProcessing_random_lookupOutcomeValue": "scores by chance",
    "responseProcessing_template_map_response_point": "places on a picture",
    "responseProcessing_template_match_nothing": "pays for leaving the question unanswered",
    **dict.fromkeys(
        (
            "responseProcessing_anyN",
            "responseProcessing_arithmetic_nulls",
            "responseProcessing_boolean_compare_ops",
            "responseProcessing_deleteValue_repeat",
            "responseProcessing_lookupTable_interpolationTable",
            "responseProcessing_preCondition",
            "responseProcessing_responseCondition_toBoolean",
            "responseProcessing_setDefaultValue",
            "responseProcessing_subtract_divide",
            "templateProcessing_templateCondition_branching",
        ),
        SPECIAL,
    ),
    **dict.fromkeys(
        (
            "outcomeProcessing_derive_percent_passfail",
            "outcomeProcessing_exitTest",
            "outcomeProcessing_numberExpressions",
            "outcomeProcessing_outcomeMaximum",
            "outcomeProcessing_outcomeProcessingFragment",
            "outcomeProcessing_testVariables",
        ),
        "computes a whole test",
    ),
}


def files() -> dict[str, Any]:
    return {path.parent.name: load(path)["cases"] for path in CASES.rglob("cases.json")}


@pytest.mark.parametrize("name", EXPRESSIBLE)
def test_the_scores_are_those_expected(name):
    for case in files().get(name, []):
        expect = case["expect"]
        expected = expect.get("score", expect.get("outcomes", {}).get("SCORE"))
        assert EXPRESSIBLE[name].score(case["responses"]) == Fraction(expected), case["name"]


@pytest.mark.parametrize("question", EXPRESSIBLE.values(), ids=EXPRESSIBLE)
def test_the_model_answer_of_each_question_earns_all_of_it(question):
    kind = KINDS[question.kind]
    mark = kind.score(
        question.content,
        question.key,
        kind.correct_answer(question.content, question.key),
        question.scoring_method,
    )
    assert isinstance(mark, ItemScore)
    assert mark.credit == 1


def test_what_is_left_out_of_the_corpus_has_its_reason():
    assert not EXPRESSIBLE.keys() & WHY_NOT.keys()
    assert set(files()) in (set(), EXPRESSIBLE.keys() | WHY_NOT.keys())
