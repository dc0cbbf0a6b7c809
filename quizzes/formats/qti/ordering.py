"""Interactions of QTI 2 and 3 that are answered by pairing and by putting in order."""

from collections.abc import Sequence

from quizzes.formats.builders import Head, add_row_feedback, build_matching, build_ordering
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.parsing.xhtml import read_text
from quizzes.formats.qti.assessment_item import CUSTOM_SCORING
from quizzes.formats.qti.item import QtiItem
from quizzes.formats.qti.response_declarations import ResponseDeclaration
from quizzes.formats.qti.scoring_rules import ScoringRule


def read_ordering(item: QtiItem, head: Head) -> ParsedQuestion:
    """Build an order; only the whole order earns points there."""
    node = item.interactions[0]
    correct = item.find_response(node).correct
    texts = {
        choice.get("identifier", ""): item.render_text(choice)
        for choice in node.iter("simpleChoice")
    }
    rules = item.find_rules(node)
    if any(rule.basis != "correct" for rule in rules):
        item.note(CUSTOM_SCORING, rules[0].basis, rules[0].line)
    if sorted(correct) != sorted(texts):
        item.note("key_unknown")
        return build_ordering(head, list(texts.values()))
    return build_ordering(
        head, [texts[choice] for choice in correct], scoring_method="all_or_nothing"
    )


def read_matching(item: QtiItem, head: Head) -> ParsedQuestion:
    """Build pairs; each choice of one set goes with one of the other."""
    node = item.interactions[0]
    response = item.find_response(node)
    match_sets = ([*node.iter("simpleMatchSet"), node, node])[:2]
    lefts, rights = (
        {
            choice.get("identifier", ""): item.render_text(choice)
            for choice in match_set.findall("simpleAssociableChoice")
        }
        for match_set in match_sets
    )
    pairs, scoring_method = _read_pairs(item, response, item.find_rules(node))
    if len({left for left, _ in pairs}) < len(pairs) or {left for left, _ in pairs} != set(lefts):
        pairs = [(right, left) for left, right in pairs]
        lefts, rights = rights, lefts
    key = dict(pairs)
    if len(key) < len(pairs) or key.keys() != lefts.keys():
        item.note("key_unknown", read_text(node))
        key = {}
    question = build_matching(
        head,
        [(text, rights.get(key.get(left, ""), "")) for left, text in lefts.items()],
        list(rights.values()),
        scoring_method=scoring_method,
        shuffle=node.get("shuffle") == "true",
    )
    feedback = {
        f"left-{number}": item.use_value_feedback(response.id, f"{left} {key.get(left, '')}")
        for number, left in enumerate(lefts, start=1)
    }
    return add_row_feedback(question, head.language, "lefts", feedback)


def _read_pairs(
    item: QtiItem, response: ResponseDeclaration, rules: Sequence[ScoringRule]
) -> tuple[list[tuple[str, str]], str]:
    """Return the right pairs, and the scoring method."""
    bases = {rule.basis for rule in rules}
    mapping = response.mapping
    if bases != {"map"} or mapping is None:
        if bases - {"correct"}:
            item.note(CUSTOM_SCORING, rules[0].basis, rules[0].line)
        return [_split_pair(pair) for pair in response.correct], "all_or_nothing"
    right = {pair: points for pair, points, _ in mapping.entries if points > 0}
    amounts = {*right.values()}
    has_penalty = {-mapping.default} == amounts
    has_negative = any(points < 0 for _, points, _ in mapping.entries)
    if has_negative or len(amounts) > 1 or (mapping.default and not has_penalty):
        item.note(CUSTOM_SCORING, "mapping", rules[0].line)
    pairs = [_split_pair(pair) for pair, points, _ in mapping.entries if points > 0]
    return pairs, "right_minus_wrong" if has_penalty else "per_pair"


def _split_pair(pair: str) -> tuple[str, str]:
    left, _, right = " ".join(pair.split()).partition(" ")
    return left, right
