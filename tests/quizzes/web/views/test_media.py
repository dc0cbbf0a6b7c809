"""Files at the door for people: to whom, with which headers, and for how many queries."""

import re
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from quizzes.attempts.models import Attempt
from quizzes.bank import blob_store as bytes_store
from quizzes.lib import clock
from quizzes.lib.filetypes import KINDS
from quizzes.publishing.models import Quiz
from tests import media_files
from tests.attempt_helpers import start
from tests.factories import create_bank, create_question, create_quiz
from tests.media_files import EVERY, media_markdown, upload
from tests.quizzes.results.test_media_access import with_texts
from tests.users import logged_in_client

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("store")]


@pytest.fixture
def into(users):
    return create_bank(users)


def address(media) -> str:
    return f"/media/{media.uuid}.{media.extension}"


def read(response) -> bytes:
    return b"".join(response.streaming_content) if response.streaming else response.content


@pytest.mark.parametrize("extension", KINDS)
def test_each_kind_goes_out_as_what_it_is_and_nothing_else(users, into, extension):
    media = upload(into, EVERY[extension], "evil.html")
    response = logged_in_client(users.instructor).get(address(media))
    assert response.status_code == 200
    assert read(response) == bytes_store.read_blob(media.sha256)
    assert response["Content-Type"] == KINDS[extension].media_type
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Content-Disposition"] == f'inline; filename="{media.uuid}.{extension}"'
    assert response["Cache-Control"] == "no-store, private"
    sandboxed = "sandbox" in response["Content-Security-Policy"]
    assert sandboxed == (extension == "svg")


def test_the_pages_allow_their_own_pictures_and_sounds_and_no_others(users):
    policy = logged_in_client(users.learner).get("/")["Content-Security-Policy"]
    assert "img-src 'self'" in policy
    assert "media-src 'self'" in policy
    assert "object-src 'none'" in policy
    assert "default-src 'none'" in policy


@pytest.mark.parametrize("who", ["learner", "other_learner", "outsider", "stranger"])
def test_not_theirs_and_not_there_look_alike(users, into, who):
    client, media = logged_in_client(getattr(users, who)), upload(into, media_files.png())
    foreign, missing = client.get(address(media)), client.get(f"/media/{uuid4()}.png")
    assert foreign.status_code == missing.status_code == 404
    assert sorted(foreign.headers) == sorted(missing.headers)
    assert len(foreign.content) == len(missing.content)


def test_who_is_not_signed_in_signs_in_whether_it_is_there_or_not(into):
    media = upload(into, media_files.png())
    for where in (address(media), f"/media/{uuid4()}.png"):
        assert Client().get(where).status_code == 302


@pytest.mark.parametrize(
    "path",
    [
        "/media/../../etc/passwd",
        "/media/..%2f..%2fetc%2fpasswd",
        "/media/%2e%2e/db.png",
        "/media/x.png",
        "/media/" + "0" * 64,
        "/media/",
    ],
)
def test_no_other_path_leads_to_a_file(users, into, path):
    upload(into, media_files.png())
    assert logged_in_client(users.administrator).get(path).status_code == 404


def test_a_digest_is_no_address(users, into):
    media = upload(into, media_files.png())
    client = logged_in_client(users.administrator)
    for path in (f"/media/{media.sha256}.png", f"/static/{media.sha256}", f"/{media.sha256}"):
        assert client.get(path).status_code == 404


def test_a_sound_can_be_heard_from_anywhere(users, into):
    media = upload(into, media_files.wav())
    client = logged_in_client(users.instructor)
    part = client.get(address(media), headers={"Range": "bytes=4-7"})
    assert (part.status_code, read(part)) == (206, media_files.wav()[4:8])
    beyond = client.get(address(media), headers={"Range": "bytes=9999-"})
    assert beyond.status_code == 416
    assert beyond["Cache-Control"] == "no-store, private"
    head = client.head(address(media))
    assert (head.status_code, head["Content-Length"]) == (200, str(media.size))


def test_nothing_can_be_sent_there(users, into):
    where = address(upload(into, media_files.png()))
    for method in ("post", "put", "delete", "patch"):
        assert getattr(logged_in_client(users.administrator), method)(where).status_code == 405


def test_a_row_whose_bytes_somebody_lost_is_told_in_the_log_and_is_404(users, into, caplog):
    media = upload(into, media_files.png())
    bytes_store.delete_blob(media.sha256)
    assert logged_in_client(users.instructor).get(address(media)).status_code == 404
    assert "gone from the store" in caplog.text


def test_the_address_in_the_words_is_the_address_of_the_door(into):
    media = upload(into, media_files.png())
    assert address(media) == reverse("media", args=[media.uuid, media.extension])


def test_a_taker_sees_the_picture_of_the_page_for_three_queries(users, into, counted):
    media = upload(into, media_files.png())
    quiz = create_quiz(
        users, [with_texts(create_question(into, "many"), prompt=media_markdown(media, "A cat"))]
    )
    attempt = start(quiz, users.learner, clock.now())
    client = logged_in_client(users.learner)
    page = client.get(reverse("attempt", args=[attempt.uuid])).content.decode()
    match = re.search(r'<img src="([^"]+)" alt="A cat">', page)
    assert match is not None
    with counted() as queries:
        assert read(client.get(match[1])) == media_files.png()
    assert len(queries) <= 3
    stranger = logged_in_client(users.stranger)
    with counted() as queries:
        assert stranger.get(match[1]).status_code == 404
    assert len(queries) <= 3


def test_an_author_gets_a_file_for_three_queries(users, into, counted):
    media, client = upload(into, media_files.png()), logged_in_client(users.instructor)
    with counted() as queries:
        assert read(client.get(address(media))) == media_files.png()
    assert len(queries) <= 3


def test_the_file_of_an_explanation_comes_with_the_result_page(users, into):
    media = upload(into, media_files.mp3())
    question = with_texts(
        create_question(into, "many", right="ab"), explanation=media_markdown(media, "Listen")
    )
    start(
        create_quiz(users, [question], reveal_explanation="after_submit"),
        users.learner,
        clock.now(),
    )
    client, attempt = logged_in_client(users.learner), Attempt.objects.get()
    assert client.get(address(media)).status_code == 404
    client.post(reverse("submit", args=[attempt.uuid]))
    page = client.get(reverse("result", args=[attempt.uuid])).content.decode()
    assert f'<audio controls="" preload="none" src="{address(media)}" aria-label="Listen">' in page
    assert read(client.get(address(media))) == media_files.mp3()


def test_a_guest_who_signs_in_goes_on_seeing_the_pictures_of_their_attempt(users, into):
    media = upload(into, media_files.png())
    unasked = upload(into, media_files.png(3))
    question = with_texts(create_question(into, "seen"), prompt=media_markdown(media))
    quiz = create_quiz(users, [question], slug="open")
    quiz.assignments.all().delete()
    Quiz.objects.filter(pk=quiz.pk).update(audience="anyone")
    client = Client()
    client.post(reverse("start", args=[quiz.slug]))
    assert read(client.get(address(media))) == media_files.png()
    client.force_login(users.stranger)
    assert read(client.get(address(media))) == media_files.png()
    assert client.get(address(unasked)).status_code == 404
    assert logged_in_client(users.stranger).get(address(media)).status_code == 404
