"""The mapping of a response of QTI 2 and 3: what each of its values earns."""

from fractions import Fraction
from xml.etree.ElementTree import Element

from quizzes.formats.parsing.numbers import parse_number
from quizzes.source_scoring.qti.values import QtiAtom, QtiDeclaration, QtiValue, parse_atom
from quizzes.source_scoring.rules import NotComparable


def map_response(declaration: QtiDeclaration, response: QtiValue | None) -> Fraction:
    """Return the sum of what the distinct values earn, within the bounds."""
    mapping = declaration.mapping
    if mapping is None:
        raise NotComparable("rule_unknown", "mapResponse")
    atoms = dict.fromkeys(response.atoms) if response else {}
    points = sum((_map_atom(declaration, mapping, atom) for atom in atoms), Fraction(0))
    lower, upper = (parse_number(mapping.get(f"{side}Bound", "")) for side in ("lower", "upper"))
    points = points if lower is None else max(points, lower)
    return points if upper is None else min(points, upper)


def _map_atom(declaration: QtiDeclaration, mapping: Element, atom: QtiAtom) -> Fraction:
    for entry in mapping.iter("mapEntry"):
        key = parse_atom(declaration.base_type, entry.get("mapKey", ""))
        has_case = entry.get("caseSensitive", mapping.get("caseSensitive", "false")) == "true"
        if isinstance(key, str) and isinstance(atom, str) and declaration.base_type == "string":
            is_equal = key == atom or (not has_case and key.casefold() == atom.casefold())
        else:
            is_equal = key == atom
        if is_equal:
            return _read_points(entry.get("mappedValue", ""))
    return _read_points(mapping.get("defaultValue", "0"))


def _read_points(text: str) -> Fraction:
    points = parse_number(text)
    if points is None:
        raise NotComparable("rule_unknown", text)
    return points
