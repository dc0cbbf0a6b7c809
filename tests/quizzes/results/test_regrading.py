"""A committed regrade: what the preview said, once, and nothing that a person gave is lost."""

import csv
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, connections, transaction
from django.db.models import F

from accounts.models import Membership
from quizzes.attempts.models import Attempt
from quizzes.bank.models import Question
from quizzes.lib import shared_batches
from quizzes.lib.errors import Conflict, Invalid, NotFound, Refused
from quizzes.results import regrade_batches, regrading, services
from quizzes.results.erasure import erase_answers
from quizzes.results.grading_records import build_grading
from quizzes.results.manual_grading import grade_manually, override_score
from quizzes.results.models import Grading, ItemResult, RegradePolicy, RegradeRule, Result
from quizzes.results.regrade_batches import apply_rules
from quizzes.results.regrade_preview import PreviewProblem
from quizzes.results.regrading import continue_regrades
from quizzes.results.selectors import load_report
from tests.attempt_helpers import finish, later, save_choice, start, take_quiz
from tests.essay_factory import attempt_with_essay, create_essay, grade_essay, levels
from tests.factories import (
    NOW,
    create_bank,
    create_question,
    create_quiz,
    option_ids,
)
from tests.forged_rows import without_triggers
from tests.regrade_helpers import commit, correct_key, find_differences, preview_regrade
from tests.threads import at_once
from tests.users import create_user

BY_KEY, KEEP, FULL = (
    RegradePolicy.BY_KEY,
    RegradePolicy.KEEP_BETTER,
    RegradePolicy.FULL_CREDIT,
)
pytestmark = pytest.mark.django_db


@pytest.fixture
def corrected(into):
    return create_question(into, "corrected", right="a", kind="single_choice")


@pytest.fixture
def quiz(users, into, corrected):
    other = create_question(into, "other", right="a", kind="single_choice")
    return create_quiz(users, [corrected, other], window_attempts=None)


def scores(quiz):
    """Return total and pass of the attempts in their order, as they count now."""
    rows = Result.objects.filter(quiz=quiz).select_related("grading").order_by("attempt_id")
    return [(row.grading.total, row.grading.passed) for row in rows]


@pytest.mark.parametrize(
    ("policy", "expected", "regraded"),
    [
        (BY_KEY, [(1, False), (2, True), (1, False), (0, False)], 4),
        (KEEP, [(2, True), (2, True), (1, False), (1, False)], 2),
        (FULL, [(2, True), (2, True), (1, False), (1, False)], 4),
    ],
)
def test_each_policy_gives_what_its_preview_says(
    users, quiz, corrected, policy, expected, regraded
):
    for chosen in ({0: "a", 1: "a"}, {0: "b", 1: "a"}, {0: "b"}, {0: "a"}):
        take_quiz(quiz, users.learner, chosen)
    correct_key(corrected, "b")
    previewed = preview_regrade(quiz=quiz, question=corrected, policy=policy)
    assert [(row.after.total, row.after.passed) for row in previewed if row.after] == expected
    rule = commit(quiz, corrected, users, policy)
    assert continue_regrades(now=later(minutes=1)) == (4, regraded, 0)
    assert scores(quiz) == expected
    assert find_differences() == []
    newest = Grading.objects.filter(number=2)
    assert set(newest.values_list("reason", "by", "regrade_rules_read")) == {
        ("regrade", rule.by_id, 1)
    }


def test_the_command_previews_a_policy(users, quiz, corrected):
    take_quiz(quiz, users.learner, {0: "a"})
    correct_key(corrected, "b")
    err = StringIO()
    arguments = ("preview_regrade", quiz.slug, "bank/corrected", "--policy", "keep_better")
    call_command(*arguments, stdout=StringIO(), stderr=err)
    assert err.getvalue() == "1 attempts by an older key: 1 same.\n"


def test_full_credit_for_everybody_stands_in_the_ledger(users, quiz, corrected):
    take_quiz(quiz, users.learner, {0: "c"})
    correct_key(corrected, "b")
    commit(quiz, corrected, users, FULL)
    continue_regrades(now=NOW)
    score = ItemResult.objects.get(grading__number=2, slot=0).score
    assert score is not None
    assert score["reasons"] == ["full_credit_given"]
    assert score["ledger"][-1]["part"] == "full_credit_given"


