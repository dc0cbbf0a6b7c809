"""Reports: the one place from which page, API, export and admin read results."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from fractions import Fraction
from uuid import UUID

from django.db.models import BigIntegerField, QuerySet, UUIDField

from accounts.models import User
from grading import feedback_rules
from grading.contract import ItemScore
from grading.kinds import KINDS
from quizzes.attempts import access
from quizzes.attempts.manifest import Manifest, Slot
from quizzes.attempts.models import Attempt, State
from quizzes.attempts.selectors import (
    check_orders,
    load_public_versions_of,
    load_start_inputs,
    parse_manifest,
)
from quizzes.bank.selectors import (
    KeyAndFeedback,
    PublicVersion,
    load_keys_and_feedback,
    load_public_versions,
)
from quizzes.lib.errors import Corrupt, NotFound
from quizzes.lib.prepared_query import PreparedQuery
from quizzes.results import reveal
from quizzes.results.attempt_report import (
    AttemptReport,
    AttemptSummary,
    QuestionReport,
    QuizGradeSummary,
    Score,
)
from quizzes.results.double_marking import EffectiveGrade, effective_grades
from quizzes.results.feedback import Feedback, feedback
from quizzes.results.manual_grades import load_manual_grades
from quizzes.results.models import ItemResult, Result
from quizzes.results.reveal_inputs import (
    has_passed,
    load_reveal_contexts,
    reveal_moments,
    with_related_rows,
)

log = logging.getLogger(__name__)

MARKS_UNREADABLE = "marks_unreadable"


def _summary(
    row: Attempt, manifest: Manifest | Corrupt, visible: reveal.Visibility
) -> AttemptSummary:
    """Return the summary of an attempt; if its manifest cannot be read, without it."""
    result = getattr(row, "result", None)
    readable = None if isinstance(manifest, Corrupt) else manifest
    return AttemptSummary(
        attempt=row.uuid,
        quiz=row.quiz.uuid,
        slug=row.quiz.slug,
        title=readable.title if readable else row.quiz.title,
        source_language=readable.source_language if readable else row.quiz.source_language,
        number=row.number,
        state=row.state,
        submission_reason=row.submission_reason,
        started_at=row.started_at,
        submitted_at=row.submitted_at,
        deadline_at=row.deadline_at,
        learner=row.learner.uuid,
        learner_name=str(row.learner),
        learner_confirmed=row.learner.is_confirmed,
        score=_score(result, readable) if result and visible.score and readable else None,
        visibility=visible,
        updated_at=max(row.updated_at, result.updated_at) if result else row.updated_at,
        problem=manifest.code if isinstance(manifest, Corrupt) else "",
    )


def _score(result: Result, manifest: Manifest) -> Score:
    grading = result.grading
    return Score(
        grading.total, grading.maximum, manifest.threshold, grading.passed, grading.provisional
    )


def load_summaries(rows: Iterable[Attempt], viewer: User, now: datetime) -> list[AttemptSummary]:
    """Return summaries of rows of `attempts_visible_to`, with scores as far as they may be shown.

    A row that cannot be read has its `problem` named, and costs no other anything.
    """
    attempts = [(row, parse_manifest(row)) for row in rows]
    policies = {
        row.pk: manifest.policies.reveal
        for row, manifest in attempts
        if isinstance(manifest, Manifest)
    }
    moments = {pk: reveal_moments(policy, score_only=True) for pk, policy in policies.items()}
    facts_by_attempt = load_reveal_contexts(
        [row for row, _ in attempts if row.pk in policies], viewer, now, moments=moments
    )
    visible = {pk: reveal.reveal(policy, facts_by_attempt[pk]) for pk, policy in policies.items()}
    return [
        _summary(row, manifest, visible.get(row.pk, reveal.NOTHING)) for row, manifest in attempts
    ]


def attempts_visible_to(viewer: User) -> QuerySet[Attempt]:
    """Return the attempts this person may list: their own, and those they oversee."""
    return with_related_rows(access.visible_to(viewer))


def own_attempts(learner: User) -> QuerySet[Attempt]:
    """Return a learner's own attempts, for lists of theirs alone: a lighter query."""
    return with_related_rows(Attempt.objects.filter(learner=learner))


