"""What the kinds with options share: their form, its parsing, their review."""

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict
from django.utils.safestring import mark_safe
from django.utils.translation import gettext

from grading.choice.structure import NONE_APPLY
from grading.contract import LedgerLine
from grading.json_types import Json
from grading.kinds import KINDS
from quizzes.bank.selectors import PublicVersion
from quizzes.presentation import fragments, ledger_messages
from quizzes.presentation.excerpts import excerpt, quote
from quizzes.presentation.formatting import format_signed_fraction
from quizzes.presentation.view_models import Fragment, LedgerRow, OptionRow, ReviewContent
from quizzes.results.attempt_report import QuestionReport


def template_context(public_version: PublicVersion, language: str) -> dict[str, Any]:
    """Return what the template of the question needs, with placeholders for what was answered."""
    kind = KINDS[public_version.kind]
    ids = [part for part, _ in kind.shufflable_ids(public_version.content)]
    parts = kind.public_view(public_version.content, ids).parts
    texts = public_version.words(language).parts
    return {
        "options": [
            {
                "id": id_,
                "begins": fragments.shuffle_item(id_),
                "html": texts.get(id_, ""),
                "checked": fragments.placeholder(f"checked:{id_}"),
            }
            for id_ in ids
        ],
        "ends": fragments.END_RUN,
        "none_offered": parts[NONE_APPLY],
        "none_checked": fragments.placeholder(f"checked:{NONE_APPLY}"),
        "unanswered_checked": fragments.placeholder("checked:"),
    }


def placeholder_values(answer: Mapping[str, Any] | None) -> dict[str, str]:
    """Return which placeholders are checked, for an answer or for what `parse_form` gave."""
    if answer is None:
        return {"checked:": "checked"}
    chosen = [*answer["chosen"], *([NONE_APPLY] if answer[NONE_APPLY] else [])]
    return {f"checked:{id_}": "checked" for id_ in chosen}


def parse_form(posted: QueryDict, slot: int) -> Json:
    """Return what the form says, as far as a form can say it; grading's kind judges it."""
    values = posted.getlist(f"q-{slot}")
    chosen: list[Json] = [value for value in values if value and value != NONE_APPLY]
    none_apply = bool(posted.get(f"q-{slot}-none")) or NONE_APPLY in values
    return {"chosen": chosen, NONE_APPLY: none_apply} if chosen or none_apply else None


def answer_text(public_version: PublicVersion, answer: Mapping[str, Any], language: str) -> str:
    """Return what was chosen."""
    if answer[NONE_APPLY]:
        return gettext("None of these applies")
    texts = public_version.words(language).parts
    return ", ".join(quote(excerpt(texts[id_])) for id_ in answer["chosen"])


def build_review(item: QuestionReport, language: str) -> ReviewContent:
    """Return the options in the learner's order, with what may be shown of each."""
    rows = _option_rows(item, language)
    return ReviewContent({"rows": [Fragment("partials/review_option.html", row) for row in rows]})


def _option_rows(item: QuestionReport, language: str) -> list[OptionRow]:
    renditions, lines = item.public_version.words(language), _lines_by_part(item)
    rows = [
        _build_row(item, lines.get(id_), id_, renditions.parts.get(id_, ""), renditions.language)
        for id_ in item.manifest_slot.order
    ]
    if item.public_version.content.get(NONE_APPLY):
        none = gettext("None of these applies")
        rows.append(_build_row(item, lines.get(NONE_APPLY), NONE_APPLY, none, language))
    return rows


def _build_row(
    item: QuestionReport, line: LedgerLine | None, part: str, html: str, lang: str
) -> OptionRow:
    feedback = item.feedback.get(part)
    return OptionRow(
        html=mark_safe(html),  # noqa: S308  rendered by quizzes.lib.markup, or a word of ours
        lang=lang,
        chosen=_is_chosen(item.answer, part),
        state=_option_state(item, line, part),
        feedback_html=ledger_messages.safe_html(feedback),
        feedback_lang=item.feedback_language,
        earned=format_signed_fraction(line.earned) if line and line.earned else None,
    )


def _is_chosen(answer: Mapping[str, Any] | None, part: str) -> bool:
    if answer is None:
        return False
    return bool(answer[NONE_APPLY]) if part == NONE_APPLY else part in answer["chosen"]


def _option_state(item: QuestionReport, line: LedgerLine | None, part: str) -> str:
    """Return how the choice of an option is marked; one that earned something is never wrong."""
    right = _is_right(item, line, part)
    if not _is_chosen(item.answer, part):
        return "missed" if right else ""
    if right:
        return "right"
    if line and line.earned > 0:
        return "partly"
    return "" if right is None else "wrong"


def _is_right(item: QuestionReport, line: LedgerLine | None, part: str) -> bool | None:
    """Return whether an option is right: any once the key is shown, else those of the ledger."""
    if item.solution is not None:
        return _is_chosen(item.solution, part)
    return line.right if line else None


def _lines_by_part(item: QuestionReport) -> dict[str, LedgerLine]:
    return {line.part: line for line in item.ledger if line.chosen is not None}


def ledger_rows(item: QuestionReport, language: str) -> list[LedgerRow]:
    """Return the ledger in words: which option, what became of it, what that earned."""
    names = {NONE_APPLY: gettext("None of these applies")}
    return ledger_messages.describe_lines(
        item.ledger, item.public_version.words(language).parts, names
    )
