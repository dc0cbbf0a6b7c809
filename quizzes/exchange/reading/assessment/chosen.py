"""Interactions of QTI 2 and 3 that are answered by choosing, ordering and pairing."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from xml.etree.ElementTree import Element

from quizzes.exchange.contract import ParcelQuestion
from quizzes.exchange.reading.assessment.declared import Declared
from quizzes.exchange.reading.assessment.scoring import Award
from quizzes.exchange.reading.assessment.source import Source, line_of
from quizzes.exchange.reading.building import Head, Option, choice, matching, ordering
from quizzes.exchange.reading.credits import snapped
from quizzes.exchange.reading.xhtml import words

_STEP = Fraction(1, 1000)
Weights = Mapping[str, Fraction]


def choice_of(source: Source, head: Head, node: Element) -> ParcelQuestion:
    """Build a choice; what each option is worth, as the processing says."""
    response = source.response(node)
    many = response.cardinality == "multiple" or node.get("maxChoices", "1") != "1"
    many = many and response.cardinality != "single"
    labels = {one.get("identifier", ""): one for one in node.iter("simpleChoice")}
    weights, whole = _weights(source, response, source.awards(node), list(labels))
    if not many and sum(weight == 1 for weight in weights.values()) > 1:
        source.note("several_right_in_single")
        weights = {}
    if not weights:
        source.note("key_unknown")
    right = [id_ for id_, weight in weights.items() if (weight > 0 if many else weight == 1)]
    options = [
        Option(
            source.text(one),
            right=id_ in right,
            weight=None if whole else weights.get(id_),
            feedback=_said(source, one),
            pinned=one.get("fixed") == "true",
            line=line_of(one),
        )
        for id_, one in labels.items()
    ]
    shuffle = node.get("shuffle") == "true"
    scheme = "all_or_nothing" if whole or not weights else ""
    return choice(head, options, many=many, scheme=scheme, shuffle=shuffle)


def _weights(
    source: Source, response: Declared, awards: Sequence[Award], ids: Sequence[str]
) -> tuple[Weights, bool]:
    """Give what each option is worth, and whether only the whole answer earns anything."""
    if not awards or awards[0].how == "correct":
        if len(awards) > 1:
            source.note("custom_response_processing", line=awards[1].line)
        right = set(response.correct) & set(ids)
        return ({id_: Fraction(id_ in right) for id_ in ids} if right else {}), True
    amounts = _amounts(response, awards, ids)
    if amounts is None:
        source.note("custom_response_processing", awards[0].how, awards[0].line)
        return {}, False
    return amounts, False


def _amounts(response: Declared, awards: Sequence[Award], ids: Sequence[str]) -> Weights | None:
    single = response.cardinality == "single"
    if {one.how for one in awards} == {"map"} and response.mapping:
        mapping = response.mapping
        held = {key: value for key, value, _ in mapping.entries}
        amounts = {id_: held.get(id_, mapping.default) for id_ in ids}
        if (mapping.lower or 0) > 0:
            return None
        if single:
            amounts = {id_: mapping.within(value) for id_, value in amounts.items()}
        limit = None if single else mapping.upper
    elif {one.how for one in awards} == ({"value"} if single else {"has"}):
        amounts = dict.fromkeys(ids, Fraction(0))
        for one in reversed(awards) if single else awards:  # of several values, the first counts
            amounts[one.value] = one.amount
        amounts, limit = {id_: amounts[id_] for id_ in ids}, None
    else:
        return None
    return _shares(amounts, limit, single=single)


def _shares(amounts: Weights, limit: Fraction | None, *, single: bool) -> Weights | None:
    good = [value for value in amounts.values() if value > 0]
    if not good:
        return None
    full = max(good) if single else sum(good, Fraction(0))
    full = full if limit is None or limit <= 0 else min(full, limit)
    shares = {id_: min(snapped(value / full, _STEP), Fraction(1)) for id_, value in amounts.items()}
    return {id_: max(share, Fraction(-1)) for id_, share in shares.items()}


def _said(source: Source, option: Element) -> str:
    ident = option.get("identifier", "")
    own = [source.text(one) for one in option.iter("feedbackInline")]
    own += [
        source.text(one)
        for one in source.node.iter("modalFeedback")
        if one.get("identifier") == ident and source.scoring.echoed
    ]
    return "\n\n".join(filter(None, own))


def order_of(source: Source, head: Head, node: Element) -> ParcelQuestion:
    """Build an order; only the whole of it earns anything there."""
    response = source.response(node)
    labels = {one.get("identifier", ""): source.text(one) for one in node.iter("simpleChoice")}
    awards = source.awards(node)
    if any(one.how != "correct" for one in awards):
        source.note("custom_response_processing", awards[0].how, awards[0].line)
    if sorted(response.correct) != sorted(labels):
        source.note("key_unknown")
        return ordering(head, list(labels.values()))
    return ordering(head, [labels[id_] for id_ in response.correct], scheme="all_or_nothing")


def match_of(source: Source, head: Head, node: Element) -> ParcelQuestion:
    """Build pairs; each of one set goes with one of the other."""
    first, second = ([*node.iter("simpleMatchSet"), node, node])[:2]
    sets = [{one.get("identifier", ""): one for one in each} for each in (first, second)]
    lefts, rights = (
        {id_: source.text(one) for id_, one in each.items() if one.tag == "simpleAssociableChoice"}
        for each in sets
    )
    pairs, scheme = _pairs(source, source.response(node), source.awards(node))
    if len({left for left, _ in pairs}) < len(pairs) or {left for left, _ in pairs} != set(lefts):
        pairs = [(right, left) for left, right in pairs]
        lefts, rights = rights, lefts
    goes_with = dict(pairs)
    if len(goes_with) < len(pairs) or goes_with.keys() != lefts.keys():
        source.note("key_unknown", words(node))
        goes_with = {}
    told = [(text, rights.get(goes_with.get(id_, ""), "")) for id_, text in lefts.items()]
    shuffle = node.get("shuffle") == "true"
    return matching(head, told, list(rights.values()), scheme=scheme, shuffle=shuffle)


def _pairs(
    source: Source, response: Declared, awards: Sequence[Award]
) -> tuple[list[tuple[str, str]], str]:
    """Give the right pairs, and the scheme that pays for them."""
    declared = [_pair(value) for value in response.correct]
    hows = {one.how for one in awards}
    if hows == {"map"} and response.mapping:
        mapping = response.mapping
        good = [(key, value) for key, value, _ in mapping.entries if value > 0]
        bad = any(value < 0 for _, value, _ in mapping.entries) or mapping.default
        if bad or len({value for _, value in good}) > 1:
            source.note("custom_response_processing", "mapping", awards[0].line)
        return [_pair(key) for key, _ in good], "per_pair"
    if hows - {"correct"}:
        source.note("custom_response_processing", awards[0].how, awards[0].line)
    return declared, "all_or_nothing"


def _pair(value: str) -> tuple[str, str]:
    left, _, right = " ".join(value.split()).partition(" ")
    return left, right
