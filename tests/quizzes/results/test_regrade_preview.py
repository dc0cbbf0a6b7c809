"""What a corrected key would change: the same as if the attempts were taken anew by it."""

import csv
import random
from dataclasses import replace
from fractions import Fraction
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from grading.kinds import KINDS
from quizzes.attempts.models import Attempt
from quizzes.bank import services as bank_services
from quizzes.document import QuestionDocument
from quizzes.lib.cpu_limit import TookTooLong
from quizzes.lib.errors import Refused
from quizzes.results import regrade_preview, services
from quizzes.results.erasure import erase_answers
from quizzes.results.grading_recomputation import recompute
from quizzes.results.models import Grading, ItemResult, Result
from quizzes.results.regrade_preview import PreviewProblem
from quizzes.results.scoring import MAX_SECONDS
from tests.attempt_helpers import finish, save_choice, start, take_quiz
from tests.essay_factory import create_essay, grade_essay, save_text
from tests.factories import NOW, create_question, create_quiz, option_ids, publish_change
from tests.forged_rows import without_triggers
from tests.regrade_helpers import preview_regrade
from tests.short_text_factory import attempt_with_text, create_short_text

pytestmark = pytest.mark.django_db


@pytest.fixture
def corrected(into):
    return create_question(into, "corrected", right="a", kind="single_choice")


@pytest.fixture
def quiz(users, into, corrected):
    other = create_question(into, "other", right="a", kind="single_choice")
    return create_quiz(users, [corrected, other], window_attempts=None)


def correct_key(question, letters):
    return publish_change(question, key={"right": option_ids(question, *letters)})


def preview(quiz, question):
    return {row.result.attempt: row for row in preview_regrade(quiz=quiz, question=question)}


def run(quiz, question):
    out, err = StringIO(), StringIO()
    arguments = (quiz.slug, f"bank/{question.name}", "--policy", "by_key")
    call_command("preview_regrade", *arguments, stdout=out, stderr=err)
    return list(csv.DictReader(StringIO(out.getvalue()))), err.getvalue()


def test_rises_falls_and_passes_are_told_and_what_stays_is_only_counted(users, quiz, corrected):
    answers = ({0: "a", 1: "a"}, {0: "b", 1: "a"}, {0: "b"}, {0: "a"}, {1: "a"}, {0: "c"})
    attempts = [take_quiz(quiz, users.learner, chosen) for chosen in answers]
    correct_key(corrected, "b")
    rows, counts = run(quiz, corrected)
    assert {row["attempt"]: row["change"] for row in rows} == {
        str(attempts[0].uuid): "no longer passes",
        str(attempts[1].uuid): "passes",
        str(attempts[2].uuid): "rises",
        str(attempts[3].uuid): "falls",
    }
    assert counts == (
        "6 attempts by an older key: 1 falls, 1 no longer passes, 1 passes, 1 rises, 2 same.\n"
    )
    assert rows[0] == {
        "attempt": str(attempts[0].uuid),
        "learner": str(users.learner.uuid),
        "number": "1",
        "total_numerator_before": "2",
        "total_denominator_before": "1",
        "percent_before": "100",
        "passed_before": "yes",
        "total_numerator_after": "1",
        "total_denominator_after": "1",
        "percent_after": "50",
        "passed_after": "no",
        "change": "no longer passes",
    }


def test_nothing_is_written(users, quiz, corrected):
    take_quiz(quiz, users.learner, {0: "b"})
    correct_key(corrected, "b")
    before = [list(model.objects.values()) for model in (Attempt, Grading, Result)]
    assert len(run(quiz, corrected)[0]) == 1
    assert [list(model.objects.values()) for model in (Attempt, Grading, Result)] == before


def test_an_attempt_by_the_newest_key_of_staff_or_void_is_left_out(users, quiz, corrected):
    voided = take_quiz(quiz, users.learner, {0: "b"})
    services.void(attempt=voided.uuid, by=users.instructor, reason="copied", now=NOW)
    staff = take_quiz(quiz, users.learner, {0: "b"})
    with without_triggers():
        Attempt.objects.filter(pk=staff.pk).update(is_staff_attempt=True)
    counted = take_quiz(quiz, users.learner, {0: "b"})
    start(quiz, users.learner)
    assert preview(quiz, corrected) == {}
    correct_key(corrected, "b")
    assert list(preview(quiz, corrected)) == [counted]


