"""Files of authors: kept once a bank, tied to versions for ever, let go when nothing shows them."""

import os
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.db.models import ProtectedError

from quizzes.bank import blob_store as bytes_store
from quizzes.bank import services, uploads
from quizzes.bank.models import Draft, Media, Question, QuestionVersion, VersionMedia
from quizzes.document import QuestionDocument
from quizzes.lib import clock
from quizzes.lib.base_models import ImmutableRowError
from quizzes.lib.errors import Conflict, Invalid
from tests import media_files
from tests.factories import NOW, create_bank, create_question
from tests.media_files import media_markdown, upload

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("store")]


@pytest.fixture
def into(users):
    return create_bank(users)


def item_of(question: Question) -> QuestionDocument:
    return QuestionDocument.from_json(Draft.objects.get(question=question).data)


def write(question: Question, prompt: str = "", explanation: str = "") -> None:
    """Give the draft other texts in English."""
    item = item_of(question)
    if prompt:
        words = {**item.words["en"], "prompt": prompt}
        item = replace(item, words={**item.words, "en": words})
    if explanation:
        feedback = {**item.feedback["en"], "explanation": explanation}
        item = replace(item, feedback={**item.feedback, "en": feedback})
    services.save_draft(question=question, item=item, revision=None, by=None)


def publish(question: Question) -> QuestionVersion:
    return services.publish(question=question, by=None, now=NOW)


def refusal(question: Question) -> list[tuple[str, str]]:
    with pytest.raises(Invalid) as caught:
        publish(question)
    return [(problem.where, problem.code) for problem in caught.value.detail["problems"]]


# --- keeping ---------------------------------------------------------------------------------


def test_a_file_is_kept_with_all_that_is_known_of_it(users, into):
    media = upload(into, media_files.png(3, 1), "a cat.jpg", by=users.instructor)
    media.refresh_from_db()
    assert (media.media_type, media.extension) == ("image/png", "png")
    assert (media.width, media.height, media.size) == (3, 1, len(media_files.png(3, 1)))
    assert (media.name, media.uploaded_by) == ("a cat.jpg", users.instructor)
    assert bytes_store.read_blob(media.sha256) == media_files.png(3, 1)


def test_the_same_bytes_are_one_file_a_bank_and_lie_once_on_the_disk(users, into, store):
    first, second = upload(into, media_files.png(), "one"), upload(into, media_files.png(), "two")
    assert first == second
    elsewhere = upload(create_bank(users, "other"), media_files.png())
    assert elsewhere != first
    assert elsewhere.sha256 == first.sha256
    assert len(list(store.glob("??/*"))) == 1


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"),
        (b"<!DOCTYPE html>", "unknown_type"),
        (media_files.png(50_000, 50_000), "too_many_pixels"),
    ],
)
def test_what_is_unfit_leaves_neither_row_nor_file(into, store, data, code):
    with pytest.raises(Invalid) as caught:
        upload(into, data, "cat.png")
    assert caught.value.code == code
    assert not Media.objects.exists()
    assert list(store.glob("??/*")) == []


def test_what_is_too_large_says_how_large_it_may_be(into, settings):
    settings.MEDIA_MAX_BYTES = {"image": 50, "audio": 1, "video": 1}
    with pytest.raises(Invalid) as caught:
        upload(into, media_files.png())
    assert (caught.value.code, caught.value.detail["maximum"]) == ("too_large", 50)


def test_a_drawing_is_kept_as_it_was_cleaned(into):
    media = upload(into, media_files.svg("<metadata/><rect/>"))
    stored = bytes_store.read_blob(media.sha256)
    assert b"metadata" not in stored
    assert media.size == len(stored)
    assert (media.width, media.height) == (4, 2)


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("cat.png", "cat.png"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\me\\cat.png", "cat.png"),
        ("a\x00b\n\u202egnp.exe", "abgnp.exe"),
        ("cat.png.html", "cat.png.html"),
        ("\u2028", ""),
        ("x" * 300, "x" * 200),
        ("el niño.png", "el niño.png"),
    ],
)
def test_a_name_is_a_label_and_no_more(into, store, name, label):
    media = upload(into, media_files.png(), name)
    assert media.name == label
    assert [path.name for path in store.glob("??/*")] == [media.sha256]


def test_a_file_says_what_it_is(into):
    media = upload(into, media_files.png(), "cat.png")
    assert str(media) == "cat.png"
    assert str(upload(into, media_files.gif(), "")).endswith(".gif")


def test_a_killed_upload_leaves_a_file_that_no_row_names_and_the_sweep_takes(
    into, monkeypatch, store
):
    def killed(**_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Media.objects, "get_or_create", killed)
        with pytest.raises(KeyboardInterrupt):
            upload(into, media_files.png())
    assert not Media.objects.exists()
    (left,) = store.glob("??/*")
    call_command("sweep_media")
    assert left.exists()
    os.utime(left, (0, 0))
    call_command("sweep_media")
    assert not left.exists()


def test_a_row_is_written_only_when_its_file_is_on_the_disk(into, monkeypatch):
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        upload(into, media_files.png())
    assert not Media.objects.exists()


# --- publishing ------------------------------------------------------------------------------


def test_a_version_holds_the_files_of_its_words_and_of_its_feedback(into):
    question = create_question(into, "many")
    picture, sound = upload(into, media_files.png()), upload(into, media_files.mp3())
    write(
        question,
        prompt=f"Which? {media_markdown(picture)}",
        explanation=f"{media_markdown(picture)} {media_markdown(sound)}",
    )
    version = publish(question)
    is_secret = {use.media: use.secret for use in version.files.all()}
    assert is_secret == {picture: False, sound: True}
    assert str(version.files.first()).endswith(f"in {version.pk}")