_OWN: PreparedQuery[Attempt] = PreparedQuery(
    lambda attempt, learner: with_related_rows(
        Attempt.objects.filter(uuid=attempt, learner=learner)
    ),
    UUIDField(),
    BigIntegerField(),
)
_ITEM_RESULTS: PreparedQuery[ItemResult] = PreparedQuery(
    lambda grading: ItemResult.objects.filter(grading=grading), BigIntegerField()
)


def load_report(*, attempt: UUID, viewer: User, language: str, now: datetime) -> AttemptReport:
    """Return an ended attempt in full, as far as this viewer may see it. Not theirs: NotFound.

    One that cannot be read has no questions, and its problem named in the summary.
    """
    row = _OWN.first(attempt, viewer.pk)
    row = row or attempts_visible_to(viewer).filter(uuid=attempt).first()
    if row is None:
        raise NotFound
    try:
        return _report(row, viewer, language, now)
    except Corrupt as corrupt:
        log.exception("attempt %s cannot be shown", row.uuid)
        return AttemptReport(_summary(row, corrupt, reveal.NOTHING), None, (), None)


def _report(row: Attempt, viewer: User, language: str, now: datetime) -> AttemptReport:
    manifest = Manifest.from_json(row.manifest)
    check_orders(manifest, load_public_versions_of(manifest))
    may_try_again = row.learner_id == viewer.pk and row.state == State.GRADED
    again = load_start_inputs(row.quiz, viewer) if may_try_again and not has_passed(row) else None
    moments = reveal_moments(manifest.policies.reveal, score_only=False)
    own_entries = {row.quiz_id: again} if again else None
    attempt_facts = load_reveal_contexts(
        [row], viewer, now, moments={row.pk: moments}, own_entries=own_entries
    )[row.pk]
    visible = reveal.reveal(manifest.policies.reveal, attempt_facts)
    result = getattr(row, "result", None)
    marks = _ITEM_RESULTS.all(result.grading_id) if result else []
    try:
        items = _items(manifest, {mark.slot: mark for mark in marks}, visible, language)
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise Corrupt(MARKS_UNREADABLE) from error
    if result and visible.feedback:
        by_slot = load_manual_grades(row.pk, result.grading.manual_grades_read).by_slot
        items = tuple(_as_judged(item, by_slot.get(item.slot, ())) for item in items)
    in_use = row.quiz.retired_at is None and row.quiz.current_id is not None
    may = again.eligibility(manifest.policies, now) if again and in_use else None
    return AttemptReport(_summary(row, manifest, visible), manifest, items, may)


def _as_judged(item: QuestionReport, judged: Sequence[EffectiveGrade]) -> QuestionReport:
    """Add comments and levels of the marks that count; none while the item waits for persons."""
    if item.needs_grading or not judged:
        return item
    counted = effective_grades(judged)
    comments = tuple(judgement.comment for judgement in counted if judgement.comment)
    return replace(item, comments=comments, levels=counted[0].levels)


def _items(
    manifest: Manifest, marks: Mapping[int, ItemResult], visible: reveal.Visibility, language: str
) -> tuple[QuestionReport, ...]:
    """Read secrets only if something of them may be shown."""
    papers_by_version = load_public_versions(slot.version for slot in manifest.slots)
    hidden = visible == reveal.NOTHING
    secrets_by_version = (
        {} if hidden else load_keys_and_feedback(slot.version for slot in manifest.slots)
    )
    return tuple(
        _item(
            slot=number,
            plan=plan,
            paper=papers_by_version[plan.version],
            row=marks.get(number),
            secret=secrets_by_version.get(plan.version),
            visible=visible,
            language=language,
        )
        for number, plan in enumerate(manifest.slots)
    )


