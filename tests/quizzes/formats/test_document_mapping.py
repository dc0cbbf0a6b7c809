"""From a parcel's question to an item."""

from grading.kinds import KINDS
from grading.schema import EXPLANATION, PROMPT, Text
from quizzes.formats.contract import ParsedQuestion, ParsedRow
from quizzes.formats.document_mapping import build_document

TWO = {"en": "x", "es": "y"}
SAYS = Text("options", required=True)
TELLS = Text("options", is_feedback=True)
IDS = {"true": "T", "false": "F", "both": "B"}


def question(**changes) -> ParsedQuestion:
    options = tuple(
        ParsedRow(1, name, {"right": name == "true"}, {SAYS: TWO, TELLS: TWO})
        for name in ("true", "false")
    )
    complete = {
        "line": 1,
        "name": "q",
        "kind": "true_false",
        "scoring_method": "all_or_nothing",
        "texts": {PROMPT: TWO, EXPLANATION: TWO},
        "tables": {"options": options},
    }
    return ParsedQuestion(**{**complete, **changes})


def test_the_item_speaks_of_options_by_their_ids():
    item = build_document(question(), IDS, "en")
    assert item.content["options"] == [
        {"id": "T", "pinned": False, "value": True},
        {"id": "F", "pinned": False, "value": False},
    ]
    assert item.key == {"right": ["T"]}
    assert item.words["es"] == {"prompt": "y", "options": {"T": "y", "F": "y"}}
    assert item.feedback["en"] == {"explanation": "x", "options": {"T": "x", "F": "x"}}


def test_a_translation_that_comes_with_its_source_is_not_stale():
    item = build_document(question(), IDS, "en")
    assert not item.is_outdated("es")
    assert item.translated_from == {"es": item.source_digest()}


def test_only_true_or_false_gives_options_a_value():
    item = build_document(question(kind="single_choice"), IDS, "en")
    assert item.content["options"] == [{"id": "T", "pinned": False}, {"id": "F", "pinned": False}]


def test_rows_that_name_rows_name_them_by_id():
    together = ParsedRow(9, "both", {"chosen": ["true", "false", "nobody"]}, {})
    tables = {**question().tables, "combination_feedback": (together,)}
    item = build_document(question(kind="multiple_choice", tables=tables), IDS, "en")
    assert item.key["combination_feedback"] == [
        {"id": "B", "chosen": ["T", "F", "nobody"], "exactly": False}
    ]


def test_weights_and_bands_stand_in_the_key_alone():
    rows = tuple(
        ParsedRow(1, name, {"right": name == "true", "weight": [int(name == "true"), 1]})
        for name in ("true", "false")
    )
    band = ParsedRow(
        8, "both", {"from": [1, 2]}, {Text("score_feedback", required=True, is_feedback=True): TWO}
    )
    item = build_document(
        question(kind="single_choice", tables={"options": rows, "score_feedback": (band,)}),
        IDS,
        "en",
    )
    assert item.key["weights"] == {"T": [1, 1], "F": [0, 1]}
    assert item.key["score_feedback"] == [{"id": "B", "from": [1, 2]}]
    assert item.feedback["es"]["score_feedback"] == {"B": "y"}
    assert "score_feedback" not in item.content


def test_what_a_file_does_not_say_has_the_default_of_its_kind():
    assert build_document(question(), IDS, "en").content["shuffle"] is False
    assert build_document(question(kind="single_choice"), IDS, "en").content["shuffle"] is True
    schema = KINDS["true_false"].schema
    names = {field.name for field in schema.fields} | {table.name for table in schema.tables}
    assert set(build_document(question(), IDS, "en").content) <= names
