"""Marking by hand: a layer of its own, appended, over which every grading is made anew."""

from fractions import Fraction
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, transaction

from accounts.models import Membership, Role
from quizzes.attempts.models import Attempt, Standing
from quizzes.events.models import Event
from quizzes.lib import immutability_triggers
from quizzes.lib.base_models import ImmutableRowError
from quizzes.lib.errors import Conflict, Invalid, NotFound, Refused
from quizzes.results import services
from quizzes.results.models import Grading, ItemMark, PersonMark, Result
from quizzes.results.selectors import report
from quizzes.results.verify import verify
from tests.content import NOW, bank, question, quiz
from tests.essays import FINAL, by_hand, essay, hand_in, levels
from tests.people import person
from tests.taking import later, say, start

pytestmark = pytest.mark.django_db


@pytest.fixture
def colleague(cast):
    """A second instructor of the class."""
    made = person("colleague")
    Membership.objects.create(group=cast.group, user=made, role=Role.INSTRUCTOR)
    return made


@pytest.fixture
def of(cast):
    """One essay and one choice, a point each."""
    into = bank(cast)
    choice = question(into, "single", right="b", kind="single_choice")
    return quiz(cast, [essay(into), choice], pass_percent=80)


@pytest.fixture
def written(cast, of) -> Attempt:
    attempt = start(of, cast.learner)
    say(attempt, 1, "b")
    return hand_in(of, cast.learner)


@pytest.fixture
def twice(cast) -> Attempt:
    """An essay that two people mark."""
    return hand_in(quiz(cast, [essay(bank(cast), markers=2)]), cast.learner)


def score(attempt: Attempt, viewer=None):
    told = report(
        attempt=attempt.uuid, viewer=viewer or attempt.learner, language="en", now=NOW
    ).summary.score
    assert told is not None
    return told.total, told.passed, told.provisional


def last(attempt: Attempt) -> Grading:
    return Result.objects.get(attempt=attempt).grading


def untrue(attempt: Attempt) -> list[str]:
    """What recomputing finds wrong with the gradings of an attempt."""
    return [str(one) for _, found in verify([attempt]) for one in found]


# --- One marker ------------------------------------------------------------------------------
def test_until_a_person_has_marked_it_the_result_is_provisional(written):
    assert score(written) == (1, False, True)
    assert ItemMark.objects.get(grading=last(written), slot=0).mark == {
        "needs_person": "marked_by_a_person"
    }


def test_a_mark_by_hand_appends_a_grading_and_everything_that_follows_from_it(cast, written):
    made = by_hand(written, cast.instructor, levels(2, 0), comment="Well said", now=later(hours=1))
    assert (made.number, made.slot, made.purpose, made.marker) == (1, 0, "first", cast.instructor)
    grading = last(written)
    assert (grading.number, grading.reason, grading.by) == (2, "marked", cast.instructor)
    assert (grading.total, grading.person_marks) == (Fraction(9, 5), 1)
    assert (grading.passed, grading.provisional) == (True, False)
    assert score(written) == (Fraction(9, 5), True, False)
    standing = Standing.objects.get()
    assert (standing.total, standing.passed, standing.attempts_graded) == (Fraction(9, 5), True, 1)
    event = Event.objects.filter(kind="attempt.graded").latest("pk")
    assert event.data == {"grading": 2, "reason": "marked", "passed": True}
    written.refresh_from_db()
    assert written.updated_at == Result.objects.get().updated_at == later(hours=1)


def test_the_grading_before_stays_as_it_was(cast, written):
    before = Grading.objects.values().get()
    by_hand(written, cast.instructor)
    assert Grading.objects.values().get(number=1) == before


def test_every_grading_can_be_recomputed_with_the_marks_it_had_read(cast, written):
    by_hand(written, cast.instructor, levels(0, 0))
    by_hand(written, cast.instructor, levels(1, 1))
    assert Grading.objects.count() == 3
    assert untrue(written) == []


def test_a_mark_by_a_person_that_was_tampered_with_is_reported(cast, written):
    by_hand(written, cast.instructor)
    immutability_triggers.drop_triggers(connection)
    PersonMark.objects.update(levels=levels(0, 0))
    immutability_triggers.install_triggers(connection)
    assert any("mark of slot 0" in one for one in untrue(written))


def test_a_mark_by_a_person_that_was_taken_away_is_reported(cast, written):
    by_hand(written, cast.instructor)
    immutability_triggers.drop_triggers(connection)
    PersonMark.objects.all()._raw_delete("default")
    immutability_triggers.install_triggers(connection)
    assert any("marks by persons" in one for one in untrue(written))


def test_marks_by_persons_are_never_changed_or_deleted(cast, written):
    made = by_hand(written, cast.instructor)
    with pytest.raises(ImmutableRowError):
        made.save()
    with pytest.raises(ImmutableRowError):
        made.delete()
    with pytest.raises(IntegrityError), transaction.atomic():
        PersonMark.objects.update(comment="better")