def test_options_may_move_but_an_option_more_is_not_compared(users, quiz, corrected):
    attempt = take_quiz(quiz, users.learner, {0: "b"})
    options = corrected.draft.data["content"]["options"]
    right = {"right": option_ids(corrected, "b")}
    publish_change(corrected, options=options[::-1], key=right)
    assert preview(quiz, corrected)[attempt].after.total == 1
    id_ = bank_services.option_ids(question=corrected, names=["e"], by=None)["e"]
    item = QuestionDocument.from_json(corrected.draft.data)
    words = {
        language: {**texts, "options": {**texts["options"], id_: "one more"}}
        for language, texts in item.words.items()
    }
    publish_change(corrected, words=words, options=[*options, {"id": id_, "pinned": False}])
    row = preview(quiz, corrected)[attempt]
    assert (row.before.total, row.after, row.problem) == (0, None, PreviewProblem.CONTENT_DIFFERS)
    rows, counts = run(quiz, corrected)
    assert [(row["change"], row["percent_after"]) for row in rows] == [("content_differs", "")]
    assert counts == "1 attempts by an older key: 1 content_differs.\n"


def test_an_answer_accepted_later_raises_who_wrote_it(users, into):
    question = create_short_text(into)
    quiz = create_quiz(users, [question], window_attempts=None)
    raised = attempt_with_text(quiz, users.learner, "Lutetia")
    unchanged = attempt_with_text(quiz, users.learner, "in France")
    accepted = question.draft.data["key"]["accepted"]
    row = {"id": "row-9", "text": "Lutetia", "credit": [2, 3]}
    publish_change(question, key={"accepted": [*accepted, row]})
    totals = {attempt: row.after.total for attempt, row in preview(quiz, question).items()}
    assert totals == {raised: Fraction(2, 3), unchanged: Fraction(1, 3)}


def test_an_attempt_that_cannot_be_read_stops_no_other(users, quiz, corrected):
    unreadable, malformed, other = (take_quiz(quiz, users.learner, {0: "b"}) for _ in range(3))
    correct_key(corrected, "b")
    with without_triggers():
        Attempt.objects.filter(pk=unreadable.pk).update(manifest={"form": 1})
        answers = ItemResult.objects.filter(grading__attempt=malformed, slot=0)
        answers.update(answer={"text": "b"})
    rows = preview(quiz, corrected)
    assert rows[unreadable].problem == rows[malformed].problem == PreviewProblem.UNREADABLE
    assert rows[other].after.total == 1


def test_a_question_that_takes_too_long_stops_no_other(users, quiz, corrected, monkeypatch):
    slow, other = (take_quiz(quiz, users.learner, {0: "b"}) for _ in range(2))
    correct_key(corrected, "b")
    is_slow = iter((True, False))

    def run_limited(compute, *, seconds):
        assert seconds == MAX_SECONDS
        if next(is_slow):
            raise TookTooLong
        return compute()

    monkeypatch.setattr(regrade_preview, "run_limited", run_limited)
    rows = preview(quiz, corrected)
    assert rows[slow].problem == PreviewProblem.TOOK_TOO_LONG
    assert rows[other].after.total == 1


def test_what_was_erased_is_not_compared(users, quiz, corrected):
    attempt = take_quiz(quiz, users.learner, {0: "b"})
    correct_key(corrected, "b")
    erase_answers(learner=users.learner, by=users.learner, reason="asked for", now=NOW)
    row = preview(quiz, corrected)[attempt]
    assert (row.after, row.problem) == (None, PreviewProblem.ERASED)


def test_marks_by_persons_stay_and_nobody_passes_before_the_last(users, into):
    essay, choice = create_essay(into), create_question(into, "choice", right="a")
    quiz = create_quiz(users, [essay, choice], pass_percent=40, window_attempts=None)
    attempts = []
    for _ in range(2):
        attempt = start(quiz, users.learner)
        save_text(attempt, 0, "Because.")
        save_choice(attempt, 1, "b")
        attempts.append(finish(attempt))
    waiting, marked = attempts
    grade_essay(marked, users.instructor)
    correct_key(choice, "b")
    rows = preview(quiz, choice)
    assert [(row.before.total, row.after.total) for row in rows.values()] == [(0, 1), (1, 2)]
    # One of two points would do, but a mark is missing.
    assert (rows[waiting].after.passed, rows[marked].after.passed) == (False, True)
    key = essay.draft.data["key"]
    publish_change(essay, key={**key, "graders": 2})
    assert [(row.before, row.changes) for row in preview(quiz, essay).values()] == [
        (rows[waiting].before, False),
        (rows[marked].before, False),
    ]


