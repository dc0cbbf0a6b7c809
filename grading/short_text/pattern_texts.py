"""Texts that a pattern takes: what an author sees of it in examples."""

from collections.abc import Iterator
from itertools import chain

from grading.short_text.folding import Folding
from grading.short_text.letters import CharacterClass
from grading.short_text.pattern import Either, Node, Repeat, parse_pattern

_USUAL = "a1 -.,_A"
"""Letters that stand for a place which takes many."""


def list_pattern_texts(pattern: str, folding: Folding) -> tuple[str, str]:
    """Return the text with the least of each part, and one with each part and the last choices.

    No longer than the pattern has states. A broken pattern: PatternError.
    """
    node = parse_pattern(pattern, folding)
    return "".join(_write(node, 0)), "".join(_write(node, 1))


def _write(node: Node, least: int) -> Iterator[str]:
    """Yield the letters of a text in which each part that may be left out is there so often."""
    if isinstance(node, CharacterClass):
        yield _choose(node)
    elif isinstance(node, Repeat):
        times = node.least if node.most == 0 else max(node.least, least)
        for _ in range(times):
            yield from _write(node.node, least)
    elif isinstance(node, Either):
        yield from _write(node.nodes[-least], least)
    else:
        for child in node.nodes:
            yield from _write(child, least)


def _choose(letters: CharacterClass) -> str:
    """Return a letter that may stand in a place; "" where there is none."""
    starts = (first for first, _last in letters.ranges)
    named = sorted(letter for letter in letters.singles if len(letter) == 1)
    others = map(chr, range(ord("!"), ord("\u0250")))
    return next(filter(letters.matches, chain(named, starts, _USUAL, others)), "")
