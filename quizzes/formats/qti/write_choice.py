"""Writing QTI items that are answered by choosing, pairing and ordering."""

from collections.abc import Mapping
from xml.etree.ElementTree import Element

from quizzes.formats.export import answers
from quizzes.formats.export.elements import append_element, build_element, write_flag
from quizzes.formats.export.option_weights import read_lower_bound, read_order_cost
from quizzes.formats.parsing.percentages import format_decimal
from quizzes.formats.qti import rules
from quizzes.formats.qti.item_writer import QtiItemWriter
from quizzes.formats.qti.rules import FEEDBACK, RESPONSE


def write_choice(writer: QtiItemWriter) -> None:
    """Write a choice, in which only the complete answer earns something, or each option does."""
    has_many = writer.tracker.question.kind == "multiple_choice"
    options = answers.list_options(writer.tracker)
    credit = {option.ident: option.credit for option in options if option.credit is not None}
    writer.settle_total(*credit.values())
    cardinality = "multiple" if has_many else "single"
    right = [option.ident for option in options if option.is_right]
    writer.declare_response(RESPONSE, cardinality, "identifier", right)
    if credit:
        amounts = {ident: writer.write_points(share) for ident, share in credit.items()}
        lower = read_lower_bound(writer.tracker) * writer.total
        writer.add_mapping(
            amounts, lowerBound=format_decimal(lower), upperBound=format_decimal(writer.total)
        )
        writer.score_mapped()
    else:
        writer.score_correct()
    interaction = append_element(
        writer.body,
        "choiceInteraction",
        responseIdentifier=RESPONSE,
        shuffle=write_flag(writer.tracker.value("shuffle")),
        maxChoices="0" if has_many else "1",
    )
    for option in options:
        fixed = {"fixed": "true"} if option.is_pinned else {}
        choice = append_element(interaction, "simpleChoice", identifier=option.ident, **fixed)
        writer.write_text(choice, option.text)
    writer.add_chosen_feedback(cardinality, {option.ident: option.feedback for option in options})


def write_matching(writer: QtiItemWriter) -> None:
    """Write pairs: each left goes with one right, a right with any number of lefts."""
    tracker = writer.tracker
    rows = tracker.rows("lefts")
    lefts, rights = (
        answers.number_rows(rows, "left"),
        answers.number_rows(tracker.rows("rights"), "right"),
    )
    pairs = {
        row.name: f"{lefts[row.name]} {right}"
        for row in rows
        if (right := rights.get(str(tracker.value("goes_with", row))))
    }
    shares = answers.list_pair_shares(tracker)
    writer.settle_total(*shares.values())
    writer.declare_response(RESPONSE, "multiple", "directedPair", pairs.values())
    if tracker.question.scoring_method == "all_or_nothing":
        writer.score_correct()
    else:
        amounts = {pairs[name]: writer.write_points(shares[name]) for name in pairs}
        default = "0"
        if tracker.question.scoring_method == "right_minus_wrong":
            costs = {row.name: f"-{writer.write_points(shares[row.name])}" for row in rows}
            wrong = {
                f"{lefts[name]} {right}": cost
                for name, cost in costs.items()
                for right in rights.values()
            }
            is_same = len({*costs.values()}) == 1
            default = next(iter(costs.values())) if is_same else "0"
            amounts = amounts if is_same else wrong | amounts
        writer.add_mapping(
            amounts,
            defaultValue=default,
            lowerBound=format_decimal(read_lower_bound(tracker) * writer.total),
            upperBound=format_decimal(writer.total),
        )
        writer.score_mapped()
    interaction = append_element(
        writer.body,
        "matchInteraction",
        responseIdentifier=RESPONSE,
        shuffle=write_flag(tracker.value("shuffle")),
        maxAssociations=str(len(rows)),
    )
    _write_set(writer, interaction, "lefts", lefts, "1")
    _write_set(writer, interaction, "rights", rights, "0")
    for number, row in enumerate(rows, start=1):
        outcome, ident = f"{FEEDBACK}-{number}", f"pair-{number}"
        if writer.add_feedback(outcome, ident, tracker.feedback("lefts", row)):
            writer.declare_outcome(outcome, "single", "identifier")
            pair = rules.build_base_value("directedPair", pairs.get(row.name, ""))
            is_chosen = build_element("member", pair, rules.build_variable(RESPONSE))
            writer.add_condition([(is_chosen, rules.build_assignment(outcome, ident))])


def _write_set(
    writer: QtiItemWriter, interaction: Element, table: str, idents: Mapping[str, str], maximum: str
) -> None:
    matches = append_element(interaction, "simpleMatchSet")
    for row in writer.tracker.rows(table):
        choice = append_element(
            matches, "simpleAssociableChoice", identifier=idents[row.name], matchMax=maximum
        )
        writer.write_text(choice, writer.tracker.text(table, row))


def write_ordering(writer: QtiItemWriter) -> None:
    """Write an order, in which only the complete one earns something, and others may cost."""
    rows = writer.tracker.rows("items")
    idents = answers.number_rows(rows, "item")
    cost = read_order_cost(writer.tracker)
    writer.settle_total(cost)
    writer.declare_response(RESPONSE, "ordered", "identifier", idents.values())
    writer.score_correct(cost)
    interaction = append_element(
        writer.body, "orderInteraction", responseIdentifier=RESPONSE, shuffle="true"
    )
    for row in rows:
        choice = append_element(interaction, "simpleChoice", identifier=idents[row.name])
        writer.write_text(choice, writer.tracker.text("items", row))