def test_preview_and_commit_agree_and_a_second_run_changes_nothing(users, into):
    rng = random.Random(12)
    questions = [create_question(into, f"q{n}", right="ab") for n in range(3)]
    quiz = create_quiz(users, questions, points=2, window_attempts=None)
    for _ in range(8):
        chosen = {n: "".join(rng.sample("abcd", rng.randrange(4))) for n in range(3)}
        take_quiz(quiz, users.learner, {n: letters for n, letters in chosen.items() if letters})
    for policy in (KEEP, BY_KEY, KEEP, FULL):
        question = rng.choice(questions)
        correct_key(question, rng.sample("abcd", 2))
        expected = {
            row.result.pk: row.after
            for row in preview_regrade(quiz=quiz, question=question, policy=policy)
        }
        before = dict(zip(Result.objects.order_by("pk"), scores(quiz), strict=True))
        commit(quiz, question, users, policy)
        assert continue_regrades(now=NOW).failed == 0
        for result in Result.objects.select_related("grading"):
            after = expected[result.pk]
            assert after is not None
            assert (result.grading.total, result.grading.passed) == (after.total, after.passed)
            if policy == KEEP:
                assert result.grading.total >= before[result][0]
        count = Grading.objects.count()
        assert continue_regrades(now=NOW) == (0, 0, 0)
        assert not any(
            row.changes for row in preview_regrade(quiz=quiz, question=question, policy=policy)
        )
        assert Grading.objects.count() == count
    assert find_differences() == []


def test_an_attempt_graded_after_the_rule_reads_it_at_once(users, quiz, corrected):
    take_quiz(quiz, users.learner, {0: "b"})
    attempt = start(quiz, users.learner)
    save_choice(attempt, 0, "b")
    correct_key(corrected, "b")
    commit(quiz, corrected, users)
    finish(attempt)
    grading = Grading.objects.get(attempt=attempt)
    assert grading.total == 1
    assert (grading.regrade_rules_read, grading.reason) == (1, "submitted")
    assert continue_regrades(now=NOW).regraded == 1
    assert find_differences() == []


def test_marks_by_persons_stay(users, into, corrected):
    essay = create_essay(into, "essay")
    quiz = create_quiz(users, [essay, corrected], window_attempts=None)
    by_hand = attempt_with_essay(quiz, users.learner)
    grade_essay(by_hand, users.instructor, levels(1, 1))
    overridden = attempt_with_essay(quiz, users.learner)
    override_score(
        attempt=overridden.uuid,
        slot=1,
        share=Fraction(1, 2),
        reason="Half of it",
        by=users.instructor,
        now=NOW,
    )
    before = list(ItemResult.objects.filter(slot=0, credit_numerator__isnull=False))
    correct_key(corrected, "b")
    previewed = list(preview_regrade(quiz=quiz, question=corrected, policy=FULL))
    commit(quiz, corrected, users, FULL)
    continue_regrades(now=NOW)
    current = ItemResult.objects.filter(grading=F("grading__attempt__result__grading"))
    assert current.get(grading__attempt=by_hand, slot=0).credit == before[0].credit
    assert current.get(grading__attempt=by_hand, slot=1).credit == 1
    assert current.get(grading__attempt=overridden, slot=1).credit == Fraction(1, 2)
    assert [total for total, _ in scores(quiz)] == [
        row.after and row.after.total for row in previewed
    ]
    assert find_differences() == []


def test_a_mark_by_hand_after_a_regrade_keeps_it(users, into, corrected):
    quiz = create_quiz(users, [create_essay(into, "essay"), corrected], window_attempts=None)
    attempt = attempt_with_essay(quiz, users.learner)
    correct_key(corrected, "b")
    commit(quiz, corrected, users, FULL)
    continue_regrades(now=NOW)
    grade_manually(attempt=attempt.uuid, slot=0, by=users.instructor, levels=levels(1, 1), now=NOW)
    newest = Grading.objects.latest("number")
    assert (newest.reason, newest.regrade_rules_read) == ("marked", 1)
    assert ItemResult.objects.get(grading=newest, slot=1).credit == 1
    assert find_differences() == []


def test_what_differs_or_is_erased_is_listed_and_keeps_its_score(users, quiz, corrected):
    erased = take_quiz(quiz, users.learner, {0: "b"})
    erase_answers(learner=users.learner, by=users.learner, reason="asked", now=NOW)
    correct_key(corrected, "b")
    commit(quiz, corrected, users)
    assert continue_regrades(now=NOW) == (1, 0, 0)
    assert Grading.objects.filter(attempt=erased).count() == 1
    listed = preview_regrade(quiz=quiz, question=corrected, policy=KEEP)
    assert [row.problem for row in listed] == [PreviewProblem.ERASED]
    assert continue_regrades(now=NOW) == (0, 0, 0)


