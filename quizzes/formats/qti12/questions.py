"""From an item of QTI 1.2 to a question, by the kind of its responses."""

import re
from collections.abc import Callable, Mapping, Sequence

from quizzes.formats.builders import Head, add_score_feedback, build_essay
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.parsing.naming import slugify
from quizzes.formats.qti.assessment_item import (
    CUSTOM_SCORING,
    CustomScoring,
    UnsupportedItem,
    build_token,
)
from quizzes.formats.qti12 import choice, cloze, ordering, text_entry
from quizzes.formats.qti12.condition_order import find_undoing_condition
from quizzes.formats.qti12.conditions import RespCondition, read_conditions
from quizzes.formats.qti12.item import GENERAL_FEEDBACK, SCORE_FEEDBACK, Qti12Item

_BLANKS = {"fill_in_multiple_blanks_question", "multiple_dropdowns_question"}
_UNSUPPORTED = {
    "calculated_question": "calculated",
    "file_upload_question": "file_upload",
    "text_only_question": "text_only",
}
_SEVERAL = frozenset({"multiple", "ordered"})
_ADDED_UP = frozenset({"blanks", "inline", "matching", "multiple", "ordering"})
"""Kinds of which what the conditions give is added up, whatever their order."""
# Blanks are tried from the first of a run alone: many of them take linear time.
_TOKEN = re.compile(r"(?:(?<!\s)\s+)?qtimark\d+qtimark\s*")


def build_question(item: Qti12Item, name: str, language: str) -> ParsedQuestion:
    """Return the question, with notes on the item, or raise UnsupportedItem."""
    _refuse_unsupported(item)
    kind = _choose_kind(item)
    build = _BUILDERS[kind]
    keywords = item.metadata.get("qmd_keywords", "") or item.metadata.get("qmd_topic", "")
    head = Head(
        item.node.line,
        name,
        language,
        item.markdown(_remove_tokens(item)),
        explanation=next(filter(None, map(item.feedback.get, GENERAL_FEEDBACK)), ""),
        tags=tuple(filter(None, map(slugify, re.split("[,;]", keywords)))),
    )
    try:
        item.conditions = _read_conditions(item, kind)
        question = build(item, head)
    except CustomScoring as custom:
        item.note(CUSTOM_SCORING, custom.quote, custom.line)
        item.conditions = ()
        question = build(item, head)
    _note_unlinked_feedback(item, question)
    bands = {
        score: feedback
        for score, name in SCORE_FEEDBACK.items()
        if (feedback := item.feedback.get(name, ""))
    }
    return add_score_feedback(question, language, bands)


def _read_conditions(item: Qti12Item, kind: str) -> Sequence[RespCondition]:
    """Return the conditions, or raise CustomScoring where they do not add up to the score."""
    cardinalities = {response.id: response.cardinality for response in item.responses}
    multiple = {name for name, several in cardinalities.items() if several in _SEVERAL}
    numbers = {response.id for response in item.responses if response.is_number}
    conditions = tuple(read_conditions(item.node, multiple, numbers))
    undoing = find_undoing_condition(conditions, cardinalities) if kind in _ADDED_UP else None
    if undoing:
        raise CustomScoring(undoing.line)
    return conditions


def _remove_tokens(item: Qti12Item) -> str:
    return _TOKEN.sub(" ", item.html)


def _refuse_unsupported(item: Qti12Item) -> None:
    kind = item.metadata.get("question_type", "")
    tags = {response.tag for response in item.responses}
    if kind in _UNSUPPORTED or next(item.node.iter("formulas"), None) is not None:
        code = _UNSUPPORTED.get(kind, "calculated")
        raise UnsupportedItem(code, item.markdown(_remove_tokens(item)))
    if not item.responses:
        raise UnsupportedItem("no_interaction", item.markdown(item.html))
    if tags & {"response_xy", "response_grp"}:
        raise UnsupportedItem("unsupported_interaction", " ".join(sorted(tags)))


def _choose_kind(item: Qti12Item) -> str:
    """Return the kind, by the type that the file declares and by its responses."""
    declared = item.metadata.get("question_type") or item.metadata.get("cc_profile", "")
    tags = {response.tag for response in item.responses}
    first, *others = item.responses
    is_choice = "response_lid" in tags
    has_texts = all(response.text for response in item.responses)
    rules = (
        (declared in _BLANKS, "blanks"),
        (len(tags) > 1 and is_choice, "inline"),
        (bool(others) and not is_choice, "inline"),
        (not is_choice and declared.startswith(("essay", "cc.essay")), "essay"),
        (not is_choice and (first.is_number or declared == "numerical_question"), "numeric"),
        (not is_choice, "text"),
        (first.cardinality == "ordered", "ordering"),
        (declared == "matching_question" or (bool(others) and has_texts), "matching"),
        (bool(others), "inline"),
        (first.cardinality == "multiple" or declared == "multiple_answers_question", "multiple"),
        ("true_false" in declared, "true_false"),
    )
    return next((kind for applies, kind in rules if applies), "single")


def _note_unlinked_feedback(item: Qti12Item, question: ParsedQuestion) -> None:
    """Note feedback of the file that no part of the question has."""
    texts = {
        text for row in question.rows for words in row.texts.values() for text in words.values()
    }
    for identifier, feedback in item.feedback.items():
        is_used = identifier in {*GENERAL_FEEDBACK, *SCORE_FEEDBACK.values()} or any(
            feedback in text for text in texts
        )
        if feedback and not is_used:
            item.note("feedback_unlinked", feedback)


def _read_blanks(item: Qti12Item, head: Head) -> ParsedQuestion:
    """Build a text with gaps where the text names its responses in brackets."""
    html = _remove_tokens(item)
    for number, response in enumerate(item.responses, start=1):
        html = html.replace(f"[{response.id.removeprefix('response_')}]", build_token(number), 1)
    return cloze.read_cloze(item, head, html)


_BUILDERS: Mapping[str, Callable[[Qti12Item, Head], ParsedQuestion]] = {
    "blanks": _read_blanks,
    "essay": lambda _item, head: build_essay(head),
    "inline": lambda item, head: cloze.read_cloze(item, head, item.html),
    "matching": ordering.read_matching,
    "multiple": choice.read_multiple_choice,
    "numeric": text_entry.read_number,
    "ordering": ordering.read_ordering,
    "single": choice.read_single_choice,
    "text": text_entry.read_short_text,
    "true_false": choice.read_true_false,
}
