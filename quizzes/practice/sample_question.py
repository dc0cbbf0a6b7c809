"""The question that strangers answer on the first page: marked, and asked by no graded quiz.

Nothing of an answer is stored: there is nobody whose it could be.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from grading.contract import InvalidAnswer, ItemScore
from grading.json_types import Json
from grading.kinds import KINDS
from quizzes.attempts.manifest import Slot
from quizzes.attempts.models import State
from quizzes.bank.models import Question
from quizzes.bank.selectors import PublicVersion, load_keys_and_feedback, load_public_versions
from quizzes.lib.errors import Invalid
from quizzes.publishing.models import Mode, PoolCandidate
from quizzes.results import reveal
from quizzes.results.attempt_report import QuestionReport
from quizzes.results.models import ItemResult
from quizzes.results.selectors import build_question_report

SAMPLE_TAG = "front-page"
ONE_TAP_KINDS = ("single_choice", "true_false")


@dataclass(frozen=True, slots=True)
class SampleQuestion:
    """The question, without its key, and its place as a form asks for it."""

    slot: Slot
    public_version: PublicVersion


def find_sample_question() -> SampleQuestion | None:
    """Return the question that strangers are asked, the oldest that may be; None without any.

    It has the tag `SAMPLE_TAG` in a bank of administrators alone, is answered by one tap, and no
    graded quiz in use has asked it or may ask it, nor is it in any attempt that is not graded yet.
    """
    row = _list_sample_questions().select_related("current").first()
    if row is None or row.current is None:
        return None
    public_version = load_public_versions([row.current.uuid])[row.current.uuid]
    options: Any = public_version.content["options"]
    slot = Slot(
        version=row.current.uuid,
        question=row.uuid,
        kind=public_version.kind,
        scoring_method=public_version.scoring_method,
        points=Fraction(1),
        section=0,
        order=tuple(option["id"] for option in options),
    )
    return SampleQuestion(slot, public_version)


def check_sample_answer(sample: SampleQuestion, *, raw: Json, language: str) -> QuestionReport:
    """Return the question with an answer as it is reviewed; no answer or another's: Invalid."""
    kind, public_version = KINDS[sample.slot.kind], sample.public_version
    answer = kind.parse(public_version.content, raw)
    if answer is None or isinstance(answer, InvalidAnswer):
        raise Invalid("unanswered", where="answer")
    key_and_feedback = load_keys_and_feedback([sample.slot.version])[sample.slot.version]
    outcome = kind.score(
        public_version.content, key_and_feedback.key, answer, sample.slot.scoring_method
    )
    return build_question_report(
        slot=0,
        manifest_slot=sample.slot,
        public_version=public_version,
        row=_build_item_result(answer, outcome),
        key_and_feedback=key_and_feedback,
        visible=reveal.EVERYTHING,
        language=language,
    )


def _build_item_result(answer: Any, outcome: Any) -> ItemResult:
    """Return the answer as grading stores one of an attempt; it is not saved."""
    credit = outcome.credit if isinstance(outcome, ItemScore) else None
    return ItemResult(
        slot=0,
        answer=answer,
        score=outcome.to_json() if isinstance(outcome, ItemScore) else None,
        credit_numerator=credit.numerator if credit is not None else None,
        credit_denominator=credit.denominator if credit is not None else None,
        points_numerator=1,
        points_denominator=1,
    )


def _list_sample_questions() -> QuerySet[Question]:
    graded = Q(item__quiz_version__quiz__mode=Mode.GRADED) | Q(
        item__quiz_version__policies__mode=Mode.GRADED
    )
    in_use = Q(item__quiz_version__quiz__retired_at__isnull=True)
    waiting = Q(item__quiz_version__attempts__state__in=[State.OPEN, State.SUBMITTED])
    asking = PoolCandidate.objects.filter(
        graded & in_use | waiting, version__question=OuterRef("pk")
    )
    marked = Question.objects.filter(
        tags__name=SAMPLE_TAG,
        bank__group__isnull=True,
        bank__owner__isnull=True,
        retired_at__isnull=True,
        current__kind__in=ONE_TAP_KINDS,
    )
    return marked.filter(~Exists(asking)).order_by("pk")
