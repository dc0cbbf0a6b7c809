"""Marking by hand: a layer of its own, appended, over which every grading is made anew."""

from fractions import Fraction
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from accounts.models import Membership, Role
from quizzes.attempts.models import Attempt, QuizGrade
from quizzes.events.models import Event
from quizzes.lib.base_models import ImmutableRowError
from quizzes.lib.errors import Conflict, Invalid, NotFound, Refused
from quizzes.results import services
from quizzes.results.grading_recomputation import verify
from quizzes.results.models import Grading, ItemResult, ManualGrade, Result
from quizzes.results.selectors import load_report
from tests.attempt_helpers import later, save_choice, start
from tests.essay_factory import FINAL, attempt_with_essay, create_essay, grade_essay, levels
from tests.factories import NOW, create_bank, create_question, create_quiz
from tests.forged_rows import without_triggers
from tests.users import create_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def colleague(users):
    """A second instructor of the class."""
    user = create_user("colleague")
    Membership.objects.create(group=users.group, user=user, role=Role.INSTRUCTOR)
    return user


@pytest.fixture
def of(users):
    """One essay and one choice, a point each."""
    into = create_bank(users)
    choice = create_question(into, "single", right="b", kind="single_choice")
    return create_quiz(users, [create_essay(into), choice], pass_percent=80)


@pytest.fixture
def written(users, of) -> Attempt:
    attempt = start(of, users.learner)
    save_choice(attempt, 1, "b")
    return attempt_with_essay(of, users.learner)


@pytest.fixture
def twice(users) -> Attempt:
    """An essay that two people mark."""
    return attempt_with_essay(
        create_quiz(users, [create_essay(create_bank(users), graders=2)]), users.learner
    )


def score(attempt: Attempt, viewer=None):
    score = load_report(
        attempt=attempt.uuid, viewer=viewer or attempt.learner, language="en", now=NOW
    ).summary.score
    assert score is not None
    return score.total, score.passed, score.provisional


def last(attempt: Attempt) -> Grading:
    return Result.objects.get(attempt=attempt).grading


def untrue(attempt: Attempt) -> list[str]:
    """What recomputing finds wrong with the gradings of an attempt."""
    return [str(difference) for _, differences in verify([attempt]) for difference in differences]


# --- One marker ------------------------------------------------------------------------------
def test_until_a_person_has_marked_it_the_result_is_provisional(written):
    assert score(written) == (1, False, True)
    assert ItemResult.objects.get(grading=last(written), slot=0).score == {
        "needs_manual_grading": "marked_by_a_person"
    }


def test_a_mark_by_hand_appends_a_grading_and_everything_that_follows_from_it(users, written):
    grade = grade_essay(
        written, users.instructor, levels(2, 0), comment="Well said", now=later(hours=1)
    )
    assert (grade.number, grade.slot, grade.purpose, grade.grader) == (
        1,
        0,
        "first",
        users.instructor,
    )
    grading = last(written)
    assert (grading.number, grading.reason, grading.by) == (2, "marked", users.instructor)
    assert (grading.total, grading.manual_grades_read) == (Fraction(9, 5), 1)
    assert (grading.passed, grading.provisional) == (True, False)
    assert score(written) == (Fraction(9, 5), True, False)
    quiz_grade = QuizGrade.objects.get()
    assert (quiz_grade.total, quiz_grade.passed, quiz_grade.attempts_graded) == (
        Fraction(9, 5),
        True,
        1,
    )
    event = Event.objects.filter(kind="attempt.graded").latest("pk")
    assert event.data == {"grading": 2, "reason": "marked", "passed": True}
    written.refresh_from_db()
    assert written.updated_at == Result.objects.get().updated_at == later(hours=1)


def test_the_grading_before_stays_as_it_was(users, written):
    before = Grading.objects.values().get()
    grade_essay(written, users.instructor)
    assert Grading.objects.values().get(number=1) == before


