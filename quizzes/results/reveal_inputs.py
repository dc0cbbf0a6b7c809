"""Gathering what reveal's decision rests on: for many attempts at once, and only what is asked for.

Most policies are decided by the state of the attempt alone; then nothing here asks the database.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from fractions import Fraction

from django.db.models import BigIntegerField, Max, Q, QuerySet

from accounts.models import Membership, User
from quizzes.attempts.models import (
    Accommodation,
    Assignment,
    Attempt,
    StandingAccommodation,
    State,
)
from quizzes.attempts.rules import AccommodationTerms, StandingTerms, extra_time
from quizzes.attempts.selectors import (
    StartInputs,
    build_standing_terms,
    load_start_inputs_by_quiz,
)
from quizzes.lib.prepared_query import PreparedQuery
from quizzes.publishing.models import OPEN_TO_ALL, Quiz, RevealMoment
from quizzes.publishing.policies import Policies, RevealPolicy
from quizzes.results import reveal


def with_related_rows(attempts: QuerySet[Attempt]) -> QuerySet[Attempt]:
    """Bring what a line of a list tells within the same query."""
    return attempts.select_related("quiz", "learner", "quiz_grade", "result__grading")


def load_reveal_contexts(
    rows: Sequence[Attempt],
    viewer: User,
    now: datetime,
    *,
    moments: Mapping[int, Collection[str]],
    own_inputs: Mapping[int, StartInputs] | None = None,
) -> dict[int, reveal.RevealContext]:
    """Return the facts about these attempts by primary key.

    `moments` are those that matter, by row; what none of them needs is not queried, nor are the
    `own_inputs` of the viewer, by quiz.
    """
    undecided = [row for row in rows if _is_undecided(row, viewer, moments[row.pk])]
    exhausted = _exhausted(
        [row for row in undecided if RevealMoment.AFTER_LAST_ATTEMPT in moments[row.pk]],
        viewer,
        own_inputs or {},
    )
    closed = find_closed_quizzes(undecided, now)
    return {
        row.pk: reveal.RevealContext(
            state=row.state,
            role=reveal.LEARNER if row.learner_id == viewer.pk else reveal.OVERSEER,
            passed=attempt_or_quiz_passed(row),
            exhausted=row.pk in exhausted,
            closed=row.quiz_id in closed,
        )
        for row in rows
    }


def reveal_moments(policy: RevealPolicy, *, score_only: bool) -> frozenset[str]:
    """Return the moments that decide on the score, or on everything."""
    moments = {policy.correctness, policy.feedback, policy.hints, policy.key, policy.explanation}
    return frozenset({policy.score} if score_only else moments | {policy.score})


def attempt_or_quiz_passed(row: Attempt) -> bool:
    """Return whether this attempt or the learner's quiz grade passes."""
    result = getattr(row, "result", None)
    return bool(row.quiz_grade.passed or (result and result.grading.passed))


def _is_undecided(row: Attempt, viewer: User, moments: Collection[str]) -> bool:
    """Return whether the moments leave anything open that the row itself does not answer."""
    if row.learner_id != viewer.pk or row.state != State.GRADED:
        return False
    if RevealMoment.AFTER_CLOSE in moments:
        return True
    return RevealMoment.AFTER_LAST_ATTEMPT in moments and not attempt_or_quiz_passed(row)


def _exhausted(
    rows: Sequence[Attempt], viewer: User, own_inputs: Mapping[int, StartInputs]
) -> set[int]:
    """Return the rows whose learner, the viewer, has ended the last attempt there is.

    While the last attempt is open it is not yet over: its key must not show on an earlier one.
    """
    gave_up = {row.pk for row in rows if row.quiz_grade.gave_up_at is not None}
    rows = [row for row in rows if row.pk not in gave_up]
    policies = {row.pk: Policies.from_json(row.manifest["policies"]) for row in rows}
    bounded = [row for row in rows if policies[row.pk].max_attempts is not None]
    missing = {row.quiz_id: row.quiz for row in bounded if row.quiz_id not in own_inputs}
    inputs = {
        **own_inputs,
        **(load_start_inputs_by_quiz(missing.values(), viewer) if missing else {}),
    }
    return gave_up | {
        row.pk for row in bounded if inputs[row.quiz_id].has_used_last_attempt(policies[row.pk])
    }


def find_closed_quizzes(rows: Iterable[Attempt], now: datetime) -> set[int]:
    """Return the quizzes whose last window of anyone is over, with nobody still at work.

    Accommodations count: the longest extra time of anyone, or a closing time of their own, moves
    the closing out.
    """
    quizzes = {row.quiz_id: row.quiz for row in rows}
    ends = {pk: end for pk, end in _last_closings(quizzes).items() if end < now}
    if not ends:
        return set()
    policies = {
        row.quiz_id: Policies.from_json(row.manifest["policies"])
        for row in rows
        if row.quiz_id in ends
    }
    latest = _with_accommodations(ends, policies, quizzes)
    running = Attempt.objects.filter(quiz__in=ends, state=State.OPEN, is_staff_attempt=False)
    in_progress = set(
        running.filter(Q(cutoff_at=None) | Q(cutoff_at__gte=now)).values_list("quiz", flat=True)
    )
    return {pk for pk, end in latest.items() if now > end} - in_progress


