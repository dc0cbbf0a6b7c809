"""What an item of QTI 2 or 3 declares of its responses: what is right, and what is worth what."""

from dataclasses import dataclass
from fractions import Fraction
from xml.etree.ElementTree import Element

from quizzes.formats.qti.interactions import number
from quizzes.formats.qti.qti_versions import camel


@dataclass(frozen=True, slots=True)
class Mapping:
    """What each value is worth: entries in order, with whether case counts; the rest is default."""

    entries: tuple[tuple[str, Fraction, bool], ...]
    default: Fraction
    lower: Fraction | None
    upper: Fraction | None

    def within(self, value: Fraction) -> Fraction:
        """Keep a value within the bounds."""
        if self.lower is not None:
            value = max(value, self.lower)
        return value if self.upper is None else min(value, self.upper)


@dataclass(frozen=True, slots=True)
class Declared:
    """One response: `base` is its base type, `correct` the values of the right answer."""

    id: str
    cardinality: str
    base: str
    correct: tuple[str, ...]
    mapping: Mapping | None


def declared(item: Element) -> dict[str, Declared]:
    """Read all response declarations, by their identifiers."""
    read = [_declared(child) for child in item if child.tag == "responseDeclaration"]
    return {one.id: one for one in read}


def default(item: Element, outcome: str) -> Fraction | None:
    """Give the number that an outcome begins at."""
    for child in item:
        if child.tag == "outcomeDeclaration" and child.get("identifier") == outcome:
            return next((number(v.text or "") for v in child.iter("value")), None)
    return None


def _declared(node: Element) -> Declared:
    correct = node.find("correctResponse")
    mapping = node.find("mapping")
    values = () if correct is None else tuple((v.text or "").strip() for v in correct.iter("value"))
    return Declared(
        node.get("identifier", ""),
        node.get("cardinality", "single"),
        camel(node.get("baseType", "")),
        tuple(value for value in values if value),
        None if mapping is None else _mapping(mapping),
    )


def _mapping(node: Element) -> Mapping:
    case = node.get("caseSensitive", "false")
    entries = tuple(
        (
            child.get("mapKey", "").strip(),
            number(child.get("mappedValue", "")) or Fraction(0),
            child.get("caseSensitive", case) == "true",
        )
        for child in node.iter("mapEntry")
    )
    lower, upper = (number(node.get(f"{side}Bound", "")) for side in ("lower", "upper"))
    return Mapping(entries, number(node.get("defaultValue", "")) or Fraction(0), lower, upper)
