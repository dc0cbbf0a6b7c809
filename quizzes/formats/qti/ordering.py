"""Interactions of QTI 2 and 3 that are answered by pairing and by putting in order."""

from quizzes.formats.builders import Head, add_row_feedback, build_matching, build_ordering
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.parsing.xhtml import read_text
from quizzes.formats.qti.assessment_item import CUSTOM_SCORING
from quizzes.formats.qti.item import Interaction, QtiItem


def read_ordering(item: QtiItem, head: Head) -> ParsedQuestion:
    """Read an order; only the whole order earns points there."""
    interaction = item.interactions[0]
    correct, texts = interaction.response.correct, interaction.render_choices("simpleChoice")
    if interaction.bases - {"correct"}:
        interaction.note_custom()
    if sorted(correct) != sorted(texts):
        item.note("key_unknown")
        return build_ordering(head, list(texts.values()))
    ordered = [texts[choice] for choice in correct]
    return build_ordering(head, ordered, scoring_method="all_or_nothing")


def read_matching(item: QtiItem, head: Head) -> ParsedQuestion:
    """Read pairs; each choice of one set goes with one of the other."""
    interaction = item.interactions[0]
    node = interaction.node
    lefts, rights = (
        {
            choice.get("identifier", ""): item.render_text(choice)
            for choice in match_set.findall("simpleAssociableChoice")
        }
        for match_set in ([*node.iter("simpleMatchSet"), node, node])[:2]
    )
    pairs, scoring_method = _read_pairs(interaction)
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
        f"left-{number}": interaction.use_feedback(f"{left} {key.get(left, '')}")
        for number, left in enumerate(lefts, start=1)
    }
    return add_row_feedback(question, head.language, "lefts", feedback)


def _read_pairs(interaction: Interaction) -> tuple[list[tuple[str, str]], str]:
    """Return the right pairs, and the scoring method."""
    mapping = interaction.response.mapping
    if interaction.bases != {"map"} or mapping is None:
        if interaction.bases - {"correct"}:
            interaction.note_custom()
        return [_split_pair(pair) for pair in interaction.response.correct], "all_or_nothing"
    right = [(pair, points) for pair, points, _ in mapping.entries if points > 0]
    amounts = {points for _, points in right}
    has_penalty = {-mapping.default} == amounts
    has_negative = any(points < 0 for _, points, _ in mapping.entries)
    if has_negative or len(amounts) > 1 or (mapping.default and not has_penalty):
        interaction.item.note(CUSTOM_SCORING, "mapping", interaction.rules[0].line)
    pairs = [_split_pair(pair) for pair, _ in right]
    return pairs, "right_minus_wrong" if has_penalty else "per_pair"


def _split_pair(pair: str) -> tuple[str, str]:
    left, _, right = " ".join(pair.split()).partition(" ")
    return left, right
