"""The main story, told by programs that know nothing but the schema."""

import csv
import io
import json
import re
from uuid import uuid4

import pytest

from config.wsgi import application
from quizzes.api.openapi import schema
from tests import media_files
from tests.factories import create_bank, create_quiz, option_ids
from tests.factories import create_question as kept
from tests.media_files import media_markdown, upload
from tests.quizzes.api.client import ApiClient, Refused
from tests.quizzes.api.programs import token
from tests.quizzes.results.test_media_access import with_texts

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kept_connection")]


def api(user, *scopes):
    return ApiClient(json.loads(schema()), application, token(user, *scopes))


def test_a_program_takes_a_quiz_and_another_fetches_the_result(users, a_quiz, questions):
    learner = api(users.learner, "read", "attempt")
    (quiz,) = learner.listQuizzes(lang="en")["items"]
    assert quiz["start_eligibility"]["can_start"] is True
    attempt = learner.startAttempt({"quiz": quiz["id"]}, lang="en")
    right = {0: option_ids(questions[0], "a", "b", "c"), 1: option_ids(questions[1], "b")}
    for question in attempt["questions"][:2]:
        body = {
            "slot": question["slot"],
            "answer": {"chosen": right[question["slot"]]},
            "idempotency_key": str(uuid4()),
            "base_revision": question["revision"],
        }
        saved = learner.saveResponses({"responses": [body]}, attempt=attempt["id"])
        assert saved["responses"][0]["status"] == "accepted"
    spanish = learner.getAttempt(attempt=attempt["id"], lang="es")
    assert spanish["answered_count"] == 2
    assert spanish["questions"][0]["texts"]["prompt_html"] == "<p>¿Pregunta many?</p>\n"
    learner.submitAttempt(attempt=attempt["id"])
    own = learner.getResult(attempt=attempt["id"])
    teacher = api(users.instructor, "results")
    (seen,) = teacher.listResults(quiz=quiz["id"], passed="false")["items"]
    assert seen["score"] == own["score"]
    assert own["score"]["total"] == {"numerator": 2, "denominator": 1, "decimal": "2"}
    assert own["score"]["percent"] == "66.66"
    (line,) = csv.DictReader(io.StringIO(teacher.exportResults()))
    assert (line["percent"], line["total_numerator"]) == ("66.66", "2")


def test_a_program_brings_a_bank_from_one_place_to_another(users, store):
    author = api(users.instructor, "authoring")
    kept(create_bank(users, "from"), "one", kind="single_choice", right="a")
    create_bank(users, "to")
    to, source = sorted(author.listBanks()["items"], key=lambda bank: bank["counts"]["questions"])
    moodle = author.exportBank(bank=source["id"], format="moodle-xml")
    job = author.createImport({"bank": to["id"], "file": ("from.xml", moodle)})
    (item,) = author.getImportReport(job=job["id"], lang="es")["items"]
    assert (job["state"], item["action"]) == ("ready", "new")
    done = author.commitImport({"items": [item["number"]]}, job=job["id"])
    assert done["state"] == "done"
    assert author.getBank(bank=to["id"])["counts"]["published"] == 1
    again = author.createImport({"bank": to["id"], "file": ("from.xml", moodle)})
    assert author.cancelImport(job=again["id"])["state"] == "cancelled"
    assert again["action_counts"]["same"] == 1


def test_a_program_hears_by_code_why_it_may_not(users, a_quiz):
    with pytest.raises(Refused, match="scope_missing"):
        api(users.learner, "read").startAttempt({"quiz": str(a_quiz.uuid)})
    with pytest.raises(Refused, match="not_found"):
        api(users.stranger).startAttempt({"quiz": str(a_quiz.uuid)})
    with pytest.raises(Refused, match="session_required"):
        api(users.learner).listTokens()


def test_a_program_fetches_the_picture_of_a_question_of_its_attempt(users, store):
    media = upload(create_bank(users), media_files.png())
    question = with_texts(kept(media.bank, "one"), prompt=media_markdown(media))
    quiz = create_quiz(users, [question])
    learner = api(users.learner, "read", "attempt")
    attempt = learner.startAttempt({"quiz": str(quiz.uuid)})
    (html,) = (row["texts"]["prompt_html"] for row in attempt["questions"])
    (address,) = re.findall(r'src="/media/([0-9a-f-]{36})\.png"', html)
    picture = learner.getMedia(media=address)
    assert picture == media_files.png()
    assert learner.headers["Content-Type"] == "image/png"
    etag = learner.headers["ETag"]
    assert learner.getMedia(**{"media": address, "If-None-Match": etag}) is None
    part = learner.getMedia(**{"media": address, "Range": "bytes=0-7", "If-Range": etag})
    assert part == picture[:8]
    with pytest.raises(Refused, match="not_found"):
        api(users.stranger).getMedia(media=address)