def test_marking_again_supersedes_ones_own_mark(cast, written):
    by_hand(written, cast.instructor, levels(0, 0), comment="No")
    by_hand(written, cast.instructor, levels(2, 1), comment="Yes, after all")
    assert score(written) == (2, True, False)
    assert PersonMark.objects.count() == 2
    told = report(attempt=written.uuid, viewer=cast.learner, language="en", now=NOW)
    assert told.items[0].comments == ("Yes, after all",)


def test_another_person_does_not_silently_mark_over_a_mark(cast, written, colleague):
    by_hand(written, cast.instructor, levels(0, 0))
    with pytest.raises(Conflict, match="marked_already"):
        by_hand(written, colleague)
    assert score(written)[0] == 1


def test_another_person_may_settle_it_otherwise_knowing_what_stands(cast, written, colleague):
    first = by_hand(written, cast.instructor, levels(0, 0))
    by_hand(written, colleague, levels(2, 1), purpose=FINAL, seen=first.number)
    assert score(written) == (2, True, False)
    with pytest.raises(Conflict, match="marked_meanwhile"):
        by_hand(written, cast.administrator, purpose=FINAL, seen=first.number)
    with pytest.raises(Conflict, match="marked_already"):
        by_hand(written, cast.instructor)


def test_what_nobody_marked_cannot_be_settled(cast, written):
    with pytest.raises(Refused, match="marks_missing"):
        by_hand(written, cast.instructor, purpose=FINAL)


def test_without_criteria_a_share_of_the_points_is_given(cast):
    attempt = hand_in(quiz(cast, [essay(bank(cast), criteria={})], points=3), cast.learner)
    by_hand(attempt, cast.instructor, Fraction(5, 6))
    assert score(attempt) == (Fraction(5, 2), True, False)
    assert untrue(attempt) == []


# --- Two markers -----------------------------------------------------------------------------
def test_two_who_agree_settle_it(cast, twice, colleague):
    assert by_hand(twice, cast.instructor, levels(1, 1), comment="Fair").purpose == "first"
    assert score(twice) == (0, False, True)
    assert by_hand(twice, colleague, levels(1, 1), comment="Agreed").purpose == "second"
    assert score(twice) == (Fraction(3, 5), False, False)
    told = report(attempt=twice.uuid, viewer=cast.learner, language="en", now=NOW)
    assert told.items[0].comments == ("Fair", "Agreed")
    assert untrue(twice) == []


def test_two_who_differ_leave_it_provisional_until_it_is_settled(cast, twice, colleague):
    by_hand(twice, cast.instructor, levels(2, 1), comment="Splendid")
    second = by_hand(twice, colleague, levels(0, 0), comment="Poor")
    assert score(twice) == (0, False, True)
    assert ItemMark.objects.get(grading=last(twice)).mark == {"needs_person": "marks_differ"}
    hidden = report(attempt=twice.uuid, viewer=cast.learner, language="en", now=NOW).items[0]
    assert (hidden.comments, hidden.levels, hidden.feedback) == ((), {}, {})
    by_hand(twice, colleague, levels(1, 0), comment="Settled", purpose=FINAL, seen=second.number)
    assert score(twice) == (Fraction(2, 5), False, False)
    told = report(attempt=twice.uuid, viewer=cast.learner, language="en", now=NOW)
    assert told.items[0].comments == ("Settled",)
    assert Grading.objects.count() == 4
    assert untrue(twice) == []


def test_one_person_is_not_two(cast, twice):
    by_hand(twice, cast.instructor)
    assert by_hand(twice, cast.instructor).purpose == "first"
    assert score(twice)[2]
    with pytest.raises(Refused, match="marks_missing"):
        by_hand(twice, cast.instructor, purpose=FINAL)


def test_a_third_marks_only_to_settle(cast, twice, colleague):
    by_hand(twice, cast.instructor, levels(1, 1))
    by_hand(twice, colleague, levels(1, 0))
    with pytest.raises(Conflict, match="marked_already"):
        by_hand(twice, cast.administrator)
    by_hand(twice, cast.administrator, levels(1, 1), purpose=FINAL)
    assert score(twice)[0] == Fraction(3, 5)


def test_two_who_differ_may_come_to_agree(cast, twice, colleague):
    by_hand(twice, cast.instructor, levels(1, 1))
    by_hand(twice, colleague, levels(1, 0))
    assert by_hand(twice, colleague, levels(1, 1)).purpose == "second"
    assert score(twice) == (Fraction(3, 5), False, False)


# --- Who -------------------------------------------------------------------------------------
@pytest.mark.parametrize("who", ["learner", "other_learner", "outsider", "stranger"])
def test_nobody_marks_who_does_not_oversee_it(cast, written, who):
    with pytest.raises(NotFound):
        by_hand(written, getattr(cast, who))
    assert not PersonMark.objects.exists()


