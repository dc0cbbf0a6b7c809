"""The files of a bank in the admin: sent, named when refused, shown where used, let go."""

import io
from html import unescape
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from quizzes.bank import uploads
from quizzes.bank.models import Bank, Media
from quizzes.lib.errors import Invalid
from quizzes.presentation.messages.uploads import UPLOAD_ERRORS, describe_upload_error
from tests import media_files
from tests.factories import create_bank, create_question, share_with_everyone
from tests.media_files import EVERY, media_markdown, upload
from tests.quizzes.results.test_media_access import with_texts
from tests.users import logged_in_client

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("store")]


@pytest.fixture
def into(users) -> Bank:
    return create_bank(users)


@pytest.fixture
def author(users) -> Client:
    return logged_in_client(users.instructor)


def page(into: Bank) -> str:
    return f"/admin/bank/bank/{into.pk}/files/"


def send(client: Client, into: Bank, *sent: tuple[str, bytes], **headers: str):
    named = [SimpleUploadedFile(name, data) for name, data in sent]
    return client.post(page(into), {"file": named}, headers=headers)


def read(response) -> str:
    return unescape(response.content.decode())


def test_a_file_is_sent_and_listed_with_the_words_that_show_it(author, into, users):
    assert "There are no files in this bank yet." in read(author.get(page(into)))
    response = send(author, into, ("cat.jpg", media_files.png(2, 1)))
    assert (response.status_code, response["Location"]) == (302, page(into))
    media = Media.objects.get()
    assert media.uploaded_by == users.instructor
    text = read(author.get(page(into)))
    assert f'value="![](media:{media.uuid}.png)"' in text
    assert f'src="/media/{media.uuid}.png"' in text
    for words in ("1 file is saved.", "cat.jpg", "PNG", "2 × 1", "Nowhere yet", "Delete"):
        assert words in text


def test_many_files_are_sent_at_once_and_those_refused_are_named(author, into):
    response = send(
        author, into, ("a.png", media_files.png()), ("b.png", b"<html>"), ("c.gif", b"")
    )
    text = read(response)
    assert response.status_code == 422
    assert Media.objects.count() == 1
    assert "<strong>b.png</strong>:" in text
    assert "this is no file that pages show" in text
    assert "1 file is saved." in text


def test_every_kind_of_file_is_shown_by_what_plays_it(author, into):
    send(author, into, *((f"x.{extension}", data) for extension, data in EVERY.items()))
    text = read(author.get(page(into)))
    assert Media.objects.count() == len(EVERY)
    assert text.count("<audio controls") == 5
    assert text.count('<video class="thumb"') == 2
    assert text.count('<img class="thumb"') == 5


def test_a_form_without_a_file_says_so(author, into):
    response = author.post(page(into), {})
    assert response.status_code == 422
    assert "Choose a file first." in read(response)


def test_a_hostile_name_is_only_text(author, into):
    send(author, into, ('"><script>alert(1)<_script>.png', media_files.png()))
    raw = author.get(page(into)).content.decode()
    assert "<script>alert" not in raw
    assert Media.objects.get().name == '"><script>alert(1)<_script>.png'


# --- who -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("who", "sees", "sends"),
    [
        ("instructor", 200, 302),
        ("administrator", 200, 302),
        ("outsider", 404, 404),
        ("learner", 404, 404),
        ("stranger", 404, 404),
    ],
)
def test_a_bank_of_a_group_is_open_to_who_teaches_it(users, into, who, sees, sends):
    client = logged_in_client(getattr(users, who))
    assert client.get(page(into)).status_code == sees
    assert send(client, into, ("a.png", media_files.png())).status_code == sends
    assert Media.objects.exists() == (sends == 302)


def test_a_shared_bank_is_read_by_all_who_teach_and_changed_by_none_of_them(users, into):
    media = upload(into, media_files.png())
    share_with_everyone(into)
    client = logged_in_client(users.outsider)
    text = read(client.get(page(into)))
    assert "Delete" not in text
    assert 'type="file"' not in text
    assert send(client, into, ("a.gif", media_files.gif())).status_code == 403
    assert client.post(f"{page(into)}{media.uuid}/delete/").status_code == 403
    assert Media.objects.count() == 1


def test_the_nameless_are_sent_to_sign_in(into):
    assert Client().get(page(into)).status_code == 302


# --- before anything is read -----------------------------------------------------------------


class Untouchable(io.BytesIO):
    """A body that nobody may read."""

    def read(self, *_):
        raise AssertionError("read")

    readline = readinto = read


