"""Reports: the one place from which page, API, export and admin read results."""

import json
import logging
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from uuid import UUID

from django.db.models import BigIntegerField, QuerySet, TextField, UUIDField
from django.db.models.functions import Cast

from accounts.models import User
from grading import feedback_rules
from grading.contract import ItemScore
from grading.kinds import KINDS
from grading.learning_texts import EarlyTexts, find_early_texts
from grading.numeric.readings import resolve_readings
from grading.schema import EXPLANATION, HINT_STEP, READING_LINK
from quizzes.attempts import access
from quizzes.attempts.key_access import quizzes_hidden_from_taker
from quizzes.attempts.manifest import Manifest, Slot
from quizzes.attempts.models import Attempt, State
from quizzes.attempts.receipt import parse_issued_at, receipt_digest
from quizzes.attempts.selectors import (
    check_orders,
    load_manifest_versions,
    load_start_inputs,
    parse_manifest,
)
from quizzes.bank.selectors import (
    KeyAndFeedback,
    PublicVersion,
    RenderedFeedback,
    load_keys_and_feedback,
    load_public_versions,
)
from quizzes.lib.errors import Corrupt, NotFound
from quizzes.lib.frozen_cache import FrozenCache
from quizzes.lib.prepared_query import PreparedQuery
from quizzes.results import reveal
from quizzes.results.attempt_report import (
    AttemptReport,
    AttemptSummary,
    QuestionReport,
    QuizGradeSummary,
    Score,
)
from quizzes.results.corrections import KEY, Correction, Corrections
from quizzes.results.double_grading import effective_grades
from quizzes.results.feedback import Feedback, feedback
from quizzes.results.manual_grades import (
    NO_MANUAL_GRADES,
    ManualGrades,
    load_manual_grades,
)
from quizzes.results.models import ItemResult
from quizzes.results.regrade_notices import build_score, load_regrade_notices
from quizzes.results.regrade_rules import load_corrections
from quizzes.results.reveal_inputs import (
    attempt_or_quiz_passed,
    load_reveal_contexts,
    reveal_moments,
    with_related_rows,
)
from quizzes.results.slot_scores import is_remembered

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
        learner_school_id=row.learner.school_id,
        learner_confirmed=row.learner.is_confirmed,
        score=build_score(result.grading, readable.threshold)
        if result and visible.score and readable
        else None,
        visibility=visible,
        updated_at=max(row.updated_at, result.updated_at) if result else row.updated_at,
        problem=manifest.code if isinstance(manifest, Corrupt) else "",
        receipt_digest=receipt_digest(row.receipt),
        receipt_issued_at=parse_issued_at(row.receipt),
        is_staff_attempt=row.is_staff_attempt,
        gives_certificates=row.quiz.gives_certificates,
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
    contexts = load_reveal_contexts(
        [row for row, _ in attempts if row.pk in policies], viewer, now, moments=moments
    )
    visible = {pk: reveal.reveal(policy, contexts[pk]) for pk, policy in policies.items()}
    return [
        _summary(row, manifest, visible.get(row.pk, reveal.NOTHING)) for row, manifest in attempts
    ]


def attempts_visible_to(viewer: User) -> QuerySet[Attempt]:
    """Return the attempts this person may list: their own, and those they oversee."""
    return with_related_rows(access.visible_to(viewer))


def list_overseen_attempts(viewer: User) -> QuerySet[Attempt]:
    """Return the attempts that this person oversees, for lists of those alone."""
    return with_related_rows(Attempt.objects.filter(access.supervised_by(viewer)))


def list_own_attempts(learner: User) -> QuerySet[Attempt]:
    """Return a learner's own attempts, for lists of theirs alone: a lighter query."""
    return with_related_rows(Attempt.objects.filter(learner=learner))