def test_every_grading_can_be_recomputed_with_the_marks_it_had_read(users, written):
    grade_essay(written, users.instructor, levels(0, 0))
    grade_essay(written, users.instructor, levels(1, 1))
    assert Grading.objects.count() == 3
    assert untrue(written) == []


def test_a_mark_by_a_person_that_was_tampered_with_is_reported(users, written):
    grade_essay(written, users.instructor)
    with without_triggers():
        ManualGrade.objects.update(levels=levels(0, 0))
    assert any("score of slot 0" in difference for difference in untrue(written))


def test_a_mark_by_a_person_that_was_taken_away_is_reported(users, written):
    grade_essay(written, users.instructor)
    with without_triggers():
        ManualGrade.objects.all()._raw_delete("default")
    assert any("marks by persons" in difference for difference in untrue(written))


def test_marks_by_persons_are_never_changed_or_deleted(users, written):
    grading = grade_essay(written, users.instructor)
    with pytest.raises(ImmutableRowError):
        grading.save()
    with pytest.raises(ImmutableRowError):
        grading.delete()
    with pytest.raises(IntegrityError), transaction.atomic():
        ManualGrade.objects.update(comment="better")


def test_marking_again_supersedes_ones_own_mark(users, written):
    grade_essay(written, users.instructor, levels(0, 0), comment="No")
    grade_essay(written, users.instructor, levels(2, 1), comment="Yes, after all")
    assert score(written) == (2, True, False)
    assert ManualGrade.objects.count() == 2
    report = load_report(attempt=written.uuid, viewer=users.learner, language="en", now=NOW)
    assert report.questions[0].comments == ("Yes, after all",)


def test_another_person_does_not_silently_mark_over_a_mark(users, written, colleague):
    grade_essay(written, users.instructor, levels(0, 0))
    with pytest.raises(Conflict, match="marked_already"):
        grade_essay(written, colleague)
    assert score(written)[0] == 1


def test_another_person_may_settle_it_otherwise_knowing_what_stands(users, written, colleague):
    first = grade_essay(written, users.instructor, levels(0, 0))
    grade_essay(written, colleague, levels(2, 1), purpose=FINAL, seen=first.number)
    assert score(written) == (2, True, False)
    with pytest.raises(Conflict, match="marked_meanwhile"):
        grade_essay(written, users.administrator, purpose=FINAL, seen=first.number)
    with pytest.raises(Conflict, match="marked_already"):
        grade_essay(written, users.instructor)


def test_what_nobody_marked_cannot_be_settled(users, written):
    with pytest.raises(Refused, match="marks_missing"):
        grade_essay(written, users.instructor, purpose=FINAL)


def test_without_criteria_a_share_of_the_points_is_given(users):
    attempt = attempt_with_essay(
        create_quiz(users, [create_essay(create_bank(users), criteria={})], points=3), users.learner
    )
    grade_essay(attempt, users.instructor, Fraction(5, 6))
    assert score(attempt) == (Fraction(5, 2), True, False)
    assert untrue(attempt) == []


# --- Two graders -----------------------------------------------------------------------------
def test_two_who_agree_settle_it(users, twice, colleague):
    assert grade_essay(twice, users.instructor, levels(1, 1), comment="Fair").purpose == "first"
    assert score(twice) == (0, False, True)
    assert grade_essay(twice, colleague, levels(1, 1), comment="Agreed").purpose == "second"
    assert score(twice) == (Fraction(3, 5), False, False)
    report = load_report(attempt=twice.uuid, viewer=users.learner, language="en", now=NOW)
    assert report.questions[0].comments == ("Fair", "Agreed")
    assert untrue(twice) == []


