"""Questions that are answered by choosing, pairing and putting in order."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from quizzes.formats import builders
from quizzes.formats.builders import Head, Option
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.moodle.item import Item, raw
from quizzes.formats.parsing.markdown_escape import escape_markdown
from quizzes.formats.parsing.xml import XmlNode

PARTLY = Fraction(1, 1000)
"""Where the band of what is partly right begins: above nothing."""
BAND_TEXTS = {
    Fraction(1): "correctfeedback",
    PARTLY: "partiallycorrectfeedback",
    Fraction(0): "incorrectfeedback",
}
ORDERS = {
    "ALL_OR_NOTHING": "all_or_nothing",
    "ABSOLUTE_POSITION": "exact_place",
    "RELATIVE_NEXT_EXCLUDE_LAST": "adjacent_pairs",
    "LONGEST_CONTIGUOUS_SUBSET": "longest_run",
    "RELATIVE_TO_CORRECT": "absolute_position",
}
"""How the plug-in grades, and our scoring method that pays the same or nearly so."""
_THE_SAME = frozenset({"ALL_OR_NOTHING", "ABSOLUTE_POSITION", "RELATIVE_NEXT_EXCLUDE_LAST"})
_NEARLY = Fraction(98, 100)


def choice(item: Item, head: Head) -> ParsedQuestion:
    """Read a choice of one or of several, with what each option pays."""
    many = not item.flag("single", default=True)
    options = [
        Option(
            text=item.markdown(answer),
            weight=item.percent(answer),
            feedback=item.feedback(answer),
            line=answer.line,
        )
        for answer in item.children("answer")
    ]
    _look(item, options)
    options = _several(item, options) if many else _single(item, options)
    keyed = any(option.right for option in options)
    return builders.choice(
        head,
        options if keyed else [replace(option, weight=None) for option in options],
        many=many,
        shuffle=item.flag("shuffleanswers", default=True),
        bands=bands(item),
    )


def _look(item: Item, options: Sequence[Option]) -> None:
    minimum = 2
    if len(options) < minimum:
        item.review("too_few_options", item.node)
    for option in options:
        if not option.text.strip():
            item.review("option_empty", item.node)


def _single(item: Item, options: Sequence[Option]) -> list[Option]:
    """Mark the one option that earns everything."""
    full = [option for option in options if option.weight == 1]
    if len(full) == 1:
        return [replace(option, right=option.weight == 1) for option in options]
    if full:
        item.review("several_right_options", item.node)
    else:
        item.review("key_unknown", item.node)
    return list(options)


def _several(item: Item, options: Sequence[Option]) -> list[Option]:
    """Mark what earns anything; shares that were rounded roughly are made whole."""
    weights = [option.weight or Fraction(0) for option in options]
    total = sum((weight for weight in weights if weight > 0), Fraction(0))
    if not total:
        item.review("key_unknown", item.node)
        return list(options)
    if total < _NEARLY:
        item.review("full_credit_out_of_reach", item.node, f"{float(total):.2%}")
    elif total < 1:
        item.repaired("weights_made_whole", item.node, f"{float(total):.2%}")
        weights = [weight / total if weight > 0 else weight for weight in weights]
    return [
        replace(option, right=weight > 0, weight=weight)
        for option, weight in zip(options, weights, strict=True)
    ]


def true_false(item: Item, head: Head) -> ParsedQuestion:
    """Read a statement; neither answer right or both: a person must say."""
    answers = {raw(node).strip().lower(): node for node in item.children("answer")}
    right = [name for name, one in answers.items() if item.percent(one) == 1]
    feedback = {
        value: item.feedback(answers[name])
        for name, value in (("true", True), ("false", False))
        if name in answers
    }
    question = builders.true_false(head, right=right == ["true"], feedback=feedback)
    if right not in (["true"], ["false"]):
        item.review("key_unknown", item.node)
        return unkeyed(question)
    return question


def unkeyed(question: ParsedQuestion) -> ParsedQuestion:
    """Take the key off the options: it is not known."""
    rows = [
        replace(row, values={**row.values, "right": False}) for row in question.tables["options"]
    ]
    return replace(question, tables={**question.tables, "options": tuple(rows)})


def matching(item: Item, head: Head) -> ParsedQuestion:
    """Read pairs; a right without a left distracts."""
    pairs, distractors = [], []
    for node in item.children("subquestion"):
        left, answer = item.markdown(node), node.find("answer")
        right = raw(answer)
        # Only pairs that are dragged may be written with markup on the right.
        if item.node.get("type") == "ddmatch" and isinstance(answer, XmlNode):
            right = item.markdown(answer)
        else:
            right = escape_markdown(" ".join(right.split()))
        if not right.strip():
            item.review("pair_incomplete", node, left)
        elif left.strip():
            pairs.append((left, right))
        else:
            distractors.append(right)
    minimum = 2
    if len({*(right for _, right in pairs), *distractors}) < minimum or len(pairs) < minimum:
        item.review("too_few_pairs", item.node)
    shuffle = item.flag("shuffleanswers", default=True)
    question = builders.matching(head, pairs, distractors, shuffle=shuffle)
    return builders.with_bands(question, head.language, bands(item))


def ordering(item: Item, head: Head) -> ParsedQuestion:
    """Read an order, which is that of the file."""
    texts = [item.markdown(answer) for answer in item.children("answer")]
    minimum = 2
    if len(texts) < minimum or not all(text.strip() for text in texts):
        item.review("too_few_items", item.node)
    if item.value("selecttype", "ALL").upper() not in {"ALL", "0"}:
        item.review("part_of_items_asked", item.node, item.value("selectcount"))
    grading_type = item.value("gradingtype", "ABSOLUTE_POSITION").upper()
    if grading_type not in _THE_SAME:
        item.repaired("grading_nearly_the_same", item.node, grading_type)
    question = builders.ordering(
        head, texts, scoring_method=ORDERS.get(grading_type, "exact_place")
    )
    return builders.with_bands(question, head.language, bands(item))


def bands(item: Item) -> dict[Fraction, str]:
    """Give what is said to the right, the partly right and the wrong, by where it begins."""
    texts = {begins: item.told(name) for begins, name in BAND_TEXTS.items()}
    return {begins: text for begins, text in texts.items() if text.strip()}
