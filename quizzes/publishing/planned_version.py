"""What the draft of a quiz comes to when it is published: its places, and all its problems."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm

from grading.contract import Detail, Problem
from grading.kinds import KINDS
from grading.partial_credit import OPTION_WEIGHTS
from grading.totals import denominator_lcm
from quizzes.bank.models import Question, QuestionVersion, VersionKey
from quizzes.publishing.draw_allocation import find_shortages
from quizzes.publishing.enemies import NO_ENEMIES, Enemies, load_enemies
from quizzes.publishing.models import Quiz, Slot
from quizzes.publishing.policies import Policies, RevealPolicy

FINEST = 10**500
"""The common denominator of all that authors wrote in one quiz; Python writes 4300 digits."""


@dataclass(frozen=True, slots=True)
class PlannedVersionItem:
    """An item of the quiz version to be: where it stands and what it may draw.

    `enemies` are those of the whole quiz.
    """

    slot: Slot
    versions: tuple[QuestionVersion, ...]
    enemies: Enemies = NO_ENEMIES

    @property
    def draw(self) -> int:
        """How many questions a learner gets here."""
        return 1 if self.slot.question_id else self.slot.draw

    @property
    def points(self) -> Fraction:
        """What each of them is worth: what is for study alone earns nothing and costs nothing."""
        return Fraction() if self.graded == {False} else Fraction(self.slot.points)

    @property
    def graded(self) -> frozenset[bool]:
        """Whether its questions are graded; both, where a pool mixes them."""
        return frozenset(KINDS[version.kind].schema.graded for version in self.versions)


def build_draft_policies(quiz: Quiz) -> Policies:
    """Read the policies off the draft."""
    return Policies(
        mode=quiz.mode,
        time_limit_minutes=quiz.time_limit,
        grace_seconds=quiz.grace_seconds,
        max_attempts=quiz.max_attempts,
        cooldown_minutes=quiz.cooldown_minutes,
        window_attempts=quiz.window_attempts,
        window_hours=quiz.window_hours,
        attempt_grade_policy=quiz.attempt_grade_policy,
        scoring_method=quiz.scoring_method,
        shuffle_questions=quiz.shuffle_questions,
        shuffle_options=quiz.shuffle_options,
        one_question_a_page=quiz.one_question_a_page,
        lock_questions=quiz.lock_questions,
        one_device=quiz.one_device,
        practice_credits=quiz.practice_credits,
        practice_shows_keys=quiz.practice_shows_keys,
        reveal=RevealPolicy(
            score=quiz.reveal_score,
            correctness=quiz.reveal_correctness,
            feedback=quiz.reveal_feedback,
            hints=quiz.reveal_hints,
            key=quiz.reveal_key,
            explanation=quiz.reveal_explanation,
            all_options=quiz.feedback_all_options,
        ),
    )


def plan_quiz_version(
    quiz: Quiz, slots: Iterable[Slot] | None = None
) -> tuple[tuple[PlannedVersionItem, ...], tuple[Problem, ...]]:
    """Gather what would be published, and name all that stands in the way.

    `slots`: instead of those that are stored; a problem names them by their primary keys.
    """
    if slots is None:
        slots = (
            Slot.objects.filter(section__quiz=quiz)
            .select_related("section", "question__current", "pool_bank", "pool_tag")
            .order_by("section__position", "section_id", "position", "pk")
        )
    planned = tuple(PlannedVersionItem(slot, _versions(slot)) for slot in slots)
    enemies = load_enemies(
        quiz.enemy_tags,
        (version.question_id for item in planned for version in item.versions),
        quiz.enemies,
    )
    planned = tuple(replace(planned_item, enemies=enemies) for planned_item in planned)
    fixed = [
        (f"slots.{item.slot.pk}", item.slot.question_id)
        for item in planned
        if item.slot.question_id
    ]
    return planned, (
        *_title_problems(quiz),
        *_check_scoring_method(quiz, planned),
        *_slot_problems(planned),
        *enemies.list_problems(fixed),
        *_too_fine(planned),
    )


def _versions(slot: Slot) -> tuple[QuestionVersion, ...]:
    if slot.question is not None:
        return (slot.question.current,) if slot.question.current else ()
    pool = Question.objects.filter(bank=slot.pool_bank, current__isnull=False, retired_at=None)
    if slot.pool_tag is not None:
        pool = pool.filter(tags=slot.pool_tag)
    return tuple(
        question.current
        for question in pool.select_related("current").order_by("pk")
        if question.current
    )


def _title_problems(quiz: Quiz) -> Iterator[Problem]:
    if not str(quiz.title.get(quiz.source_language) or "").strip():
        yield Problem("title", "missing_text", {"language": quiz.source_language})


def _check_scoring_method(quiz: Quiz, planned: Sequence[PlannedVersionItem]) -> Iterator[Problem]:
    if quiz.scoring_method and quiz.scoring_method not in KINDS["multiple_choice"].scoring_methods:
        yield Problem(
            "scoring_method", "unknown_scoring_method", {"scoring_method": quiz.scoring_method}
        )
    if quiz.scoring_method == OPTION_WEIGHTS:
        yield from _without_weights(planned)


def _without_weights(planned: Sequence[PlannedVersionItem]) -> Iterator[Problem]:
    """Find what could not be graded: only an author's weights make that scoring method possible."""
    slots = {
        version.pk: planned_item.slot
        for planned_item in planned
        for version in planned_item.versions
        if version.kind == "multiple_choice"
    }
    rows = VersionKey.objects.filter(version__in=slots).select_related("version__question")
    for row in rows.order_by("pk"):
        version = row.version
        if KINDS[version.kind].validate(version.content, row.key, OPTION_WEIGHTS):
            where = f"slots.{slots[version.pk].pk}"
            yield Problem(where, "weights_missing", {"question": version.question.name})


