"""From an item of QTI 1.2 to a question of ours: what its responses are, and what they pay."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from quizzes.formats.builders import Head, add_score_feedback, build_essay
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.parsing.naming import slug
from quizzes.formats.qti12 import choice, text_entry
from quizzes.formats.qti12.conditions import Custom, Rule, rules
from quizzes.formats.qti12.items import Source, place

GENERAL, CORRECT, INCORRECT = "general_fb", "correct_fb", "general_incorrect_fb"
_BLANKS = {"fill_in_multiple_blanks_question", "multiple_dropdowns_question"}
_REFUSED = {
    "calculated_question": "calculated",
    "file_upload_question": "file_upload",
    "text_only_question": "text_only",
}
# Blanks are tried from the first of a run alone: many of them take linear time.
_PLACE = re.compile(r"(?:(?<!\s)\s+)?qtigap\d+qtigap\s*")


@dataclass(slots=True)
class Refused(Exception):
    """No question of ours can come of this item."""

    code: str
    quote: str = ""


Make = Callable[[Source, Head, tuple[Rule, ...]], ParsedQuestion]


def question(source: Source, name: str, language: str) -> ParsedQuestion:
    """Build the question, noting on the source what had to be mended; or Refused."""
    _refuse(source)
    kind = _kind(source)
    head = Head(
        source.node.line,
        name,
        language,
        source.markdown(_PLACE.sub(" ", source.html)),
        explanation=_general(source),
        tags=tuple(_tags(source)),
    )
    several = frozenset(
        one.id for one in source.responses if one.cardinality in {"multiple", "ordered"}
    )
    try:
        found = tuple(rules(source.node, several))
        built = _MAKERS[kind](source, head, found)
    except Custom as custom:
        source.note("custom_response_processing", custom.quote, custom.line)
        built = _MAKERS[kind](source, head, ())
    bands = {Fraction(1): CORRECT, Fraction(0): INCORRECT}
    said = {begins: source.feedback.get(ident, "") for begins, ident in bands.items()}
    _tell_unsaid(source, built)
    return add_score_feedback(
        built, language, {begins: text for begins, text in said.items() if text}
    )


def _refuse(source: Source) -> None:
    """Refuse what our kinds cannot ask."""
    kind = source.meta.get("question_type", "")
    tags = {one.tag for one in source.responses}
    if kind in _REFUSED or "formulas" in {one.tag.rpartition("}")[2] for one in source.node.iter()}:
        code = _REFUSED.get(kind, "calculated")
        raise Refused(code, source.markdown(_PLACE.sub(" ", source.html)))
    if not source.responses:
        raise Refused("no_interaction", source.markdown(source.html))
    if tags & {"response_xy", "response_grp"}:
        raise Refused("unsupported_interaction", " ".join(sorted(tags)))


def _kind(source: Source) -> str:
    """Tell which of ours it is, by what the file calls it and by its responses."""
    said = source.meta.get("question_type") or source.meta.get("cc_profile", "")
    tags = {one.tag for one in source.responses}
    if said in _BLANKS:
        return "blanks"
    if "response_lid" in tags and len(tags) > 1:
        return "inline"
    return _chosen(source, said) if "response_lid" in tags else _written(source, said)


def _chosen(source: Source, said: str) -> str:
    first = source.responses[0]
    if first.cardinality == "ordered":
        return "ordering"
    if said == "matching_question":
        return "matching"
    if len(source.responses) > 1:
        return "matching" if all(one.text for one in source.responses) else "inline"
    if first.cardinality == "multiple" or said == "multiple_answers_question":
        return "multiple"
    return "true_false" if "true_false" in said else "single"


def _written(source: Source, said: str) -> str:
    if len(source.responses) > 1:
        return "inline"
    if said.startswith(("essay", "cc.essay")):
        return "essay"
    return "numeric" if source.responses[0].number or said == "numerical_question" else "text"


def _general(source: Source) -> str:
    """Give what is said whatever was answered."""
    return source.feedback.get(GENERAL, "") or source.feedback.get("solution", "")


def _tags(source: Source) -> list[str]:
    said = source.meta.get("qmd_keywords", "") or source.meta.get("qmd_topic", "")
    return [tag for one in re.split("[,;]", said) if (tag := slug(one))]


def _tell_unsaid(source: Source, built: ParsedQuestion) -> None:
    """Note feedback of the file that no part of the question took up."""
    known = {text for row in built.rows for said in row.texts.values() for text in said.values()}
    for ident, text in source.feedback.items():
        taken = ident in {GENERAL, CORRECT, INCORRECT, "solution"} or any(
            text in one for one in known
        )
        if text and not taken:
            source.note("feedback_unlinked", text)


def _text(source: Source, head: Head, found: tuple[Rule, ...]) -> ParsedQuestion:
    """Build a short text; a place to write in that pays nothing is an essay."""
    if not any(rule.gain for rule in found) and source.meta.get("question_type", "essay") == (
        "essay"
    ):
        return build_essay(head)
    return text_entry.short_text_of(source, head, found)


def _essay(_source: Source, head: Head, _found: tuple[Rule, ...]) -> ParsedQuestion:
    return build_essay(head)


def _inline(source: Source, head: Head, found: tuple[Rule, ...]) -> ParsedQuestion:
    """Build a text with gaps where the responses stand between its words."""
    html = source.html
    for at in range(len(source.responses)):
        html = html.replace(place(at), f"qtimark{at + 1}qtimark")
    return text_entry.cloze_of(source, replace(head, prompt=source.markdown(html)), found)


def _blanks(source: Source, head: Head, found: tuple[Rule, ...]) -> ParsedQuestion:
    """Build a text with gaps where the text names its responses in brackets."""
    html = _PLACE.sub(" ", source.html)
    for at, one in enumerate(source.responses, start=1):
        named = one.id.removeprefix("response_")
        html = html.replace(f"[{named}]", f"qtimark{at}qtimark", 1)
    return text_entry.cloze_of(source, replace(head, prompt=source.markdown(html)), found)


_MAKERS: Mapping[str, Make] = {
    "blanks": _blanks,
    "essay": _essay,
    "inline": _inline,
    "matching": choice.matching_of,
    "multiple": choice.multiple_of,
    "numeric": text_entry.numeric_of,
    "ordering": choice.ordering_of,
    "single": choice.single_of,
    "text": _text,
    "true_false": choice.true_false_of,
}
