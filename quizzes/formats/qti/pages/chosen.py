"""Writing items that are answered by choosing, pairing and putting in order."""

from collections.abc import Mapping
from fractions import Fraction
from xml.etree.ElementTree import Element

from quizzes.formats.parsing import none_apply
from quizzes.formats.parsing.credits import decimal
from quizzes.formats.parsing.shares import paid_by_option
from quizzes.formats.qti.pages.leaf import Leaf
from quizzes.formats.qti.pages.parts import (
    FEEDBACK,
    RESPONSE,
    base,
    chain,
    made,
    setting,
    variable,
    within,
)

_ALL = Fraction(1)
Ids = Mapping[str, str]
"""Name of a row → its identifier in the item."""


def choice(leaf: Leaf) -> None:
    """Write a choice: only the whole of it pays, or each option what it weighs."""
    taking, many = leaf.taking, leaf.taking.question.kind == "multiple_choice"
    rows = taking.rows("options")
    ids = {row.name: f"option-{at}" for at, row in enumerate(rows, start=1)}
    none = bool(taking.value("none_apply"))
    right = [ids[row.name] for row in rows if taking.value("right", row)]
    shares = paid_by_option(taking, nothing_right=none and not right)
    leaf.worth([*shares.values(), *leaf.begins()])
    cardinality = "multiple" if many else "single"
    leaf.response(RESPONSE, cardinality, "identifier", right or [none_apply.IDENT] * none)
    if shares:
        amounts = {ids[name]: leaf.amount(share) for name, share in shares.items()}
        if none:
            amounts[none_apply.IDENT] = leaf.amount(-_ALL if right else _ALL)
        leaf.mapping(amounts, lowerBound="0", upperBound=decimal(leaf.total))
        leaf.pay_mapped()
    else:
        leaf.pay_correct()
    _offer(leaf, ids, none=none, most="0" if many else "1")
    if any(leaf.taking.text("options", told=True, row=row) for row in rows):
        leaf.echo(cardinality)


def _offer(leaf: Leaf, ids: Ids, *, none: bool, most: str) -> None:
    taking = leaf.taking
    shuffle = bool(taking.value("shuffle"))
    offered = within(
        leaf.body,
        "choiceInteraction",
        responseIdentifier=RESPONSE,
        shuffle=str(shuffle).lower(),
        maxChoices=most,
    )
    for row in taking.rows("options"):
        one = within(offered, "simpleChoice", identifier=ids[row.name])
        if taking.value("pinned", row):
            one.set("fixed", "true")
        leaf.put(one, taking.text("options", row=row))
        if said := taking.text("options", told=True, row=row):
            leaf.remark(FEEDBACK, ids[row.name], said)
    if none:
        last = within(offered, "simpleChoice", identifier=none_apply.IDENT, fixed="true")
        last.text = none_apply.said(taking.language)


def true_false(leaf: Leaf) -> None:
    """Write a statement: the identifiers of its options say which is which."""
    taking = leaf.taking
    rows = taking.rows("options")
    right = [row.name for row in rows if taking.value("right", row)]
    leaf.worth(leaf.begins())
    leaf.response(RESPONSE, "single", "identifier", right)
    leaf.pay_correct()
    _offer(leaf, {row.name: row.name for row in rows}, none=False, most="1")
    if any(taking.text("options", told=True, row=row) for row in rows):
        leaf.echo("single")


def matching(leaf: Leaf) -> None:
    """Write pairs: each left goes with one right, a right with any number of lefts."""
    taking = leaf.taking
    lefts, rights = taking.rows("lefts"), taking.rows("rights")
    left = {row.name: f"left-{at}" for at, row in enumerate(lefts, start=1)}
    right = {row.name: f"right-{at}" for at, row in enumerate(rights, start=1)}
    met = {row.name: right.get(str(taking.value("goes_with", row)), "") for row in lefts}
    pairs = {name: f"{left[name]} {id_}" for name, id_ in met.items() if id_}
    each = Fraction(1, len(lefts) or 1)
    leaf.worth([each, *leaf.begins()])
    leaf.response(RESPONSE, "multiple", "directedPair", pairs.values())
    if taking.question.scoring_method == "all_or_nothing":
        leaf.pay_correct()
    else:
        wrong = (
            f"-{leaf.amount(each)}"
            if taking.question.scoring_method == "right_minus_wrong"
            else "0"
        )
        amounts = {pair: leaf.amount(each) for pair in pairs.values()}
        leaf.mapping(amounts, defaultValue=wrong, lowerBound="0", upperBound=decimal(leaf.total))
        leaf.pay_mapped()
    asked = within(
        leaf.body,
        "matchInteraction",
        responseIdentifier=RESPONSE,
        shuffle=str(bool(taking.value("shuffle"))).lower(),
        maxAssociations=str(len(lefts)),
    )
    _set_of(leaf, asked, "lefts", left, "1")
    _set_of(leaf, asked, "rights", right, "0")
    for at, row in enumerate(lefts, start=1):
        if said := taking.text("lefts", told=True, row=row):
            _say_of_pair(leaf, at, pairs.get(row.name, ""), said)


def _set_of(leaf: Leaf, asked: Element, table: str, ids: Ids, most: str) -> None:
    side = within(asked, "simpleMatchSet")
    for row in leaf.taking.rows(table):
        one = within(side, "simpleAssociableChoice", identifier=ids[row.name], matchMax=most)
        leaf.put(one, leaf.taking.text(table, row=row))


def _say_of_pair(leaf: Leaf, at: int, pair: str, said: str) -> None:
    """Say what belongs to a pair to those who found it."""
    outcome, ident = f"{FEEDBACK}-{at}", f"pair-{at}"
    leaf.outcome(outcome, "single", "identifier")
    leaf.remark(outcome, ident, said)
    found = made("member", base("directedPair", pair), variable(RESPONSE))
    leaf.rules.append(chain([(found, [setting(outcome, base("identifier", ident))])], []))


def ordering(leaf: Leaf) -> None:
    """Write an order; only the whole of it pays."""
    rows = leaf.taking.rows("items")
    leaf.worth(leaf.begins())
    ids = [f"item-{at}" for at, _ in enumerate(rows, start=1)]
    leaf.response(RESPONSE, "ordered", "identifier", ids)
    leaf.pay_correct()
    asked = within(leaf.body, "orderInteraction", responseIdentifier=RESPONSE, shuffle="true")
    for ident, row in zip(ids, rows, strict=True):
        leaf.put(
            within(asked, "simpleChoice", identifier=ident), leaf.taking.text("items", row=row)
        )
