"""Doing a plan: whole or not at all, twice is once, and what needs review is never published."""

from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from quizzes.bank import services
from quizzes.bank.models import Bank, Option, Question, QuestionVersion, VersionTranslation
from quizzes.document import QuestionDocument
from quizzes.events.models import Event
from quizzes.formats.contract import FileError, ImportStatus, ParsedFile
from quizzes.imports import importer
from quizzes.imports.import_plan.values import ImportAction
from quizzes.imports.importer import ImportSelection
from quizzes.imports.report import ImportReport
from quizzes.lib.errors import Invalid
from tests.factories import NOW
from tests.quizzes.imports.parcels import asked, found, parcel, refused, without_key

pytestmark = pytest.mark.django_db


@pytest.fixture
def into() -> Bank:
    return services.update_or_create_bank(
        slug="bank", group=None, fields={"title": {"en": "Bank"}}, by=None
    )


def brought(into: Bank, of: ParsedFile, **more) -> ImportReport:
    return importer.run_import(bank=into, parsed_file=of, by=None, now=NOW, **more)


def counted(report: ImportReport) -> dict[str, int]:
    return {what: count for what, count in report.counts().items() if count}


def test_new_questions_are_published_as_services_would(into):
    report = brought(into, parcel(asked("one"), asked("two")))
    assert counted(report) == {ImportAction.NEW: 2}
    question = Question.objects.select_related("current", "draft").get(name="one")
    version = question.current
    assert version is not None
    assert (version.number, version.kind, version.digest) == (
        1,
        "single_choice",
        question.imported_fingerprint,
    )
    item = QuestionDocument.from_json(question.draft.data)
    assert services.publish(question=question, by=None, now=NOW) == version
    assert VersionTranslation.objects.get(version=version).texts == item.words["en"]
    assert {str(option.uuid) for option in question.options.all()} == set(item.row_ids)
    event = Event.objects.get(subject=question.uuid)
    assert event.data == {"version": str(version.uuid), "number": 1}


def test_the_same_file_again_writes_nothing(into):
    file = parcel(asked("one"), found(without_key(asked("two")), ImportStatus.REVIEW), refused())
    brought(into, file)
    before = list(Question.objects.values("pk", "updated_at", "draft__revision"))
    report = brought(into, file)
    assert counted(report) == {ImportAction.SAME: 2, ImportAction.REFUSED: 1}
    assert report.written == 0
    assert list(Question.objects.values("pk", "updated_at", "draft__revision")) == before
    assert QuestionVersion.objects.count() == Event.objects.count() == 1


def test_a_changed_file_makes_versions_of_what_changed_alone(into):
    brought(into, parcel(asked("one"), asked("two")))
    options = set(Option.objects.values_list("uuid", flat=True))
    report = brought(into, parcel(asked("one"), asked("two", prompt="And now?")))
    assert counted(report) == {ImportAction.SAME: 1, ImportAction.CHANGED: 1}
    two = Question.objects.select_related("current").get(name="two")
    assert two.current is not None
    assert two.current.number == 2
    assert Question.objects.get(name="one").versions.count() == 1
    assert set(Option.objects.values_list("uuid", flat=True)) == options


def test_what_needs_review_comes_in_as_a_draft(into):
    item = asked("whole")  # nothing is wrong with it, and yet a person must look
    brought(into, parcel(found(item, ImportStatus.REVIEW)))
    question = Question.objects.select_related("draft").get()
    assert question.current is None
    assert QuestionDocument.from_json(question.draft.data).words["en"]["prompt"] == "Which whole?"


def test_what_has_problems_comes_in_as_a_draft_with_them_told(into):
    report = brought(into, parcel(without_key(asked())))
    assert Question.objects.get().current is None
    assert report.items[0].problems
    assert not report.items[0].published


def test_only_chosen_items_are_written(into):
    report = brought(into, parcel(asked("one"), asked("two")), selection=ImportSelection({1}))
    assert [question.name for question in Question.objects.all()] == ["two"]
    assert [line.selected for line in report.items] == [False, True]


def test_a_conflict_is_written_only_if_it_is_chosen(into):
    brought(into, parcel(asked()))
    question = Question.objects.select_related("draft").get()
    item = QuestionDocument.from_json(question.draft.data)
    words = {"en": {**item.words["en"], "prompt": "By an author?"}}
    services.save_draft(question=question, item=replace(item, words=words), revision=None, by=None)
    assert counted(brought(into, parcel(asked()))) == {ImportAction.CONFLICT: 1}
    question.draft.refresh_from_db()
    assert question.draft.data["words"]["en"]["prompt"] == "By an author?"
    brought(into, parcel(asked()), selection=ImportSelection({0}))
    question.draft.refresh_from_db()
    assert question.draft.data["words"]["en"]["prompt"] == "Which rivers?"


def test_troubles_of_the_file_keep_all_of_it_out(into):
    with pytest.raises(Invalid):
        brought(into, parcel(asked(), errors=(FileError(1, "", "not_xml", "no"),)))
    assert not Question.objects.exists()


def test_a_stop_on_the_way_leaves_nothing_behind(into):
    def stop(done: int) -> None:
        raise KeyboardInterrupt(done)

    with pytest.raises(KeyboardInterrupt):
        brought(into, parcel(asked()), on_progress=stop)
    assert not Question.objects.exists()


def test_foretelling_says_the_same_and_writes_nothing(into):
    file = parcel(asked("one"), refused(), without_key(asked("two")))
    preview = importer.preview_import(bank=into, parsed_file=file)
    assert not Question.objects.exists()
    # The linter looks at items only before they are imported.
    unchecked = tuple(replace(item, findings=None) for item in preview.items)
    assert [*unchecked] == [*brought(into, file).items]


def test_the_number_of_queries_does_not_grow_with_the_questions(into):
    counts = []
    brought(into, parcel(asked("first")))
    for prefix, number in (("few", 2), ("many", 100)):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            brought(into, parcel(*(asked(f"{prefix}-{n}") for n in range(number))))
        counts.append(len(queries))
    assert counts[1] <= counts[0] + 2


def test_tags_of_a_file_join_those_that_authors_gave(into):
    brought(into, parcel(replace(asked(), tags=("a",))))
    services.set_tags(question=Question.objects.get(), names=["a", "by-hand"], by=None)
    report = brought(into, parcel(replace(asked(), tags=("a", "b"))))
    assert counted(report) == {ImportAction.CHANGED: 1}
    assert {tag.name for tag in Question.objects.get().tags.all()} == {"a", "b", "by-hand"}
