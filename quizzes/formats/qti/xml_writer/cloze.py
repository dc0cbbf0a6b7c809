"""Writing texts with gaps: each interaction stands in the text where its mark stood."""

import re
from collections.abc import Iterator
from fractions import Fraction
from xml.etree.ElementTree import Element

from quizzes.formats.contract import ParsedRow
from quizzes.formats.parsing.percentages import decimal
from quizzes.formats.qti.qti_versions import GAP
from quizzes.formats.qti.xml_writer import text_entry
from quizzes.formats.qti.xml_writer.elements import (
    FEEDBACK,
    SCORE,
    adding,
    base,
    chain,
    correct,
    given,
    made,
    setting,
    variable,
    within,
)
from quizzes.formats.qti.xml_writer.item_writer import Leaf

_MARK = re.compile(r"[A-Za-z_][\w-]{0,39}", re.ASCII)
_PLACE = re.compile(r"qtimark(\d+)qtimark")
_TAKEN = {"score", "maxscore", "feedback", "band", "solution", "response"}


def cloze(leaf: Leaf) -> None:
    """Write the text and its gaps; each pays for itself, or all of them together."""
    tracker = leaf.tracker
    gaps = tracker.rows("gaps")
    tracker.value("case")
    text_entry.folding(leaf)
    points = [Fraction(int(str(tracker.value("points", gap)))) for gap in gaps]
    leaf.total = sum(points, Fraction(0)) or Fraction(1)
    scale = (leaf.points or leaf.total) / leaf.total
    leaf.total *= scale
    idents = _idents([str(tracker.value("placeholder", gap)) for gap in gaps])
    interactions = []
    for ident, gap, worth in zip(idents, gaps, points, strict=True):
        interactions.append(_gap(leaf, ident, gap, worth * scale / leaf.total))
    _stand(leaf, gaps, interactions)
    if tracker.question.scoring_method == "all_or_nothing" and _whole(leaf):
        every = made("and", *(correct(ident) for ident in idents))
        leaf.rules = [rule for rule in leaf.rules if not _pays(rule)]
        full = setting(SCORE, base("float", decimal(leaf.total)))
        leaf.rules.insert(0, chain([(every, [full])], []))


def _pays(rule: Element) -> bool:
    return any(node.get("identifier") == SCORE for node in rule.iter("setOutcomeValue"))


def _whole(leaf: Leaf) -> bool:
    """Tell whether the one right answer of each gap is all that it accepts."""
    tracker = leaf.tracker
    words = [row.values.get("gap") for row in tracker.rows("accepted")]
    numbers = [row.values.get("gap") for row in tracker.rows("numbers")]
    exactly = all(row.values.get("tolerance") == "exact" for row in tracker.rows("numbers"))
    alone = len({*words, *numbers}) == len(words) + len(numbers)
    if alone and exactly and (not words or tracker.value("case")):
        return True
    tracker.warn("scoring_method_left_out", scoring_method="all_or_nothing")
    return False


def _idents(marks: list[str]) -> list[str]:
    """Name each response by its mark, where such a name may stand there."""
    named: list[str] = []
    for at, mark in enumerate(marks, start=1):
        fits = _MARK.fullmatch(mark) and mark.lower() not in _TAKEN
        name = mark if fits else f"gap_{at}"
        while not fits and name in {*marks, *named}:
            name += "_"
        named.append(name)
    return named


def _of(leaf: Leaf, table: str, gap: ParsedRow) -> tuple[ParsedRow, ...]:
    return tuple(
        row for row in leaf.tracker.rows(table) if leaf.tracker.value("gap", row) == gap.name
    )


def _gap(leaf: Leaf, ident: str, gap: ParsedRow, share: Fraction) -> Element:
    """Declare one gap and what it pays; give what stands in the text."""
    kind = leaf.tracker.value("kind", gap)
    make = {"single_choice": _options, "numeric": _numbers}.get(str(kind), _words)
    return make(leaf, ident, gap, share)


def _options(leaf: Leaf, ident: str, gap: ParsedRow, share: Fraction) -> Element:
    tracker, rows = leaf.tracker, _of(leaf, "options", gap)
    interaction = made("inlineChoiceInteraction", responseIdentifier=ident, shuffle="false")
    interaction.set("class", GAP)
    names = [f"{ident}-{at}" for at, _ in enumerate(rows, start=1)]
    right = [name for name, row in zip(names, rows, strict=True) if tracker.value("right", row)]
    for name, row in zip(names, rows, strict=True):
        within(interaction, "inlineChoice", identifier=name).text = leaf.tracker.clean(
            tracker.plain("options", row=row)
        )
    leaf.response(ident, "single", "identifier", right)
    leaf.rules.append(chain([(correct(ident), [adding(base("float", leaf.amount(share)))])], []))
    tests = [made("match", variable(ident), base("identifier", name)) for name in names]
    _remarks(leaf, ident, "options", list(zip(tests, rows, strict=True)))
    return interaction


