"""What the newest key of a question would change: each attempt graded by an older one. Reads only.

Nothing is graded anew here; `regrading.py` does that, and comes to the same.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache, partial
from itertools import islice
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db.models import Case, Exists, OuterRef, QuerySet, TextField, When
from django.db.models.functions import Cast

from grading import totals
from grading.contract import ItemScore, NeedsManualGrading
from quizzes.attempts.manifest import Manifest
from quizzes.attempts.models import MAXIMUM, TOTAL, State
from quizzes.bank.models import Question, QuestionVersion
from quizzes.bank.selectors import load_keys_and_feedback
from quizzes.lib.base_models import fraction_or_none
from quizzes.lib.cpu_limit import TookTooLong, run_limited
from quizzes.lib.errors import Corrupt, Refused
from quizzes.lib.row_reading import UNREADABLE
from quizzes.publishing.models import Quiz
from quizzes.results.attempt_report import Score
from quizzes.results.corrections import (
    BONUS,
    DROP,
    KEY,
    POINTS,
    AnsweredSlot,
    Correction,
    apply_corrections,
)
from quizzes.results.double_grading import OVERRIDDEN
from quizzes.results.models import OF_ATTEMPT, ItemResult, ManualGrade, RegradeRule, Result
from quizzes.results.point_rules import PointRules, sum_points
from quizzes.results.regrade_notices import build_score
from quizzes.results.regrade_rules import (
    collect_point_rules,
    has_same_content,
    list_corrections,
    list_in_force,
)
from quizzes.results.scoring import MAX_SECONDS
from quizzes.results.slot_scores import SlotScores

CHUNK_SIZE: Final = 200
"""How many attempts are in memory at a time."""
TOTAL_SHARE: Final = "total_share_numerator"
TOTAL_OF: Final = "total_share_denominator"
"""The attributes of a result with the share that a person gave the whole attempt, if one did."""
READ_COLUMNS: Final = (
    *("attempt__uuid", "attempt__number", "attempt__quiz", "attempt__manifest"),
    *("learner__uuid", "learner__name", "learner__email", "learner__school_id"),
    *("learner__erased_at", "learner__guest_since"),
    *(f"grading__{column}" for column in (*TOTAL, *MAXIMUM, "passed", "provisional")),
)
"""What is read of a result beside its keys."""


class PreviewProblem(StrEnum):
    """Why an attempt has no score by the newest key."""

    CONTENT_DIFFERS = "content_differs"  # its learner was shown other options, fields or a kind
    ERASED = "erased"
    UNREADABLE = "unreadable"
    TOOK_TOO_LONG = "took_too_long"


@dataclass(frozen=True, slots=True)
class RegradePreview:
    """A result as it counts now, and its score by the newest key; None where there is a problem."""

    result: Result
    before: Score | None
    after: Score | None
    problem: PreviewProblem | None = None

    @property
    def changes(self) -> bool:
        """Whether the points or the pass would be others."""
        return self.before != self.after


@dataclass(frozen=True, slots=True)
class ProposedRule:
    """What is previewed: what is done, by which policies, and which rule a revert leaves out.

    `points` and `scoring_method` are those of the actions that are called so.
    """

    policies: Sequence[str]
    action: str = KEY
    reverts: int | None = None
    points: Fraction | None = None
    scoring_method: str = ""


@dataclass(frozen=True, slots=True)
class _PolicyRules:
    """The rules by a policy: by version of the question, and of what questions are worth.

    `scores` are those that were computed by them: many answers are the same.
    """

    corrections: Mapping[int, Sequence[Correction]]
    point_rules: PointRules
    scores: SlotScores = field(default_factory=SlotScores)


class _GradedSlot(NamedTuple):
    """A slot as it was graded; answer and score are text, of the question of the rule alone."""

    slot: int
    version_id: int
    erasure_id: int | None
    credit: Fraction | None
    answer: str | None
    score: str | None


@dataclass(frozen=True, slots=True)
class _PreviewInput:
    """What a preview reads once: the versions of the question, and the rules by each policy."""

    proposed: ProposedRule
    current: QuestionVersion
    versions: Mapping[int, QuestionVersion]
    keys: Mapping[UUID, Mapping[str, Any]]
    rules: Sequence[_PolicyRules]
    question_by_version: Mapping[int, int]
    other_content: frozenset[int]


def preview_rule(
    *, quiz: Quiz, question: Question, proposed: ProposedRule, after: int = 0
) -> Iterator[tuple[RegradePreview, ...]]:
    """Yield each graded attempt that a rule is about, as it would be by each of its policies.

    What `regrading.commit_regrade` with that policy comes to. By a key these are the attempts that
    were marked by an older version of the question: the newest key is applied by the ids of
    options, by the rules so far. Attempts of staff and void ones are left out; marks by persons
    stay. Memory is constant. A question that was never published: Refused.

    Every other action is about attempts with any version of the question. `after` is the primary
    key of the last result that a reader has seen.
    """
    if question.current is None:
        raise Refused("not_published")
    versions = {version.pk: version for version in question.versions.all()}
    rules = list(RegradeRule.objects.filter(quiz=quiz).select_related("version").order_by("number"))
    in_force = [
        list_in_force([*rules, _build_rule(quiz, question.current, proposed, policy, len(rules))])
        for policy in proposed.policies
    ]
    uuids = {version.uuid for version in versions.values()}
    uuids |= {rule.version.uuid for row in in_force for rule in row}
    loaded = load_keys_and_feedback(uuids)
    keys = {uuid: key_and_feedback.key for uuid, key_and_feedback in loaded.items()}
    rules_by_policy = [
        _PolicyRules(
            {pk: list_corrections(row, version, keys) for pk, version in versions.items()},
            collect_point_rules(row),
        )
        for row in in_force
    ]
    questions = {rule.version.question_id for row in in_force for rule in row}
    concerned = QuestionVersion.objects.filter(question__in=questions)
    preview_input = _PreviewInput(
        proposed,
        question.current,
        versions,
        keys,
        rules_by_policy,
        dict(concerned.values_list("pk", "question"))
        if any(row.point_rules for row in rules_by_policy)
        else {},
        frozenset(
            pk
            for pk, version in versions.items()
            if not has_same_content(version, question.current)
        ),
    )
    results = list_concerned_results(quiz, question, proposed.action)
    return _preview_each(results, after, preview_input)


def _build_rule(
    quiz: Quiz, current: QuestionVersion, proposed: ProposedRule, policy: str, last: int
) -> RegradeRule:
    """Return the rule that a commit would write; it is not saved."""
    points = proposed.points
    return RegradeRule(
        quiz=quiz,
        number=last + 1,
        version=current,
        action=proposed.action,
        policy=policy,
        reverts=proposed.reverts,
        points_numerator=None if points is None else points.numerator,
        points_denominator=None if points is None else points.denominator,
        scoring_method=proposed.scoring_method,
    )


def list_concerned_results(quiz: Quiz, question: Question, action: str = KEY) -> QuerySet[Result]:
    """Return the results that count and have a slot that a rule is about.

    By a key those with another version than the newest; else those with any.
    """
    concerned = ItemResult.objects.filter(grading=OuterRef("grading"), version__question=question)
    if action == KEY:
        concerned = concerned.exclude(version=question.current_id)
    results = Result.objects.filter(Exists(concerned), quiz=quiz)
    return _filter_counted(results).order_by("pk")


def _filter_counted(results: QuerySet[Result]) -> QuerySet[Result]:
    return results.filter(attempt__state=State.GRADED, attempt__is_staff_attempt=False)


def _preview_each(
    results: QuerySet[Result], after: int, preview_input: _PreviewInput
) -> Iterator[tuple[RegradePreview, ...]]:
    """Yield the previews of results; those of a chunk are read when its turn comes."""
    keys = results.filter(pk__gt=after).values_list("pk", flat=True).iterator(CHUNK_SIZE)
    while chunk := list(islice(keys, CHUNK_SIZE)):
        # Which questions an attempt has never changes; whether it counts may, since it was listed.
        read = _filter_counted(Result.objects.filter(pk__in=chunk)).order_by("pk")
        rows = list(_read_results(read))
        slots = _load_graded_slots(rows, preview_input.versions)
        for result in rows:
            yield _preview(result, slots[result.grading_id], preview_input)


def _read_results(results: QuerySet[Result]) -> QuerySet[Result]:
    """Return results with what a preview shows of attempt and learner, and the scores so far."""
    totals_by_persons = ManualGrade.objects.filter(
        attempt=OuterRef("attempt"), purpose__in=OF_ATTEMPT
    ).order_by("-number")
    return (
        results.annotate(
            **{
                TOTAL_SHARE: totals_by_persons.values("share_numerator")[:1],
                TOTAL_OF: totals_by_persons.values("share_denominator")[:1],
            }
        )
        .select_related("attempt", "learner", "grading")
        .only(*READ_COLUMNS)
    )


def _load_graded_slots(
    results: Sequence[Result], versions: Iterable[int]
) -> dict[int, list[_GradedSlot]]:
    """Return the slots of each grading, in order; answers and scores of these versions alone."""
    slots: dict[int, list[_GradedSlot]] = {result.grading_id: [] for result in results}
    concerned = {"version__in": list(versions)}
    rows: Iterable[tuple[Any, ...]] = (
        ItemResult.objects.filter(grading__in=slots)
        .order_by("slot")
        .values_list(
            *("grading", "slot", "version", "erasure"),
            *(Cast(name, TextField()) for name in ("credit_numerator", "credit_denominator")),
            *(
                Case(When(**concerned, then=Cast(name, TextField())))
                for name in ("answer", "score")
            ),
        )
    )
    for grading, slot, version, erasure, numerator, denominator, answer, score in rows:
        credit = _read_credit(numerator, denominator)
        slots[grading].append(_GradedSlot(slot, version, erasure, credit, answer, score))
    return slots


@lru_cache(maxsize=1_000)
def _read_credit(numerator: str | None, denominator: str | None) -> Fraction | None:
    """Return a credit from its columns; there are few, read again and again."""
    if numerator is None or denominator is None:
        return None
    return Fraction(int(numerator), int(denominator))


def _preview(
    result: Result, slots: Sequence[_GradedSlot], preview_input: _PreviewInput
) -> tuple[RegradePreview, ...]:
    """Return a result by each policy; one that has a problem has it by each."""
    before, policies = None, preview_input.proposed.policies
    try:
        manifest = Manifest.from_json(result.attempt.manifest)
        before = build_score(result.grading, manifest.threshold)
    except (Corrupt, *UNREADABLE):
        return _repeat_problem(result, before, PreviewProblem.UNREADABLE, policies)
    concerned = [row for row in slots if row.version_id in preview_input.versions]
    replaced = [row for row in concerned if not _is_overridden(row)]
    if preview_input.proposed.action == KEY and any(
        row.version_id in preview_input.other_content for row in replaced
    ):
        return _repeat_problem(result, before, PreviewProblem.CONTENT_DIFFERS, policies)
    if any(row.erasure_id is not None for row in slots):
        return _repeat_problem(result, before, PreviewProblem.ERASED, policies)
    compute = partial(_rescore, before, manifest, slots, replaced, preview_input)
    try:
        scores = run_limited(compute, seconds=MAX_SECONDS)
    except TookTooLong:
        return _repeat_problem(result, before, PreviewProblem.TOOK_TOO_LONG, policies)
    except UNREADABLE:
        return _repeat_problem(result, before, PreviewProblem.UNREADABLE, policies)
    share = fraction_or_none(getattr(result, TOTAL_SHARE), getattr(result, TOTAL_OF))
    if share is not None:
        scores = [_replace_score(after, share * after.maximum, after.maximum) for after in scores]
    return tuple(RegradePreview(result, before, after) for after in scores)


def _repeat_problem(
    result: Result, before: Score | None, problem: PreviewProblem, policies: Sequence[str]
) -> tuple[RegradePreview, ...]:
    return (RegradePreview(result, before, None, problem),) * len(policies)


def _is_overridden(row: _GradedSlot) -> bool:
    """Return whether a person's score stands in place of the computed one, which no key changes."""
    if row.score is None or OVERRIDDEN not in row.score:
        return False
    score = json.loads(row.score)
    return isinstance(score, dict) and OVERRIDDEN in score.get("reasons", ())


