"""Files for programs: the same as for people, by token and scope."""

import pytest

from tests import media_files
from tests.attempt_helpers import start
from tests.factories import create_bank, create_question, create_quiz
from tests.media_files import media_markdown, upload
from tests.quizzes.api.programs import ROOT, program
from tests.quizzes.results.test_media_access import with_texts

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("store")]


@pytest.fixture
def media(users):
    into = create_bank(users)
    media = upload(into, media_files.wav())
    question = with_texts(create_question(into, "many"), prompt=media_markdown(media))
    start(create_quiz(users, [question]), users.learner)
    return media


def test_a_program_gets_the_file_or_a_part_of_it(users, media):
    client = program(users.learner, "read")
    response = client.get(f"media/{media.uuid}")
    assert (response.status_code, response["Content-Type"]) == (200, "audio/wav")
    assert response.getvalue() == media_files.wav()
    assert response["X-Content-Type-Options"] == "nosniff"
    address = f"{ROOT}media/{media.uuid}"
    part = client.client.get(address, headers={"Range": "bytes=0-3"})
    assert (part.status_code, part.getvalue()) == (206, b"RIFF")
    beyond = client.client.get(address, headers={"Range": "bytes=999-"})
    assert beyond.status_code == 416


def test_a_token_without_results_sees_as_a_learner_alone(users, media):
    assert program(users.instructor, "read").get(f"media/{media.uuid}").status_code == 404
    response = program(users.instructor, "results").get(f"media/{media.uuid}")
    assert response.getvalue() == media_files.wav()


def test_bytes_that_are_lost_are_not_found(users, media, store):
    (path,) = store.glob("??/*")
    path.unlink()
    answer = program(users.learner).get(f"media/{media.uuid}")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_an_unknown_query_is_refused(users, media):
    assert program(users.learner).get(f"media/{media.uuid}", size="small").status_code == 422
