"""Files for programs: the same as for people, by token and scope."""

import pytest

from tests import files
from tests.content import bank, question, quiz
from tests.files import shown, upload
from tests.quizzes.api.programs import ROOT, program
from tests.quizzes.results.test_viewing import with_texts
from tests.taking import start

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("store")]


@pytest.fixture
def media(cast):
    into = bank(cast)
    kept = upload(into, files.wav())
    made = with_texts(question(into, "many"), prompt=shown(kept))
    start(quiz(cast, [made]), cast.learner)
    return kept


def test_a_program_gets_the_file_or_a_part_of_it(cast, media):
    one = program(cast.learner, "read")
    whole = one.get(f"media/{media.uuid}")
    assert (whole.status_code, whole["Content-Type"]) == (200, "audio/wav")
    assert whole.getvalue() == files.wav()
    assert whole["X-Content-Type-Options"] == "nosniff"
    address = f"{ROOT}media/{media.uuid}"
    part = one.client.get(address, headers={"Range": "bytes=0-3"})
    assert (part.status_code, part.getvalue()) == (206, b"RIFF")
    beyond = one.client.get(address, headers={"Range": "bytes=999-"})
    assert beyond.status_code == 416


def test_a_token_without_results_sees_as_a_learner_alone(cast, media):
    assert program(cast.instructor, "read").get(f"media/{media.uuid}").status_code == 404
    found = program(cast.instructor, "results").get(f"media/{media.uuid}")
    assert found.getvalue() == files.wav()


def test_bytes_that_are_lost_are_not_found(cast, media, store):
    (path,) = store.glob("??/*")
    path.unlink()
    answer = program(cast.learner).get(f"media/{media.uuid}")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_an_unknown_query_is_refused(cast, media):
    assert program(cast.learner).get(f"media/{media.uuid}", size="small").status_code == 422