def test_two_who_differ_leave_it_provisional_until_it_is_settled(users, twice, colleague):
    grade_essay(twice, users.instructor, levels(2, 1), comment="Splendid")
    second = grade_essay(twice, colleague, levels(0, 0), comment="Poor")
    assert score(twice) == (0, False, True)
    assert ItemResult.objects.get(grading=last(twice)).score == {
        "needs_manual_grading": "grades_differ"
    }
    hidden = load_report(
        attempt=twice.uuid, viewer=users.learner, language="en", now=NOW
    ).questions[0]
    assert (hidden.comments, hidden.levels, hidden.feedback) == ((), {}, {})
    grade_essay(
        twice, colleague, levels(1, 0), comment="Settled", purpose=FINAL, seen=second.number
    )
    assert score(twice) == (Fraction(2, 5), False, False)
    report = load_report(attempt=twice.uuid, viewer=users.learner, language="en", now=NOW)
    assert report.questions[0].comments == ("Settled",)
    assert Grading.objects.count() == 4
    assert untrue(twice) == []


def test_one_person_is_not_two(users, twice):
    grade_essay(twice, users.instructor)
    assert grade_essay(twice, users.instructor).purpose == "first"
    assert score(twice)[2]
    with pytest.raises(Refused, match="marks_missing"):
        grade_essay(twice, users.instructor, purpose=FINAL)


def test_a_third_marks_only_to_settle(users, twice, colleague):
    grade_essay(twice, users.instructor, levels(1, 1))
    grade_essay(twice, colleague, levels(1, 0))
    with pytest.raises(Conflict, match="marked_already"):
        grade_essay(twice, users.administrator)
    grade_essay(twice, users.administrator, levels(1, 1), purpose=FINAL)
    assert score(twice)[0] == Fraction(3, 5)


def test_two_who_differ_may_come_to_agree(users, twice, colleague):
    grade_essay(twice, users.instructor, levels(1, 1))
    grade_essay(twice, colleague, levels(1, 0))
    assert grade_essay(twice, colleague, levels(1, 1)).purpose == "second"
    assert score(twice) == (Fraction(3, 5), False, False)


# --- Who -------------------------------------------------------------------------------------
@pytest.mark.parametrize("who", ["learner", "other_learner", "outsider", "stranger"])
def test_nobody_marks_who_does_not_oversee_it(users, written, who):
    with pytest.raises(NotFound):
        grade_essay(written, getattr(users, who))
    assert not ManualGrade.objects.exists()


@pytest.mark.parametrize("who", ["instructor", "administrator"])
def test_nobody_marks_their_own(users, of, who):
    attempt = attempt_with_essay(of, getattr(users, who))
    with pytest.raises(NotFound):
        grade_essay(attempt, getattr(users, who))


def test_an_administrator_marks_anything(users, written):
    grade_essay(written, users.administrator)
    assert score(written) == (2, True, False)


def test_what_is_not_there_cannot_be_marked(users, written):
    written.uuid = uuid4()
    with pytest.raises(NotFound):
        grade_essay(written, users.instructor)


# --- What ------------------------------------------------------------------------------------
def test_what_a_machine_marks_is_not_for_persons(users, written):
    with pytest.raises(Refused, match="needs_nobody"):
        grade_essay(written, users.instructor, slot=1)


def test_what_was_never_answered_is_not_for_persons(users, of):
    attempt = attempt_with_essay(of, users.learner, text="")
    assert score(attempt) == (0, False, False)
    with pytest.raises(Refused, match="needs_nobody"):
        grade_essay(attempt, users.instructor)


@pytest.mark.parametrize("slot", [-1, 2, 99])
def test_a_slot_that_is_not_there_is_no_slot(users, written, slot):
    with pytest.raises(Invalid, match="unknown_slot"):
        grade_essay(written, users.instructor, slot=slot)


