"""Writing items that are answered by choosing, pairing and putting in order."""

from collections.abc import Mapping
from fractions import Fraction
from xml.etree.ElementTree import Element

from quizzes.formats.parsing import none_of_the_above
from quizzes.formats.parsing.option_credit import paid_by_option
from quizzes.formats.parsing.percentages import decimal
from quizzes.formats.qti.xml_writer.elements import (
    FEEDBACK,
    RESPONSE,
    base,
    chain,
    made,
    setting,
    variable,
    within,
)
from quizzes.formats.qti.xml_writer.item_writer import Leaf

_ALL = Fraction(1)
Ids = Mapping[str, str]
"""Name of a row → its identifier in the item."""


def choice(leaf: Leaf) -> None:
    """Write a choice: only the whole of it pays, or each option what it weighs."""
    tracker, many = leaf.tracker, leaf.tracker.question.kind == "multiple_choice"
    rows = tracker.rows("options")
    ids = {row.name: f"option-{at}" for at, row in enumerate(rows, start=1)}
    none = bool(tracker.value("none_apply"))
    right = [ids[row.name] for row in rows if tracker.value("right", row)]
    shares = paid_by_option(tracker, nothing_right=none and not right)
    leaf.worth([*shares.values(), *leaf.begins()])
    cardinality = "multiple" if many else "single"
    leaf.response(
        RESPONSE, cardinality, "identifier", right or [none_of_the_above.IDENTIFIER] * none
    )
    if shares:
        amounts = {ids[name]: leaf.amount(share) for name, share in shares.items()}
        if none:
            amounts[none_of_the_above.IDENTIFIER] = leaf.amount(-_ALL if right else _ALL)
        leaf.mapping(amounts, lowerBound="0", upperBound=decimal(leaf.total))
        leaf.pay_mapped()
    else:
        leaf.pay_correct()
    _offer(leaf, ids, none=none, most="0" if many else "1")
    if any(leaf.tracker.text("options", told=True, row=row) for row in rows):
        leaf.echo(cardinality)


def _offer(leaf: Leaf, ids: Ids, *, none: bool, most: str) -> None:
    tracker = leaf.tracker
    shuffle = bool(tracker.value("shuffle"))
    offered = within(
        leaf.body,
        "choiceInteraction",
        responseIdentifier=RESPONSE,
        shuffle=str(shuffle).lower(),
        maxChoices=most,
    )
    for row in tracker.rows("options"):
        one = within(offered, "simpleChoice", identifier=ids[row.name])
        if tracker.value("pinned", row):
            one.set("fixed", "true")
        leaf.put(one, tracker.text("options", row=row))
        if said := tracker.text("options", told=True, row=row):
            leaf.remark(FEEDBACK, ids[row.name], said)
    if none:
        last = within(
            offered, "simpleChoice", identifier=none_of_the_above.IDENTIFIER, fixed="true"
        )
        last.text = none_of_the_above.render_label(tracker.language)


def true_false(leaf: Leaf) -> None:
    """Write a statement: the identifiers of its options say which is which."""
    tracker = leaf.tracker
    rows = tracker.rows("options")
    right = [row.name for row in rows if tracker.value("right", row)]
    leaf.worth(leaf.begins())
    leaf.response(RESPONSE, "single", "identifier", right)
    leaf.pay_correct()
    _offer(leaf, {row.name: row.name for row in rows}, none=False, most="1")
    if any(tracker.text("options", told=True, row=row) for row in rows):
        leaf.echo("single")


def matching(leaf: Leaf) -> None:
    """Write pairs: each left goes with one right, a right with any number of lefts."""
    tracker = leaf.tracker
    lefts, rights = tracker.rows("lefts"), tracker.rows("rights")
    left = {row.name: f"left-{at}" for at, row in enumerate(lefts, start=1)}
    right = {row.name: f"right-{at}" for at, row in enumerate(rights, start=1)}
    met = {row.name: right.get(str(tracker.value("goes_with", row)), "") for row in lefts}
    pairs = {name: f"{left[name]} {id_}" for name, id_ in met.items() if id_}
    each = Fraction(1, len(lefts) or 1)
    leaf.worth([each, *leaf.begins()])
    leaf.response(RESPONSE, "multiple", "directedPair", pairs.values())
    if tracker.question.scoring_method == "all_or_nothing":
        leaf.pay_correct()
    else:
        wrong = (
            f"-{leaf.amount(each)}"
            if tracker.question.scoring_method == "right_minus_wrong"
            else "0"
        )
        amounts = {pair: leaf.amount(each) for pair in pairs.values()}
        leaf.mapping(amounts, defaultValue=wrong, lowerBound="0", upperBound=decimal(leaf.total))
        leaf.pay_mapped()
    asked = within(
        leaf.body,
        "matchInteraction",
        responseIdentifier=RESPONSE,
        shuffle=str(bool(tracker.value("shuffle"))).lower(),
        maxAssociations=str(len(lefts)),
    )
    _set_of(leaf, asked, "lefts", left, "1")
    _set_of(leaf, asked, "rights", right, "0")
    for at, row in enumerate(lefts, start=1):
        if said := tracker.text("lefts", told=True, row=row):
            _say_of_pair(leaf, at, pairs.get(row.name, ""), said)


def _set_of(leaf: Leaf, asked: Element, table: str, ids: Ids, most: str) -> None:
    side = within(asked, "simpleMatchSet")
    for row in leaf.tracker.rows(table):
        one = within(side, "simpleAssociableChoice", identifier=ids[row.name], matchMax=most)
        leaf.put(one, leaf.tracker.text(table, row=row))


def _say_of_pair(leaf: Leaf, at: int, pair: str, said: str) -> None:
    """Say what belongs to a pair to those who found it."""
    outcome, ident = f"{FEEDBACK}-{at}", f"pair-{at}"
    leaf.outcome(outcome, "single", "identifier")
    leaf.remark(outcome, ident, said)
    found = made("member", base("directedPair", pair), variable(RESPONSE))
    leaf.rules.append(chain([(found, [setting(outcome, base("identifier", ident))])], []))


def ordering(leaf: Leaf) -> None:
    """Write an order; only the whole of it pays."""
    rows = leaf.tracker.rows("items")
    leaf.worth(leaf.begins())
    ids = [f"item-{at}" for at, _ in enumerate(rows, start=1)]
    leaf.response(RESPONSE, "ordered", "identifier", ids)
    leaf.pay_correct()
    asked = within(leaf.body, "orderInteraction", responseIdentifier=RESPONSE, shuffle="true")
    for ident, row in zip(ids, rows, strict=True):
        leaf.put(
            within(asked, "simpleChoice", identifier=ident), leaf.tracker.text("items", row=row)
        )
