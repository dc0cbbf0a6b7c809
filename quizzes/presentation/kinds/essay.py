"""A text of one's own: a field that grows, and a review with what a person wrote about it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from grading.essay.word_count import WordLimits, count_words, load_limits
from grading.json_types import Json
from quizzes.bank.selectors import PublicVersion
from quizzes.presentation import fragments, ledger_messages
from quizzes.presentation.formatting import format_points
from quizzes.presentation.ledger_messages import describe_lines, safe_html
from quizzes.presentation.view_models import Fragment, LedgerRow, ReviewContent
from quizzes.results.attempt_report import QuestionReport

shows_scoring_hint = True
renders_prompt = False

interpretation = ledger_messages.no_interpretation

TEMPLATES = "quizzes/kinds/essay"


@dataclass(frozen=True, slots=True)
class EssayText:
    """What the learner wrote, how long it is and ought to be, and whether nobody marked it yet."""

    text: str
    words: int
    limits: str
    needs_grading: bool


@dataclass(frozen=True, slots=True)
class CriterionResult:
    """The result of one criterion: the level reached, and the points it earned."""

    text_html: SafeString | None
    level_html: SafeString | None
    lang: str
    points: str | None


def template_context(public_version: PublicVersion, language: str) -> dict[str, Any]:
    """Return the limits, in numbers and in words, with placeholders for text and length."""
    length = load_limits(public_version.content)
    return {
        "text": fragments.placeholder("text"),
        "words": fragments.placeholder("words"),
        "minimum": length.minimum or "",
        "maximum": length.maximum or "",
        "limits": describe_limits(length),
    }


def describe_limits(length: WordLimits) -> str:
    """Return how long a text ought to be; "" where that is left open."""
    numbers = {"minimum": length.minimum, "maximum": length.maximum}
    if length.minimum is not None and length.maximum is not None:
        return gettext("Between %(minimum)s and %(maximum)s words are asked for.") % numbers
    if length.minimum is not None:
        return gettext("At least %(minimum)s words are asked for.") % numbers
    if length.maximum is not None:
        return gettext("At most %(maximum)s words are asked for.") % numbers
    return ""


def placeholder_values(answer: Mapping[str, Any] | None) -> dict[str, str]:
    """Return the text and its length."""
    text = str((answer or {}).get("text", ""))
    return {"text": escape(text), "words": str(count_words(text))}


def parse_form(posted: QueryDict, slot: int) -> Json:
    """Return the text; grading's kind knows what is blank."""
    return {"text": posted.get(f"q-{slot}-text", "")}


def answer_text(public_version: PublicVersion, answer: Mapping[str, Any], language: str) -> str:
    """Return it as it was written."""
    return str(answer["text"])


def build_review(item: QuestionReport, language: str) -> ReviewContent:
    """Return the text, then what became of it as far as that may be shown."""
    written = [_build_text(item)] if item.answer is not None else []
    judged = [tuple(_criterion_results(item))] if item.levels else []
    return ReviewContent(
        {
            "text": [Fragment(f"{TEMPLATES}/text.html", row, cached=False) for row in written],
            "criteria": [Fragment(f"{TEMPLATES}/criteria.html", rows) for rows in judged],
        }
    )


def _build_text(item: QuestionReport) -> EssayText:
    text = str(item.answer["text"]) if item.answer else ""
    return EssayText(
        text,
        count_words(text),
        describe_limits(load_limits(item.public_version.content)),
        item.needs_grading,
    )


def _criterion_results(item: QuestionReport) -> Iterator[CriterionResult]:
    """Return each level reached beneath its criterion, where their words may be shown."""
    earned = {line.part: line.earned for line in item.ledger}
    for criterion, level in item.levels.items():
        share = earned.get(level)
        yield CriterionResult(
            safe_html(item.feedback.get(criterion)),
            safe_html(item.feedback.get(level)),
            item.feedback_language,
            None if share is None else format_points(share * item.manifest_slot.points),
        )


def ledger_rows(item: QuestionReport, language: str) -> list[LedgerRow]:
    """Return which levels were reached, and what each earned."""
    return describe_lines(item.ledger, item.feedback)
