"""The response declarations of a QTI 2 or 3 item: correct responses and mappings."""

from dataclasses import dataclass
from fractions import Fraction
from xml.etree.ElementTree import Element

from quizzes.formats.builders import strip_layout
from quizzes.formats.parsing.numbers import parse_number
from quizzes.formats.qti.qti_versions import camel_case


@dataclass(frozen=True, slots=True)
class ResponseMapping:
    """The points of each value: (value, points, whether case counts); `default` for others."""

    entries: tuple[tuple[str, Fraction, bool], ...]
    default: Fraction
    lower: Fraction | None
    upper: Fraction | None

    def clamp(self, points: Fraction) -> Fraction:
        """Return the points within the bounds."""
        if self.lower is not None:
            points = max(points, self.lower)
        return points if self.upper is None else min(points, self.upper)


@dataclass(frozen=True, slots=True)
class ResponseDeclaration:
    """One response; `correct` are the values of the correct response."""

    id: str
    cardinality: str = "single"
    base_type: str = ""
    correct: tuple[str, ...] = ()
    mapping: ResponseMapping | None = None

    @property
    def is_number(self) -> bool:
        """Return whether the response is a number."""
        return self.base_type in {"integer", "float"}


def read_response_declarations(item: Element) -> dict[str, ResponseDeclaration]:
    """Return the response declarations by their identifiers."""
    return {
        node.get("identifier", ""): _read_declaration(node)
        for node in item.findall("responseDeclaration")
    }


def read_outcome_default(item: Element, identifier: str) -> Fraction | None:
    """Return the number that an outcome begins with; None if it has none."""
    for node in item.findall("outcomeDeclaration"):
        if node.get("identifier") == identifier:
            return next((parse_number(value.text or "") for value in node.iter("value")), None)
    return None


def _read_declaration(node: Element) -> ResponseDeclaration:
    correct = node.find("correctResponse")
    values = () if correct is None else correct.iter("value")
    mapping, base_type = node.find("mapping"), camel_case(node.get("baseType", ""))
    texts = (read_operand(base_type, value.text or "") for value in values)
    return ResponseDeclaration(
        node.get("identifier", ""),
        node.get("cardinality", "single"),
        base_type,
        tuple(filter(None, texts)),
        None if mapping is None else _read_mapping(mapping, base_type),
    )


def read_operand(base_type: str, text: str) -> str:
    """Return what answers are compared with; blanks around it belong to a string alone."""
    return strip_layout(text) if base_type == "string" else text.strip()


def _read_mapping(node: Element, base_type: str) -> ResponseMapping:
    case = node.get("caseSensitive", "false")
    entries = tuple(
        (
            read_operand(base_type, pair.get("mapKey", "")),
            parse_number(pair.get("mappedValue", "")) or Fraction(0),
            pair.get("caseSensitive", case) == "true",
        )
        for pair in node.iter("mapEntry")
    )
    default = parse_number(node.get("defaultValue", "")) or Fraction(0)
    lower, upper = (parse_number(node.get(f"{side}Bound", "")) for side in ("lower", "upper"))
    return ResponseMapping(entries, default, lower, upper)