@pytest.mark.parametrize("who", ["instructor", "administrator"])
def test_nobody_marks_their_own(cast, of, who):
    attempt = hand_in(of, getattr(cast, who))
    with pytest.raises(NotFound):
        by_hand(attempt, getattr(cast, who))


def test_an_administrator_marks_anything(cast, written):
    by_hand(written, cast.administrator)
    assert score(written) == (2, True, False)


def test_what_is_not_there_cannot_be_marked(cast, written):
    written.uuid = uuid4()
    with pytest.raises(NotFound):
        by_hand(written, cast.instructor)


# --- What ------------------------------------------------------------------------------------
def test_what_a_machine_marks_is_not_for_persons(cast, written):
    with pytest.raises(Refused, match="needs_nobody"):
        by_hand(written, cast.instructor, slot=1)


def test_what_was_never_answered_is_not_for_persons(cast, of):
    attempt = hand_in(of, cast.learner, text="")
    assert score(attempt) == (0, False, False)
    with pytest.raises(Refused, match="needs_nobody"):
        by_hand(attempt, cast.instructor)


@pytest.mark.parametrize("slot", [-1, 2, 99])
def test_a_slot_that_is_not_there_is_no_slot(cast, written, slot):
    with pytest.raises(Invalid, match="unknown_slot"):
        by_hand(written, cast.instructor, slot=slot)


def test_an_open_attempt_is_not_marked_yet_and_a_void_one_no_more(cast, of):
    attempt = start(of, cast.learner)
    with pytest.raises(Refused, match="not_graded"):
        by_hand(attempt, cast.instructor)
    services.void(attempt=attempt.uuid, by=cast.instructor, reason="fire", now=NOW)
    with pytest.raises(Refused, match="void"):
        by_hand(attempt, cast.instructor)


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({}, "levels_do_not_fit"),
        ({"idea": "idea-0"}, "levels_do_not_fit"),
        ({"idea": "form-0", "form": "form-0"}, "levels_do_not_fit"),
        (Fraction(1), "levels_or_share"),
    ],
)
def test_a_mark_fits_the_rubric(cast, written, given, code):
    with pytest.raises(Invalid, match=code):
        by_hand(written, cast.instructor, given)
    assert not PersonMark.objects.exists()
    assert Grading.objects.count() == 1


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (Fraction(3, 2), "share_out_of_range"),
        (Fraction(-1, 2), "share_out_of_range"),
        (Fraction(1, 10_001), "share_too_fine"),
        ({"idea": "idea-0"}, "levels_or_share"),
    ],
)
def test_a_share_lies_between_nothing_and_everything(cast, given, code):
    attempt = hand_in(quiz(cast, [essay(bank(cast), criteria={})]), cast.learner)
    with pytest.raises(Invalid, match=code):
        by_hand(attempt, cast.instructor, given)


def test_a_comment_is_plain_text_of_a_sensible_length(cast, written):
    assert by_hand(written, cast.instructor, comment=" a\r\nb\x00 ").comment == "a\nb"
    with pytest.raises(Invalid, match="comment_too_long"):
        by_hand(written, cast.instructor, comment="x" * 10_001)


def test_the_database_keeps_levels_and_shares_apart_and_numbers_once(cast, written):
    made = by_hand(written, cast.instructor)
    for changes in ({"number": 1}, {"number": 2, "share_numerator": 1, "share_denominator": 1}):
        twin = PersonMark.objects.get(pk=made.pk)
        twin.pk, twin.uuid, twin._state.adding = None, uuid4(), True
        for name, value in changes.items():
            setattr(twin, name, value)
        with pytest.raises(IntegrityError), transaction.atomic():
            twin.save()


# --- Standing and retries --------------------------------------------------------------------
def test_the_standing_follows_the_mark_of_an_earlier_attempt(cast):
    of = quiz(cast, [essay(bank(cast))], standing_policy="highest", window_attempts=None)
    first, second = hand_in(of, cast.learner), hand_in(of, cast.learner)
    by_hand(second, cast.instructor, levels(1, 0))
    assert Standing.objects.get().attempt == second
    by_hand(first, cast.instructor, levels(2, 1))
    standing = Standing.objects.get()
    assert (standing.attempt, standing.total) == (first, Fraction(1))
    assert standing.attempts_graded == 2


def test_finishing_again_leaves_a_mark_by_hand_alone(cast, written):
    by_hand(written, cast.instructor)
    services.finish(attempt=written.uuid, learner=cast.learner, now=NOW)
    services.grade(attempt=written.uuid, now=NOW)
    assert score(written) == (2, True, False)


def test_marking_costs_as_much_for_many_slots_as_for_few(cast, counted):
    into = bank(cast)
    essays = [essay(into, f"why-{n}") for n in range(6)]
    small, big = quiz(cast, essays[:1]), quiz(cast, essays, slug="big")
    costs = []
    for which in (small, big):
        attempt = hand_in(which, cast.learner)
        with counted() as made:
            by_hand(attempt, cast.instructor)
        costs.append(len(made))
    assert costs[0] == costs[1] <= 16, costs
