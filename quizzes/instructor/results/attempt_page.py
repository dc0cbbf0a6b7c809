"""One attempt in full, for those who teach its learner: per question, and the journal."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from typing import Any, Final
from uuid import UUID

from accounts.models import User
from grading.choice.structure import NONE_APPLY
from grading.kinds import KINDS
from quizzes.attempts.journal import current_response_ids
from quizzes.attempts.models import Attempt, Response, SaveStatus
from quizzes.bank.selectors import PublicVersion, RenderedTexts
from quizzes.presentation.excerpts import excerpt
from quizzes.presentation.formatting import format_earned_points, format_points
from quizzes.presentation.gaps import build_gaps
from quizzes.presentation.kinds import answer_text
from quizzes.presentation.messages.attempts import OUTCOMES, describe_reason
from quizzes.results.attempt_report import AttemptReport, QuestionReport
from quizzes.results.double_grading import OVERRIDDEN
from quizzes.results.grading_queue import is_graded_by_persons
from quizzes.results.models import ManualGrade, Purpose

OUTCOME_REASONS: Final = frozenset(
    "full_credit partial_credit no_credit negative_credit unanswered ungraded".split()
)
"""Reasons that say no more than the outcome, which stands beside the question."""


@dataclass(frozen=True, slots=True)
class OptionRow:
    """An option of a question: what the learner did with it, and what it earned."""

    html: str
    is_chosen: bool
    is_right: bool
    feedback: str


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """A line of the ledger, in words."""

    part: str
    earned: str
    reason: str


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """A question of the report.

    `answer` and `expected` are plain text; `options` are those of questions with options;
    `feedback` is that of no option. `computed` are the points without a person's score, `comments`
    what persons wrote, `own_comment` what the viewer did last. `is_for_graders`: its answer is
    graded with a rubric.
    """

    number: int
    question: UUID
    lang: str
    prompt: str
    outcome: str
    outcome_label: str
    earned: str
    points: str
    is_bonus: bool
    answer: str
    expected: str
    options: tuple[OptionRow, ...]
    none_chosen: bool
    ledger: tuple[LedgerEntry, ...]
    feedback: tuple[str, ...]
    comments: tuple[str, ...]
    explanation: str
    can_be_overridden: bool
    is_overridden: bool
    computed: str
    own_comment: str
    is_for_graders: bool


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One save of the journal."""

    at: datetime
    number: int
    answer: str
    revision: int
    status: str
    status_label: str
    flagged: bool
    language: str


def list_questions(
    attempt: Attempt, report: AttemptReport, viewer: User, language: str
) -> tuple[AnsweredQuestion, ...]:
    """Return the questions of a report, with everything that those who teach may see.

    Until it is graded, a report has no answers: those of the journal that count are shown.
    """
    if hasattr(attempt, "result"):
        comments = dict(
            ManualGrade.objects.filter(attempt=attempt, grader=viewer, purpose=Purpose.COMMENT)
            .order_by("number")
            .values_list("slot", "comment")
        )
        return tuple(
            _build_question(item, item.outcome, language, comments.get(item.slot, ""))
            for item in report.questions
        )
    saved = dict(
        Response.objects.filter(pk__in=current_response_ids(attempt)).values_list("slot", "answer")
    )
    items = [replace(item, answer=saved.get(item.slot)) for item in report.questions]
    return tuple(_build_question(item, _outcome_before_grading(item), language) for item in items)


def _outcome_before_grading(item: QuestionReport) -> str:
    return "answered" if item.outcome == "hidden" else item.outcome


def _build_question(
    item: QuestionReport, outcome: str, language: str, own_comment: str = ""
) -> AnsweredQuestion:
    words = item.public_version.words(language)
    options = _list_options(item, words)
    return AnsweredQuestion(
        number=item.slot + 1,
        question=item.manifest_slot.question,
        lang=words.language,
        prompt=words.prompt,
        outcome=outcome,
        outcome_label=str(OUTCOMES.get(outcome, outcome)),
        earned="–" if item.earned is None else format_points(item.earned),
        points=format_points(item.manifest_slot.points),
        is_bonus=item.is_bonus,
        answer=_answer_text(item.public_version, item.answer, language),
        expected=_answer_text(
            item.public_version, item.solution if _is_graded(item) else None, language
        ),
        options=options,
        none_chosen=bool((item.answer or {}).get("none_apply")),
        ledger=_list_ledger(item, _name_parts(item, options, language)),
        feedback=(*_other_feedback(item, options), *item.remarks),
        comments=item.comments,
        explanation=item.explanation,
        can_be_overridden=has_score_to_override(item),
        is_overridden=OVERRIDDEN in item.reasons,
        computed=format_earned_points(_compute_points(item), item.manifest_slot.points),
        own_comment=own_comment,
        is_for_graders=_is_for_graders(item),
    )