def test_void_attempts_and_those_of_staff_keep_their_score(users, quiz, corrected):
    voided = take_quiz(quiz, users.learner, {0: "b"})
    services.void(attempt=voided.uuid, by=users.instructor, reason="copied", now=NOW)
    staff = take_quiz(quiz, users.learner, {0: "b"})
    with without_triggers():
        Attempt.objects.filter(pk=staff.pk).update(is_staff_attempt=True)
    take_quiz(quiz, users.learner, {0: "b"})
    correct_key(corrected, "b")
    commit(quiz, corrected, users)
    assert continue_regrades(now=NOW) == (3, 1, 0)


def test_a_run_that_is_broken_off_is_taken_up_where_it_was(users, quiz, corrected, monkeypatch):
    for _ in range(3):
        take_quiz(quiz, users.learner, {0: "b"})
    correct_key(corrected, "b")
    commit(quiz, corrected, users)
    assert continue_regrades(now=NOW, seconds=0) == (0, 0, 0)
    second = Attempt.objects.get(number=2)

    def break_second(row, *arguments):
        if row == second:
            raise ValueError
        return build_grading(row, *arguments)

    with monkeypatch.context() as patched:
        patched.setattr(regrade_batches, "build_grading", break_second)
        assert continue_regrades(now=NOW) == (3, 2, 1)
        assert continue_regrades(now=NOW) == (1, 0, 1)
    assert continue_regrades(now=NOW) == (1, 1, 0)
    assert [total for total, _ in scores(quiz)] == [1, 1, 1]
    assert find_differences() == []


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_batch_behind_a_lock_waits_for_the_next_run_and_holds_up_no_other(users, monkeypatch):
    corrected = create_question(create_bank(users), "corrected", right="a", kind="single_choice")
    quiz = create_quiz(users, [corrected], window_attempts=None)
    for learner in (users.learner, users.other_learner):
        take_quiz(quiz, learner, {0: "b"})
    correct_key(corrected, "b")
    commit(quiz, corrected, users)
    monkeypatch.setattr(regrading, "BATCH", 1)
    monkeypatch.setattr(shared_batches, "THREADS", 1)  # whose sessions wait for 5 s
    other = connections.create_connection("default")
    try:
        other.set_autocommit(False)
        with other.cursor() as cursor:
            cursor.execute(
                "SELECT 1 FROM attempts_quizgrade WHERE learner_id = %s FOR UPDATE",
                [users.learner.pk],
            )
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = 200")
        assert continue_regrades(now=NOW) == (2, 1, 1)
        assert [total for total, _ in scores(quiz)] == [0, 1]
    finally:
        other.rollback()
        other.close()
        with connection.cursor() as cursor:
            cursor.execute("RESET lock_timeout")
    assert continue_regrades(now=NOW) == (1, 1, 0)
    assert find_differences() == []


def test_as_many_statements_regrade_twenty_attempts_as_two(users, quiz, corrected, counted):
    learners = [users.learner, users.other_learner]
    learners += [create_user(f"learner{number}") for number in range(20)]
    for learner in learners[2:]:
        Membership.objects.create(group=users.group, user=learner)
    for learner in learners:
        take_quiz(quiz, learner, {0: "b"})
    correct_key(corrected, "b")
    rule = commit(quiz, corrected, users)
    attempts = list(Attempt.objects.order_by("pk").values_list("pk", flat=True))
    costs = []
    for chosen in (attempts[:1], attempts[1:3], attempts[3:]):  # the first fills caches
        with counted() as statements:
            count = apply_rules(quiz=quiz.pk, attempts=chosen, last=rule.number, now=NOW)
        assert count == len(chosen)
        costs.append(len(statements))
    assert costs[1] == costs[2] == 15
    assert find_differences() == []


@contextmanager
def acting_before(place: int, act: Callable[[], Any]) -> Iterator[list[int]]:
    """Act before a statement, the first is 1, as others may meanwhile; yields how many ran."""
    count = [0]

    def execute_and_act(execute: Any, *arguments: Any) -> Any:
        count[0] += 1
        if count[0] == place:
            act()
            count[0] = place
        return execute(*arguments)

    with connection.execute_wrapper(execute_and_act):
        yield count