def _rescore(
    before: Score,
    manifest: Manifest,
    slots: Sequence[_GradedSlot],
    replaced: Sequence[_GradedSlot],
    preview_input: _PreviewInput,
) -> list[Score]:
    """Return the score by each policy, with other credits and points where its rules say so."""
    scores, points = [], [slot.points for slot in manifest.slots]
    for rules in preview_input.rules:
        changed = {
            row.slot: credit
            for row in replaced
            if (credit := _find_credit(row, manifest, preview_input, rules)) is not None
        }
        credits_by_slot = [changed.get(row.slot, row.credit) for row in slots]
        point_rules = _place_point_rules(rules.point_rules, slots, preview_input)
        _, total, maximum = sum_points(credits_by_slot, points, point_rules)
        scores.append(_replace_score(before, total, maximum))
    return scores


def _place_point_rules(
    rules: PointRules, slots: Sequence[_GradedSlot], preview_input: _PreviewInput
) -> PointRules:
    """Return rules by question as rules by slot; most often there are none."""
    if not rules:
        return rules
    question_by_version = preview_input.question_by_version
    return rules.place_in_slots(
        {
            row.slot: question
            for row in slots
            if (question := question_by_version.get(row.version_id)) is not None
        }
    )


def _replace_score(before: Score, total: Fraction, maximum: Fraction) -> Score:
    passed = totals.is_passed(total, maximum, before.threshold) and not before.provisional
    return replace(before, total=total, maximum=maximum, passed=passed)


def _find_credit(
    row: _GradedSlot, manifest: Manifest, preview_input: _PreviewInput, rules: _PolicyRules
) -> Fraction | None:
    """Return the credit by the rules; None where it stays, as what persons mark does."""
    action, current = preview_input.proposed.action, preview_input.current
    if (
        row.credit is None
        or action in {DROP, BONUS, POINTS}
        or (action == KEY and row.version_id == current.pk)
    ):
        return None
    version = preview_input.versions[row.version_id]
    method = manifest.slots[row.slot].scoring_method
    compute = partial(_score_by, row.answer, version, method, preview_input, rules)
    outcome = rules.scores.find((version.uuid, method, row.answer), compute).outcome
    return outcome.credit if isinstance(outcome, ItemScore) else None


def _score_by(
    answer: str | None,
    version: QuestionVersion,
    method: str,
    preview_input: _PreviewInput,
    rules: _PolicyRules,
) -> ItemScore | NeedsManualGrading:
    """Return the score of an answer by the rules."""
    answered = AnsweredSlot(
        version.kind,
        version.content,
        preview_input.keys[version.uuid],
        method,
        None if answer is None else json.loads(answer),
    )
    return apply_corrections(answered, rules.corrections[version.pk])