def claim(client: Client, into: Bank, length: int):
    head: dict[str, Any] = {
        "CONTENT_TYPE": "multipart/form-data; boundary=x",
        "CONTENT_LENGTH": str(length),
        "wsgi.input": Untouchable(),
    }
    return client.generic("POST", page(into), **head)


def test_what_is_too_large_is_refused_by_its_head(author, into):
    response = claim(author, into, 100_000_000 + 64 * 1024 + 1)
    assert response.status_code == 413
    assert "at most 95.4\xa0MB are possible" in read(response)


@pytest.mark.parametrize("who", ["outsider", "learner"])
def test_nothing_is_read_of_those_who_may_not_send(users, into, who):
    assert claim(logged_in_client(getattr(users, who)), into, 1000).status_code == 404


def test_a_form_without_the_token_is_refused(users, into):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(users.instructor)
    assert send(strict, into, ("a.png", media_files.png())).status_code == 403
    token = strict.get(page(into)).cookies["csrftoken"].value
    sent = {"file": SimpleUploadedFile("a.png", media_files.png()), "csrfmiddlewaretoken": token}
    assert strict.post(page(into), sent).status_code == 302


def test_a_disk_that_takes_no_more_is_told(author, into, monkeypatch):
    def full(**_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(uploads, "save_media", full)
    response = send(author, into, ("a.png", media_files.png()))
    assert response.status_code == 503
    assert "The file cannot be saved now" in read(response)


# --- letting go ------------------------------------------------------------------------------


def test_a_file_is_let_go_only_after_a_question(author, into):
    media = upload(into, media_files.png(), "cat.png")
    where = f"{page(into)}{media.uuid}/delete/"
    assert "cat.png is used nowhere" in read(author.get(where))
    assert Media.objects.exists()
    assert author.post(where)["Location"] == page(into)
    assert not Media.objects.exists()
    assert author.get(where).status_code == 404


def test_a_file_that_is_used_says_where_and_stays(author, into):
    media = upload(into, media_files.png(), "cat.png")
    with_texts(create_question(into, "many"), prompt=media_markdown(media))
    where = f"{page(into)}{media.uuid}/delete/"
    for text in (read(author.get(page(into))), read(author.get(where))):
        assert "1 published version" in text
        assert "Drafts: many" in text
        assert "Delete" not in text
        assert "Delete the file" not in text
    assert "it was not deleted" in read(author.post(where, follow=True))
    assert Media.objects.exists()


def test_a_file_of_another_bank_is_not_there(author, users, into):
    foreign = upload(create_bank(users, "other"), media_files.png())
    assert author.post(f"{page(into)}{foreign.uuid}/delete/").status_code == 404
    assert Media.objects.exists()


# --- the rest --------------------------------------------------------------------------------


def test_the_list_asks_as_often_for_many_as_for_few(author, into, counted):
    upload(into, media_files.png())
    author.get(page(into))
    with counted() as few:
        author.get(page(into))
    for n in range(2, 60):
        upload(into, media_files.png(1, n))
    with counted() as many:
        text = read(author.get(page(into)))
    assert len(many) == len(few)
    assert "Older files" in text
    assert "Newer files" in read(author.get(f"{page(into)}?page=2"))


def test_the_list_of_banks_counts_files_beside_questions(author, into):
    create_question(into, "one")
    create_question(into, "two")
    for n in (1, 2, 3):
        upload(into, media_files.png(1, n))
    text = read(author.get("/admin/bank/bank/"))
    assert f'<a href="{page(into)}">3</a>' in text
    assert f'?bank={into.slug}">2</a>' in text


def test_a_draft_that_shows_no_such_file_says_so_on_its_page(author, into):
    question = create_question(into, "many")
    words = f"![A cat](media:{question.uuid}.png) and ![](media:{question.uuid}.png)"
    with pytest.raises(Invalid):
        with_texts(question, prompt=words)
    text = read(author.get(f"/admin/bank/question/{question.pk}/change/"))
    assert "Line 1: there is no such file in this bank" in text
    assert "Line 1: say between the brackets what is to be seen or heard" in text


@pytest.mark.parametrize("code", UPLOAD_ERRORS)
def test_every_reason_has_a_sentence_that_can_be_filled(code):
    detail = dict.fromkeys(("size", "maximum", "width", "height", "line"), 7) | {"name": "x"}
    assert "%(" not in describe_upload_error(Invalid(code, **detail))


def test_a_reason_without_a_sentence_stands_for_itself():
    assert describe_upload_error(Invalid("quite_new")) == "quite new"
