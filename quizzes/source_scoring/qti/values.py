"""Values of QTI 2 and 3: single values, containers, and how they compare. None is NULL."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from xml.etree.ElementTree import Element

from quizzes.formats.builders import strip_layout
from quizzes.formats.parsing.numbers import parse_number
from quizzes.formats.qti.qti_versions import camel_case
from quizzes.source_scoring.rules import NotComparable

QtiAtom = str | Fraction | bool | frozenset[str]
NUMERIC = frozenset({"integer", "float"})


@dataclass(frozen=True, slots=True)
class QtiValue:
    """One or more values of one base type; `cardinality` is single, multiple or ordered."""

    atoms: tuple[QtiAtom, ...]
    cardinality: str = "single"

    def matches(self, other: "QtiValue") -> bool:
        """Return whether two values are the same: in order, but for multiple ones."""
        if "multiple" in {self.cardinality, other.cardinality}:
            return Counter(self.atoms) == Counter(other.atoms)
        return self.atoms == other.atoms


@dataclass(frozen=True, slots=True)
class QtiDeclaration:
    """A declared response or outcome; `points` are the lines of its mapping."""

    id: str
    base_type: str
    cardinality: str
    correct: tuple[str, ...] = ()
    mapping: Element | None = None

    def parse_values(self, texts: tuple[str, ...]) -> QtiValue | None:
        """Return a value of this declaration; NULL where there are no texts."""
        texts = tuple(text for text in texts if text.strip())
        if not texts:
            return None
        return QtiValue(tuple(parse_atom(self.base_type, text) for text in texts), self.cardinality)


def read_declarations(item: Element, tag: str) -> dict[str, QtiDeclaration]:
    """Return the declarations of an item with this tag, by identifier."""
    return {node.get("identifier", ""): _read_declaration(node) for node in item.findall(tag)}


def _read_declaration(node: Element) -> QtiDeclaration:
    declared = node.find("correctResponse")
    declared = node.find("defaultValue") if declared is None else declared
    values = [] if declared is None else list(declared.iter("value"))
    return QtiDeclaration(
        node.get("identifier", ""),
        camel_case(node.get("baseType", "")),
        node.get("cardinality", "single"),
        tuple(strip_layout(value.text or "") for value in values),
        node.find("mapping"),
    )


def parse_atom(base_type: str, text: str) -> QtiAtom:
    """Return a text as a value of a base type."""
    if base_type == "string":
        return strip_layout(text)
    text = text.strip()
    if base_type in NUMERIC:
        number = parse_number(text)
        return text if number is None else number
    if base_type == "boolean":
        return text.lower() in {"true", "1"}
    if base_type == "pair":
        return frozenset(text.split())
    if base_type in {"", "identifier", "directedPair"}:
        return " ".join(text.split())
    raise NotComparable("rule_unknown", base_type)
