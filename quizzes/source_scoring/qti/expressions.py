"""Expressions of the response processing of QTI 2 and 3, evaluated as the standard has them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from xml.etree.ElementTree import Element

from quizzes.formats.parsing.numbers import parse_number
from quizzes.source_scoring.qti.mapping import map_response
from quizzes.source_scoring.qti.values import QtiDeclaration, QtiValue, parse_atom
from quizzes.source_scoring.rules import NotComparable

Operands = Sequence[QtiValue | None]


@dataclass(frozen=True, slots=True)
class QtiState:
    """The variables of an item while it is processed."""

    declarations: Mapping[str, QtiDeclaration]
    values: dict[str, QtiValue | None]

    def evaluate(self, node: Element) -> QtiValue | None:
        """Return the value of an expression, or raise NotComparable."""
        identifier = node.get("identifier", "")
        if node.tag == "baseValue":
            return QtiValue((parse_atom(node.get("baseType", ""), node.text or ""),))
        if node.tag == "null":
            return None
        if node.tag in {"variable", "correct", "mapResponse"}:
            return self._read_variable(node.tag, identifier)
        return self._apply(node, [self.evaluate(child) for child in node])

    def _apply(self, node: Element, operands: Operands) -> QtiValue | None:
        if node.tag in _CONTAINERS:
            atoms = tuple(atom for operand in operands if operand for atom in operand.atoms)
            return QtiValue(atoms, node.tag) if atoms else None
        if len(operands) != _OPERAND_COUNTS.get(node.tag, len(operands)):
            raise NotComparable("rule_unknown", f"{node.tag} of {len(operands)}")
        if node.tag in {"isNull", "isNotNull"}:
            return QtiValue(((operands[0] is None) == (node.tag == "isNull"),))
        if node.tag not in _OPERATORS:
            raise NotComparable("rule_unknown", node.tag)
        if None in operands and node.tag not in {"and", "or"}:
            return None
        return _OPERATORS[node.tag](node, operands)

    def is_true(self, node: Element) -> bool:
        """Return whether a test holds; NULL does not."""
        value = self.evaluate(node)
        return value is not None and value.atoms == (True,)

    def _read_variable(self, tag: str, identifier: str) -> QtiValue | None:
        value, declaration = self.values.get(identifier), self.declarations.get(identifier)
        if tag == "variable" and identifier in self.values:
            return value
        if declaration is None:
            raise NotComparable("rule_unknown", f"{tag} {identifier}")
        if tag == "correct":
            return declaration.parse_values(declaration.correct)
        return QtiValue((map_response(declaration, value),))


def read_number(value: QtiValue | None) -> Fraction:
    """Return a number, 0 for NULL, or raise NotComparable."""
    match value:
        case None:
            return Fraction(0)
        case QtiValue((Fraction() as number,)):
            return number
    raise NotComparable("rule_unknown", str(value.atoms)[:200])


def _evaluate_equal(node: Element, operands: Operands) -> QtiValue:
    number, target = map(read_number, operands)
    mode = node.get("toleranceMode", "exact")
    if mode == "exact":
        return QtiValue((number == target,))
    tolerances = [parse_number(text) for text in node.get("tolerance", "").split()]
    if not tolerances:
        raise NotComparable("rule_unknown", "equal without a tolerance")
    margins = [*tolerances, tolerances[0]]
    unit = abs(target) / 100 if mode == "relative" else 1
    low, high = (
        target + sign * (margin or 0) * unit for sign, margin in zip((-1, 1), margins, strict=False)
    )
    is_above = number > low or (number == low and node.get("includeLowerBound") != "false")
    is_below = number < high or (number == high and node.get("includeUpperBound") != "false")
    return QtiValue((is_above and is_below,))


def _match_texts(node: Element, operands: Operands) -> QtiValue:
    text, target = (str(operand.atoms[0]) if operand else "" for operand in operands)
    if node.get("caseSensitive", "true") == "false":
        text, target = text.casefold(), target.casefold()
    is_part = node.get("substring") == "true"
    return QtiValue((target in text if is_part else text == target,))


def _evaluate_member(_node: Element, operands: Operands) -> QtiValue:
    element, container = operands
    return QtiValue((bool(element and container and element.atoms[0] in container.atoms),))


def _evaluate_contains(_node: Element, operands: Operands) -> QtiValue:
    container, part = operands
    if not container or not part:
        return QtiValue((False,))
    if container.cardinality == "ordered":
        size = len(part.atoms)
        starts = range(len(container.atoms) - size + 1)
        return QtiValue((any(container.atoms[at : at + size] == part.atoms for at in starts),))
    return QtiValue((all(atom in container.atoms for atom in part.atoms),))


def _evaluate_junction(node: Element, operands: Operands) -> QtiValue:
    truths = (operand is not None and operand.atoms == (True,) for operand in operands)
    return QtiValue((all(truths) if node.tag == "and" else any(truths),))


def _compare(node: Element, operands: Operands) -> QtiValue:
    left, right = map(read_number, operands)
    return QtiValue((_COMPARISONS[node.tag](left, right),))


def _compute(node: Element, operands: Operands) -> QtiValue | None:
    numbers = [
        read_number(QtiValue((atom,))) for operand in operands if operand for atom in operand.atoms
    ]
    if not numbers or len(numbers) != _OPERAND_COUNTS.get(node.tag, len(numbers)):
        raise NotComparable("rule_unknown", f"{node.tag} of {len(numbers)}")
    if node.tag == "divide" and not numbers[1]:
        return None
    return QtiValue((_ARITHMETIC[node.tag](numbers),))


_CONTAINERS = frozenset({"multiple", "ordered"})
_COMPARISONS: Mapping[str, Callable[[Fraction, Fraction], bool]] = {
    "gt": lambda left, right: left > right,
    "gte": lambda left, right: left >= right,
    "lt": lambda left, right: left < right,
    "lte": lambda left, right: left <= right,
}
_ARITHMETIC: Mapping[str, Callable[[Sequence[Fraction]], Fraction]] = {
    "sum": lambda numbers: sum(numbers, Fraction(0)),
    "subtract": lambda numbers: numbers[0] - numbers[1],
    "product": lambda numbers: prod(numbers, start=Fraction(1)),
    "divide": lambda numbers: numbers[0] / numbers[1],
    "min": min,
    "max": max,
}
_OPERAND_COUNTS: Mapping[str, int] = {
    **dict.fromkeys(("isNull", "isNotNull", "not", "containerSize"), 1),
    **dict.fromkeys(("match", "equal", "stringMatch", "member", "contains"), 2),
    **dict.fromkeys(("subtract", "divide", *_COMPARISONS), 2),
}
_OPERATORS: Mapping[str, Callable[[Element, Operands], QtiValue | None]] = {
    "and": _evaluate_junction,
    "or": _evaluate_junction,
    "not": lambda _node, operands: QtiValue((not (operands[0] and operands[0].atoms[0]),)),
    "match": lambda _node, operands: QtiValue(
        (bool(operands[0] and operands[1] and operands[0].matches(operands[1])),)
    ),
    "equal": _evaluate_equal,
    "stringMatch": _match_texts,
    "member": _evaluate_member,
    "contains": _evaluate_contains,
    "containerSize": lambda _node, operands: QtiValue(
        (Fraction(len(operands[0].atoms) if operands[0] else 0),)
    ),
    **dict.fromkeys(_COMPARISONS, _compare),
    **dict.fromkeys(_ARITHMETIC, _compute),
}
