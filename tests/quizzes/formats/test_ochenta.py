"""Our own bank file: read whole, or every trouble named by its line."""

from pathlib import Path

import pytest

from grading.schema import Text
from quizzes.formats.ochenta import read

BANKS = Path(__file__).parents[3] / "fixtures" / "banks"

GOOD = """\
format: ochenta-bank/1
bank: rivers
title: {en: Rivers, es: Ríos}
description: {en: Some, es: Algunos}
source: own
licence: CC-BY-4.0
source_language: en
questions:
  - name: danube
    kind: single_choice
    tags: [europe]
    prompt: {en: "Where?", es: "¿Dónde?"}
    options:
      - name: a
        right: true
        text: {en: Here, es: Aquí}
        feedback: {en: "Yes", es: Sí}
      - name: b
        text: {en: There, es: Allá}
        feedback: {en: "No", es: "No"}
    explanation: {en: So, es: Así}
"""


def troubles(text: str) -> list[tuple[int, str]]:
    return [(trouble.line, trouble.code) for trouble in read(text.encode()).errors]


def test_a_good_file_has_no_troubles_and_all_its_words():
    parcel = read(GOOD.encode())
    assert parcel.errors == ()
    question = parcel.questions[0]
    assert (parcel.slug, question.name, question.line) == ("rivers", "danube", 9)
    assert question.scoring_method == "all_or_nothing"
    options = question.tables["options"]
    assert options[1].texts[Text("options", required=True)] == {"en": "There", "es": "Allá"}
    assert options[1].texts[Text("options", is_feedback=True)] == {"en": "No", "es": "No"}
    assert [option.values.get("right", False) for option in options] == [True, False]
    assert [option.line for option in options] == [14, 18]


@pytest.mark.parametrize(
    ("was", "becomes", "expected"),
    [
        ("ochenta-bank/1", "ochenta-bank/9", [(1, "unknown_format")]),
        ("bank: rivers", "bank: The Rivers", [(2, "not_a_slug")]),
        ("licence: CC-BY-4.0\n", "", [(1, "missing_field")]),
        ("    tags: [europe]\n", "    tags: europe\n", [(11, "not_a_list")]),
        ("right: true", "right: yes", [(15, "not_true_or_false")]),
        ("right: true", "correct: true", [(15, "unknown_field")]),
        ("{en: Here, es: Aquí}", "{en: Here, es: ''}", [(16, "missing_text")]),
        ("{en: Here, es: Aquí}", "Here", [(16, "no_languages")]),
        ("{en: Here, es: Aquí}", "{en: Here, Spanish!: x}", [(16, "unknown_language")]),
        ("    kind: single_choice\n", "", [(9, "missing_field")]),
        ("  - name: danube", "  - danube\n  - name: danube", [(9, "not_a_mapping")]),
    ],
)
def test_each_slip_is_named_by_its_line(was, becomes, expected):
    assert was in GOOD
    errors = troubles(GOOD.replace(was, becomes, 1))
    assert set(expected) <= set(errors)


def test_two_questions_of_one_name_are_a_trouble():
    question = GOOD[GOOD.index("  - name: danube") :]
    assert (22, "name_twice") in troubles(GOOD + question)


def test_a_question_of_an_unknown_kind_waits_and_is_listed():
    parcel = read(GOOD.replace("single_choice", "drawing").encode())
    assert parcel.errors == ()
    assert parcel.questions == ()
    assert [(item.line, item.name, item.kind) for item in parcel.items] == [
        (9, "danube", "drawing")
    ]


MORE = """\
      - name: c
        weight: {weight}
        text: {{en: Nowhere, es: En ninguna parte}}
        unchosen: {{en: Well left, es: Bien dejada}}
    score_feedback:
      - name: half
        from: 1/2
        feedback: {{en: Half way, es: A medio camino}}
    combination_feedback:
      - name: both
        chosen: {chosen}
        exactly: {exactly}
        feedback: {{en: Not both, es: Las dos no}}
    explanation:"""


def more(weight="1/3", chosen="[a, b]", exactly="true"):
    text = MORE.format(weight=weight, chosen=chosen, exactly=exactly)
    return GOOD.replace("    explanation:", text)


def test_weights_bands_and_combinations_come_with_the_options():
    parcel = read(more().encode())
    assert parcel.errors == ()
    tables = parcel.questions[0].tables
    assert tables["options"][2].values == {"weight": [1, 3]}
    assert tables["options"][2].texts[Text("unchosen", is_feedback=True)]["en"] == "Well left"
    assert tables["score_feedback"][0].values == {"from": [1, 2]}
    assert tables["combination_feedback"][0].values == {"chosen": ["a", "b"], "exactly": True}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"weight": "a third"}, (22, "not_a_ratio")),
        ({"weight": "1/0"}, (22, "not_a_ratio")),
        ({"weight": "1e999999999"}, (22, "not_a_ratio")),
        ({"weight": "[1, 3]"}, (22, "not_a_text")),
        ({"chosen": "a"}, (31, "not_a_list")),
        ({"chosen": "[[a], b]"}, (31, "not_a_list")),
        ({"exactly": "maybe"}, (32, "not_true_or_false")),
    ],
)
def test_a_value_that_its_field_cannot_hold_is_named_by_its_line(change, expected):
    assert expected in troubles(more(**change))


def test_a_list_where_fields_belong_is_a_trouble_and_no_crash():
    assert troubles("- a\n- b\n")[0] == (1, "not_a_mapping")


@pytest.mark.parametrize("path", sorted(BANKS.glob("*.yaml")), ids=lambda path: path.stem)
def test_the_banks_in_the_box_have_no_troubles(path):
    assert read(path.read_bytes()).errors == ()