def list_kept_attempts(owner: User) -> QuerySet[Attempt]:
    """Return what was done without an account and is kept in this one, whoever it was as a guest.

    Its learner stays the guest: what of it is shown is what the guest may see.
    """
    return with_related_rows(Attempt.objects.filter(learner__kept_by=owner))


_OWN_ATTEMPT: PreparedQuery[Attempt] = PreparedQuery(
    lambda attempt, learner: with_related_rows(
        Attempt.objects.filter(uuid=attempt, learner=learner)
    ),
    UUIDField(),
    BigIntegerField(),
)
_ITEM_RESULTS: PreparedQuery[ItemResult] = PreparedQuery(
    lambda grading: (
        ItemResult.objects.filter(grading=grading)
        .defer("answer", "score")
        .annotate(answer_text=Cast("answer", TextField()), score_text=Cast("score", TextField()))
    ),
    BigIntegerField(),
)


def load_report(*, attempt: UUID, viewer: User, language: str, now: datetime) -> AttemptReport:
    """Return an ended attempt in full, as far as this viewer may see it. Not theirs: NotFound.

    Nor is that of somebody else while the viewer has a graded attempt open that shares a bank with
    it. One that cannot be read has no questions, and its problem named in the summary.
    """
    row = _OWN_ATTEMPT.first(attempt, viewer.pk)
    if row is None and (guest_row := list_kept_attempts(viewer).filter(uuid=attempt).first()):
        row, viewer = guest_row, guest_row.learner
    if row is None:
        others = list_overseen_attempts(viewer).exclude(quiz__in=quizzes_hidden_from_taker(viewer))
        row = others.filter(uuid=attempt).first()
    if row is None:
        raise NotFound
    try:
        return _report(row, viewer, language, now)
    except Corrupt as corrupt:
        log.exception("attempt %s cannot be shown", row.uuid)
        return AttemptReport(_summary(row, corrupt, reveal.NOTHING), None, (), None)


def _report(row: Attempt, viewer: User, language: str, now: datetime) -> AttemptReport:
    manifest = Manifest.from_json(row.manifest)
    check_orders(manifest, load_manifest_versions(manifest))
    may_retry = row.learner_id == viewer.pk and row.state == State.GRADED
    start_inputs = (
        load_start_inputs(row.quiz, viewer)
        if may_retry and not attempt_or_quiz_passed(row)
        else None
    )
    moments = reveal_moments(manifest.policies.reveal, score_only=False)
    own_inputs = {row.quiz_id: start_inputs} if start_inputs else None
    context = load_reveal_contexts(
        [row], viewer, now, moments={row.pk: moments}, own_inputs=own_inputs
    )[row.pk]
    visible = reveal.reveal(manifest.policies.reveal, context)
    result = getattr(row, "result", None)
    item_results = _ITEM_RESULTS.all(result.grading_id) if result else []
    try:
        items = _build_questions(
            manifest,
            {item_score.slot: item_score for item_score in item_results},
            load_corrections(
                row.quiz_id, manifest, most=result.grading.regrade_rules_read if result else 0
            ),
            visible,
            language,
        )
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise Corrupt(MARKS_UNREADABLE) from error
    manual_grades = NO_MANUAL_GRADES
    if result and (visible.feedback or visible.score):
        manual_grades = load_manual_grades(row.pk, result.grading.manual_grades_read)
    if visible.feedback:
        items = tuple(_add_comments(item, manual_grades) for item in items)
    in_use = row.quiz.retired_at is None and row.quiz.current_id is not None
    eligibility = (
        start_inputs.eligibility(manifest.policies, now) if start_inputs and in_use else None
    )
    notices = (
        load_regrade_notices(row.quiz_id, result.grading, manifest)
        if result and visible.score
        else ()
    )
    return AttemptReport(
        _summary(row, manifest, visible),
        manifest,
        items,
        eligibility,
        notices,
        manual_grades.total.reason if manual_grades.total and visible.score else "",
    )


