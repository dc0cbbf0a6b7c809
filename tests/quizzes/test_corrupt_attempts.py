"""One attempt that cannot be read costs no other its place: on pages, for programs, in files."""

import csv
import io
from datetime import timedelta
from fractions import Fraction

import pytest
from django.core.management import CommandError, call_command

from quizzes.attempts import services as lifecycle
from quizzes.attempts.deadline_extension import extend_deadlines
from quizzes.attempts.models import Accommodation, Attempt, QuizGrade, State
from quizzes.lib import clock
from quizzes.results import deadline_queue, services
from quizzes.results.models import Grading, GradingFailure
from tests.attempt_helpers import later, start, take_quiz
from tests.corrupt_manifests import EVERY, IN_LISTS, corrupt_manifest
from tests.essay_factory import attempt_with_essay, create_essay, grade_essay
from tests.factories import NOW, create_bank, create_quiz
from tests.forged_rows import overwrite
from tests.quizzes.api.programs import program
from tests.short_text_factory import attempt_with_text, create_short_text
from tests.users import logged_in_client

pytestmark = [pytest.mark.django_db, pytest.mark.once, pytest.mark.usefixtures("quiet")]

SENTENCES = {
    "en": "This attempt cannot be shown. Its instructor has been told.",
    "es": "Este intento no se puede mostrar. Se avisó a su instructor.",
}
LISTED = pytest.mark.parametrize("garble", IN_LISTS.values(), ids=IN_LISTS.keys())
EACH = pytest.mark.parametrize("garble", EVERY.values(), ids=EVERY.keys())


@pytest.fixture
def quiet(caplog):
    caplog.set_level("CRITICAL")


@pytest.fixture
def attempts(users, a_quiz, questions) -> tuple[Attempt, Attempt]:
    """Two graded attempts of one learner at two quizzes: one to be damaged, one that stays."""
    other = create_quiz(users, questions, slug="sound", pass_percent=50)
    return (
        take_quiz(a_quiz, users.learner, {0: "abc", 1: "b", 2: "b"}),
        take_quiz(other, users.learner, {0: "abc", 1: "b", 2: "b"}),
    )


def page(person, path: str, language: str = "en", status: int = 200) -> str:
    client = logged_in_client(person)
    client.cookies["language"] = language
    answer = client.get(path)
    assert answer.status_code == status, answer.status_code
    return answer.content.decode()


@LISTED
@pytest.mark.parametrize("language", ["en", "es"])
def test_home_and_history_stand_and_say_it_in_the_row(users, attempts, garble, language):
    damaged, sound = attempts
    corrupt_manifest(damaged, garble)
    assert "100" in page(users.learner, "/", language)
    history = page(users.learner, "/attempts/", language)
    assert SENTENCES[language] in history
    assert str(sound.uuid) in history
    assert "100" in history
    page(users.learner, f"/quizzes/{damaged.quiz.slug}/", language)


@EACH
@pytest.mark.parametrize("language", ["en", "es"])
def test_its_result_is_a_plain_sentence(users, attempts, garble, language):
    damaged, sound = attempts
    corrupt_manifest(damaged, garble)
    path = f"/attempts/{damaged.uuid}/result"
    assert SENTENCES[language] in page(users.learner, path, language, status=409)
    page(users.learner, f"/attempts/{sound.uuid}/result", language)


@EACH
@pytest.mark.parametrize("language", ["en", "es"])
def test_an_open_one_is_a_plain_sentence_too(users, a_quiz, attempts, garble, language):
    damaged = start(a_quiz, users.learner, later(hours=1))
    corrupt_manifest(damaged, garble)
    home = page(users.learner, "/", language)
    assert "100" in home
    sheet = page(users.learner, f"/attempts/{damaged.uuid}/", language, status=409)
    assert SENTENCES[language] in sheet
    page(users.learner, f"/attempts/{damaged.uuid}/review", language, status=409)
    client = logged_in_client(users.learner)
    sent = {"saves": [{"slot": 0, "answer": None, "idempotency_key": str(damaged.uuid)}]}
    saved = client.post(f"/attempts/{damaged.uuid}/save", sent, content_type="application/json")
    assert saved.status_code == 409 or garble is EVERY["another order"]


@LISTED
def test_an_open_one_is_named_on_the_home_page(users, a_quiz, garble):
    corrupt_manifest(start(a_quiz, users.learner), garble)
    assert SENTENCES["en"] in page(users.learner, "/")


@LISTED
@pytest.mark.parametrize(
    ("language", "message"), [("en", "cannot be shown"), ("es", "no se puede mostrar")]
)
def test_the_admin_lists_it_beside_the_others(users, attempts, garble, language, message):
    damaged, _ = attempts
    corrupt_manifest(damaged, garble)
    listed = page(users.instructor, "/admin/attempts/attempt/", language)
    assert message in listed
    assert "100" in listed


