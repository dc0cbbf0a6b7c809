"""Runs a pattern over an answer in one pass: all places it could be at, letter by letter.

Thompson's construction; a set of places is the bits of one integer. No answer costs more than its
length times the states of the pattern, and both are bounded.
"""

from functools import lru_cache

from grading.short_text.folding import Folding
from grading.short_text.letters import CharacterClass
from grading.short_text.pattern import TOO_LARGE, Either, Node, PatternError, Repeat, parse_pattern

MAX_STATES = 500
_REMEMBERED = 1000
_END = 0


@lru_cache(maxsize=128)
def compile_pattern(pattern: str, folding: Folding) -> "Automaton":
    """Build the automaton of a pattern; one that cannot be used: PatternError."""
    node = parse_pattern(pattern, folding)
    if count_states(node) > MAX_STATES:
        raise PatternError(TOO_LARGE, 0)
    return Automaton(node)


def count_states(node: Node) -> int:
    """Count the states that a node needs at most, before any of them is made."""
    if isinstance(node, CharacterClass):
        return 1
    if isinstance(node, Repeat):
        each, most = count_states(node.node), node.least + 1 if node.most is None else node.most
        return 1 + each * node.least + (each + 1) * (most - node.least)
    return 1 + sum(count_states(child) for child in node.nodes)


class Automaton:
    """States that take a letter and lead to another, or lead on to several without taking any."""

    def __init__(self, node: Node) -> None:
        self._letters: list[CharacterClass | None] = [None]
        self._onward: list[tuple[int, ...]] = [()]
        start = self._build(node, _END)
        self._reached = [self._reach(state) for state in range(len(self._letters))]
        self._start = self._reached[start]
        self._taking: dict[str, int] = {}
        self._moves: dict[tuple[int, str], int] = {}

    @property
    def states(self) -> int:
        """How many states there are."""
        return len(self._letters)

    def matches(self, text: str) -> bool:
        """Return whether the pattern describes the whole text."""
        places = self._start
        for char in text:
            if not places:
                return False
            places = self._move(places, char)
        return bool(places & 1 << _END)

    def _move(self, places: int, char: str) -> int:
        cached = self._moves.get((places, char))
        if cached is not None:
            return cached
        taking, reached = places & self._taken_by(char), 0
        while taking:
            lowest = taking & -taking
            (onward,) = self._onward[lowest.bit_length() - 1]
            reached |= self._reached[onward]
            taking ^= lowest
        if len(self._moves) < _REMEMBERED:
            self._moves[places, char] = reached
        return reached

    def _taken_by(self, char: str) -> int:
        cached = self._taking.get(char)
        if cached is not None:
            return cached
        taking = sum(
            1 << state
            for state, letters in enumerate(self._letters)
            if letters is not None and letters.matches(char)
        )
        if len(self._taking) < _REMEMBERED:
            self._taking[char] = taking
        return taking

    def _reach(self, start: int) -> int:
        """Return the states reached without a letter that are the end or take a letter."""
        reached, seen, waiting = 0, {start}, [start]
        while waiting:
            state = waiting.pop()
            if state == _END or self._letters[state] is not None:
                reached |= 1 << state
                continue
            onward = [following for following in self._onward[state] if following not in seen]
            seen.update(onward)
            waiting += onward
        return reached

    def _state(self, letters: CharacterClass | None, *onward: int) -> int:
        self._letters.append(letters)
        self._onward.append(onward)
        return len(self._letters) - 1

    def _build(self, node: Node, then: int) -> int:
        """Add the states of a node before the state that follows it; return the first of them."""
        if isinstance(node, CharacterClass):
            return self._state(node, then)
        if isinstance(node, Repeat):
            return self._build_repeat(node, then)
        if isinstance(node, Either):
            return self._state(None, *[self._build(child, then) for child in node.nodes])
        for child in reversed(node.nodes):
            then = self._build(child, then)
        return then

    def _build_repeat(self, node: Repeat, then: int) -> int:
        if node.most is None:
            loop = self._state(None)
            self._onward[loop] = (self._build(node.node, loop), then)
            first = loop
        else:
            first = then
            for _ in range(node.most - node.least):
                first = self._state(None, self._build(node.node, first), then)
        for _ in range(node.least):
            first = self._build(node.node, first)
        return first
