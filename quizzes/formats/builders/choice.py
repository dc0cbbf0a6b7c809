"""Questions with options."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from grading.json_types import Json, ratio_to_json
from quizzes.formats.builders.feedback import add_score_feedback
from quizzes.formats.builders.question_head import Head, build_question
from quizzes.formats.contract import ParsedQuestion, ParsedRow
from quizzes.formats.parsing.boolean_words import OWN_WORDS
from quizzes.formats.parsing.naming import list_letters


@dataclass(frozen=True, slots=True)
class Option:
    """One option as a file has it.

    `weight` is what choosing it earns (1: everything), `right` whether the file marks it as right;
    None where the file does not say so.
    """

    text: str
    right: bool | None = None
    weight: Fraction | None = None
    feedback: str = ""
    unchosen: str = ""
    pinned: bool = False
    name: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class SourceChoice:
    """What a file says of a question with options; `many`: several of them may be chosen."""

    options: Sequence[Option]
    many: bool
    scoring_method: str = ""  # where the file names one; else the weights tell
    shuffle: bool = True
    none_apply: bool = False  # the file has an answer that none of the options is right
    score_feedback: Mapping[Fraction, str] = field(default_factory=dict)
    key_code: str = "key_unknown"  # of the note that no option is right
    truths: Sequence[bool | None] = ()  # of each option, whether it says true or false
    keeps_words: bool = False  # a statement keeps the file's words for true and false
    line: int = 0  # that notes are about, by default the question's
    quote: str = ""
    other_fields: Mapping[str, Json] = field(default_factory=dict)
    # Where formats differ in meaning:
    drops_empty: bool = False  # an option without words is left out, else it stays
    infers_none_apply: bool = False  # where several may be chosen and none is right, none is
    lower_bound: Fraction | None = Fraction(0)  # the least an answer earns there; None: no limit


def build_choice(head: Head, source: SourceChoice) -> ParsedQuestion:
    """Build a single or multiple choice; by weights where no other scoring method gives them."""
    kind = "multiple_choice" if source.many else "single_choice"
    method = source.scoring_method or infer_scoring_method(source.options, many=source.many)
    rows = [
        _build_option_row(head, option, letter, has_weight=method == "option_weights")
        for option, letter in zip(source.options, list_letters(), strict=False)
    ]
    fields: dict[str, Json] = {"shuffle": source.shuffle, "none_apply": source.none_apply}
    fields |= source.other_fields
    question = build_question(head, kind, method, {"options": rows}, fields)
    return add_score_feedback(question, head.language, source.score_feedback)


def infer_scoring_method(options: Sequence[Option], *, many: bool) -> str:
    """Return the named scoring method that pays what these weights pay, else `option_weights`."""
    right = [option for option in options if option.right]
    weights = {(bool(option.right), option.weight) for option in options}
    if all(option.weight is None for option in options):
        return "right_minus_wrong" if many else "all_or_nothing"
    share = Fraction(1, len(right) or 1)
    if many and weights <= {(True, share), (False, -share)}:
        return "right_minus_wrong"
    if not many and weights <= {(True, Fraction(1)), (False, Fraction(0)), (False, None)}:
        return "all_or_nothing"
    return "option_weights"


def build_true_false(
    head: Head,
    *,
    right: bool | None,
    feedback: Mapping[bool, str] | None = None,
    words: tuple[str, str] | None = None,
    weights: Mapping[bool, Fraction] | None = None,
    **fields: Json,
) -> ParsedQuestion:
    """Build a statement; `right` None: it is not known. `feedback` is by what was chosen.

    `words` are those for true and for false, by default those of the head's language. `weights`
    are what choosing each earns, by default everything or nothing.
    """
    words = words or OWN_WORDS.get(head.language, OWN_WORDS["en"])
    rows = [
        _build_option_row(
            head,
            Option(
                word,
                right=truth == right,
                weight=(weights or {}).get(truth),
                feedback=(feedback or {}).get(truth, ""),
            ),
            str(truth).lower(),
            has_weight=bool(weights),
        )
        for truth, word in zip((True, False), words, strict=True)
    ]
    method = "option_weights" if weights else "all_or_nothing"
    return build_question(head, "true_false", method, {"options": rows}, fields)


def _build_option_row(
    head: Head, option: Option, name: str, *, has_weight: bool = False
) -> ParsedRow:
    values: dict[str, Json] = {"right": bool(option.right), "pinned": option.pinned}
    if has_weight and option.weight is not None:
        values["weight"] = ratio_to_json(option.weight)
    texts = {
        ("options", False): option.text,
        ("options", True): option.feedback,
        ("unchosen", True): option.unchosen,
    }
    return head.build_row("multiple_choice", option.name or name, values, texts, line=option.line)