def _add_comments(item: QuestionReport, manual_grades: ManualGrades) -> QuestionReport:
    """Add comments and levels of the marks that count; none while the item waits for persons."""
    effective = effective_grades(manual_grades.by_slot.get(item.slot, ()))
    without_score = manual_grades.comments.get(item.slot, ())
    if item.needs_grading or not (effective or without_score):
        return item
    comments = tuple(grade.comment for grade in effective if grade.comment)
    levels = effective[0].levels if effective else {}
    return replace(item, comments=(*comments, *without_score), levels=levels)


def _build_questions(
    manifest: Manifest,
    item_results: Mapping[int, ItemResult],
    corrections: Corrections,
    visible: reveal.Visibility,
    language: str,
) -> tuple[QuestionReport, ...]:
    """Read secrets only if something of them may be shown.

    Key and feedback are those of the version by which a slot was regraded last, if it was.
    """
    versions = load_public_versions(slot.version for slot in manifest.slots)
    newest = {
        slot: rule.version
        for slot, rules in corrections.by_slot.items()
        for rule in rules
        if rule.action == KEY
    }
    key_versions = [newest.get(at, slot.version) for at, slot in enumerate(manifest.slots)]
    keys = {} if visible == reveal.NOTHING else load_keys_and_feedback(key_versions)
    bonuses = corrections.point_rules.bonuses
    sources = [
        _ReportSource(
            slot=number,
            manifest_slot=_correct_slot(
                manifest_slot, item_results.get(number), corrections.by_slot.get(number, ())
            ),
            public_version=versions[manifest_slot.version],
            row=item_results.get(number),
            key_version=key_versions[number],
            is_bonus=number in bonuses,
        )
        for number, manifest_slot in enumerate(manifest.slots)
    ]
    by_key = {source.compute_key(visible, language): source for source in sources}

    def build(missing: Iterable[Hashable]) -> dict[Hashable, QuestionReport]:
        return {
            key: by_key[key].build(keys.get(by_key[key].key_version), visible, language)
            for key in missing
        }

    remembered = [key for key, source in by_key.items() if source.is_remembered()]
    reports = _reports.get_many(remembered, build)
    reports |= build(by_key.keys() - reports.keys())
    return tuple(reports[key] for key in by_key)


_reports: FrozenCache[Hashable, QuestionReport] = FrozenCache(5000)
"""Many learners are asked the same and answer the same: each such report is made once."""


@dataclass(frozen=True, slots=True)
class _ReportSource:
    """What one question of a report is made of; its versions never change."""

    slot: int
    manifest_slot: Slot
    public_version: PublicVersion
    row: ItemResult | None
    key_version: UUID
    is_bonus: bool

    def compute_key(self, visible: reveal.Visibility, language: str) -> Hashable:
        """Return what its report depends on."""
        slot, row = self.manifest_slot, self.row
        return (
            *(self.slot, self.key_version, self.is_bonus, visible, language),
            *(slot.version, slot.question, slot.kind, slot.scoring_method),
            *(slot.points.numerator, slot.points.denominator, slot.section, slot.order),
            row and (row.credit_numerator, row.credit_denominator, *_get_texts(row)),
        )

    def is_remembered(self) -> bool:
        """Return whether others may give the same answer."""
        return self.row is None or all(map(is_remembered, _get_texts(self.row)))

    def build(
        self, key_and_feedback: KeyAndFeedback | None, visible: reveal.Visibility, language: str
    ) -> QuestionReport:
        """Return the report."""
        if self.row is not None:
            answer, score = _get_texts(self.row)
            self.row.answer = None if answer is None else json.loads(answer)
            self.row.score = None if score is None else json.loads(score)
        report = build_question_report(
            slot=self.slot,
            manifest_slot=self.manifest_slot,
            public_version=self.public_version,
            row=self.row,
            key_and_feedback=key_and_feedback,
            visible=visible,
            language=language,
        )
        return replace(report, is_bonus=True) if self.is_bonus else report


