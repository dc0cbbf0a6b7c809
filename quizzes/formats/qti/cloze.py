"""Texts with gaps of QTI 2 and 3: several interactions in one text, or one of many gaps."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from xml.etree.ElementTree import Element

from quizzes.formats.builders import Gap, Head, Option, build_cloze
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.parsing.percentages import in_proportion, snapped
from quizzes.formats.qti.interactions import Award, line_of
from quizzes.formats.qti.item import Source, place
from quizzes.formats.qti.response_declarations import Declared
from quizzes.formats.qti.text_entry import FOLDING, accepted_of, is_number, numbers_of, worth_of

_STEP = Fraction(1, 1000)
_LONGEST_MARK = 40
_MOST_POINTS = 100


def gaps_of(source: Source, head: Head) -> ParsedQuestion:
    """Build a text with gaps; the prompt of the head has a place for each interaction."""
    prompt, gaps, case = head.prompt, [], False
    for at, node in enumerate(source.interactions, start=1):
        mark = _mark(node.get("responseIdentifier", ""), at)
        prompt = prompt.replace(place(at), f"[[{mark}]]")
        gap, counts = _gap(source, node, mark)
        case = case or counts
        gaps.append(gap)
    is_whole = any(len(award.responses) > 1 for award in source.scoring.awards)
    if any(len({*award.responses}) not in {1, len(gaps)} for award in source.scoring.awards):
        source.note("custom_response_processing", line=source.scoring.awards[0].line)
    scoring_method = "all_or_nothing" if is_whole else "per_gap"
    points = _points(source, gaps)
    gaps = [replace(gap, points=points[at]) for at, gap in enumerate(gaps)]
    return build_cloze(
        replace(head, prompt=prompt), gaps, scoring_method=scoring_method, case=case, **FOLDING
    )


def gap_match_of(source: Source, head: Head, node: Element) -> ParsedQuestion:
    """Build a text with gaps of which each may be filled with each of the words."""
    response = source.response(node)
    awards = source.awards(node)
    values = response.correct
    if {award.how for award in awards} == {"map"} and response.mapping:
        values = tuple(key for key, value, _ in response.mapping.entries if value > 0)
    right = {gap: word for word, _, gap in (value.partition(" ") for value in values)}
    words = {child.get("identifier", ""): source.text(child) for child in node.iter("gapText")}
    prompt, gaps = head.prompt, []
    for at, child in enumerate(node.iter("gap"), start=1):
        ident = child.get("identifier", "")
        mark = _mark(ident, at)
        prompt = prompt.replace(f"qtigap{ident}qtigap", f"[[{mark}]]")
        options = [Option(text, right=right.get(ident) == id_) for id_, text in words.items()]
        gaps.append(Gap(mark, options=options))
    if not gaps or not all(any(option.right for option in gap.options) for gap in gaps):
        source.note("key_unknown")
    scoring_method = "per_gap" if any(award.how == "map" for award in awards) else "all_or_nothing"
    return build_cloze(replace(head, prompt=prompt), gaps, scoring_method=scoring_method)


def _mark(ident: str, at: int) -> str:
    plain = ident.isascii() and ident.replace("-", "").replace("_", "").isalnum()
    return ident if plain and len(ident) <= _LONGEST_MARK else f"gap-{at}"


def _gap(source: Source, node: Element, mark: str) -> tuple[Gap, bool]:
    response = source.response(node)
    awards = source.awards(node)
    if source.scoring.awards and not awards:
        source.note("custom_response_processing", response.id, line_of(node))
    worth = worth_of(source, response, awards)
    if not any(credit for _, credit, _, _ in worth):
        source.note("key_unknown", response.id)
    if node.tag == "inlineChoiceInteraction":
        if [credit for _, credit, _, _ in worth if credit > 0] not in ([], [1]):
            source.note("custom_response_processing", response.id, line_of(node))
        right = {value for value, credit, _, _ in worth if credit == 1}
        labels = node.iter("inlineChoice")
        options = [
            Option(
                source.text(label),
                right=label.get("identifier") in right,
                feedback=source.said_to(response.id, label.get("identifier", "")),
                line=line_of(label),
            )
            for label in labels
        ]
        return Gap(mark, options=options), False
    if is_number(response):
        return Gap(mark, numbers=list(numbers_of(source, response, worth))), False
    case, accepted = accepted_of(source, response, worth)
    return Gap(mark, accepted=accepted), case


def _points(source: Source, gaps: Sequence[Gap]) -> list[int]:
    """Give what each gap is worth, in whole points."""
    amounts = []
    for node in source.interactions:
        own = [_full(source.response(node), award) for award in source.awards(node)]
        amounts.append(max(own, default=Fraction(1)))
    if all(amount.denominator == 1 for amount in amounts):
        points = [int(amount) for amount in amounts]
    else:
        points = in_proportion([snapped(amount, _STEP) for amount in amounts])
    if all(0 < point <= _MOST_POINTS for point in points):
        return points
    if len(set(amounts)) > 1:
        source.note("gap_points_levelled")
    return [1] * len(gaps)


def _full(response: Declared, award: Award) -> Fraction:
    if award.how != "map" or response.mapping is None:
        return award.amount
    values = [value for _, value, _ in response.mapping.entries]
    return response.mapping.within(max(values, default=Fraction(0)))
