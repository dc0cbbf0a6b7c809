"""The plan of a file: what would become of each item, and nothing is left out."""

from dataclasses import replace

from quizzes.document import QuestionDocument
from quizzes.formats.contract import ImportStatus, SourceItem
from quizzes.imports.import_plan.planner import plan_items
from quizzes.imports.import_plan.values import (
    BankSnapshot,
    ExistingQuestion,
    ImportAction,
    PlannedItem,
)
from quizzes.matching.fingerprints import document_fingerprints
from tests.quizzes.imports.parcels import asked, found, refused, without_key


def planned(
    *items: SourceItem, holding: BankSnapshot | None = None, is_complete: bool = False
) -> list[PlannedItem]:
    return list(
        plan_items(enumerate(items), holding or BankSnapshot(), set(), is_bank_file=is_complete)
    )


def only(
    *items: SourceItem, holding: BankSnapshot | None = None, is_complete: bool = False
) -> PlannedItem:
    (planned_item,) = planned(*items, holding=holding, is_complete=is_complete)
    return planned_item


def held(*items: SourceItem, **changes) -> BankSnapshot:
    """A bank into which these items were imported."""
    return holding(*(as_held(planned_item) for planned_item in planned(*items)), **changes)


def as_held(planned_item: PlannedItem) -> ExistingQuestion:
    assert planned_item.document is not None
    return ExistingQuestion(
        planned_item.name,
        planned_item.document,
        planned_item.rows,
        planned_item.tags,
        planned_item.document.digest(),
    )


def holding(*every: ExistingQuestion) -> BankSnapshot:
    names = {planned_item.name: planned_item for planned_item in every}
    alike = {
        fingerprint: planned_item.name
        for planned_item in every
        for fingerprint in document_fingerprints(planned_item.document)
    }
    return BankSnapshot("en", names, alike, frozenset(names))


def test_what_the_bank_does_not_have_is_new_and_refused_is_refused():
    whats = [planned_item.action for planned_item in planned(found(asked()), refused())]
    assert whats == [ImportAction.NEW, ImportAction.REFUSED]


def test_every_item_has_a_plan_with_its_number():
    items = [found(asked(name)) for name in ("one", "two")] + [refused()]
    assert [
        (planned_item.number, planned_item.source_item) for planned_item in planned(*items)
    ] == list(enumerate(items))


def test_the_same_file_again_says_the_same_of_everything():
    item = found(asked(explanation="Because."))
    planned_item = only(item, holding=held(item))
    assert planned_item.action == ImportAction.SAME
    assert planned_item.differences == ()
    assert not planned_item.writes


def test_a_changed_word_is_a_difference_with_both_states():
    planned_item = only(found(asked(prompt="And now?")), holding=held(found(asked())))
    assert planned_item.action == ImportAction.CHANGED
    (difference,) = planned_item.differences
    assert (difference.part, difference.language) == ("words.prompt", "en")
    assert (difference.before, difference.after) == ("Which rivers?", "And now?")


def test_options_in_another_order_under_other_names_keep_their_ids():
    bank = held(found(asked()))
    turned = asked(options=("Ebro", "Danube", "Rhine"), right=1)
    planned_item = only(found(turned), holding=bank)
    before = bank.by_name["rivers"]
    assert planned_item.document is not None
    assert planned_item.document.words["en"]["options"] == before.document.words["en"]["options"]
    assert planned_item.document.key["right"] == before.document.key["right"]
    assert planned_item.rows == before.rows


def test_an_option_whose_words_changed_is_known_by_its_name():
    bank = held(found(asked()))
    planned_item = only(found(asked(options=("Danube", "The Rhine", "Ebro"))), holding=bank)
    assert planned_item.document is not None
    assert planned_item.document.row_ids == bank.by_name["rivers"].document.row_ids


def test_an_option_that_is_new_gets_an_id_and_a_name_that_nobody_had():
    bank = held(found(asked()))
    planned_item = only(found(asked(options=("Rhine", "Po", "Ebro", "Danube"))), holding=bank)
    old = bank.by_name["rivers"].rows
    assert planned_item.rows.items() >= old.items()
    fresh = set(planned_item.rows) - set(old)
    assert fresh == {"d"} or len(fresh) == 1


def test_a_file_in_another_language_touches_only_its_own_words():
    bank = held(found(asked(explanation="Because.")))
    spanish = asked(language="es", prompt="¿Cuál?", options=("Danubio", "Rin", "Ebro"))
    planned_item = only(found(spanish), holding=bank)
    before = bank.by_name["rivers"].document
    assert planned_item.action == ImportAction.CHANGED
    assert planned_item.document is not None
    assert planned_item.document.words["en"] == before.words["en"]
    assert planned_item.document.content == before.content
    assert planned_item.document.words["es"]["prompt"] == "¿Cuál?"
    assert not planned_item.document.is_outdated("es")


