"""A text with gaps: the controls stand within the prompt, and so do the answers afterwards."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from grading.cloze.structure import NUMERIC, SHORT_TEXT
from grading.json_types import Json
from grading.kinds import KINDS
from grading.numeric.numerals import MAX_LENGTH
from grading.short_text.parsing import MAXIMUM
from grading.short_text.structure import parse_folding
from quizzes.bank.selectors import PublicVersion
from quizzes.presentation import fragments, ledger_messages, number_questions
from quizzes.presentation.excerpts import excerpt, quote
from quizzes.presentation.formatting import format_signed_fraction
from quizzes.presentation.gaps import GAP, Gaps, build_gaps
from quizzes.presentation.ledger_messages import safe_html
from quizzes.presentation.messages.attempts import describe_reason
from quizzes.presentation.messages.comparison import describe_comparison
from quizzes.presentation.view_models import AnswerRow, Fragment, LedgerRow, ReviewContent
from quizzes.results.attempt_report import QuestionReport

shows_scoring_hint = True
renders_prompt = True

interpretation = ledger_messages.no_interpretation

TEMPLATES = "quizzes/kinds/cloze"


@dataclass(frozen=True, slots=True)
class FilledGap:
    """One gap in its text; `state` is right, partly, wrong, or "" where that is not revealed."""

    number: int
    answer: str
    lang: str
    state: str


@dataclass(frozen=True, slots=True)
class UnplacedFeedback:
    """Feedback that belongs to no gap."""

    html: SafeString | None
    lang: str


def template_context(public_version: PublicVersion, language: str) -> dict[str, Any]:
    """Return the prompt in pieces, each but the last followed by a gap and what it asks for."""
    kind, texts = KINDS[public_version.kind], public_version.words(language)
    public = kind.public_view(
        public_version.content, [id_ for id_, _ in kind.shufflable_ids(public_version.content)]
    )
    gaps = {str(gap["id"]): gap for gap in _objects(public.parts["gaps"])}
    html, *rest = GAP.split(texts.prompt)
    rows = [
        _build_gap_row(gaps[id_], number, texts.parts)
        for number, id_ in enumerate(rest[::2], start=1)
    ]
    pairs = zip([html, *rest[1::2]], [*rows, None], strict=True)
    pieces = [{"html": text, "gap": gap} for text, gap in pairs]
    return {"pieces": pieces, "count": len(rows), "page": language, **_describe_comparisons(rows)}


def _describe_comparisons(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return how typed words are compared: in one sentence, or each gap its own where they differ.

    A gap then says by `hint` that it has one.
    """
    hints = [row["comparison"] for row in rows if row["kind"] == SHORT_TEXT]
    if len(set(hints)) == 1:
        return {"comparison": hints[0], "hints": []}
    return {"comparison": "", "hints": [row for row in rows if row["kind"] == SHORT_TEXT]}


