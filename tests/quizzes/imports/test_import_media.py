"""Files of a parcel: kept in the bank, and called by their names there."""

import pytest

from quizzes.bank import services
from quizzes.bank.models import Media, Question, VersionMedia
from quizzes.imports import import_media, importer
from tests.factories import NOW
from tests.media_files import png
from tests.quizzes.imports.parcels import asked, parcel

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("store")]


@pytest.fixture
def into():
    return services.update_or_create_bank(
        slug="bank", group=None, fields={"title": {"en": "Bank"}}, by=None
    )


def shown():
    return parcel(asked(prompt="![A map](media:map.png)"), media={"map.png": png()})


def test_a_picture_is_kept_shown_and_held(into):
    importer.run_import(bank=into, parsed_file=shown(), by=None, now=NOW)
    media = Media.objects.get()
    question = Question.objects.select_related("draft", "current").get()
    assert f"media:{media.uuid}.png" in question.draft.data["words"]["en"]["prompt"]
    assert question.current is not None
    assert VersionMedia.objects.get().media == media


def test_the_same_file_again_is_the_same_though_names_were_changed(into):
    importer.run_import(bank=into, parsed_file=shown(), by=None, now=NOW)
    report = importer.preview_import(bank=into, parsed_file=shown())
    assert report.counts()["same"] == 1


def test_what_is_no_picture_is_left_out_and_its_question_is_a_draft(into):
    fake = parcel(asked(prompt="![A map](media:map.png)"), media={"map.png": b"<html>"})
    assert import_media.importable_media(bank=into, parsed_file=fake) == ()
    importer.run_import(bank=into, parsed_file=fake, by=None, now=NOW)
    assert not Media.objects.exists()
    assert Question.objects.get().current is None