def has_score_to_override(item: QuestionReport) -> bool:
    """Return whether a question has a computed score that is worth points."""
    is_computed = item.credit is not None and not _is_for_graders(item)
    return is_computed and bool(item.manifest_slot.points)


def _is_for_graders(item: QuestionReport) -> bool:
    return item.answer is not None and is_graded_by_persons(item.manifest_slot.kind)


def _compute_points(item: QuestionReport) -> Fraction:
    """Return what a question earns without a person's score."""
    earned = sum((line.earned for line in item.ledger if line.reason != OVERRIDDEN), Fraction())
    return earned * item.manifest_slot.points


def _is_graded(item: QuestionReport) -> bool:
    """Return whether there is a right answer: a card to study by has none."""
    return KINDS[item.manifest_slot.kind].schema.graded


def _list_options(item: QuestionReport, words: RenderedTexts) -> tuple[OptionRow, ...]:
    """Return the options of a question that has options to choose, in the learner's order."""
    if (
        NONE_APPLY
        not in KINDS[item.manifest_slot.kind]
        .public_view(item.public_version.content, item.manifest_slot.order)
        .parts
    ):
        return ()
    chosen, right, names = (
        _chosen(item.answer),
        _chosen(item.solution),
        _letter_options(item.manifest_slot.order),
    )
    return tuple(
        OptionRow(
            f"{names[id_]} · {words.parts.get(id_, '')}",
            id_ in chosen,
            id_ in right,
            item.feedback.get(id_, ""),
        )
        for id_ in item.manifest_slot.order
    )


def _other_feedback(item: QuestionReport, options: tuple[OptionRow, ...]) -> Iterator[str]:
    shown_ids = item.manifest_slot.order if options else ()
    yield from (html for id_, html in item.feedback.items() if id_ not in shown_ids)


def _answer_text(version: PublicVersion, answer: Mapping[str, Any] | None, language: str) -> str:
    return answer_text(version, answer, language) if answer else ""


def _list_ledger(item: QuestionReport, names: Mapping[str, str]) -> tuple[LedgerEntry, ...]:
    """Return the ledger in words, then the reasons that none of its lines has."""
    lines = [line for line in item.ledger if line.earned or line.chosen or line.chosen is None]
    explained = {line.reason for line in item.ledger}
    return (
        *(
            LedgerEntry(
                names.get(line.part, ""), format_points(line.earned), describe_reason(line.reason)
            )
            for line in lines
        ),
        *(
            LedgerEntry("", "", describe_reason(code))
            for code in item.reasons
            if code not in explained | OUTCOME_REASONS
        ),
    )


def _name_parts(
    item: QuestionReport, options: tuple[OptionRow, ...], language: str
) -> dict[str, str]:
    """Return the names of the parts of a question: letters of options, numbers of gaps, texts."""
    if options:
        return _letter_options(item.manifest_slot.order)
    gaps = build_gaps(item.public_version, language)
    levels = {id_: item.feedback[id_] for id_ in item.levels.values() if id_ in item.feedback}
    texts = {**levels, **item.public_version.words(language).parts}
    return {
        **{id_: excerpt(html) for id_, html in texts.items()},
        **{id_: gaps.name(id_) for id_ in gaps.numbers},
    }


def _chosen(answer: Mapping[str, Any] | None) -> frozenset[str]:
    return frozenset(map(str, (answer or {}).get("chosen", ())))


def _letter_options(order: tuple[str, ...]) -> dict[str, str]:
    """Return the letters of the options in the learner's order."""
    return {id_: chr(ord("A") + place) for place, id_ in enumerate(order)}


def list_journal(
    attempt: Attempt, report: AttemptReport, language: str
) -> tuple[JournalEntry, ...]:
    """Return every save of an attempt in order of arrival, those that do not count included."""
    return tuple(_iter_entries(attempt, report, language))


def _iter_entries(attempt: Attempt, report: AttemptReport, language: str) -> Iterator[JournalEntry]:
    for row in Response.objects.filter(attempt=attempt).order_by("received_at", "pk"):
        item = report.questions[row.slot] if row.slot < len(report.questions) else None
        yield JournalEntry(
            at=row.received_at,
            number=row.slot + 1,
            answer=(_answer_text(item.public_version, row.answer, language) or "–")
            if item
            else "…",
            revision=row.revision,
            status=row.status,
            status_label=str(SaveStatus(row.status).label),
            flagged=row.flagged,
            language=row.language,
        )