def test_a_rule_about_another_question_committed_meanwhile_regrades_nobody_twice(
    users, quiz, corrected
):
    for chosen in ({0: "a", 1: "a"}, {0: "b", 1: "a"}):
        take_quiz(quiz, users.learner, chosen)
    correct_key(corrected, "b")
    rule = commit(quiz, corrected, users)
    other = correct_key(Question.objects.get(name="other"), "b")
    attempts = list(Attempt.objects.order_by("pk").values_list("pk", flat=True))
    place, statements = 0, [1]
    while place < statements[0]:  # each moment in which it may be committed
        place += 1
        with transaction.atomic():
            with acting_before(place, partial(commit, quiz, other, users)) as statements:
                apply_rules(quiz=quiz.pk, attempts=attempts, last=rule.number, now=NOW)
            assert Grading.objects.filter(number=2).count() == 1, place
            continue_regrades(now=NOW)
            assert Grading.objects.filter(number__gt=1).count() == 1, place
            assert RegradeRule.objects.count() == 2
            transaction.set_rollback(True)
    assert place > 10


def test_the_same_rule_again_is_the_one_that_is_there(users, quiz, corrected):
    take_quiz(quiz, users.learner, {0: "b"})
    correct_key(corrected, "b")
    rule = commit(quiz, corrected, users)
    assert commit(quiz, corrected, users) == rule
    assert commit(quiz, corrected, users, BY_KEY).number == 2