def test_a_changed_source_leaves_its_translation_stale():
    bank = held(found(asked()))
    spanish = only(found(asked(language="es", prompt="¿Cuál?")), holding=bank)
    planned_item = only(found(asked(prompt="And now?")), holding=holding(as_held(spanish)))
    assert planned_item.document is not None
    assert planned_item.document.is_outdated("es")
    assert planned_item.document.words["es"]["prompt"] == "¿Cuál?"


def test_what_a_format_does_not_tell_stays_as_it_was():
    bank = held(found(asked(explanation="Because.")))
    planned_item = only(found(asked()), holding=bank)
    assert planned_item.action == ImportAction.SAME


def test_what_a_banks_own_file_does_not_tell_is_not_to_be():
    bank = held(found(asked(explanation="Because.")))
    planned_item = only(found(asked()), holding=bank, is_complete=True)
    assert [part.part for part in planned_item.differences] == ["feedback.explanation"]


def test_where_an_author_wrote_meanwhile_there_is_a_conflict_that_is_not_chosen():
    bank = held(found(asked()))
    question = bank.by_name["rivers"]
    words = {"en": {**question.document.words["en"], "prompt": "By an author?"}}
    edited = replace(question, document=replace(question.document, words=words))
    planned_item = only(found(asked()), holding=holding(edited))
    assert (planned_item.action, planned_item.writes, planned_item.selected_by_default) == (
        ImportAction.CONFLICT,
        True,
        False,
    )


def test_a_language_is_added_to_what_an_author_wrote_without_a_conflict():
    question = replace(held(found(asked())).by_name["rivers"], imported_fingerprint="")
    spanish = asked(language="es", prompt="¿Cuál?")
    assert only(found(spanish), holding=holding(question)).action == ImportAction.CHANGED


def test_a_question_of_another_name_is_known_by_its_words():
    planned_item = only(found(replace(asked(), name="q1")), holding=held(found(asked())))
    assert (planned_item.action, planned_item.name) == (ImportAction.SAME, "rivers")


def test_of_two_questions_alike_in_a_file_one_is_new():
    again = found(asked(prompt="Once more?"))
    first, second = planned(found(asked()), again)
    assert (first.name, second.name) == ("rivers", "rivers-2")
    assert second.action == ImportAction.NEW


def test_what_needs_review_is_a_draft_and_over_a_question_of_the_bank_not_chosen():
    item = found(without_key(asked()), ImportStatus.REVIEW)
    new = only(item)
    assert (new.action, new.selected_by_default) == (ImportAction.REVIEW, True)
    damaged = only(replace(item, is_damaged=True))
    assert (damaged.action, damaged.selected_by_default) == (ImportAction.REVIEW, False)
    over = only(item, holding=held(found(asked())))
    assert (over.action, over.selected_by_default) == (ImportAction.REVIEW, False)
    assert only(item, holding=holding(as_held(new))).action == ImportAction.SAME


def test_a_question_only_in_spanish_has_spanish_as_its_source():
    item = only(found(asked(language="es"))).document
    assert item is not None
    assert item.source_language == "es"
    assert QuestionDocument.from_json(item.to_json()) == item


ANOTHER = asked(
    "rivers",
    prompt="What does a mitochondrion do for its cell?",
    options=("It makes energy", "It keeps the genes", "It digests food"),
)


def test_a_name_that_leads_to_another_question_is_asked_about():
    bank = held(found(asked()))
    planned_item = only(found(ANOTHER), holding=bank)
    assert (planned_item.action, planned_item.name, planned_item.conflict_code) == (
        ImportAction.CONFLICT,
        "rivers",
        "another_question",
    )
    assert planned_item.writes
    assert not planned_item.selected_by_default


def test_what_replaces_another_question_has_nothing_of_it_but_the_name():
    bank = held(found(asked(explanation="Because.")))
    planned_item = only(found(ANOTHER), holding=bank)
    assert planned_item.document is not None
    before = bank.by_name["rivers"].document
    assert not {*planned_item.document.row_ids} & {*before.row_ids}
    assert "Because." not in str(planned_item.document)
    assert {*planned_item.rows} > {
        *bank.by_name["rivers"].rows
    }  # those of old versions are still known


def test_what_a_person_takes_for_another_question_gets_a_name_of_its_own():
    bank = held(found(asked()))
    (planned_item,) = plan_items([(0, found(ANOTHER))], bank, set(), as_new={0})
    assert (planned_item.action, planned_item.name, planned_item.before) == (
        ImportAction.NEW,
        "rivers-2",
        None,
    )


def test_a_question_that_came_under_another_name_is_found_there_again():
    bank = held(found(asked()))
    (planned_as_new,) = plan_items([(0, found(ANOTHER))], bank, set(), as_new={0})
    both = holding(bank.by_name["rivers"], as_held(planned_as_new))
    planned_item = only(found(ANOTHER), holding=both)
    assert (planned_item.action, planned_item.name, planned_item.conflict_code) == (
        ImportAction.SAME,
        "rivers-2",
        "",
    )


def test_in_a_file_of_the_bank_itself_a_name_is_enough():
    bank = replace(held(found(asked())), is_own_file=True)
    assert only(found(ANOTHER), holding=bank, is_complete=True).action == ImportAction.CHANGED
