"""Interactions of QTI 2 and 3 that are answered by pairing and by putting in order."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from quizzes.formats.builders import Head, add_row_feedback, build_matching, build_ordering
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.parsing.xhtml import read_text
from quizzes.formats.qti.interactions import Award
from quizzes.formats.qti.item import Source
from quizzes.formats.qti.response_declarations import Declared


def order_of(source: Source, head: Head, node: Element) -> ParsedQuestion:
    """Build an order; only the whole of it earns anything there."""
    response = source.response(node)
    labels = {
        child.get("identifier", ""): source.text(child) for child in node.iter("simpleChoice")
    }
    awards = source.awards(node)
    if any(award.how != "correct" for award in awards):
        source.note("custom_response_processing", awards[0].how, awards[0].line)
    if sorted(response.correct) != sorted(labels):
        source.note("key_unknown")
        return build_ordering(head, list(labels.values()))
    return build_ordering(
        head, [labels[id_] for id_ in response.correct], scoring_method="all_or_nothing"
    )


def match_of(source: Source, head: Head, node: Element) -> ParsedQuestion:
    """Build pairs; each of one set goes with one of the other."""
    first, second = ([*node.iter("simpleMatchSet"), node, node])[:2]
    sets = [{one.get("identifier", ""): one for one in each} for each in (first, second)]
    lefts, rights = (
        {id_: source.text(one) for id_, one in each.items() if one.tag == "simpleAssociableChoice"}
        for each in sets
    )
    response = source.response(node)
    pairs, scoring_method = _pairs(source, response, source.awards(node))
    if len({left for left, _ in pairs}) < len(pairs) or {left for left, _ in pairs} != set(lefts):
        pairs = [(right, left) for left, right in pairs]
        lefts, rights = rights, lefts
    goes_with = dict(pairs)
    if len(goes_with) < len(pairs) or goes_with.keys() != lefts.keys():
        source.note("key_unknown", read_text(node))
        goes_with = {}
    told = [(text, rights.get(goes_with.get(id_, ""), "")) for id_, text in lefts.items()]
    shuffle = node.get("shuffle") == "true"
    built = build_matching(
        head, told, list(rights.values()), scoring_method=scoring_method, shuffle=shuffle
    )
    feedback = {
        f"left-{at}": source.said_to(response.id, f"{id_} {goes_with.get(id_, '')}")
        for at, id_ in enumerate(lefts, start=1)
    }
    return add_row_feedback(built, head.language, "lefts", feedback)


def _pairs(
    source: Source, response: Declared, awards: Sequence[Award]
) -> tuple[list[tuple[str, str]], str]:
    """Give the right pairs, and the scoring method that pays for them."""
    declared = [_pair(value) for value in response.correct]
    hows = {award.how for award in awards}
    if hows == {"map"} and response.mapping:
        mapping = response.mapping
        good = [(key, value) for key, value, _ in mapping.entries if value > 0]
        each = {value for _, value in good}
        scoring_method = "right_minus_wrong" if {-mapping.default} == each else "per_pair"
        bad = any(value < 0 for _, value, _ in mapping.entries) or len(each) > 1
        if bad or (mapping.default and scoring_method == "per_pair"):
            source.note("custom_response_processing", "mapping", awards[0].line)
        return [_pair(key) for key, _ in good], scoring_method
    if hows - {"correct"}:
        source.note("custom_response_processing", awards[0].how, awards[0].line)
    return declared, "all_or_nothing"


def _pair(value: str) -> tuple[str, str]:
    left, _, right = " ".join(value.split()).partition(" ")
    return left, right
