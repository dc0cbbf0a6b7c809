"""A draft answered by its author: graded and reviewed as a learner's answer is, and not kept."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any
from uuid import UUID

from django.http import QueryDict

from grading.contract import ItemScore, NeedsManualGrading
from grading.json_types import Json
from grading.kinds import KINDS
from quizzes.attempts.manifest import Slot
from quizzes.bank.selectors import (
    KeyAndFeedback,
    PublicVersion,
    prompt_gaps,
    render_feedback,
    render_texts,
)
from quizzes.document import QuestionDocument
from quizzes.presentation.form_parsing import with_plain_line_ends
from quizzes.presentation.kinds import PRESENTED_KINDS
from quizzes.presentation.lenient_parsing import describe_problems, parse_leniently
from quizzes.presentation.review_rendering import render_review
from quizzes.results.models import ItemResult
from quizzes.results.reveal import EVERYTHING
from quizzes.results.selectors import build_question_report

NOBODY = UUID(int=0)


@dataclass(frozen=True, slots=True)
class TriedAnswer:
    """An answer to a draft: what its form holds, what it earned as HTML, what cannot be read."""

    answer: Mapping[str, Any] | None
    review_html: str
    error: str


def build_draft_version(document: QuestionDocument, language: str) -> PublicVersion:
    """Return a draft as its learners would get it, in one language.

    Of one that is not whole: KeyError or ValueError, as any verb of a kind may raise.
    """
    gaps = prompt_gaps(document.kind, document.content)
    words = render_texts(language, document.words.get(language, {}), gaps)
    return PublicVersion(
        uuid=NOBODY,
        version_id=0,
        kind=document.kind,
        scoring_method=document.scoring_method or KINDS[document.kind].scoring_methods[0],
        content=document.content,
        source_language=language,
        translations={language: words},
    )


def try_answer(
    document: QuestionDocument, language: str, slot: int, posted: QueryDict
) -> TriedAnswer:
    """Grade what a form says of a draft; a draft that is not whole: KeyError or ValueError."""
    public_version = build_draft_version(document, language)
    raw = PRESENTED_KINDS[document.kind].parse_form(with_plain_line_ends(posted), slot)
    answer, problems = parse_leniently(public_version, raw)
    if problems:
        error = describe_problems(public_version, problems, language)
        typed = raw if isinstance(raw, Mapping) else None
        return TriedAnswer(typed, "", error)
    item_score = KINDS[document.kind].score(
        document.content, document.key, answer, public_version.scoring_method
    )
    report = build_question_report(
        slot=0,
        manifest_slot=_build_slot(public_version),
        public_version=public_version,
        row=_build_result(answer, item_score),
        key_and_feedback=KeyAndFeedback(
            document.key,
            language,
            {language: render_feedback(language, document.feedback.get(language, {}))},
        ),
        visible=EVERYTHING,
        language=language,
    )
    return TriedAnswer(answer, str(render_review([report], language)), "")


def _build_slot(public_version: PublicVersion) -> Slot:
    order = (id_ for id_, _ in KINDS[public_version.kind].shufflable_ids(public_version.content))
    return Slot(
        version=NOBODY,
        question=NOBODY,
        kind=public_version.kind,
        scoring_method=public_version.scoring_method,
        points=Fraction(1),
        section=0,
        order=tuple(order),
    )


def _build_result(answer: Json, item_score: ItemScore | NeedsManualGrading) -> ItemResult:
    """Return the row that a grading would store; it is not saved."""
    row = ItemResult(slot=0, answer=answer, points_numerator=1, points_denominator=1)
    if isinstance(item_score, ItemScore):
        row.credit_numerator = item_score.credit.numerator
        row.credit_denominator = item_score.credit.denominator
        row.score = item_score.to_json()
    return row