def test_a_version_without_files_holds_none(into):
    create_question(into, "many")
    assert not VersionMedia.objects.exists()


def test_a_file_that_is_not_there_or_another_banks_keeps_a_draft_from_being_published(users, into):
    question = create_question(into, "many")
    foreign = upload(create_bank(users, "other"), media_files.png())
    write(question, prompt=f"Which? {media_markdown(foreign)}")
    assert refusal(question) == [("words.en.prompt", "media_unknown")]
    missing = f"![x](media:{question.uuid}.png)"
    write(question, prompt="Which?", explanation=f"Because\n{missing}")
    assert refusal(question) == [("feedback.en.explanation", "media_unknown")]
    assert question.versions.count() == 1


def test_a_file_under_another_extension_is_another_file(into):
    question = create_question(into, "many")
    write(question, prompt=media_markdown(upload(into, media_files.png())).replace(".png", ".mp4"))
    assert refusal(question) == [("words.en.prompt", "media_unknown")]


def test_saving_a_draft_names_the_files_that_are_not_there(into):
    question = create_question(into, "many")
    item = item_of(question)
    item = replace(
        item,
        words={
            **item.words,
            "en": {**item.words["en"], "prompt": f"![x](media:{question.uuid}.png)"},
        },
    )
    problems = services.save_draft(question=question, item=item, revision=None, by=None)
    assert [(problem.where, problem.code) for problem in problems] == [
        ("words.en.prompt", "media_unknown")
    ]
    assert problems[0].detail == {"line": 1, "detail": f"{question.uuid}.png"}


def test_publishing_without_files_asks_nothing_more(into, counted):
    question = create_question(into, "many")
    write(question, prompt="Another?")
    with counted() as plain:
        publish(question)
    assert not [statement for statement in plain if "bank_media" in statement]


# --- letting go ------------------------------------------------------------------------------


def test_a_file_that_nothing_shows_may_go_and_its_bytes_follow_later(into, store):
    media = upload(into, media_files.png())
    uploads.delete_media(media=media, by=None)
    assert not Media.objects.exists()
    (left,) = store.glob("??/*")
    os.utime(left, (0, 0))
    assert uploads.sweep(now=clock.now()) == 1


def test_bytes_that_another_bank_names_stay(users, into, store):
    upload(create_bank(users, "other"), media_files.png())
    uploads.delete_media(media=upload(into, media_files.png()), by=None)
    (left,) = store.glob("??/*")
    os.utime(left, (0, 0))
    assert uploads.sweep(now=clock.now()) == 0
    assert left.exists()


def test_bytes_uploaded_anew_after_they_were_let_go_are_not_swept_away(into, store):
    uploads.delete_media(media=upload(into, media_files.png()), by=None)
    os.utime(store / bytes_store.build_name(upload(into, media_files.gif()).sha256), (0, 0))
    again = upload(into, media_files.png())
    assert uploads.sweep(now=clock.now()) == 0
    assert uploads.sweep(now=clock.now() + timedelta(days=2)) == 0
    assert bytes_store.has_blob(again.sha256)


def test_a_file_in_a_draft_stays(into):
    media, question = upload(into, media_files.png()), create_question(into, "many")
    write(question, explanation=media_markdown(media).replace("media:", "/media/").upper())
    with pytest.raises(Conflict) as caught:
        uploads.delete_media(media=media, by=None)
    assert caught.value.code == "media_in_use"
    assert caught.value.detail == {"versions": 0, "drafts": ("many",)}


def test_a_file_of_a_version_stays_whatever_becomes_of_the_question(into):
    media, question = upload(into, media_files.png()), create_question(into, "many")
    write(question, prompt=media_markdown(media))
    publish(question)
    write(question, prompt="Without")
    publish(question)
    services.retire(question=question, by=None, now=NOW)
    with pytest.raises(Conflict) as caught:
        uploads.delete_media(media=media, by=None)
    assert caught.value.detail == {"versions": 1, "drafts": ()}


def delete_behind_the_back_of_python(media: Media) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM bank_media WHERE id = %s", [media.pk])
    connection.check_constraints()  # as at the end of any transaction


def test_the_database_itself_holds_the_files_of_versions(into):
    media, question = upload(into, media_files.png()), create_question(into, "many")
    write(question, prompt=media_markdown(media))
    publish(question)
    with pytest.raises(ProtectedError):
        media.delete()
    with pytest.raises(IntegrityError), transaction.atomic():
        delete_behind_the_back_of_python(media)
    assert Media.objects.filter(pk=media.pk).exists()


def test_a_file_never_changes(into):
    media = upload(into, media_files.png())
    media.name = "another"
    with pytest.raises(ImmutableRowError):
        media.save()


def test_where_many_files_are_shown_is_asked_as_often_as_for_one(into, counted):
    media, questions = (
        [upload(into, media_files.png(2, n)) for n in range(1, 9)],
        create_question(into, "many"),
    )
    write(questions, prompt=" ".join(media_markdown(file) for file in media[:3]))
    publish(questions)
    with counted() as queries:
        uses = uploads.load_media_uses(bank=into, files=media)
    assert len(queries) == 2
    assert uses[media[0].pk] == uploads.MediaUses(1, ("many",))
    assert not uses[media[5].pk]