def _too_fine(planned: Sequence[PlannedVersionItem]) -> Iterator[Problem]:
    """Find credits and weights so fine together that their exact sum could not be written (ADR 11).

    Digits of denominators add up when they have nothing in common; those of usual ones, 2 to 1000,
    all of them together, stay within the bound.
    """
    versions = {version.pk for planned_item in planned for version in planned_item.versions}
    rows = VersionKey.objects.filter(version__in=versions).select_related("version")
    parts = lcm(
        *(
            denominator_lcm(KINDS[row.version.kind].schema, row.version.content, row.key)
            for row in rows.order_by("pk")
        )
    )
    if parts > FINEST:
        yield Problem("slots", "denominator_too_large", {})


def _slot_problems(planned: Sequence[PlannedVersionItem]) -> Iterator[Problem]:
    if not planned:
        yield Problem("slots", "no_questions", {})
    if planned and not sum_points(planned):
        yield Problem("slots", "no_points", {})
    fixed = [
        planned_item.slot.question_id for planned_item in planned if planned_item.slot.question_id
    ]
    for planned_item in planned:
        where = f"slots.{planned_item.slot.pk}"
        question = planned_item.slot.question
        if question is not None:
            if not planned_item.versions:
                yield Problem(where, "question_not_published", {"question": question.name})
            if fixed.count(question.pk) > 1:
                yield Problem(where, "question_twice", {"question": question.name})
        elif len(planned_item.graded) > 1:
            yield Problem(where, "pool_mixes_graded", {})
    yield from _shortage_problems(planned)


def count_draws(planned: Sequence[PlannedVersionItem]) -> tuple[int, ...]:
    """Return for each place how many questions it draws: a fixed question is not drawn."""
    return tuple(
        0 if planned_item.slot.question_id else planned_item.draw for planned_item in planned
    )


def sum_points(planned: Sequence[PlannedVersionItem]) -> Fraction:
    """Return the points of all questions together."""
    return sum((planned_item.points * planned_item.draw for planned_item in planned), Fraction())


def list_drawable(planned: Sequence[PlannedVersionItem]) -> tuple[Mapping[int, int], ...]:
    """Return for each place the questions that it may draw: none that stands fixed elsewhere.

    Each question with the one that stands for it and its enemies, of which one at most is drawn.
    """
    enemies = planned[0].enemies if planned else NO_ENEMIES
    representatives = enemies.choose_representatives(
        version.question_id for planned_item in planned for version in planned_item.versions
    )
    fixed = {representatives.get(planned_item.slot.question_id or 0) for planned_item in planned}
    return tuple(
        {}
        if planned_item.slot.question_id
        else {
            version.question_id: representatives[version.question_id]
            for version in planned_item.versions
            if representatives[version.question_id] not in fixed
        }
        for planned_item in planned
    )


def _shortage_problems(planned: Sequence[PlannedVersionItem]) -> Iterator[Problem]:
    """Name the draws that cannot all be served, whatever is drawn where: each set of them once."""
    drawable = [frozenset(own.values()) for own in list_drawable(planned)]
    for shortage in find_shortages(count_draws(planned), drawable):
        slots = [planned[place].slot for place in shortage.places]
        code = "pool_too_small" if len(slots) == 1 else "pools_too_small"
        names = "\n".join(map(str, slots))
        counts = {"needed": shortage.needed, "available": shortage.available}
        detail: Detail = {"names": names, **counts}
        yield from (Problem(f"slots.{slot.pk}", code, detail) for slot in slots)
