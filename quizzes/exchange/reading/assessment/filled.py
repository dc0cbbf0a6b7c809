"""Interactions of QTI 2 and 3 that are answered in words and numbers, and texts with gaps."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from xml.etree.ElementTree import Element

from quizzes.exchange.contract import ParcelQuestion
from quizzes.exchange.reading.assessment.declared import Declared
from quizzes.exchange.reading.assessment.scoring import Award, number
from quizzes.exchange.reading.assessment.source import Source, line_of, place
from quizzes.exchange.reading.building import (
    Accepted,
    Gap,
    Head,
    Number,
    Option,
    cloze,
    numeric,
    short_text,
)
from quizzes.exchange.reading.credits import snapped
from quizzes.exchange.reading.numbers import between, written

_STEP = Fraction(1, 1000)
_LONGEST_MARK = 40
_FOLDING = {"accents": True, "spaces": True, "punctuation": True}
Worth = tuple[str, Fraction, bool, tuple[str, str, str]]
"""A value, what it earns, whether case counts, and the tolerance about it."""


def entry_of(source: Source, head: Head, node: Element) -> ParcelQuestion:
    """Build a short text or a number, as the base type says."""
    response = source.response(node)
    worth = _worth(source, response, source.awards(node))
    if not worth:
        source.note("key_unknown")
    if _is_number(response):
        return numeric(head, list(_numbers(source, worth)))
    case, accepted = _accepted(worth)
    return short_text(head, accepted, case=case, **_FOLDING)


def gaps_of(source: Source, head: Head) -> ParcelQuestion:
    """Build a text with gaps; the prompt of the head has a place for each interaction."""
    prompt, gaps, case = head.prompt, [], False
    for at, node in enumerate(source.interactions, start=1):
        mark = _mark(node.get("responseIdentifier", ""), at)
        prompt = prompt.replace(place(at), f"[[{mark}]]")
        gap, counts = _gap(source, node, mark)
        case = case or counts
        gaps.append(gap)
    whole = any(len(one.responses) > 1 for one in source.scoring.awards)
    if any(len({*one.responses}) not in {1, len(gaps)} for one in source.scoring.awards):
        source.note("custom_response_processing", line=source.scoring.awards[0].line)
    scheme = "all_or_nothing" if whole else "per_gap"
    points = _points(source, gaps)
    gaps = [replace(gap, points=points[at]) for at, gap in enumerate(gaps)]
    return cloze(replace(head, prompt=prompt), gaps, scheme=scheme, case=case, **_FOLDING)


def gap_match_of(source: Source, head: Head, node: Element) -> ParcelQuestion:
    """Build a text with gaps of which each may be filled with each of the words."""
    response = source.response(node)
    awards = source.awards(node)
    values = response.correct
    if {one.how for one in awards} == {"map"} and response.mapping:
        values = tuple(key for key, value, _ in response.mapping.entries if value > 0)
    right = {gap: word for word, _, gap in (one.partition(" ") for one in values)}
    words = {one.get("identifier", ""): source.text(one) for one in node.iter("gapText")}
    prompt, gaps = head.prompt, []
    for at, one in enumerate(node.iter("gap"), start=1):
        ident = one.get("identifier", "")
        mark = _mark(ident, at)
        prompt = prompt.replace(f"qtigap{ident}qtigap", f"[[{mark}]]")
        options = [Option(text, right=right.get(ident) == id_) for id_, text in words.items()]
        gaps.append(Gap(mark, options=options))
    if not gaps or not all(any(option.right for option in gap.options) for gap in gaps):
        source.note("key_unknown")
    scheme = "per_gap" if any(one.how == "map" for one in awards) else "all_or_nothing"
    return cloze(replace(head, prompt=prompt), gaps, scheme=scheme)


def _mark(ident: str, at: int) -> str:
    plain = ident.isascii() and ident.replace("-", "").replace("_", "").isalnum()
    return ident if plain and len(ident) <= _LONGEST_MARK else f"gap-{at}"


def _gap(source: Source, node: Element, mark: str) -> tuple[Gap, bool]:
    response = source.response(node)
    awards = source.awards(node)
    if source.scoring.awards and not awards:
        source.note("custom_response_processing", response.id, line_of(node))
    worth = _worth(source, response, awards)
    if not worth:
        source.note("key_unknown", response.id)
    if node.tag == "inlineChoiceInteraction":
        if [credit for _, credit, _, _ in worth if credit > 0] not in ([], [1]):
            source.note("custom_response_processing", response.id, line_of(node))
        right = {value for value, credit, _, _ in worth if credit == 1}
        labels = node.iter("inlineChoice")
        options = [
            Option(source.text(one), right=one.get("identifier") in right, line=line_of(one))
            for one in labels
        ]
        return Gap(mark, options=options), False
    if _is_number(response):
        return Gap(mark, numbers=list(_numbers(source, worth))), False
    case, accepted = _accepted(worth)
    return Gap(mark, accepted=accepted), case


def _points(source: Source, gaps: Sequence[Gap]) -> list[int]:
    """Give what each gap is worth, where these are whole points."""
    amounts = []
    for node in source.interactions:
        own = [_full(source.response(node), one) for one in source.awards(node)]
        amounts.append(max(own, default=Fraction(1)))
    whole = all(one.denominator == 1 and 0 < one <= 100 for one in amounts)  # noqa: PLR2004  points
    if not whole and len(set(amounts)) > 1:
        source.note("gap_points_levelled")
    return [int(one) for one in amounts] if whole else [1] * len(gaps)


def _full(response: Declared, award: Award) -> Fraction:
    if award.how != "map" or response.mapping is None:
        return award.amount
    values = [value for _, value, _ in response.mapping.entries]
    return response.mapping.within(max(values, default=Fraction(0)))


def _is_number(response: Declared) -> bool:
    return response.base in {"integer", "float"}


def _worth(source: Source, response: Declared, awards: Sequence[Award]) -> list[Worth]:
    """Give each accepted value with its credit."""
    if not awards:
        return [(value, Fraction(1), True, ("", "", "")) for value in response.correct]
    found = list(_paid(source, response, awards))
    full = max((amount for _, amount, _, _ in found), default=Fraction(0))
    return [
        (value, snapped(amount / full, _STEP), case, tolerance)
        for value, amount, case, tolerance in found
        if amount > 0
    ]


def _paid(source: Source, response: Declared, awards: Sequence[Award]) -> Iterator[Worth]:
    for one in awards:
        if one.how == "correct":
            yield from ((value, one.amount, one.case, one.tolerance) for value in response.correct)
        elif one.how == "map" and response.mapping:
            if response.mapping.default > 0 or (response.mapping.lower or 0) > 0:
                source.note("custom_response_processing", "defaultValue", one.line)
            for key, value, case in response.mapping.entries:
                yield key, response.mapping.within(value), case, ("", "", "")
        elif one.how == "value":
            yield one.value, one.amount, one.case, one.tolerance
        else:
            source.note("custom_response_processing", one.how, one.line)


def _accepted(worth: Sequence[Worth]) -> tuple[bool, list[Accepted]]:
    """Give whether case counts, and the answers; where it counts for some only, by patterns."""
    cases = {case for _, _, case, _ in worth}
    mixed = len(cases) > 1
    accepted = [
        Accepted(_any_case(value), credit, pattern=True)
        if mixed and not case
        else Accepted(_literal(value), credit)
        for value, credit, case, _ in worth
    ]
    return True in cases, list({one.text: one for one in reversed(accepted)}.values())[::-1]


def _literal(value: str) -> str:
    return value.replace("\\", "\\\\").replace("*", "\\*") if "*" in value else value


def _any_case(value: str) -> str:
    return "".join(_either(one) for one in value)


def _either(character: str) -> str:
    lower, upper = character.lower(), character.upper()
    if lower != upper and len(lower) == len(upper) == 1:
        return f"[{upper}{lower}]"
    return character if character.isalnum() or character.isspace() else f"\\{character}"


def _numbers(source: Source, worth: Sequence[Worth]) -> Iterator[Number]:
    for value, credit, _, (mode, below, above) in worth:
        exact = number(value)
        if exact is None:
            source.note("key_unknown", value)
            continue
        low, high = number(below or "0"), number(above or "0")
        if low is None or high is None or mode not in {"", "exact", "absolute", "relative"}:
            source.note("custom_response_processing", f"{mode} {below} {above}")
            low = high = Fraction(0)
        if mode == "relative":
            low, high = (abs(exact) * one / 100 for one in (low, high))
        if mode in {"", "exact"}:
            yield Number(written(exact), credit=credit)
            continue
        tolerance, text, margin = between(exact, exact - low, exact + high)
        yield Number(text, tolerance, margin, credit)
