"""Writing items of QTI 1.2 that are answered by choosing, pairing and putting in order."""

from fractions import Fraction
from xml.etree.ElementTree import Element

from quizzes.formats.parsing import none_of_the_above
from quizzes.formats.parsing.option_credit import paid_by_option
from quizzes.formats.qti.xml_writer.elements import made
from quizzes.formats.qti12.xml_writer.item_writer import FULL, RESPONSE, Leaf, equal

_ALL = Fraction(1)


def choice(leaf: Leaf) -> None:
    """Write a choice: only the whole of it pays, or each option what it weighs."""
    tracker, many = leaf.tracker, leaf.tracker.question.kind == "multiple_choice"
    leaf.type_ = "multiple_answers_question" if many else "multiple_choice_question"
    rows = tracker.rows("options")
    ids = {row.name: f"option-{at}" for at, row in enumerate(rows, start=1)}
    none = bool(tracker.value("none_apply"))
    right = [ids[row.name] for row in rows if tracker.value("right", row)]
    right = right or [none_of_the_above.IDENTIFIER] * none
    shares = paid_by_option(tracker, nothing_right=right == [none_of_the_above.IDENTIFIER])
    _offer(leaf, ids, none=none, cardinality="Multiple" if many else "Single")
    if shares:
        amounts = {ids[name]: share for name, share in shares.items()}
        if none:
            amounts[none_of_the_above.IDENTIFIER] = (
                _ALL if right == [none_of_the_above.IDENTIFIER] else -_ALL
            )
        for ident, share in amounts.items():
            if share or not many:
                action = "Add" if many else "Set"
                leaf.pay(equal(RESPONSE, ident), leaf.amount(share), action=action)
    elif many:
        every = [*ids.values(), *[none_of_the_above.IDENTIFIER] * none]
        leaf.pay(made("and", *(_decided(id_, wanted=id_ in right) for id_ in every)), str(FULL))
    else:
        for ident in right:
            leaf.pay(equal(RESPONSE, ident), str(FULL))


def _decided(ident: str, *, wanted: bool) -> Element:
    test = equal(RESPONSE, ident)
    return test if wanted else made("not", test)


def _offer(leaf: Leaf, ids: dict[str, str], *, none: bool, cardinality: str) -> None:
    tracker, rows = leaf.tracker, leaf.tracker.rows("options")
    labels = [(ids[row.name], leaf.material(tracker.text("options", row=row))) for row in rows]
    if none:
        labels.append(
            (
                none_of_the_above.IDENTIFIER,
                leaf.material(none_of_the_above.render_label(tracker.language)),
            )
        )
    offered = leaf.offer(RESPONSE, labels, cardinality=cardinality)
    offered.set("shuffle", "Yes" if tracker.value("shuffle") else "No")
    pinned = {ids[row.name] for row in rows if tracker.value("pinned", row)}
    for label in offered:
        if label.get("ident") in pinned | {none_of_the_above.IDENTIFIER}:
            label.set("rshuffle", "No")
    for row in rows:
        feedback = tracker.text("options", told=True, row=row)
        leaf.say(equal(RESPONSE, ids[row.name]), f"{ids[row.name]}_fb", feedback)


def true_false(leaf: Leaf) -> None:
    """Write a statement: the names of its options say which is which."""
    leaf.type_ = "true_false_question"
    rows = leaf.tracker.rows("options")
    _offer(leaf, {row.name: row.name for row in rows}, none=False, cardinality="Single")
    for row in rows:
        if leaf.tracker.value("right", row):
            leaf.pay(equal(RESPONSE, row.name), str(FULL))


def matching(leaf: Leaf) -> None:
    """Write pairs: each left is a response of its own, the rights stand with each of them."""
    tracker = leaf.tracker
    leaf.type_ = "matching_question"
    lefts, rights = tracker.rows("lefts"), tracker.rows("rights")
    right = {row.name: f"right-{at}" for at, row in enumerate(rights, start=1)}
    tests = []
    for at, row in enumerate(lefts, start=1):
        labels = [
            (right[one.name], leaf.material(tracker.text("rights", row=one))) for one in rights
        ]
        said = leaf.material(tracker.text("lefts", row=row))
        leaf.offer(f"left-{at}", labels, said, cardinality="Single")
        met = right.get(str(tracker.value("goes_with", row)), "")
        if met:
            tests.append(equal(f"left-{at}", met))
            feedback = tracker.text("lefts", told=True, row=row)
            leaf.say(equal(f"left-{at}", met), f"left-{at}_fb", feedback)
    if tracker.question.scoring_method == "all_or_nothing":
        leaf.pay(made("and", *tests), str(FULL))
        return
    for test in tests:
        leaf.pay(test, leaf.amount(Fraction(1, len(lefts))), action="Add")


def ordering(leaf: Leaf) -> None:
    """Write an order; only the whole of it pays."""
    leaf.type_ = "ordering_question"
    rows = leaf.tracker.rows("items")
    ids = [f"item-{at}" for at, _ in enumerate(rows, start=1)]
    texts = [leaf.material(leaf.tracker.text("items", row=row)) for row in rows]
    leaf.offer(RESPONSE, zip(ids, texts, strict=True), cardinality="Ordered").set("shuffle", "Yes")
    leaf.pay(made("and", *(equal(RESPONSE, ident) for ident in ids)), str(FULL))
