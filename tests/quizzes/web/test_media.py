"""Files at the door for people: to whom, with which headers, and for how many queries."""

import re
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from quizzes.attempts.models import Attempt
from quizzes.bank import store as bytes_store
from quizzes.lib import clock
from quizzes.lib.filetypes import KINDS
from tests import files
from tests.content import bank, question, quiz
from tests.files import EVERY, shown, upload
from tests.people import signed_in
from tests.quizzes.results.test_viewing import with_texts
from tests.taking import start

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("store")]


@pytest.fixture
def into(cast):
    return bank(cast)


def address(media) -> str:
    return f"/media/{media.uuid}.{media.extension}"


def read(response) -> bytes:
    return b"".join(response.streaming_content) if response.streaming else response.content


@pytest.mark.parametrize("extension", KINDS)
def test_each_kind_goes_out_as_what_it_is_and_nothing_else(cast, into, extension):
    media = upload(into, EVERY[extension], "evil.html")
    response = signed_in(cast.instructor).get(address(media))
    assert response.status_code == 200
    assert read(response) == bytes_store.path_of(media.sha256).read_bytes()
    assert response["Content-Type"] == KINDS[extension].media_type
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Content-Disposition"] == f'inline; filename="{media.uuid}.{extension}"'
    assert response["Cache-Control"] == "no-store, private"
    sandboxed = "sandbox" in response["Content-Security-Policy"]
    assert sandboxed == (extension == "svg")


def test_the_pages_allow_their_own_pictures_and_sounds_and_no_others(cast):
    policy = signed_in(cast.learner).get("/")["Content-Security-Policy"]
    assert "img-src 'self'" in policy
    assert "media-src 'self'" in policy
    assert "object-src" not in policy
    assert "default-src 'none'" in policy


@pytest.mark.parametrize("who", ["learner", "other_learner", "outsider", "stranger"])
def test_not_theirs_and_not_there_look_alike(cast, into, who):
    client, media = signed_in(getattr(cast, who)), upload(into, files.png())
    foreign, missing = client.get(address(media)), client.get(f"/media/{uuid4()}.png")
    assert foreign.status_code == missing.status_code == 404
    assert sorted(foreign.headers) == sorted(missing.headers)
    assert len(foreign.content) == len(missing.content)


def test_who_is_not_signed_in_signs_in_whether_it_is_there_or_not(into):
    media = upload(into, files.png())
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
def test_no_other_path_leads_to_a_file(cast, into, path):
    upload(into, files.png())
    assert signed_in(cast.administrator).get(path).status_code == 404


def test_a_digest_is_no_address(cast, into):
    media = upload(into, files.png())
    client = signed_in(cast.administrator)
    for path in (f"/media/{media.sha256}.png", f"/static/{media.sha256}", f"/{media.sha256}"):
        assert client.get(path).status_code == 404


def test_a_sound_can_be_heard_from_anywhere(cast, into):
    media = upload(into, files.wav())
    client = signed_in(cast.instructor)
    part = client.get(address(media), headers={"Range": "bytes=4-7"})
    assert (part.status_code, read(part)) == (206, files.wav()[4:8])
    beyond = client.get(address(media), headers={"Range": "bytes=9999-"})
    assert beyond.status_code == 416
    assert beyond["Cache-Control"] == "no-store, private"
    head = client.head(address(media))
    assert (head.status_code, head["Content-Length"]) == (200, str(media.size))


def test_nothing_can_be_sent_there(cast, into):
    where = address(upload(into, files.png()))
    for method in ("post", "put", "delete", "patch"):
        assert getattr(signed_in(cast.administrator), method)(where).status_code == 405


def test_a_row_whose_bytes_somebody_lost_is_told_in_the_log_and_is_404(cast, into, caplog):
    media = upload(into, files.png())
    bytes_store.drop(media.sha256)
    assert signed_in(cast.instructor).get(address(media)).status_code == 404
    assert "gone from the store" in caplog.text


def test_the_address_in_the_words_is_the_address_of_the_door(into):
    media = upload(into, files.png())
    assert address(media) == reverse("media", args=[media.uuid, media.extension])


def test_a_taker_sees_the_picture_of_the_page_for_three_queries(cast, into, counted):
    media = upload(into, files.png())
    made = quiz(cast, [with_texts(question(into, "many"), prompt=shown(media, "A cat"))])
    attempt = start(made, cast.learner, clock.now())
    client = signed_in(cast.learner)
    page = client.get(reverse("taking", args=[attempt.uuid])).content.decode()
    found = re.search(r'<img src="([^"]+)" alt="A cat">', page)
    assert found is not None
    with counted() as asked:
        assert read(client.get(found[1])) == files.png()
    assert len(asked) <= 3
    stranger = signed_in(cast.stranger)
    with counted() as asked:
        assert stranger.get(found[1]).status_code == 404
    assert len(asked) <= 3


def test_an_author_gets_a_file_for_three_queries(cast, into, counted):
    media, client = upload(into, files.png()), signed_in(cast.instructor)
    with counted() as asked:
        assert read(client.get(address(media))) == files.png()
    assert len(asked) <= 3


def test_the_file_of_an_explanation_comes_with_the_result_page(cast, into):
    media = upload(into, files.mp3())
    made = with_texts(question(into, "many", right="ab"), explanation=shown(media, "Listen"))
    start(quiz(cast, [made], reveal_explanation="after_submit"), cast.learner, clock.now())
    client, attempt = signed_in(cast.learner), Attempt.objects.get()
    assert client.get(address(media)).status_code == 404
    client.post(reverse("submit", args=[attempt.uuid]))
    page = client.get(reverse("result", args=[attempt.uuid])).content.decode()
    assert f'<audio controls="" preload="none" src="{address(media)}" aria-label="Listen">' in page
    assert read(client.get(address(media))) == files.mp3()