def test_what_cannot_be_committed_is_refused_with_its_reason(users, quiz, corrected):
    attempt = start(quiz, users.learner)
    with pytest.raises(Refused, match="nothing_to_regrade"):
        commit(quiz, corrected, users)
    finish(attempt)
    with pytest.raises(Refused, match="nothing_to_regrade"):
        commit(quiz, corrected, users)
    previewed = corrected.current.uuid
    correct_key(corrected, "b")
    with pytest.raises(Conflict, match="changed_meanwhile"):
        commit(quiz, corrected, users, version=previewed)
    with pytest.raises(Invalid, match="reason_missing"):
        commit(quiz, corrected, users, reason=" ")
    with pytest.raises(Invalid, match="reason_too_long"):
        commit(quiz, corrected, users, reason="x" * 1001)
    with pytest.raises(NotFound):
        commit(quiz, corrected, users, by=users.outsider)
    assert not RegradeRule.objects.exists()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_submits_marks_and_two_runs_at_once_lose_nothing(users):
    into = create_bank(users)
    corrected = create_question(into, "corrected", right="a", kind="single_choice")
    quiz = create_quiz(users, [create_essay(into, "essay"), corrected], window_attempts=None)
    learners = [users.learner]
    attempts = [attempt_with_essay(quiz, learner) for learner in learners for _ in range(3)]
    last = start(quiz, users.learner)
    correct_key(corrected, "b")
    calls: list[Callable[[], Any]] = [
        partial(commit, quiz, corrected, users, FULL),
        partial(continue_regrades, now=NOW),
        partial(continue_regrades, now=NOW),
        partial(finish, last),
        *(partial(grade_essay, attempt, users.instructor, levels(1, 1)) for attempt in attempts),
    ]
    outcomes = at_once(calls)
    assert not [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    continue_regrades(now=NOW)
    assert continue_regrades(now=NOW) == (0, 0, 0)
    assert set(Result.objects.values_list("regrade_rules_applied", flat=True)) == {1}
    current = ItemResult.objects.filter(grading=F("grading__attempt__result__grading"), slot=1)
    assert {item.credit for item in current} == {Fraction(1)}
    assert find_differences() == []


def test_a_learner_sees_the_solution_by_the_key_that_counts_now(users, quiz, corrected):
    attempt = take_quiz(quiz, users.learner, {0: "a", 1: "a"})
    later_attempt = take_quiz(quiz, users.learner, {0: "b", 1: "a"})
    correct_key(corrected, "b")
    before = load_items(attempt, users.instructor)[0]
    assert before.solution["chosen"] == option_ids(corrected, "a")
    commit(quiz, corrected, users, KEEP)
    assert load_items(attempt, users.instructor)[0] == before
    continue_regrades(now=later(minutes=1))
    assert load_items(attempt, users.instructor)[0] == before  # kept: its score rests on that key
    item = load_items(later_attempt, users.instructor)[0]
    assert item.solution["chosen"] == option_ids(corrected, "b")
    assert item.credit == 1


def load_items(attempt, viewer):
    report = load_report(attempt=attempt.uuid, viewer=viewer, language="en", now=later(hours=1))
    return report.questions


def run_command(*arguments):
    out = StringIO()
    call_command("commit_regrade", *arguments, stdout=out)
    return out.getvalue()


def test_a_command_commits_and_nobody_goes_down(users, quiz, corrected):
    take_quiz(quiz, users.learner, {0: "a", 1: "a"})
    take_quiz(quiz, users.learner, {0: "b", 1: "a"})
    correct_key(corrected, "b")
    arguments = ("quiz", "bank/corrected", "--reason", "The key was wrong.")
    answer = run_command(*arguments, "--by", users.instructor.email)
    assert answer == "Rule 1 of the quiz; 2 results wait for it.\n"
    continue_regrades(now=later(minutes=1))
    assert scores(quiz) == [(2, True), (2, True)]
    answer = run_command(*arguments, "--by", str(users.instructor.uuid))
    assert answer == "Rule 1 of the quiz; 0 results wait for it.\n"


@pytest.mark.parametrize(
    ("options", "listed"),
    [
        ((), "2 attempts by an older key: 1 passes, 1 same."),
        (("--policy", "by_key"), "2 attempts by an older key: 1 no longer passes, 1 passes."),
        (("--action", "full"), "2 attempts with the question: 1 passes, 1 same."),
        (("--action", "drop"), "2 attempts with the question: 1 passes, 1 stays."),
        (("--action", "bonus"), "2 attempts with the question: 1 passes, 1 stays."),
        (("--action", "points", "--points", "4"), "2 attempts with the question: 1 same, 1 stays."),
        (
            ("--action", "method", "--scoring-method", "all_or_nothing"),
            "2 attempts with the question: 2 same.",
        ),
    ],
)
def test_a_command_previews_what_the_same_options_commit(users, quiz, corrected, options, listed):
    take_quiz(quiz, users.learner, {0: "a", 1: "a"})
    take_quiz(quiz, users.learner, {0: "b", 1: "a"})
    correct_key(corrected, "b")
    rows, counts = StringIO(), StringIO()
    arguments = ("quiz", "bank/corrected", *options)
    call_command("preview_regrade", *arguments, stdout=rows, stderr=counts)
    left_out = ["Left out: The newest version has another key."] if "--action" in options else []
    assert counts.getvalue().splitlines() == [*left_out, listed]
    before = scores(quiz)
    run_command(*arguments, "--by", users.instructor.email, "--reason", "The key was wrong.")
    continue_regrades(now=later(minutes=1))
    changed = [now for was, now in zip(before, scores(quiz), strict=True) if was != now]
    previewed = [
        (
            Fraction(int(row["total_numerator_after"]), int(row["total_denominator_after"])),
            row["passed_after"] == "yes",
        )
        for row in csv.DictReader(StringIO(rows.getvalue()))
    ]
    assert previewed == changed


def test_a_command_drops_a_question_and_takes_it_back(users, quiz, corrected):
    take_quiz(quiz, users.learner, {0: "b", 1: "a"})
    by = ("--by", users.instructor.email, "--reason", "It was unclear.")
    of_question = ("quiz", "bank/corrected", *by)
    assert "Rule 1" in run_command(*of_question, "--action", "drop")
    continue_regrades(now=later(minutes=1))
    assert scores(quiz) == [(1, True)]
    assert "Rule 2" in run_command(*of_question, "--action", "revert", "--rule", "1")
    continue_regrades(now=later(minutes=2))
    assert scores(quiz) == [(1, False)]
    with pytest.raises(CommandError, match="is reverted already"):
        run_command(*of_question, "--action", "revert", "--rule", "7")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"--by": "learner@example.org"}, "does not teach the class"),
        ({"--by": "nobody@example.org"}, "There is nobody called"),
        ({"--reason": " "}, "Say why"),
        ({"--policy": "by_key"}, "No attempt of the quiz is concerned by it"),
        ({"quiz": "none"}, "There is no quiz called"),
        ({"question": "bank/none"}, "There is no question"),
    ],
)
def test_a_command_says_why_it_commits_nothing(users, quiz, corrected, changes, sentence):
    take_quiz(quiz, users.learner, {0: "a"})
    fields = {
        "quiz": "quiz",
        "question": "bank/corrected",
        "--by": users.instructor.email,
        "--reason": "wrong",
    } | changes
    options = [part for name, value in fields.items() if name[0] == "-" for part in (name, value)]
    with pytest.raises(CommandError, match=sentence):
        run_command(fields["quiz"], fields["question"], *options)
    assert not RegradeRule.objects.exists()