def test_statements_do_not_grow_with_attempts(users, quiz, corrected, django_assert_num_queries):
    for _ in range(3):
        take_quiz(quiz, users.learner, {0: "b"})
    correct_key(corrected, "b")
    preview(quiz, corrected)
    with django_assert_num_queries(5):
        assert len(preview(quiz, corrected)) == 3


def test_equal_answers_are_scored_once_however_many_attempts(users, quiz, corrected, monkeypatch):
    attempts = [take_quiz(quiz, users.learner, {0: letter}) for letter in "abba"]
    correct_key(corrected, "b")
    kind = KINDS["single_choice"]
    score, scored = kind.score, []

    def count(*arguments):
        scored.append(arguments)
        return score(*arguments)

    monkeypatch.setattr(kind, "score", count)
    rows = preview(quiz, corrected)
    assert [rows[attempt].after.total for attempt in attempts] == [0, 1, 1, 0]
    # By the key that they were graded by, and by the newest.
    assert len(scored) == 2 * 2


def test_chunks_lose_no_attempt_and_leave_out_what_counts_no_more(
    users, quiz, corrected, monkeypatch
):
    attempts = [take_quiz(quiz, users.learner, {0: "b"}) for _ in range(5)]
    correct_key(corrected, "b")
    monkeypatch.setattr(regrade_preview, "CHUNK_SIZE", 2)
    assert list(preview(quiz, corrected)) == attempts
    previews = preview_regrade(quiz=quiz, question=corrected)
    first = next(previews).result.attempt
    services.void(attempt=attempts[3].uuid, by=users.instructor, reason="Copied", now=NOW)
    assert [first, *(row.result.attempt for row in previews)] == attempts[:3] + attempts[4:]


def test_random_histories_come_out_as_the_engine_marks_them_by_the_new_key(users, into):
    """The manifest is pointed at the new version, and the whole attempt is marked again."""
    chance = random.Random(36)
    questions = [create_question(into, f"q{n}", right="ab") for n in range(3)]
    quiz = create_quiz(users, questions, points=3, window_attempts=None)
    for _ in range(20):
        attempt = start(quiz, users.learner)
        for slot in chance.sample(range(3), chance.randint(2, 3)):
            save_choice(attempt, slot, "".join(chance.sample("abcd", chance.randint(1, 2))))
        finish(attempt)
    question = correct_key(questions[1], "bcd")
    previews = preview(quiz, question)
    assert len(previews) == 20
    assert len({row.after.total - row.before.total for row in previews.values()}) >= 5
    for attempt, row in previews.items():
        slots = attempt.manifest["slots"]
        slots[1] = {**slots[1], "version": str(question.current.uuid)}
        marked = recompute(attempt)
        expected = replace(row.before, total=marked.total, passed=marked.passed)
        assert (row.after, row.after.maximum) == (expected, marked.maximum)


def test_what_is_not_there_ends_with_2(quiz, into):
    draft = bank_services.add_question(
        bank=into,
        name="draft",
        item=QuestionDocument(kind="essay", scoring_method="manual"),
        by=None,
    )
    with pytest.raises(Refused):
        preview_regrade(quiz=quiz, question=draft)
    for slug, name, message in (
        ("nowhere", "bank/draft", "no quiz called 'nowhere'"),
        (quiz.slug, "other/draft", "no question 'other/draft'"),
        (quiz.slug, "bank/draft", "never published"),
    ):
        with pytest.raises(CommandError, match=message) as error:
            call_command("preview_regrade", slug, name)
        assert error.value.returncode == 2


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--action", "revert"), "--rule names the rule"),
        (("--rule", "1"), "--rule names the rule"),
        (("--action", "revert", "--rule", "1"), "none of this question"),
        (("--action", "full", "--policy", "keep_better"), "none of this --action"),
    ],
)
def test_the_command_says_why_it_previews_nothing(quiz, corrected, options, sentence):
    with pytest.raises(CommandError, match=sentence) as error:
        call_command("preview_regrade", quiz.slug, "bank/corrected", *options)
    assert error.value.returncode == 2