@EACH
def test_its_page_in_the_admin_says_why(users, attempts, garble):
    damaged, _ = attempts
    corrupt_manifest(damaged, garble)
    text = page(users.instructor, f"/admin/attempts/attempt/{damaged.pk}/change/")
    assert "of this attempt" in text or "drawn for this attempt" in text
    assert "chosen" not in text


def test_administrators_find_what_cannot_be_graded_with_its_reason(users, a_quiz, attempts):
    broken = start(a_quiz, users.other_learner)
    corrupt_manifest(broken, EVERY["an unknown kind"])
    services.finish(attempt=broken.uuid, learner=users.other_learner, now=NOW)
    listed = page(users.administrator, "/admin/attempts/attempt/")
    assert "1 attempt cannot be graded" in listed
    listing = page(users.administrator, "/admin/attempts/attempt/?grading=fails")
    assert str(users.other_learner) in listing
    assert "sound" not in listing.split("result_list")[-1].split("</form>")[0]
    path = f"/admin/attempts/attempt/{broken.pk}/change/"
    text = page(users.administrator, path)
    assert "of a kind that is not known here" in text
    assert "It failed 1 time in a row and is tried again at <time " in text
    assert "Corrupt: kind_unknown" in text
    assert "Corrupt: kind_unknown" not in page(users.instructor, path)


def test_the_admin_names_what_is_in_quarantine_and_has_it_tried_again(users, a_quiz, attempts):
    broken = start(a_quiz, users.other_learner)
    corrupt_manifest(broken, EVERY["an unknown kind"])
    services.finish(attempt=broken.uuid, learner=users.other_learner, now=NOW)
    quarantined = "/admin/attempts/attempt/?grading=quarantined"
    assert str(users.other_learner) not in page(users.administrator, quarantined)
    GradingFailure.objects.update(tries=5, next_try_at=NOW + timedelta(days=9))
    assert str(users.other_learner) in page(users.administrator, quarantined)
    path = f"/admin/attempts/attempt/{broken.pk}/"
    assert "in quarantine" in page(users.administrator, f"{path}change/")
    browser = logged_in_client(users.administrator)
    assert browser.get(f"{path}retry/").status_code == 405
    assert logged_in_client(users.learner).post(f"{path}retry/").status_code in {302, 403, 404}
    assert GradingFailure.objects.get().next_try_at > NOW
    assert browser.post(f"{path}retry/").status_code == 302
    assert GradingFailure.objects.get().next_try_at <= clock.now()


def test_an_attempt_that_is_just_being_graded_is_called_no_failure(users, a_quiz, attempts):
    busy = start(a_quiz, users.other_learner)
    lifecycle.submit(attempt=busy.uuid, learner=users.other_learner, now=NOW)
    assert deadline_queue.claim_untried(now=NOW, most=9) == [busy.uuid]
    listed = page(users.administrator, "/admin/attempts/attempt/")
    assert "cannot be graded" not in listed
    assert "It failed" not in page(
        users.administrator, f"/admin/attempts/attempt/{busy.pk}/change/"
    )


@LISTED
def test_programs_get_the_row_with_its_problem(users, attempts, garble):
    damaged, sound = attempts
    corrupt_manifest(damaged, garble)
    reader = program(users.learner)
    rows = reader.get("results").json()["items"]
    problems = {row["id"]: row["problem"] for row in rows}
    assert problems[str(damaged.uuid)] in {"manifest_unreadable", "kind_unknown"}
    assert problems[str(sound.uuid)] == ""
    scores = {row["id"]: row["score"] for row in rows}
    assert scores[str(damaged.uuid)] is None
    assert scores[str(sound.uuid)]["percent"] == "100"
    quiz_grades = reader.get("quiz-grades").json()["items"]
    by_quiz = {row["quiz"]["slug"]: row["score"] for row in quiz_grades}
    assert (by_quiz["quiz"], by_quiz["sound"]["percent"]) == (None, "100")
    assert reader.get("attempts").status_code == 200


@EACH
def test_programs_get_its_detail_without_questions(users, attempts, garble):
    damaged, _ = attempts
    corrupt_manifest(damaged, garble)
    reader = program(users.learner)
    detail = reader.get(f"results/{damaged.uuid}")
    assert detail.status_code == 200
    assert (detail.json()["questions"], bool(detail.json()["problem"])) == ([], True)
    sheet = reader.get(f"attempts/{damaged.uuid}")
    assert (sheet.status_code, "code" in sheet.json()) == (409, True)