def _read_comparison(gap: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return how what is typed in a public gap is compared; {} as words are."""
    comparison = gap.get("comparison")
    return comparison if isinstance(comparison, Mapping) else {}


def _objects(listed: Json) -> Iterator[Mapping[str, Json]]:
    if isinstance(listed, list):
        yield from (part for part in listed if isinstance(part, dict))


def _build_gap_row(
    gap: Mapping[str, Json], number: int, texts: Mapping[str, str]
) -> dict[str, Any]:
    """Return what a gap's control needs, with placeholders for its answer."""
    id_, options = str(gap["id"]), gap.get("options")
    comparison = _read_comparison(gap)
    return {
        "id": id_,
        "kind": gap["kind"],
        "number": number,
        "comparison": describe_comparison(comparison) if gap["kind"] == SHORT_TEXT else "",
        "by_value": parse_folding(comparison)[0].by_value,
        "options": [
            {
                "id": option,
                "begins": fragments.shuffle_item(str(option)),
                "words": excerpt(texts.get(str(option), "")),
                "selected": fragments.placeholder(f"selected:{id_}:{option}"),
            }
            for option in (options if isinstance(options, list) else ())
        ],
        "ends": fragments.END_RUN,
        "longest": MAX_LENGTH if gap["kind"] == NUMERIC else MAXIMUM,
        "typed": fragments.placeholder(f"typed:{id_}"),
        "language": fragments.placeholder(f"language:{id_}"),
        "invalid": fragments.placeholder(f"invalid:gaps.{id_}"),
        "ask": number_questions.placeholders(f"{id_}:"),
    }


def placeholder_values(answer: Mapping[str, Any] | None) -> dict[str, str]:
    """Return the values of what was chosen and typed."""
    values: dict[str, str] = {}
    for id_, response in (answer or {}).get("gaps", {}).items():
        values |= {f"selected:{id_}:{option}": "selected" for option in response.get("chosen", ())}
        values[f"typed:{id_}"] = escape(number_questions.get_typed_text(response))
        values[f"language:{id_}"] = escape(response.get("language", ""))
        values |= number_questions.placeholder_values(response, f"{id_}:")
    return values


def parse_form(posted: QueryDict, slot: int) -> Json:
    """Return what was filled in; a number with the language it was typed in."""
    begins, gaps = f"q-{slot}-gaps-", dict[str, Json]()
    for name in posted:
        id_, _dash, field = name.removeprefix(begins).rpartition("-")
        value = posted.get(name, "")
        if not name.startswith(begins) or not value.strip():
            continue
        if field == "chosen":
            gaps[id_] = {"chosen": [value]}
        elif field == "text" and f"{begins}{id_}-page" in posted:
            gaps[id_] = number_questions.parse_number(posted, f"{begins}{id_}", "text")
        elif field == "text":
            gaps[id_] = {"text": value}
        elif field == "typed":
            gaps[id_] = number_questions.parse_number(posted, f"{begins}{id_}")
    return {"gaps": gaps} if gaps else None


def part_name(public_version: PublicVersion, path: str, language: str) -> str:
    """Return the name of the gap at `gaps.<id>`."""
    gaps, id_ = build_gaps(public_version, language), path.removeprefix("gaps.")
    return gaps.name(id_) if id_ in gaps.numbers else ""


def answer_text(public_version: PublicVersion, answer: Mapping[str, Any], language: str) -> str:
    """Return the answer in each gap that was filled."""
    gaps, answers = build_gaps(public_version, language), answer["gaps"]
    return "; ".join(
        f"{gaps.name(id_)}: {quote(gaps.answer(id_, answers[id_], language))}"
        for id_ in gaps.numbers
        if id_ in answers
    )


def build_review(item: QuestionReport, language: str) -> ReviewContent:
    """Return the text with its answers in place, then the feedback gap by gap."""
    gaps = build_gaps(item.public_version, language, item.ledger)
    responses = item.answer["gaps"] if item.answer else {}
    feedback = {
        id_: gaps.feedback(id_, item.feedback, responses.get(id_, {})) for id_ in gaps.numbers
    }
    rendered = {
        _placeholder_name(id_): [
            Fragment(
                f"{TEMPLATES}/filled_gap.html", _build_filled_gap(gaps, id_, responses, language)
            )
        ]
        for id_ in gaps.numbers
    }
    rendered["rows"] = [
        Fragment(
            "partials/review_answer.html", _build_row(item, gaps, id_, feedback[id_], language)
        )
        for id_ in gaps.numbers
    ]
    placed = {part for parts in feedback.values() for part in parts}
    rendered["unplaced"] = [
        Fragment(
            f"{TEMPLATES}/unplaced_feedback.html",
            UnplacedFeedback(safe_html(html), item.feedback_language),
        )
        for part, html in item.feedback.items()
        if part not in placed
    ]
    return ReviewContent(rendered, _prompt_with_placeholders(item.public_version, language))


def _placeholder_name(id_: str) -> str:
    return f"gap:{id_}"


def _prompt_with_placeholders(public_version: PublicVersion, language: str) -> str:
    """Return the prompt with a placeholder in each of its gaps."""
    return GAP.sub(
        lambda match: (
            f'<span class="gap">{fragments.placeholder(_placeholder_name(match[1]))}</span>'
        ),
        public_version.words(language).prompt,
    )


def _build_filled_gap(
    gaps: Gaps, id_: str, responses: Mapping[str, Any], language: str
) -> FilledGap:
    answer = gaps.answer(id_, responses[id_], language) if id_ in responses else ""
    return FilledGap(gaps.numbers[id_], answer, gaps.lang, gaps.state(id_))


def _build_row(
    item: QuestionReport, gaps: Gaps, id_: str, feedback: Mapping[str, str], language: str
) -> AnswerRow:
    responses, state = (item.answer or {"gaps": {}})["gaps"], gaps.state(id_)
    solved = item.solution["gaps"][id_] if item.solution and state != "right" else None
    earned = gaps.earned(id_)
    return AnswerRow(
        label=gaps.name(id_),
        answer=gaps.answer(id_, responses[id_], language) if id_ in responses else "",
        lang=gaps.lang,
        state=state,
        expected=gaps.solution(id_, solved, language) if solved else None,
        feedback_html=mark_safe("".join(feedback.values())) or None,  # noqa: S308  rendered by markup
        feedback_lang=item.feedback_language,
        earned=format_signed_fraction(earned) if earned else None,
    )


def ledger_rows(item: QuestionReport, language: str) -> list[LedgerRow]:
    """Return what each gap earned; the line of one rightly left empty says so."""
    gaps = build_gaps(item.public_version, language, item.ledger)
    rows = [
        LedgerRow(f"{gaps.name(id_)}: {sentence}", format_signed_fraction(earned))
        for id_ in gaps.numbers
        for sentence, earned in gaps.describe_lines(id_)
    ]
    rules = [line for line in gaps.rules if line.earned or line.chosen is not False]
    return rows + [
        LedgerRow(describe_reason(line.reason), format_signed_fraction(line.earned))
        for line in rules
    ]
