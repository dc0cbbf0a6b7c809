"""What each option of a choice earns, and what is doubtful about it: one decision for all formats.

A reader fills a `SourceChoice` from its syntax and decides nothing; `settle_choice` returns the
question and the notes on it. Each option has the `weight` that the file gives it (1 is everything),
or whether the file marks it as `right`, or both:

- Moodle, GIFT: `<answer fraction="33.33333">`, `~%50%text`: a weight for each option. In a single
  choice the one that earns everything is right, in a multiple choice each that earns anything.
- H5P, Aiken, Kahoot, text2qti, checklists: options are marked as right, without weights.
- Open edX: marked, and those that are partly right have a weight.
- QTI: points for each option; `share_points` turns them into weights before.

Two options that say true and false are a statement where the reader passes their `truths`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from grading.partial_credit import ALL_OR_NOTHING
from quizzes.formats.builders.choice import (
    Option,
    SourceChoice,
    build_choice,
    build_true_false,
)
from quizzes.formats.builders.lower_bound import find_least_choice, settle_lower_bound
from quizzes.formats.builders.question_head import Head
from quizzes.formats.contract import LONGEST_QUOTE, Note, ParsedQuestion
from quizzes.formats.parsing.boolean_words import find_boolean_words
from quizzes.formats.parsing.naming import list_letters
from quizzes.formats.parsing.percentages import find_simple_fraction

MINIMUM_OPTIONS = 2
_NEARLY_EVERYTHING = Fraction(98, 100)
"""Shares that were rounded roughly (33, 33, 33) add up to this at least."""
_STEP = Fraction(1, 1000)
_ZERO, _FULL = Fraction(0), Fraction(1)


def settle_choice(head: Head, source: SourceChoice) -> tuple[ParsedQuestion, list[Note]]:
    """Return the question, and notes on what a person must look at or what was mended."""
    line, quote = source.line or head.line, source.quote[:LONGEST_QUOTE]
    notes = list(_note_empty(source, line))
    options = [
        _settle_right(option, many=source.many)
        for option in source.options
        if option.text.strip() or not source.drops_empty
    ]
    right = [option for option in options if option.right]
    none_apply = source.none_apply
    codes = ["too_few_options"] if len(options) < MINIMUM_OPTIONS else []
    if not right:
        options = [
            option if option.weight is None else replace(option, weight=None) for option in options
        ]
        if source.many and source.infers_none_apply and not none_apply:
            none_apply = True
            codes.append("none_is_right")
        elif not none_apply:
            codes.append(source.key_code)
    elif len(right) > 1 and not source.many:
        codes.append("several_right_options")
    notes += [Note(code, line, quote) for code in codes]
    if source.many and right:
        options, sum_notes = _make_whole(options, line)
        notes += sum_notes
    is_statement = sorted(map(str, source.truths)) == ["False", "True"]
    is_statement = is_statement and len(options) == MINIMUM_OPTIONS
    source = replace(source, options=options, none_apply=none_apply)
    if is_statement and len(right) == 1 and not source.many:
        question, bound_notes = _build_statement(head, source, line)
        return question, [*notes, *bound_notes]
    if source.scoring_method != ALL_OR_NOTHING:
        least = find_least_choice(options, many=source.many)
        fields, bound_notes = settle_lower_bound(least, source.lower_bound, line=line)
        source, notes = replace(source, other_fields=fields), [*notes, *bound_notes]
    return build_choice(head, source), notes


def share_points(
    points: Mapping[str, Fraction], *, many: bool, maximum: Fraction | None = None
) -> dict[str, Fraction]:
    """Return the weights of options that earn these points; {} where none earns anything.

    Everything is what the right ones earn together, of one alone the best; no more than `maximum`.
    Equal parts that rounding made unequal (0.333, 0.333, 0.334) are equal again.
    """
    full = compute_full_points(points, many=many, maximum=maximum)
    if not full:
        return {}
    even = Fraction(1, sum(earned > 0 for earned in points.values()))
    weights = {
        name: max(min(find_simple_fraction(earned / full, _STEP), _FULL), -_FULL)
        for name, earned in points.items()
    }
    if not many or any(abs(weight - even) >= _STEP for weight in weights.values() if weight > 0):
        return weights
    return {name: even if weight > 0 else weight for name, weight in weights.items()}


def compute_full_points(
    points: Mapping[str, Fraction], *, many: bool, maximum: Fraction | None = None
) -> Fraction:
    """Return what the right options earn together, or the best one alone; 0 if none earns."""
    positive = [earned for earned in points.values() if earned > 0]
    full = sum(positive, _ZERO) if many else max(positive, default=_ZERO)
    return min(full, maximum) if maximum is not None and maximum > 0 else full


def exceeds_weights(
    points: Mapping[str, Fraction], full: Fraction, lower_bound: Fraction | None
) -> bool:
    """Return whether an option costs more than everything, and the lower bound does not forbid it.

    A weight is -1 at least, so an item with such an option is not scored as in its file.
    """
    is_bounded = lower_bound is not None and lower_bound >= -full
    most = full * (1 + _STEP)  # thirds are rounded
    return not is_bounded and any(0 < most < -earned for earned in points.values())


def _is_right(option: Option, *, many: bool) -> bool:
    """Return whether an option is right: as the file marks it, else by what it earns."""
    if option.right is not None:
        return option.right
    weight = option.weight or _ZERO
    return weight > 0 if many else weight == 1


def _settle_right(option: Option, *, many: bool) -> Option:
    """Return an option that says whether it is right; most say so already."""
    right = _is_right(option, many=many)
    return option if option.right is right else replace(option, right=right)


def _note_empty(source: SourceChoice, line: int) -> Iterator[Note]:
    for option, letter in zip(source.options, list_letters(), strict=False):
        if option.text.strip():
            continue
        is_harmless = source.drops_empty and not _is_right(option, many=source.many)
        code = "empty_option_left_out" if is_harmless else "option_empty"
        yield Note(code, option.line or line, letter)


def _make_whole(options: list[Option], line: int) -> tuple[list[Option], list[Note]]:
    """Return the options with weights that add up to everything, if they nearly do."""
    total = sum((option.weight for option in options if option.weight and option.weight > 0), _ZERO)
    if not total or total >= 1:
        return options, []
    quote = f"{float(total):.2%}"
    if total < _NEARLY_EVERYTHING:
        return options, [Note("full_credit_out_of_reach", line, quote)]
    scaled = [
        replace(option, weight=option.weight / total)
        if option.weight and option.weight > 0
        else option
        for option in options
    ]
    return scaled, [Note("weights_made_whole", line, quote)]


def _build_statement(
    head: Head, source: SourceChoice, line: int
) -> tuple[ParsedQuestion, list[Note]]:
    """Return a statement; with weights, where one that is not right earns or costs something."""
    sides = {
        bool(truth): option for truth, option in zip(source.truths, source.options, strict=True)
    }
    texts = sides[True].text, sides[False].text
    weights = {truth: option.weight or _ZERO for truth, option in sides.items()}
    if source.lower_bound is not None:
        weights = {truth: max(weight, source.lower_bound) for truth, weight in weights.items()}
    has_weights = any(weight not in {_ZERO, _FULL} for weight in weights.values())
    fields, notes = settle_lower_bound(min(weights.values()), source.lower_bound, line=line)
    question = build_true_false(
        head,
        right=bool(sides[True].right),
        feedback={truth: option.feedback for truth, option in sides.items()},
        words=texts if source.keeps_words else find_boolean_words(head.language, texts),
        weights=weights if has_weights else None,
        **fields,
    )
    return question, notes