def _get_texts(row: ItemResult) -> tuple[str | None, str | None]:
    """Return answer and score as text of JSON, as the query of item results brings them."""
    columns = vars(row)
    return columns["answer_text"], columns["score_text"]


def _correct_slot(slot: Slot, row: ItemResult | None, corrections: Sequence[Correction]) -> Slot:
    """Return a slot with the points and the scoring method that it has in a grading."""
    methods = [rule.scoring_method for rule in corrections if rule.scoring_method]
    if methods:
        slot = replace(slot, scoring_method=methods[-1])
    return slot if row is None or row.points == slot.points else replace(slot, points=row.points)


def build_question_report(  # noqa: PLR0913  one argument a source, each read in one place
    *,
    slot: int,
    manifest_slot: Slot,
    public_version: PublicVersion,
    row: ItemResult | None,
    key_and_feedback: KeyAndFeedback | None,
    visible: reveal.Visibility,
    language: str,
) -> QuestionReport:
    """Return one question of a report: its answer as it was graded, as far as it may be shown."""
    stored_credit = row.credit if row else None
    # An erased one has lost its ledger.
    scored = stored_credit is not None and row is not None and row.score is not None
    item_score = ItemScore.from_json(row.score) if row and scored else None
    credit = stored_credit if visible.correctness and visible.score else None
    texts = key_and_feedback.words(language) if key_and_feedback else None
    kind, item_feedback, early = KINDS[manifest_slot.kind], Feedback(), EarlyTexts()
    needs_grading = bool(row and row.credit_numerator is None)
    # Where nothing says what is right and wrong, all questions have hints: nothing is told by them.
    learns = visible.hints and credit != 1 and not needs_grading
    if learns and key_and_feedback:
        early = find_early_texts(kind.schema, public_version.content, key_and_feedback.key)
    if item_score and key_and_feedback and texts:
        triggered = feedback_rules.find_triggered_feedback(
            kind.schema, public_version.content, key_and_feedback.key, item_score
        )
        item_feedback = feedback(
            kind.schema,
            texts,
            triggered,
            visible,
            early.safe if credit is not None else frozenset(),
        )
    ledger = reveal.ledger(item_score.ledger, visible) if item_score else ()
    return QuestionReport(
        slot=slot,
        public_version=public_version,
        manifest_slot=manifest_slot,
        answer=resolve_readings(row.answer, ledger) if row else None,
        credit=credit,
        earned=None if credit is None else credit * manifest_slot.points,
        ledger=ledger,
        reasons=item_score.reasons if item_score and visible.key else (),
        solution=kind.correct_answer(public_version.content, key_and_feedback.key)
        if key_and_feedback and visible.key
        else None,
        feedback=item_feedback.rows,
        remarks=item_feedback.remarks,
        feedback_language=texts.language if texts else language,
        explanation=texts.texts.get(EXPLANATION.name, "")
        if texts and (visible.explanation or early.is_explanation_safe)
        else "",
        needs_grading=needs_grading,
        hints=_list_hints(texts, early) if texts else (),
        reading_link=texts.texts.get(READING_LINK.name, "") if texts and learns else "",
    )


def _list_hints(texts: RenderedFeedback, early: EarlyTexts) -> tuple[str, ...]:
    steps = texts.parts.get(HINT_STEP.name, {})
    return tuple(steps[id_] for id_ in early.hint_ids if id_ in steps)


_GRADED: PreparedQuery[Attempt] = PreparedQuery(
    lambda learner: with_related_rows(
        Attempt.objects.filter(learner=learner, state=State.GRADED, is_staff_attempt=False)
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
    return [_summarize_quiz_grade(attempts) for attempts in by_quiz_grade.values()]


def _summarize_quiz_grade(attempts: Sequence[tuple[Attempt, AttemptSummary]]) -> QuizGradeSummary:
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
