"""Between page and draft: nothing is lost, nothing changes by itself, staleness is told."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from quizzes.bank.models import Draft
from quizzes.document import QuestionDocument, find_problems
from quizzes.instructor.questions.form_data import RowFormData
from quizzes.instructor.questions.form_mapping import document_to_form, form_to_document
from tests.factories import choice_document

IDS = {"a": "id-a", "b": "id-b", "c": "id-c"}
NAMES = {id_: name for name, id_ in IDS.items()}


def an_item(**changes) -> QuestionDocument:
    item = choice_document(IDS, right="ab", kind="multiple_choice", scoring_method="", name="q")
    return replace(item, **changes)


def values_of(item: QuestionDocument) -> list[Any]:
    listed: Any = item.content["options"]
    return [option["value"] for option in listed]


def rewritten(item: QuestionDocument, **changes) -> QuestionDocument:
    """Send the page back with these changes; `prompt` and `rows` (of the options) are two."""
    form = document_to_form(item, NAMES)
    if "prompt" in changes:
        changes["texts"] = {**form.texts, "words_prompt": changes.pop("prompt")}
    if "rows" in changes:
        changes["tables"] = {**form.tables, "options": changes.pop("rows")}
    return form_to_document(replace(form, **changes), item)


def options_of(item: QuestionDocument) -> Sequence[RowFormData]:
    return document_to_form(item, NAMES).tables["options"]


def weighed(item: QuestionDocument, typed: str, **changes) -> QuestionDocument:
    rows = [replace(row, values={**row.values, "weight": typed}) for row in options_of(item)]
    return rewritten(item, rows=rows, **changes)


def test_a_page_sent_back_untouched_changes_nothing():
    assert rewritten(an_item()) == an_item()


def test_every_question_of_the_box_survives_the_page_untouched(db):
    for file in sorted(Path("fixtures/banks").glob("*.yaml")):
        call_command("load_bank", str(file), verbosity=0)
    drafts = Draft.objects.all()
    assert len(drafts) >= 12
    for draft in drafts:
        item = QuestionDocument.from_json(draft.data)
        assert form_to_document(document_to_form(item, {}), item).digest() == item.digest()


def test_what_the_page_does_not_show_is_kept():
    item = an_item()
    item = replace(
        item,
        content={**item.content, "more": 1},
        words={**item.words, "fr": {"prompt": "Question q ?"}},
    )
    prompt = {"en": "New?", "es": item.words["es"]["prompt"]}
    document = rewritten(item, prompt=prompt, languages=("en", "es"))
    assert document.content["more"] == 1
    assert document.words["fr"] == {"prompt": "Question q ?"}


def test_the_same_right_options_in_another_order_are_no_change():
    item = an_item(key={"right": ["id-b", "id-a"]})
    assert rewritten(item).key == {"right": ["id-b", "id-a"]}


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("1/3", [1, 3]),
        ("0.5", [1, 2]),
        ("0,5", [1, 2]),
        ("-1/4", [-1, 4]),
        ("1", [1, 1]),
        (".3333", [3333, 10000]),
        ("50 %", [1, 2]),
        ("33.33333%", [3333333, 10000000]),
    ],
)
def test_weights_are_read_exactly(typed, stored):
    document = weighed(an_item(), typed)
    assert document.key["weights"] == dict.fromkeys(IDS.values(), stored)
    assert rewritten(document) == document


@pytest.mark.parametrize("typed", ["half", "1/0", "1/2/3", "[1, 2]", "1e999999999", "1/999983"])
def test_a_weight_that_cannot_be_read_is_kept_and_named(typed):
    document = weighed(an_item(), typed, scoring_method="option_weights")
    assert options_of(document)[0].values["weight"] == typed
    assert "weight_is_no_ratio" in {problem.code for problem in find_problems(document)}


def test_weights_that_are_taken_back_are_gone():
    item = an_item(key={"right": ["id-a"], "weights": {"id-a": [1, 1]}})
    assert weighed(item, "").key == {"right": ["id-a"]}


def test_true_and_false_are_given_to_options_that_stand_for_nothing_yet():
    item = an_item(content={"options": [{"id": "id-a"}, {"id": "id-b"}]})
    document = rewritten(replace(item, kind="true_false"))
    assert values_of(document) == [True, False]


def test_options_that_stand_for_something_keep_it_wherever_they_move():
    options = [{"id": "id-a", "value": False}, {"id": "id-b"}]
    item = an_item(kind="true_false", content={"options": options})
    document = form_to_document(document_to_form(item, NAMES), item)
    assert values_of(document) == [False, True]


def test_a_new_source_makes_the_translation_stale():
    document = rewritten(an_item(), prompt={"en": "Changed?", "es": "¿Pregunta q?"})
    assert document.is_outdated("es")


def test_it_stays_stale_over_further_saves():
    document = rewritten(an_item(), prompt={"en": "Changed?", "es": "¿Pregunta q?"})
    assert rewritten(document).is_outdated("es")


def test_a_changed_translation_is_up_to_date_again():
    stale = rewritten(an_item(), prompt={"en": "Changed?", "es": "¿Pregunta q?"})
    document = rewritten(stale, prompt={"en": "Changed?", "es": "¿Cambiada?"})
    assert not document.is_outdated("es")


def test_an_author_may_say_that_the_translation_is_up_to_date():
    stale = rewritten(an_item(), prompt={"en": "Changed?", "es": "¿Pregunta q?"})
    assert not rewritten(stale, up_to_date=frozenset({"es"})).is_outdated("es")


def test_both_languages_changed_at_once_are_up_to_date():
    document = rewritten(an_item(), prompt={"en": "Changed?", "es": "¿Cambiada?"})
    assert not document.is_outdated("es")


def test_new_feedback_in_the_source_makes_the_translation_stale():
    rows = options_of(an_item())
    texts = {**rows[0].texts["feedback_options"], "en": "Because of that."}
    changed = replace(rows[0], texts={**rows[0].texts, "feedback_options": texts})
    assert rewritten(an_item(), rows=(changed, *rows[1:])).is_outdated("es")


def test_taking_an_option_out_makes_nothing_stale_and_heals_nothing():
    item = rewritten(an_item(), up_to_date=frozenset({"es"}))
    rows = options_of(item)
    assert not rewritten(item, rows=rows[1:]).is_outdated("es")
    stale = rewritten(item, prompt={"en": "Changed?", "es": "¿Pregunta q?"})
    assert rewritten(stale, rows=rows[1:]).is_outdated("es")


def test_a_language_without_any_text_leaves_no_trace():
    bare = QuestionDocument("single_choice", "all_or_nothing")
    rows = [replace(row, texts={"words_options": {"en": "x"}}) for row in options_of(an_item())]
    form = replace(
        document_to_form(an_item(), NAMES),
        texts={"words_prompt": {"en": "Only?", "es": ""}},
        tables={"options": rows},
    )
    document = form_to_document(form, bare)
    assert set(document.words) == {"en"}
    assert document.feedback == {}
    assert document.translated_from == {}


def test_what_two_kinds_have_by_one_name_is_kept_when_the_kind_is_changed():
    turned = replace(an_item(), kind="single_choice", scoring_method="")
    document = form_to_document(document_to_form(turned, NAMES), an_item())
    assert document.kind == "single_choice"
    assert (document.words, document.feedback) == (an_item().words, an_item().feedback)
    assert document.key["right"] == ["id-a", "id-b"]


def test_what_the_new_kind_has_no_place_for_is_gone_from_words_and_structure():
    turned = replace(an_item(content={**an_item().content, "more": 1}), kind="flashcard")
    document = form_to_document(document_to_form(turned, NAMES), an_item())
    assert (document.content, document.key) == ({}, {})
    assert set(document.words["en"]) == {"prompt"}
    assert set(document.feedback["en"]) == {"explanation"}


def test_a_draft_that_is_malformed_is_not_mended_by_looking_at_it():
    key = {"right": ["id-a"], "weights": {"id-a": "a lot", "id-b": [1, 0]}}
    item = an_item(key=key, words={"en": {"prompt": "Which?", "options": {"id-a": ""}}})
    assert rewritten(item) == item


def test_the_first_right_answer_of_a_fresh_draft_is_noted_even_if_there_is_none():
    blank = QuestionDocument("multiple_choice", "right_minus_wrong")
    assert form_to_document(document_to_form(blank, {}), blank).key == {"right": []}
