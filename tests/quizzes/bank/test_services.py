"""Authoring: drafts are kept whatever is wrong, versions only when nothing is."""

from dataclasses import replace

import pytest

from quizzes.bank import services
from quizzes.bank.models import (
    Bank,
    Question,
    QuestionVersion,
    Tag,
    VersionFeedback,
    VersionKey,
    VersionTranslation,
)
from quizzes.document import QuestionDocument
from quizzes.events.models import Event
from quizzes.lib.errors import Conflict, Invalid
from tests.factories import NOW, create_bank, create_question, option_ids, publish_change

pytestmark = pytest.mark.django_db


@pytest.fixture
def into(users) -> Bank:
    return create_bank(users)


def item_of(question: Question) -> QuestionDocument:
    return QuestionDocument.from_json(question.draft.data)


# --- Banks and questions ---------------------------------------------------------------------
def test_keeping_a_bank_again_updates_it_and_leaves_its_group(users, into):
    again = services.update_or_create_bank(
        slug="bank", group=users.other_group, fields={"licence": "CC0"}, by=None
    )
    assert again == into
    assert (again.licence, again.group) == ("CC0", users.group)


def test_a_name_is_taken_once_a_bank(users, into):
    item = QuestionDocument("multiple_choice", "halves")
    services.add_question(bank=into, name="one", item=item, by=None)
    with pytest.raises(Conflict, match="name_taken"):
        services.add_question(bank=into, name="one", item=item, by=None)
    services.add_question(bank=create_bank(users, "other"), name="one", item=item, by=None)
    assert Question.objects.count() == 2


def test_options_keep_their_ids_for_ever(into):
    question = create_question(into, "one", options="ab")
    first = services.option_ids(question=question, names="ab", by=None)
    later = services.option_ids(question=question, names="bcd", by=None)
    assert {name: later[name] for name in "ab"} == first
    assert len(set(later.values())) == 4
    assert option_ids(question, "a") == [first["a"]]


def test_tags_are_set_exactly(into):
    question = create_question(into, "one")
    services.set_tags(question=question, names=["gpu", "cost", "gpu"], by=None)
    services.set_tags(question=question, names=["cost", "memory"], by=None)
    assert set(question.tags.values_list("name", flat=True)) == {"cost", "memory"}
    assert Tag.objects.count() == 3


# --- Drafts ----------------------------------------------------------------------------------
def test_a_draft_is_kept_with_all_that_is_wrong_named(users, into):
    question = create_question(into, "one")
    broken = replace(item_of(question), key={"right": []})
    problems = services.save_draft(
        question=question, item=broken, revision=question.draft.revision, by=users.instructor
    )
    question.draft.refresh_from_db()
    assert [problem.code for problem in problems] == ["nothing_right"]
    assert item_of(question) == broken
    assert question.draft.updated_by == users.instructor


def test_of_two_authors_at_once_the_second_is_told(into):
    question = create_question(into, "one")
    began = question.draft.revision
    first, second = (
        replace(item_of(question), scoring_method=scoring_method)
        for scoring_method in ("halves", "coverage")
    )
    services.save_draft(question=question, item=first, revision=began, by=None)
    with pytest.raises(Conflict, match="draft_changed"):
        services.save_draft(question=question, item=second, revision=began, by=None)
    question.draft.refresh_from_db()
    assert item_of(question) == first


def test_a_file_overwrites_whatever_stands(into):
    question = create_question(into, "one")
    services.save_draft(question=question, item=item_of(question), revision=None, by=None)
    before = question.draft.revision
    question.draft.refresh_from_db()
    assert question.draft.revision == before + 1


def test_the_kind_of_a_question_follows_its_draft(into):
    question = create_question(into, "one", right="a")
    single = replace(item_of(question), kind="single_choice", scoring_method="all_or_nothing")
    services.save_draft(question=question, item=single, revision=None, by=None)
    question.refresh_from_db()
    assert question.kind == "single_choice"


# --- Publishing ------------------------------------------------------------------------------
def test_publishing_freezes_words_key_and_feedback_apart(into):
    question = create_question(into, "one", right="ab")
    version = QuestionVersion.objects.get()
    assert (version.number, version.kind, question.current) == (1, "multiple_choice", version)
    assert set(VersionTranslation.objects.values_list("language", flat=True)) == {"en", "es"}
    assert VersionKey.objects.get().key == {"right": option_ids(question, "a", "b")}
    assert VersionFeedback.objects.count() == 2
    assert Event.objects.get(kind="question.published").subject == question.uuid


def test_what_has_problems_is_not_published_and_nothing_is_written(into):
    question = create_question(into, "one")
    before = Event.objects.count()
    services.save_draft(
        question=question,
        item=replace(item_of(question), key={"right": []}),
        revision=None,
        by=None,
    )
    with pytest.raises(Invalid) as raised:
        services.publish(question=question, by=None, now=NOW)
    assert [problem.code for problem in raised.value.detail["problems"]] == ["nothing_right"]
    assert QuestionVersion.objects.count() == 1
    assert Event.objects.count() == before


def test_publishing_the_same_again_gives_the_same_version(users, into):
    question = create_question(into, "one")
    again = services.publish(question=question, by=users.instructor, now=NOW)
    assert again == question.current
    assert QuestionVersion.objects.count() == 1


def test_a_change_makes_the_next_version_and_leaves_the_last_one(into):
    question = create_question(into, "one")
    first = question.current
    publish_change(question, shuffle=False)
    assert question.current is not None
    assert question.current.number == 2
    assert first is not None
    first.refresh_from_db()
    assert first.content["shuffle"] is True


def test_a_question_saved_from_an_old_page_cannot_make_a_number_twice(into):
    question = create_question(into, "one")
    stale = Question.objects.get(pk=question.pk)
    publish_change(question, shuffle=False)
    stale.save()  # takes `current` back to the first version
    publish_change(Question.objects.get(pk=question.pk), none_apply=True)
    assert sorted(QuestionVersion.objects.values_list("number", flat=True)) == [1, 2, 3]


def test_a_translation_that_is_stale_is_published_as_such(into):
    question = create_question(into, "one")
    item = item_of(question)
    marked = replace(item, translated_from={"es": "another text"})
    services.save_draft(question=question, item=marked, revision=None, by=None)
    version = services.publish(question=question, by=None, now=NOW)
    assert dict(version.translations.values_list("language", "is_outdated")) == {
        "en": False,
        "es": True,
    }


def test_a_retired_question_is_back_when_published_again(into):
    question = create_question(into, "one")
    services.retire(question=question, by=None, now=NOW)
    question.refresh_from_db()
    assert question.retired_at == NOW
    services.publish(question=question, by=None, now=NOW)
    question.refresh_from_db()
    assert question.retired_at is None