@LISTED
@pytest.mark.parametrize("role", ["learner", "instructor"])
def test_the_table_has_every_row_and_a_problem(users, attempts, garble, role):
    damaged, sound = attempts
    corrupt_manifest(damaged, garble)
    answer = program(getattr(users, role)).get("results.csv")
    assert answer.status_code == 200
    text = b"".join(answer.streaming_content).decode()
    rows = {row["attempt"]: row for row in csv.DictReader(io.StringIO(text))}
    assert rows.keys() == {str(damaged.uuid), str(sound.uuid)}
    assert rows[str(damaged.uuid)]["problem"] in {"manifest_unreadable", "kind_unknown"}
    assert rows[str(damaged.uuid)]["percent"] == ""
    assert (rows[str(sound.uuid)]["problem"], rows[str(sound.uuid)]["percent"]) == ("", "100")


@EACH
def test_verifying_names_it_and_goes_on(attempts, garble):
    damaged, sound = attempts
    corrupt_manifest(damaged, garble)
    output = io.StringIO()
    if garble is EVERY["another order"]:
        call_command("verify_gradings", stdout=output)
        assert output.getvalue().startswith("2 gradings")
        return
    with pytest.raises(CommandError, match="1 of 6 rows"):
        call_command("verify_gradings", stderr=output)
    assert str(damaged.uuid) in output.getvalue()
    assert str(sound.uuid) not in output.getvalue()


def test_marks_that_cannot_be_read_cost_only_their_attempt(users, attempts):
    damaged, _ = attempts
    grading = Grading.objects.get(attempt=damaged)
    overwrite(grading.item_results.all(), score={"credit": "telepathy"})
    page(users.learner, f"/attempts/{damaged.uuid}/result", status=409)
    assert "cannot be read" in page(
        users.instructor, f"/admin/attempts/attempt/{damaged.pk}/change/"
    )
    page(users.learner, "/attempts/")


def test_an_engine_nobody_knows_changes_nothing_that_is_shown(users, attempts):
    damaged, _ = attempts
    overwrite(Grading.objects.filter(attempt=damaged), engine="99")
    assert "100" in page(users.learner, f"/attempts/{damaged.uuid}/result")
    call_command("verify_gradings", stdout=io.StringIO())


# --- What goes on beside it ------------------------------------------------------------------
@LISTED
def test_the_learner_begins_anew_and_that_attempt_is_graded(users, questions, garble):
    pool = create_quiz(users, questions, slug="pool", window_attempts=None)
    first = take_quiz(pool, users.learner, {0: "abc", 1: "b", 2: "b"})
    corrupt_manifest(first, garble)
    second = take_quiz(pool, users.learner, now=later(hours=1))
    assert second.state == State.GRADED
    # What was graded before stays in the count, by the pass mark of its quiz version.
    quiz_grade = QuizGrade.objects.get(quiz=pool)
    assert (quiz_grade.attempts_graded, quiz_grade.total) == (2, Fraction(3))
    assert quiz_grade.attempt == first
    services.void(attempt=second.uuid, by=users.instructor, reason="a try", now=later(hours=2))
    quiz_grade.refresh_from_db()
    assert (quiz_grade.attempts_graded, quiz_grade.total) == (1, Fraction(3))


@LISTED
def test_more_time_reaches_the_others(users, questions, garble):
    timed = create_quiz(users, questions, slug="timed", time_limit=30)
    damaged, sound = (start(timed, person) for person in (users.learner, users.other_learner))
    corrupt_manifest(damaged, garble)
    for person in (users.learner, users.other_learner):
        Accommodation.objects.create(quiz=timed, learner=person, time_percent=200)
    assert extend_deadlines(Attempt.objects.filter(quiz=timed), now=later(minutes=10)) == 1
    sound.refresh_from_db()
    assert sound.deadline_at == NOW + timedelta(hours=1)


@LISTED
def test_what_was_written_and_what_waits_for_a_person_are_listed(users, garble):
    into = create_bank(users)
    question, why = create_short_text(into), create_essay(into)
    read, marked = (
        create_quiz(users, [question], slug="typed"),
        create_quiz(users, [why], slug="essays"),
    )
    attempts = [
        attempt_with_text(read, person, "Paris") for person in (users.learner, users.other_learner)
    ]
    essays = [attempt_with_essay(marked, person) for person in (users.learner, users.other_learner)]
    corrupt_manifest(attempts[0], garble)
    corrupt_manifest(essays[0], garble)
    assert "Paris" in page(users.instructor, f"/admin/results/itemresult/question/{question.pk}/")
    queue = page(users.instructor, "/admin/results/manualgrade/")
    assert "Write why." in queue
    page(users.instructor, f"/admin/results/manualgrade/{marked.uuid}/{why.uuid}/")
    grade_essay(essays[1], users.instructor)
