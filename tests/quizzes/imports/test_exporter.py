"""A bank as a file: what is exported and imported again is the same, in every language."""

from pathlib import Path

import pytest
from django.conf import settings

from quizzes.bank.models import Bank, Question
from quizzes.document import QuestionDocument
from quizzes.formats import FORMATS, WRITERS, ochenta
from quizzes.imports import exporter, importer
from quizzes.lib.errors import Invalid
from tests.factories import NOW

pytestmark = pytest.mark.django_db

BANKS = sorted((Path(settings.ROOT) / "fixtures" / "banks").glob("*.yaml"))


def loaded(data: bytes) -> Bank:
    parsed_file = ochenta.read(data)
    return importer.import_bank_file(parsed_file=parsed_file, group=None, by=None, now=NOW)[0]


def items(of: Bank) -> dict[str, object]:
    """The drafts, with names for ids, so that two banks may be compared."""
    document_by_name: dict[str, object] = {}
    for question in Question.objects.filter(bank=of).select_related("draft"):
        text = repr(sorted(QuestionDocument.from_json(question.draft.data).to_json().items()))
        for row in question.options.all():
            text = text.replace(str(row.uuid), row.name)
        document_by_name[question.name] = {
            "text": text,
            "tags": {tag.name for tag in question.tags.all()},
        }
    return document_by_name


def test_every_bank_of_the_box_comes_back_the_same():
    for path in BANKS:
        bank = loaded(path.read_bytes())
        written = exporter.export_bank(bank=bank, format_=ochenta.name)
        assert written.warnings == ()
        parcel = ochenta.read(written.data)
        assert parcel.errors == ()
        report = importer.preview_import(bank=bank, parsed_file=parcel)
        assert report.counts()["same"] == len(report.items) == bank.questions.count()
        assert parcel.fields == ochenta.read(path.read_bytes()).fields


def test_a_bank_that_is_written_and_loaded_elsewhere_holds_the_same():
    bank = loaded((Path(settings.ROOT) / "fixtures/banks/every-kind-once.yaml").read_bytes())
    data = exporter.export_bank(bank=bank, format_=ochenta.name).data
    other = loaded(data.replace(b"bank: every-kind-once", b"bank: elsewhere"))
    assert other != bank
    assert items(other).keys() == items(bank).keys()
    again = exporter.export_bank(bank=other, format_=ochenta.name).data
    assert again.replace(b"bank: elsewhere", b"bank: every-kind-once") == data


def test_what_a_format_cannot_hold_is_told_and_no_format_is_invalid():
    bank = loaded((Path(settings.ROOT) / "fixtures/banks/every-kind-once.yaml").read_bytes())
    with pytest.raises(Invalid, match="format_not_writable"):
        exporter.export_bank(bank=bank, format_="no such")


def test_a_question_of_an_unknown_kind_is_a_loss():
    bank = loaded(BANKS[0].read_bytes())
    question = bank.questions.select_related("draft").first()
    assert question is not None
    question.draft.data["kind"] = "riddle"
    question.draft.save()
    written = exporter.export_bank(bank=bank, format_=ochenta.name)
    assert [(loss.question, loss.code) for loss in written.warnings] == [
        (question.name, "kind_not_held")
    ]


def test_retired_questions_stay_at_home():
    bank = loaded(BANKS[0].read_bytes())
    Question.objects.filter(bank=bank).update(retired_at=NOW)
    assert exporter.build_parsed_file(bank)[0].items == ()


def test_every_format_that_is_written_writes_a_bank_of_every_kind():
    bank = loaded((Path(settings.ROOT) / "fixtures/banks/every-kind-once.yaml").read_bytes())
    for name in WRITERS:
        written = exporter.export_bank(bank=bank, format_=name, language="en")
        assert written.data
        parcel = FORMATS[name].read(written.data, language="en")
        missing = bank.questions.count() - len(parcel.questions)
        assert missing <= len({loss.question for loss in written.warnings if loss.question}), name
