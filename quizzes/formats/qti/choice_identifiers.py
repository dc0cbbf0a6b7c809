"""Choices that no rule can name: without an identifier, or with that of another choice."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from quizzes.formats.parsing.xhtml import read_text
from quizzes.formats.parsing.xml import get_line
from quizzes.formats.qti.assessment_item import AssessmentItem

_CHOICES = ("simpleChoice", "inlineChoice", "gapText", "simpleAssociableChoice")
_PAIRED_IN = "simpleMatchSet"


def name_choices(item: AssessmentItem) -> None:
    """Give such choices identifiers of their own, so that none is lost, and note each."""
    for choices in _list_sets(item.node):
        identifiers = {choice.get("identifier", "") for choice in choices}
        seen = set[str]()
        for number, choice in enumerate(choices, start=1):
            identifier = choice.get("identifier", "")
            if not identifier or identifier in seen:
                code = "identifier_twice" if identifier else "identifier_missing"
                item.note(code, read_text(choice)[:200], get_line(choice))
                identifier = f"choice-{number}"
                while identifier in identifiers:
                    identifier += "x"
                choice.set("identifier", identifier)
                identifiers.add(identifier)
            seen.add(identifier)


def _list_sets(node: Element) -> Iterator[list[Element]]:
    """Yield the choices of each interaction, of pairs those of each side."""
    for interaction in node.iter():
        if interaction.tag.endswith("Interaction"):
            sides = list(interaction.iter(_PAIRED_IN)) or [interaction]
            for side in sides:
                yield [choice for choice in side.iter() if choice.tag in _CHOICES]