def test_an_open_attempt_is_not_marked_yet_and_a_void_one_no_more(users, of):
    attempt = start(of, users.learner)
    with pytest.raises(Refused, match="not_graded"):
        grade_essay(attempt, users.instructor)
    services.void(attempt=attempt.uuid, by=users.instructor, reason="fire", now=NOW)
    with pytest.raises(Refused, match="void"):
        grade_essay(attempt, users.instructor)


@pytest.mark.parametrize(
    ("levels_by_criterion", "code"),
    [
        ({}, "levels_do_not_fit"),
        ({"idea": "idea-0"}, "levels_do_not_fit"),
        ({"idea": "form-0", "form": "form-0"}, "levels_do_not_fit"),
        (Fraction(1), "levels_or_share"),
    ],
)
def test_a_mark_fits_the_rubric(users, written, levels_by_criterion, code):
    with pytest.raises(Invalid, match=code):
        grade_essay(written, users.instructor, levels_by_criterion)
    assert not ManualGrade.objects.exists()
    assert Grading.objects.count() == 1


@pytest.mark.parametrize(
    ("share", "code"),
    [
        (Fraction(3, 2), "share_out_of_range"),
        (Fraction(-1, 2), "share_out_of_range"),
        (Fraction(1, 10_001), "denominator_too_large"),
        ({"idea": "idea-0"}, "levels_or_share"),
    ],
)
def test_a_share_lies_between_nothing_and_everything(users, share, code):
    attempt = attempt_with_essay(
        create_quiz(users, [create_essay(create_bank(users), criteria={})]), users.learner
    )
    with pytest.raises(Invalid, match=code):
        grade_essay(attempt, users.instructor, share)


def test_a_comment_is_plain_text_of_a_sensible_length(users, written):
    assert grade_essay(written, users.instructor, comment=" a\r\nb\x00 ").comment == "a\nb"
    with pytest.raises(Invalid, match="comment_too_long"):
        grade_essay(written, users.instructor, comment="x" * 10_001)


def test_the_database_keeps_levels_and_shares_apart_and_numbers_once(users, written):
    grading = grade_essay(written, users.instructor)
    for changes in ({"number": 1}, {"number": 2, "share_numerator": 1, "share_denominator": 1}):
        twin = ManualGrade.objects.get(pk=grading.pk)
        twin.pk, twin._state.adding = None, True
        for name, value in changes.items():
            setattr(twin, name, value)
        with pytest.raises(IntegrityError), transaction.atomic():
            twin.save()


# --- Quiz grade and retries --------------------------------------------------------------------
def test_the_quiz_grade_follows_the_mark_of_an_earlier_attempt(users):
    of = create_quiz(
        users,
        [create_essay(create_bank(users))],
        attempt_grade_policy="highest",
        window_attempts=None,
    )
    first, second = attempt_with_essay(of, users.learner), attempt_with_essay(of, users.learner)
    grade_essay(second, users.instructor, levels(1, 0))
    assert QuizGrade.objects.get().attempt == second
    grade_essay(first, users.instructor, levels(2, 1))
    quiz_grade = QuizGrade.objects.get()
    assert (quiz_grade.attempt, quiz_grade.total) == (first, Fraction(1))
    assert quiz_grade.attempts_graded == 2


def test_finishing_again_leaves_a_mark_by_hand_alone(users, written):
    grade_essay(written, users.instructor)
    services.finish(attempt=written.uuid, learner=users.learner, now=NOW)
    services.grade(attempt=written.uuid, now=NOW)
    assert score(written) == (2, True, False)


def test_marking_costs_as_much_for_many_slots_as_for_few(users, counted):
    into = create_bank(users)
    essays = [create_essay(into, f"why-{n}") for n in range(6)]
    small, big = create_quiz(users, essays[:1]), create_quiz(users, essays, slug="big")
    costs = []
    for which in (small, big):
        attempt = attempt_with_essay(which, users.learner)
        with counted() as queries:
            grade_essay(attempt, users.instructor)
        costs.append(len(queries))
    assert costs[0] == costs[1] <= 18, costs