def find_last_closing(quiz: Quiz, policies: Policies) -> datetime | None:
    """Return when the last window of anyone closes, accommodations included; None: one never does.

    Of a draft: by these policies of its next version. One that is not stored has its own window.
    """
    quizzes = {quiz.pk: quiz}
    closing = _last_closings(quizzes).get(quiz.pk)
    if closing is None:
        return None
    return _with_accommodations({quiz.pk: closing}, {quiz.pk: policies}, quizzes)[quiz.pk]


def _last_closings(quizzes: Mapping[int, Quiz]) -> dict[int, datetime]:
    """Return the last closing time of each quiz, without more time; none where one is open."""
    closings_by_quiz: dict[int, list[datetime | None]] = {}
    # What is open to all and has no end never closes, whatever is assigned.
    ending = {
        pk: quiz
        for pk, quiz in quizzes.items()
        if quiz.closes_at is not None or quiz.audience not in OPEN_TO_ALL
    }
    for pk, closes_at in _load_closings(list(ending)):
        closings_by_quiz.setdefault(pk, []).append(closes_at or quizzes[pk].closes_at)
    ends: dict[int, datetime] = {}
    for pk, quiz in ending.items():
        closings = closings_by_quiz.get(pk, [])
        if quiz.audience in OPEN_TO_ALL or not closings:
            closings = [*closings, quiz.closes_at]
        bounded = [at for at in closings if at is not None]
        if len(bounded) == len(closings):
            ends[pk] = max(bounded)
    return ends


def _load_closings(quizzes: Sequence[int]) -> Iterable[tuple[int, datetime | None]]:
    """Return the quiz and the closing time of each assignment of these quizzes."""
    if len(quizzes) == 1:
        return _CLOSINGS_OF_QUIZ.all(quizzes[0])
    if not quizzes:
        return []
    return Assignment.objects.filter(quiz__in=quizzes).values_list("quiz", "closes_at")


_CLOSINGS_OF_QUIZ: PreparedQuery[tuple[int, datetime | None]] = PreparedQuery(
    lambda quiz: Assignment.objects.filter(quiz=quiz).values_list("quiz", "closes_at"),
    BigIntegerField(),
)


def _with_accommodations(
    ends: Mapping[int, datetime],
    policies_by_quiz: Mapping[int, Policies],
    quizzes: Mapping[int, Quiz],
) -> dict[int, datetime]:
    """Return the closing of each quiz with the longest extra time and the latest own closing."""
    accommodations = {
        pk: (percent, closes_at)
        for pk, percent, closes_at in Accommodation.objects.filter(quiz__in=list(ends))
        .order_by()
        .values_list("quiz")
        .annotate(Max("time_percent"), Max("closes_at"))
    }
    standing = _load_standing_terms([quizzes[pk] for pk in ends])
    latest: dict[int, datetime] = {}
    for pk, end in ends.items():
        percent, closes_at = accommodations.get(pk, (100, None))
        own = AccommodationTerms(Fraction(percent, 100))
        terms = [own, *(AccommodationTerms(standing=each) for each in standing[pk])]
        # Whoever has both has no more than the longest extra time and the latest window.
        extended = (
            end
            + max(extra_time(policies_by_quiz[pk], each) for each in terms)
            + max(each.standing.later for each in terms)
        )
        latest[pk] = max(extended, closes_at or extended)
    return latest


def _load_standing_terms(quizzes: Sequence[Quiz]) -> dict[int, set[StandingTerms]]:
    """Return by quiz what those who may take it have at every quiz."""
    terms: dict[int, set[StandingTerms]] = {quiz.pk: set() for quiz in quizzes}
    columns = ("time_percent", "extra_minutes", "window_minutes")
    assigned = Membership.objects.filter(
        group__assignments__quiz__in=list(terms), user__standing_accommodation__isnull=False
    ).values_list(
        "group__assignments__quiz", *(f"user__standing_accommodation__{name}" for name in columns)
    )
    for pk, *values in assigned.order_by().distinct():
        terms[pk].add(build_standing_terms(*values))
    open_to_all = [quiz.pk for quiz in quizzes if quiz.audience in OPEN_TO_ALL]
    if open_to_all:
        for row in StandingAccommodation.objects.order_by().values_list(*columns).distinct():
            for pk in open_to_all:
                terms[pk].add(build_standing_terms(*row))
    return terms
