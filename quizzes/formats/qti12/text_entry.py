"""Items of QTI 1.2 that are answered in words and numbers, and texts with gaps."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from quizzes.formats.builders import (
    Accepted,
    Gap,
    Head,
    Number,
    Option,
    build_cloze,
    build_numeric,
    build_short_text,
)
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.parsing.export_tracker import plain_text
from quizzes.formats.parsing.numbers import between, written
from quizzes.formats.parsing.percentages import snapped
from quizzes.formats.qti12.choice import shown, unknown
from quizzes.formats.qti12.conditions import Clause, Custom, Rule, number
from quizzes.formats.qti12.items import Response, Source

_STEP = Fraction(1, 1000)
_MOST_POINTS = 20
_NEAR = Fraction(1, 50)

Rules = Sequence[Rule]


def short_text_of(source: Source, head: Head, rules: Rules) -> ParsedQuestion:
    """Build a short text; the file compares all but case, so that accents and marks count."""
    response = source.responses[0]
    accepted = list(_accepted(source, response, rules))
    if not accepted:
        unknown(source)
    return build_short_text(head, accepted, case=_case(rules), accents=True, punctuation=True)


def numeric_of(source: Source, head: Head, rules: Rules) -> ParsedQuestion:
    """Build a number, exact or within bounds."""
    numbers = list(_numbers(source, source.responses[0], rules))
    if not numbers:
        unknown(source)
    return build_numeric(head, numbers)


def cloze_of(source: Source, head: Head, rules: Rules) -> ParsedQuestion:
    """Build a text with gaps; the prompt of the head has `qtimark<n>qtimark` where they stand."""
    prompt = head.prompt
    points = _points(source, rules)
    gaps = []
    for at, response in enumerate(source.responses, start=1):
        mark, held = _mark(response.id, at), f"qtimark{at}qtimark"
        if held in prompt:
            prompt = prompt.replace(held, f"[[{mark}]]")
        else:
            source.note("gap_missing_in_text", response.id)
            prompt = f"{prompt}\n\n[[{mark}]]"
        gaps.append(_gap(source, response, rules, mark, points.get(response.id, 1)))
    built = Head(head.line, head.name, head.language, prompt, head.explanation, head.tags)
    scoring_method = "all_or_nothing" if _is_whole(rules) and len(gaps) > 1 else "per_gap"
    return build_cloze(
        built,
        gaps,
        scoring_method=scoring_method,
        case=_case(rules),
        accents=True,
        punctuation=True,
    )


def _mark(ident: str, at: int) -> str:
    name = ident.removeprefix("response_")
    plain = name.isascii() and name.replace("-", "").replace("_", "").isalnum()
    return name if plain and len(name) <= 40 else f"gap-{at}"  # noqa: PLR2004  as long as marks may be


def _gap(source: Source, response: Response, rules: Rules, mark: str, points: int) -> Gap:
    if response.tag != "response_lid":
        if response.number:
            numbers = list(_numbers(source, response, rules))
            return Gap(mark, numbers=numbers, points=points) if numbers else _empty(source, mark)
        accepted = list(_accepted(source, response, rules))
        return Gap(mark, accepted=accepted, points=points) if accepted else _empty(source, mark)
    labels = [one for one in response.labels if one.text.strip()]
    if source.meta.get("question_type") == "fill_in_multiple_blanks_question":
        told = [
            Accepted(_escaped(plain_text(one.text)[0]), feedback=shown(source, one.id, rules))
            for one in labels
        ]
        return Gap(mark, accepted=_distinct(source, told, case=False), points=points)
    right = {
        test.value
        for rule in rules
        for clause in rule.clauses
        for test in clause
        if rule.gain and test.response == response.id and test.wanted
    }
    if not right:
        unknown(source)
    options = [
        Option(
            one.text, right=one.id in right, feedback=shown(source, one.id, rules), line=one.line
        )
        for one in labels
    ]
    return Gap(mark, options=options, points=points)


def _empty(source: Source, mark: str) -> Gap:
    unknown(source)
    return Gap(mark)


def _is_whole(rules: Rules) -> bool:
    """Tell whether one rule asks for all gaps together."""
    paying = [rule for rule in rules if rule.gain]
    return len(paying) == 1 and any(
        len({test.response for test in clause}) > 1 for clause in paying[0].clauses
    )


def _points(source: Source, rules: Rules) -> Mapping[str, int]:
    """Give what each gap is worth beside the others, in whole points."""
    gains: dict[str, Fraction] = {}
    for rule in rules:
        if not rule.gain:
            continue
        responses = {test.response for clause in rule.clauses for test in clause}
        if len(responses) > 1 and not _is_whole(rules):
            raise Custom(rule.line, " ".join(sorted(responses))[:200])
        for one in responses:
            gains[one] = max(gains.get(one, Fraction(0)), rule.gain)
    least = min(gains.values(), default=Fraction(1))
    if least <= 0:
        raise Custom(source.node.line, "")
    shares = {one: gain / least for one, gain in gains.items()}
    for times in range(1, _MOST_POINTS + 1):
        points = {one: round(share * times) for one, share in shares.items()}
        if all(abs(share * times - points[one]) < _NEAR for one, share in shares.items()):
            return points
    source.note("gap_points_levelled")
    return {}


def _own(response: Response, rules: Rules) -> Iterator[tuple[Rule, Fraction]]:
    """Give the rules that pay for this response, each with its credit."""
    paying = [
        rule
        for rule in rules
        if rule.gain is not None
        and (rule.gain or not rule.always)
        and any(test.response == response.id for one in rule.clauses for test in one)
    ]
    full = max((rule.gain or Fraction(0) for rule in paying), default=Fraction(0))
    for rule in paying:
        if rule.gain is None or rule.gain < 0 or rule.always or not full:
            raise Custom(rule.line, "")
        yield rule, snapped(rule.gain / full, _STEP)


def _accepted(source: Source, response: Response, rules: Rules) -> list[Accepted]:
    accepted = []
    for rule, credit in _own(response, rules):
        for clause in rule.clauses:
            tests = [test for test in clause if test.response == response.id]
            if len(tests) != 1 or not tests[0].wanted or tests[0].how not in {"=", "in"}:
                raise Custom(rule.line, "")
            text = _escaped(tests[0].value)
            if text:
                wild = f"*{text}*" if tests[0].how == "in" else text
                said = shown(source, tests[0].value, rules, response.id)
                accepted.append(Accepted(wild, credit, said))
    return _distinct(source, accepted, case=_case(rules))


def _escaped(text: str) -> str:
    special = "*" in text or "\\\\" in text
    return text.replace("\\", "\\\\").replace("*", "\\*") if special else text


def _distinct(source: Source, accepted: Sequence[Accepted], *, case: bool) -> list[Accepted]:
    """Leave out what an answer before it accepts already, since the first that matches counts."""
    kept: dict[str, Accepted] = {}
    for one in accepted:
        kept.setdefault(one.text if case else one.text.casefold(), one)
    if len(kept) < len(accepted):
        source.note("duplicate_answer_left_out")
    return list(kept.values())


def _case(rules: Rules) -> bool:
    return any(
        test.case for rule in rules if rule.gain for clause in rule.clauses for test in clause
    )


def _numbers(source: Source, response: Response, rules: Rules) -> list[Number]:
    numbers: dict[tuple[str, str, str], Number] = {}
    for rule, credit in _own(response, rules):
        value, bounds = _bounds(source, rule, response)
        found = between(value, *bounds) if bounds else ("exact", written(value or Fraction(0)), "")
        told = [source.feedback.get(one, "") for one in rule.says if one != "correct_fb"]
        numbers.setdefault(
            found, Number(found[1], found[0], found[2], credit, "\n\n".join(filter(None, told)))
        )
    return list(numbers.values())


def _bounds(
    source: Source, rule: Rule, response: Response
) -> tuple[Fraction | None, tuple[Fraction, Fraction] | None]:
    """Give the value and the bounds that a rule asks for; at least one of them is there."""
    value: Fraction | None = None
    bounds: tuple[Fraction, Fraction] | None = None
    for clause in rule.clauses:
        held = {test.how: _number(rule, test.value) for test in clause if test.wanted}
        if len(held) != len([test for test in clause if test.response == response.id]):
            raise Custom(rule.line, "")
        if set(held) == {"="} and value is None:
            value = held["="]
        elif len(held) == 2 and bounds is None and "=" not in held:  # noqa: PLR2004  both ends
            bounds = _ends(source, rule, clause, held)
        else:
            raise Custom(rule.line, "")
    return value, bounds


def _ends(
    source: Source, rule: Rule, clause: Clause, held: Mapping[str, Fraction]
) -> tuple[Fraction, Fraction]:
    low, high = (held.get(f"{sign}=", held.get(sign)) for sign in "><")
    if low is None or high is None or low > high:
        raise Custom(rule.line, "")
    if any(not test.how.endswith("=") for test in clause):
        source.note("boundary_included", line=rule.line)
    return low, high


def _number(rule: Rule, text: str) -> Fraction:
    value = number(text)
    if value is None:
        raise Custom(rule.line, text[:200])
    return value
