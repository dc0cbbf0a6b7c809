"""Items of QTI 1.2 that are answered by choosing, pairing and putting in order."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from quizzes.formats.builders import (
    Head,
    Option,
    add_row_feedback,
    build_choice,
    build_matching,
    build_ordering,
    build_true_false,
)
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.parsing import none_of_the_above
from quizzes.formats.parsing.boolean_words import parse_boolean
from quizzes.formats.parsing.percentages import snapped
from quizzes.formats.qti12.conditions import Custom, Rule
from quizzes.formats.qti12.items import Label, Source

_VALUES = (True, False)
_WHOLE = {"general_fb", "correct_fb", "general_incorrect_fb"}
_STEP = Fraction(1, 1000)
_UNEVEN = Fraction(1, 50)  # rounding leaves less between equal parts

Rules = Sequence[Rule]


def single_of(source: Source, head: Head, rules: Rules) -> ParsedQuestion:
    """Build a choice of one: what each option is paid is worked out by the rules."""
    labels = _labels(source)
    pays = {one.id: _paid(source.responses[0].id, one.id, rules) for one in labels}
    full = max(pays.values(), default=Fraction(0))
    labels, none = _apart(labels)
    if full <= 0:
        unknown(source)
        return build_choice(head, _options(source, labels, rules, {}), many=False, none_apply=none)
    weights = {id_: _share(paid, full) for id_, paid in pays.items()}
    if sum(weight == 1 for weight in weights.values()) > 1:
        source.note("several_right_options")
        weights = {}
    shuffle = source.responses[0].shuffled(told="question_type" in source.meta)
    options = _options(source, labels, rules, weights)
    return build_choice(head, options, many=False, shuffle=shuffle, none_apply=none)


def _apart(labels: list[Label]) -> tuple[list[Label], bool]:
    """Take the option apart that none of the others is right."""
    others = [one for one in labels if one.id != none_of_the_above.IDENTIFIER]
    return others, len(others) < len(labels)


def true_false_of(source: Source, head: Head, rules: Rules) -> ParsedQuestion:
    """Build a statement where its options say true and false, else a choice."""
    labels = {value: one for one in _labels(source) if (value := _value(one)) is not None}
    pays = {value: _paid(source.responses[0].id, one.id, rules) for value, one in labels.items()}
    whole = len(source.responses[0].labels) == len(labels) == len(_VALUES)
    if not whole or pays[True] == pays[False]:
        return single_of(source, head, rules)
    told = {value: shown(source, one.id, rules) for value, one in labels.items()}
    words = labels[True].text, labels[False].text
    return build_true_false(head, right=pays[True] > pays[False], feedback=told, words=words)


def _value(label: Label) -> bool | None:
    """Tell what an option stands for: by its words, else by its name."""
    said = parse_boolean(label.text, letters=True)
    return parse_boolean(label.id, letters=True) if said is None else said


def multiple_of(source: Source, head: Head, rules: Rules) -> ParsedQuestion:
    """Build a choice of several: one rule for all, or something for each option."""
    labels, none = _apart(_labels(source))
    paying = [rule for rule in rules if rule.gain]
    if not paying:
        unknown(source)
        return build_choice(head, _options(source, labels, rules, {}), many=True, none_apply=none)
    if len(paying) == 1 and len(paying[0].clauses) == 1 and len(paying[0].clauses[0]) > 1:
        return _all_or_nothing(source, head, rules, paying[0])
    gains = _gains(paying)
    full = sum((gain for gain in gains.values() if gain > 0), Fraction(0))
    if full <= 0:
        raise Custom(paying[0].line, "")
    if max(gains.values()) <= source.most() < full:
        full = source.most()
    weights = _levelled({one.id: _share(gains.get(one.id, Fraction(0)), full) for one in labels})
    options = _options(source, labels, rules, weights)
    if source.meta.get("scoring_algorithm", "").lower() == "allornothing":
        return build_choice(
            head, options, many=True, scoring_method="all_or_nothing", none_apply=none
        )
    shuffle = source.responses[0].shuffled(told=True)
    return build_choice(head, options, many=True, none_apply=none, shuffle=shuffle)


def _all_or_nothing(source: Source, head: Head, rules: Rules, paying: Rule) -> ParsedQuestion:
    (clause,) = paying.clauses
    right = {test.value for test in clause if test.wanted}
    labels, none = _apart(_labels(source))
    if {test.value for test in clause} < {one.id for one in labels}:
        source.note("options_not_in_rule", line=paying.line)
    weights = {one.id: Fraction(one.id in right) for one in labels}
    options = _options(source, labels, rules, weights)
    none = none or not right
    shuffle = source.responses[0].shuffled(told=True)
    return build_choice(
        head, options, many=True, scoring_method="all_or_nothing", none_apply=none, shuffle=shuffle
    )


def _gains(paying: Rules) -> Mapping[str, Fraction]:
    """Give what each option adds; anything else than one option a rule: Custom."""
    gains: dict[str, Fraction] = {}
    for rule in paying:
        match rule.clauses:
            case ((test,),) if test.wanted and test.how == "=" and rule.gain and not rule.always:
                gains[test.value] = gains.get(test.value, Fraction(0)) + rule.gain
            case _:
                raise Custom(rule.line, "")
    return gains


def _levelled(weights: Mapping[str, Fraction]) -> Mapping[str, Fraction]:
    """Make equal what was meant to be: rounding left hundredths between them."""
    right = [weight for weight in weights.values() if weight > 0]
    share = Fraction(1, len(right) or 1)
    if all(abs(weight - share) < _STEP for weight in right):
        return {id_: share if weight > 0 else weight for id_, weight in weights.items()}
    return weights


def ordering_of(source: Source, head: Head, rules: Rules) -> ParsedQuestion:
    """Build an order that one rule tells, value by value."""
    labels = {one.id: one.text for one in _labels(source)}
    paying = [rule for rule in rules if rule.gain]
    if not paying:
        unknown(source)
        return build_ordering(head, list(labels.values()))
    if len(paying) > 1 or len(paying[0].clauses) != 1:
        raise Custom(paying[0].line, "")
    order = [test.value for test in paying[0].clauses[0] if test.wanted and test.how == "="]
    if sorted(order) != sorted(labels):
        raise Custom(paying[0].line, " ".join(order))
    return build_ordering(head, [labels[id_] for id_ in order], scoring_method="all_or_nothing")


def matching_of(source: Source, head: Head, rules: Rules) -> ParsedQuestion:
    """Build pairs; rights that go with nothing are distractors."""
    lefts = [one for one in source.responses if one.text]
    if len(lefts) < len(source.responses):
        source.note("empty_pair_left_out")
    rights = {label.id: label.text for one in source.responses for label in one.labels}
    goes_with, whole = _pairs(rules)
    pairs = [(one.text, rights.get(goes_with.get(one.id, ""), "")) for one in lefts]
    if not all(right for _, right in pairs):
        unknown(source)
    others = [text for text in rights.values() if text]
    scoring_method = "all_or_nothing" if whole and len(lefts) > 1 else "per_pair"
    built = build_matching(head, pairs, others, scoring_method=scoring_method)
    told = {
        f"left-{number}": "\n\n".join(_linked(source, one.id, rules))
        for number, one in enumerate(lefts, start=1)
    }
    return add_row_feedback(built, head.language, "lefts", told)


def _pairs(rules: Rules) -> tuple[Mapping[str, str], bool]:
    """Give the right of each left, and whether one rule asks for all of them."""
    paying = [rule for rule in rules if rule.gain]
    gains = [rule.gain or Fraction(0) for rule in paying]
    if max(gains, default=0) - min(gains, default=0) > max(gains, default=0) * _UNEVEN:
        raise Custom(paying[0].line, "")
    if any(len(rule.clauses) != 1 or not rule.gain or rule.gain < 0 for rule in paying):
        raise Custom(paying[0].line, "")
    tests = [test for rule in paying for test in rule.clauses[0]]
    if any(not test.wanted or test.how != "=" for test in tests):
        raise Custom(paying[0].line, "")
    return {test.response: test.value for test in tests}, len(paying) == 1


def _linked(source: Source, response: str, rules: Rules) -> Iterable[str]:
    """Give what is said about one left, right or wrong."""
    for rule in rules:
        if any(test.response == response for clause in rule.clauses for test in clause):
            yield from (source.feedback.get(one, "") for one in rule.says if one not in _WHOLE)


def _labels(source: Source) -> list[Label]:
    """Give what there is to choose; what says nothing is left out."""
    labels = [one for one in source.responses[0].labels if one.text.strip()]
    if len(labels) < len(source.responses[0].labels):
        source.note("empty_option_left_out")
    return labels


def unknown(source: Source) -> None:
    """Note, once, that nothing in the file says what is right."""
    if not any(one.code == "custom_response_processing" for one in source.notes):
        source.note("key_unknown")


def _options(
    source: Source, labels: Iterable[Label], rules: Rules, weights: Mapping[str, Fraction]
) -> list[Option]:
    many = source.responses[0].cardinality == "multiple"
    return [
        Option(
            one.text,
            right=weights.get(one.id, Fraction(0)) > 0 if many else weights.get(one.id) == 1,
            weight=weights.get(one.id),
            feedback=shown(source, one.id, rules),
            pinned=one.pinned,
            line=one.line,
        )
        for one in labels
    ]


def shown(source: Source, label: str, rules: Rules, response: str = "") -> str:
    """Give what is said to those who chose this, or typed it in this response."""
    linked = [
        ident
        for rule in rules
        if any(
            len(clause) == 1
            and clause[0].wanted
            and clause[0].value == label
            and response in {"", clause[0].response}
            for clause in rule.clauses
        )
        for ident in rule.says
    ]
    idents = dict.fromkeys([*linked, f"{label}_fb"])
    texts = [source.feedback.get(one, "") for one in idents if one not in _WHOLE]
    return "\n\n".join(dict.fromkeys(filter(None, texts)))


def _paid(response: str, label: str, rules: Rules) -> Fraction:
    """Work out what one option earns, rule by rule."""
    earned, met = Fraction(0), False
    for rule in rules:
        if rule.gain is None or not (_holds(rule, response, label) or (rule.always and not met)):
            continue
        met = True
        earned = rule.gain if rule.sets else earned + rule.gain
        if rule.ends:
            break
    return earned


def _holds(rule: Rule, response: str, label: str) -> bool:
    return any(
        all(test.response == response and (test.value == label) == test.wanted for test in clause)
        for clause in rule.clauses
    )


def _share(paid: Fraction, full: Fraction) -> Fraction:
    return max(snapped(paid / full, _STEP), Fraction(-1))