def _words(leaf: Leaf, ident: str, gap: ParsedRow, share: Fraction) -> Element:
    tracker, case = leaf.tracker, bool(leaf.tracker.value("case"))
    accepted = list(text_entry.literals(leaf, _of(leaf, "accepted", gap)))
    full = [text for row, text in accepted if tracker.ratio("credit", row) == 1]
    leaf.response(ident, "single", "string", full[:1])
    amounts = {
        text: leaf.amount(tracker.ratio("credit", row) * share) for row, text in accepted[::-1]
    }
    leaf.mapping(dict(reversed(amounts.items())), case=case)
    leaf.rules.append(chain([(given(ident), [adding(made("mapResponse", identifier=ident))])], []))
    tests = [(text_entry.same(ident, text, case=case), row) for row, text in accepted]
    _remarks(leaf, ident, "accepted", tests)
    return _entry(ident)


def _numbers(leaf: Leaf, ident: str, gap: ParsedRow, share: Fraction) -> Element:
    tracker, rows = leaf.tracker, _of(leaf, "numbers", gap)
    full = [row for row in rows if tracker.ratio("credit", row) == 1]
    leaf.response(ident, "single", "float", [text_entry.number(leaf, row)[0] for row in full[:1]])
    paying = [
        (
            text_entry.near(leaf, ident, row),
            [adding(base("float", leaf.amount(tracker.ratio("credit", row) * share)))],
        )
        for row in rows
    ]
    leaf.rules.append(chain(paying, []))
    _remarks(leaf, ident, "numbers", [(text_entry.near(leaf, ident, row), row) for row in rows])
    return _entry(ident)


def _entry(ident: str) -> Element:
    interaction = made("textEntryInteraction", responseIdentifier=ident)
    interaction.set("class", GAP)
    return interaction


def _remarks(leaf: Leaf, ident: str, table: str, tests: list[tuple[Element, ParsedRow]]) -> None:
    """Write what is said to what was chosen or typed in one gap."""
    outcome = f"{FEEDBACK}-{ident}"
    before = len(leaf.remarks)
    branches = list(text_entry.called(leaf, outcome, table, tests))
    if len(leaf.remarks) > before:
        leaf.outcome(outcome, "single", "identifier")
        leaf.rules.append(chain(branches, []))


def _stand(leaf: Leaf, gaps: tuple[ParsedRow, ...], interactions: list[Element]) -> None:
    """Write the text with each gap in its place; one without a place comes last."""
    text = leaf.tracker.text("prompt")
    for at, gap in enumerate(gaps):
        text = text.replace(f"[[{gap.values.get('placeholder')}]]", f"qtimark{at}qtimark", 1)
    leaf.ask(text)
    placed: set[int] = set()
    for parent in list(leaf.body.iter()):
        placed |= set(_fill(parent, interactions, placed))
    for at, one in enumerate(interactions):
        if at not in placed:
            within(leaf.body, "p").append(one)


def _fill(parent: Element, interactions: list[Element], placed: set[int]) -> Iterator[int]:
    """Put gaps into the text of an element and into what follows its children."""
    inside = list(parent)
    for child in inside:
        parts = _PLACE.split(child.tail or "")
        child.tail = parts[0]
        yield from _insert(parent, list(parent).index(child) + 1, parts[1:], interactions, placed)
    parts = _PLACE.split(parent.text or "")
    parent.text = parts[0]
    yield from _insert(parent, 0, parts[1:], interactions, placed)


def _insert(
    parent: Element, at: int, parts: list[str], interactions: list[Element], placed: set[int]
) -> Iterator[int]:
    for number, after in zip(map(int, parts[::2]), parts[1::2], strict=True):
        if number in placed or number >= len(
            interactions
        ):  # words that look like a place, and are none
            _join(parent, at, after)
            continue
        interactions[number].tail = after
        parent.insert(at, interactions[number])
        at += 1
        yield number


def _join(parent: Element, at: int, words: str) -> None:
    """Add words to those that stand before a place."""
    if at:
        parent[at - 1].tail = (parent[at - 1].tail or "") + words
    else:
        parent.text = (parent.text or "") + words