def _item(  # noqa: PLR0913  one argument a source, each read in one place
    *,
    slot: int,
    plan: Slot,
    paper: PublicVersion,
    row: ItemResult | None,
    secret: KeyAndFeedback | None,
    visible: reveal.Visibility,
    language: str,
) -> QuestionReport:
    mark = ItemScore.from_json(row.score) if row and row.credit_numerator is not None else None
    credit = mark.credit if mark and visible.correctness and visible.score else None
    texts = secret.words(language) if secret else None
    kind, remarked = KINDS[plan.kind], Feedback()
    if mark and secret and texts:
        triggered = feedback_rules.find_triggered_feedback(
            kind.schema, paper.content, secret.key, mark
        )
        remarked = feedback(kind.schema, texts, triggered, visible)
    return QuestionReport(
        slot=slot,
        public_version=paper,
        manifest_slot=plan,
        answer=row.answer if row else None,
        credit=credit,
        earned=None if credit is None else credit * plan.points,
        ledger=reveal.ledger(mark.ledger, visible) if mark else (),
        reasons=mark.reasons if mark and visible.key else (),
        solution=kind.correct_answer(paper.content, secret.key) if secret and visible.key else None,
        feedback=remarked.rows,
        remarks=remarked.remarks,
        feedback_language=texts.language if texts else language,
        explanation=texts.texts.get("explanation", "") if texts and visible.explanation else "",
        needs_grading=bool(row and row.credit_numerator is None),
    )


_GRADED: PreparedQuery[Attempt] = PreparedQuery(
    lambda learner: with_related_rows(
        Attempt.objects.filter(learner=learner, state=State.GRADED)
    ).order_by("quiz__slug", "number"),
    BigIntegerField(),
)


def load_quiz_grades(*, learner: User, now: datetime) -> list[QuizGradeSummary]:
    """Return a learner's own quiz grades by quiz, for the queries of one list of attempts.

    No score while that of any attempt it rests on is hidden: it would reveal theirs.
    """
    rows = _GRADED.all(learner.pk)
    by_quiz_grade: dict[int, list[tuple[Attempt, AttemptSummary]]] = {}
    for row, summary in zip(rows, load_summaries(rows, learner, now), strict=True):
        by_quiz_grade.setdefault(row.quiz_grade_id, []).append((row, summary))
    return [_stand(attempts) for attempts in by_quiz_grade.values()]


def _stand(attempts: Sequence[tuple[Attempt, AttemptSummary]]) -> QuizGradeSummary:
    """Return a quiz grade, without a score if that rests on an attempt that cannot be read."""
    readable = [(row, summary) for row, summary in attempts if not summary.problem]
    row, summary = (readable or attempts)[-1]
    quiz_grade, policy = row.quiz_grade, ""
    score, counted = None, None
    if readable:
        latest = Manifest.from_json(row.manifest)
        policy = latest.policies.attempt_grade_policy
        counted = next((row for row, _ in readable if row.pk == quiz_grade.attempt_id), None)
        threshold = Manifest.from_json(counted.manifest).threshold if counted else latest.threshold
        rests_on_readable = counted is not None or len(readable) == len(attempts)
        scores = [summary.score for _, summary in readable]
        if all(scores) and rests_on_readable and quiz_grade.total is not None:
            score = Score(
                quiz_grade.total,
                quiz_grade.maximum or Fraction(),
                threshold,
                bool(quiz_grade.passed),
                any(score.provisional for score in scores if score),
            )
    return QuizGradeSummary(
        quiz=summary.quiz,
        slug=summary.slug,
        title=summary.title,
        source_language=summary.source_language,
        policy=policy,
        attempts_graded=quiz_grade.attempts_graded,
        attempt=counted.uuid if counted and score else None,
        score=score,
        updated_at=quiz_grade.updated_at,
    )
