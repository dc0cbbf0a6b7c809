"""Others' items and grading cases, where they stand beside the project: scored as told there."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from grading.contract import InvalidAnswer, ItemScore
from grading.json_types import Json
from grading.kinds import KINDS
from quizzes.formats import qti2, qti3
from quizzes.formats.contract import ImportStatus, SourceItem
from tests.grading.examples import PROJECT, load
from tests.quizzes.imports.questions import item as built

CORPORA = PROJECT.parent / "shared" / "corpora"
THIRD = {
    "qti3-choice-multiple": "multiple_choice",
    "qti3-choice-single": "single_choice",
    "qti3-extended-text": "essay",
    "qti3-hotspot-interaction": "unsupported_interaction",
    "qti3-match-interaction": "matching",
    "qti3-order-interaction": "ordering",
    "qti3-text-entry": "short_text",
}
IMPORTED = {
    "choice_match_correct",
    "contains_multiple",
    "mapResponse_integer_mapKey",
    "mapResponse_mapEntry_caseSensitive_override",
    "mapResponse_mapping_caseSensitive_defaultValue",
    "mapping_bounds_upperLower",
    "mapping_mapResponse",
    "member_multiple",
    "modalFeedback_basic",
    "qti22_advanced_q12_inline_choice",
    "qti22_advanced_q13_match",
    "responseProcessing_template_match_correct",
}
"""Every other item has no interaction, or is paid by a rule of its own; each says which."""
ONE_OPTION = {"mapping_bounds_upperLower"}
UNSCORED = {"qti22_basic_q4_order_interaction": "it echoes the answer; its declared order is taken"}
BY_THEIR_OWN_RULES = {
    "isNull_isNotNull",
    "mapResponse_bounds_default_duplicates",
    "qti22_basic_q2_single",
    "responseProcessing_boolean_compare_ops",
    "responseProcessing_notEqual_basic",
    "responseProcessing_template_match_nothing",
}


@pytest.mark.parametrize("path", sorted((CORPORA / "qti3").rglob("*.xml")), ids=lambda p: p.stem)
def test_each_item_of_qti_3_is_read_or_refused_by_name(path):
    data = path.read_bytes()
    assert qti3.detect(data, path.name)
    assert not qti2.detect(data, path.name)
    (item,) = qti3.read(data, language="en").items
    assert item.kind == THIRD[path.stem]
    assert (
        (item.status == ImportStatus.REFUSED) == (item.question is None) == ("hotspot" in path.stem)
    )


def grading() -> dict[str, Path]:
    return {path.parent.name: path for path in sorted((CORPORA / "qti-grading").rglob("item.xml"))}


def read(name: str) -> SourceItem:
    (item,) = qti2.read(grading()[name].read_bytes(), language="en").items
    return item


@pytest.mark.parametrize("name", grading())
def test_each_graded_item_has_its_verdict(name):
    item = read(name)
    expected = ImportStatus.REFUSED
    if name in ONE_OPTION:
        expected = ImportStatus.REVIEW
    elif name in IMPORTED:
        expected = ImportStatus.IMPORTED
    elif name in UNSCORED:
        expected = ImportStatus.REPAIRED
    elif name in BY_THEIR_OWN_RULES:
        expected = ImportStatus.REVIEW
    assert item.status == expected
    assert item.notes or item.status == ImportStatus.IMPORTED


def chosen(labels: dict[str, str], response: Any) -> Json:
    listed = response if isinstance(response, list) else [response]
    return {
        "chosen": [
            labels.get(str(identifier), "none") for identifier in listed if identifier is not None
        ]
    }


def raw(item: SourceItem, name: str, responses: dict[str, Any]) -> Json:
    """Say the corpus's answer with the ids that its item has here."""
    response = next(iter(responses.values()))
    letters = dict(zip(("A", "B", "C"), ("a", "b", "c"), strict=True))
    match item.kind:
        case "single_choice" | "multiple_choice":
            return chosen(letters, response)
        case "numeric":
            return {"typed": str(response), "language": "en"}
        case "short_text":
            return {"text": response}
        case "matching":
            source = grading()[name].read_text(encoding="utf-8")
            ids = [
                part.split('"')[1]
                for part in source.split("<simpleAssociableChoice identifier=")[1:]
            ]
            lefts = {id_: f"left-{n}" for n, id_ in enumerate(ids[: len(ids) // 2], start=1)}
            rights = {id_: f"right-{n}" for n, id_ in enumerate(ids[len(ids) // 2 :], start=1)}
            pairs = (pair.split() for pair in response)
            return {"pairs": {lefts[left]: rights[right] for left, right in pairs}}
    gaps = {
        "RESPONSE": ("solid", "liquid", "gas"),
        "RESPONSE_1": ("condensation", "evaporation", "precipitation"),
    }
    return {
        "gaps": {
            f"gap-{at}": {"chosen": [f"gap-{at}-{'abc'[gaps[gap].index(answer)]}"]}
            for at, (gap, answer) in enumerate(responses.items(), start=1)
            if answer
        }
    }


def score(item: SourceItem, name: str, responses: dict[str, Any]) -> Fraction:
    assert item.question is not None
    document, kind = built(item.question), KINDS[item.kind]
    answer = kind.parse(document.content, raw(item, name, responses))
    if isinstance(answer, InvalidAnswer):  # what is not offered cannot be chosen here
        return Fraction(0)
    mark = kind.score(document.content, document.key, answer, document.scoring_method)
    assert isinstance(mark, ItemScore)
    return mark.credit * (item.points or 1)


def expected(case: dict[str, Any]) -> Any:
    return case["expect"].get("score", case["expect"].get("outcomes", {}).get("SCORE"))


def cases(is_chosen: Callable[[str], bool]) -> list[Any]:
    return [
        pytest.param(name, case, id=f"{name}: {case['name']}")
        for name, path in grading().items()
        if is_chosen(name)
        for case in load(path.with_name("cases.json"))["cases"]
        if expected(case) is not None
    ]


@pytest.mark.parametrize(("name", "case"), cases(lambda name: name in IMPORTED))
def test_what_is_imported_gives_the_scores_of_the_corpus(name, case):
    assert score(read(name), name, case["responses"]) == Fraction(expected(case))


WITHOUT = {
    "no_interaction": 36,  # it declares an answer, or a rule, and shows nothing to answer
    "unsupported_interaction": 18,  # places on a picture
    "random_variables": 1,
    "an empty answer earns": 8,
    "any number but one, or beyond one": 9,
}
"""The cases that no kind of ours can express, by their reasons."""
EMPTY_EARNS = {
    "isNull_isNotNull",
    "mapResponse_bounds_default_duplicates",
    "responseProcessing_template_match_nothing",
}


def reason(name: str) -> str:
    item = read(name)
    if item.question is None:
        return item.kind
    return "an empty answer earns" if name in EMPTY_EARNS else "any number but one, or beyond one"


def test_what_is_not_imported_is_so_for_a_reason():
    left = [case.values[0] for case in cases(lambda name: name not in IMPORTED)]
    assert Counter(reason(name) for name in left) == (WITHOUT if grading() else {})


def test_how_much_of_the_corpus_that_is():
    """A bit more than a third of all; of what asks something that a kind here asks, 39 of 56."""
    every, ours = cases(lambda _: True), cases(lambda name: name in IMPORTED)
    assert (len(ours), len(every)) in {(0, 0), (39, 111)}
    asks = [case for case in every if read(case.values[0]).question is not None]
    assert len(asks) in {0, 56}
