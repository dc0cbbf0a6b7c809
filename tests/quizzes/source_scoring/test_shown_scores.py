"""How an import shows whether items score as in their file: page, report, REST, lines."""

from dataclasses import replace
from fractions import Fraction
from html import unescape
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import translation

from quizzes.bank.models import Bank
from quizzes.formats.contract import (
    ImportStatus,
    ScoreComparison,
    ScoreDifference,
    SourceItem,
)
from quizzes.imports.import_plan.values import ImportAction, PlannedItem
from quizzes.imports.models import ImportJob
from quizzes.imports.sandbox import reading_process
from quizzes.imports.sandbox.file_codec import FileReading
from quizzes.presentation.messages.score_comparisons import (
    NOT_COMPARED,
    describe_comparison,
    describe_difference,
)
from tests.users import Users, logged_in_client

HALF = ScoreDifference(("Danube", "Rhine"), Fraction(1, 2), Fraction(2, 3))
SURPRISE = ScoreComparison(7, differences=(HALF,))


def test_a_comparison_is_a_sentence_in_both_languages():
    assert describe_comparison(ScoreComparison(7)) == (
        "Scores as in the file: 7 answers compared, no difference."
    )
    assert describe_comparison(SURPRISE) == "Scores differ from the file for 1 of 7 answers."
    assert describe_comparison(replace(SURPRISE, is_told=True)).endswith("as the notes say.")
    assert describe_difference(HALF) == "For “Danube; Rhine” the file gives 1/2, here 2/3."
    with translation.override("es"):
        assert describe_difference(HALF) == "Por «Danube; Rhine» el archivo da 1/2; aquí, 2/3."
        sentences = {str(sentence) for sentence in NOT_COMPARED.values()}
        assert all(sentence.startswith("No se comparó") for sentence in sentences)


def test_a_rounded_third_is_shown_as_a_third_and_odd_shares_in_per_cent():
    third = replace(HALF, in_file=Fraction(33333, 100_000), here=Fraction(-1, 3))
    assert describe_difference(third).endswith("the file gives 1/3, here −1/3.")
    odd = replace(HALF, answer=(), in_file=Fraction(1429, 2000), here=Fraction(1))
    assert describe_difference(odd) == "No answer: the file gives 5/7, here 1."
    assert "70.99" in describe_difference(replace(odd, in_file=Fraction(7099, 10_000)))


def test_an_item_with_a_surprise_is_not_selected_by_default():
    source_item = SourceItem(1, 2, "q", "single_choice", ImportStatus.IMPORTED)
    planned = PlannedItem(0, source_item, ImportAction.NEW)
    assert planned.selected_by_default
    surprised = replace(planned, source_item=replace(source_item, comparison=SURPRISE))
    assert not surprised.selected_by_default
    explained = replace(SURPRISE, is_told=True)
    compared_item = replace(planned, source_item=replace(source_item, comparison=explained))
    assert compared_item.selected_by_default


GIFT = (
    "::one::Which river?{=Danube ~Rhine ~%50%Rhone}\n\n"
    "::both::Which are right?{~%33%a ~%33%b ~%33%c}\n\n"
    "::essay::Write.{}\n"
)


@pytest.fixture
def job(users: Users, into: Bank, monkeypatch) -> ImportJob:
    """An import whose reader has a defect: it takes another key than the file's."""

    real = reading_process.read

    def read_with_defect(*arguments: Any, **options: Any) -> tuple[FileReading, bytes]:
        reading, frames = real(*arguments, **options)
        first, *others = reading.parsed_file.items
        items = (replace(first, comparison=SURPRISE), *others)
        changed = replace(reading, parsed_file=replace(reading.parsed_file, items=items))
        return changed, frames

    monkeypatch.setattr(reading_process, "read", read_with_defect)
    file = SimpleUploadedFile("rivers.gift", GIFT.encode())
    values = {"bank": into.pk, "file": file, "language": "en", "format": "gift"}
    logged_in_client(users.instructor).post("/admin/imports/importjob/add/", values)
    return ImportJob.objects.get()


@pytest.mark.django_db
@pytest.mark.usefixtures("store")
def test_the_preview_lists_the_answers_and_does_not_tick_the_item(job, users):
    client = logged_in_client(users.instructor)
    response = client.get(f"/admin/imports/importjob/{job.pk}/change/")
    text = unescape(response.content.decode())
    assert "For “Danube; Rhine” the file gives 1/2, here 2/3." in text
    assert "Some answers earn something else here than in the file." in text
    assert "For “a” the file gives 33%, here 1/3." in text
    assert "people grade it" in text
    ticked = {view.item.name for view in response.context["items"] if view.selected}
    assert ticked == {"both", "essay"}


@pytest.mark.django_db
@pytest.mark.usefixtures("store")
def test_programs_read_the_same(job, users):
    response = logged_in_client(users.instructor).get(f"/api/v1/imports/{job.uuid}/report")
    first, second, third = response.json()["items"]
    assert not first["selected"]
    assert first["comparison"]["compared"] == 7
    (difference,) = first["comparison"]["differences"]
    assert difference["answer"] == ["Danube", "Rhine"]
    assert difference["in_file"] == {"numerator": 1, "denominator": 2, "decimal": "0.5"}
    assert difference["here"]["numerator"] == 2
    assert second["comparison"]["is_told"]
    assert third["comparison"]["reason"] == "by_person"
    assert third["comparison"]["message"] == "Not compared with the file: people grade it."
