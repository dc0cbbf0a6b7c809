"""QTI 3 spells `qti-choice-interaction` what QTI 2 spells `choiceInteraction`: read as QTI 2."""

import re
from xml.etree.ElementTree import Element

from quizzes.exchange.reading.xml import local

_DASH = re.compile(r"-([a-z0-9])")


def plain(root: Element) -> None:
    """Spell all names of a tree as QTI 2 does, without namespaces; HTML stays HTML."""
    for one in root.iter():
        name = local(one)
        if name.startswith("qti-"):
            one.tag = _camel(name.removeprefix("qti-"))
            held = {_camel(key): value for key, value in one.attrib.items()}
            one.attrib.clear()
            one.attrib.update(held)
        else:
            one.tag = name


def _camel(name: str) -> str:
    return _DASH.sub(lambda found: found[1].upper(), name)


def camel(word: str) -> str:
    """Spell a value (`directed-pair`) as QTI 2 does."""
    return _camel(word)
