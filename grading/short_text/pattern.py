"""Reads an author's regular expression into nodes; what cannot be bounded in time is refused.

There is no looking around, no reference back, no possessive repeat: what is left needs no second
try, so `grading.short_text.automaton` runs it in one pass over the answer.
"""

import unicodedata
from dataclasses import dataclass

from grading.short_text.folding import Folding, fold_letters
from grading.short_text.letters import ANY, SHORTHANDS, CharacterClass, build_class, build_single

MAX_LENGTH = 500
MAX_DEPTH = 40
MAX_TIMES = 200
MALFORMED = "pattern_malformed"
UNSUPPORTED = "pattern_unsupported"
TOO_LARGE = "pattern_too_large"
_BLANKS = "nrtfv"
_TIMES = {"*": (0, None), "+": (1, None), "?": (0, 1)}


class PatternError(ValueError):
    """Why a pattern cannot be used: a code, and the place of the character that it is about."""

    def __init__(self, code: str, at: int) -> None:
        super().__init__(code)
        self.code = code
        self.at = at


@dataclass(frozen=True, slots=True)
class Concatenation:
    """Nodes one after the other; none at all is the empty text."""

    nodes: "tuple[Node, ...]"


@dataclass(frozen=True, slots=True)
class Either:
    """One of several nodes."""

    nodes: "tuple[Node, ...]"


@dataclass(frozen=True, slots=True)
class Repeat:
    """A node so many times; `most` None is any number."""

    node: "Node"
    least: int
    most: int | None


Node = CharacterClass | Concatenation | Either | Repeat


def parse_pattern(pattern: str, folding: Folding) -> Node:
    """Read a pattern, its letters folded as the answer's will be; else PatternError.

    It describes the whole answer, so `^` before and `$` behind it say nothing new.
    """
    if len(pattern) > MAX_LENGTH:
        raise PatternError("pattern_too_long", MAX_LENGTH)
    return _Reader(unicodedata.normalize("NFC", pattern), folding).whole()


class _Reader:
    """A place in a pattern, moving on as its pieces are read."""

    def __init__(self, pattern: str, folding: Folding) -> None:
        self._pattern = pattern
        self._folding = folding
        self._at = 0
        self._depth = 0

    def whole(self) -> Node:
        self._take("^")
        node = self._either()
        ended = self._take("$")
        if self._at < len(self._pattern):
            raise self._refused(UNSUPPORTED if ended else MALFORMED)
        return node

    def _either(self) -> Node:
        nodes = [self._row()]
        while self._take("|"):
            nodes.append(self._row())
        return nodes[0] if len(nodes) == 1 else Either(tuple(nodes))

    def _row(self) -> Node:
        nodes: list[Node] = []
        while self._next() not in ("", "|", ")", "$"):
            nodes.append(self._repeated(self._piece()))
        return nodes[0] if len(nodes) == 1 else Concatenation(tuple(nodes))

    def _piece(self) -> Node:
        char = self._step()
        if char == "(":
            return self._group()
        if char == "[":
            return self._class()
        if char == ".":
            return ANY
        if char == "\\":
            return self._escaped()
        if char == "^":
            raise self._refused(UNSUPPORTED, back=1)
        if char in "*+?{":
            raise self._refused(MALFORMED, back=1)
        return self._literal(char)

    def _group(self) -> Node:
        if self._take("?") and not self._take(":"):
            raise self._refused(UNSUPPORTED, back=1)
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self._refused(TOO_LARGE, back=1)
        node = self._either()
        if not self._take(")"):
            raise self._refused(UNSUPPORTED if self._next() == "$" else MALFORMED)
        self._depth -= 1
        return node

    def _escaped(self) -> Node:
        char = self._step()
        if char in _BLANKS:
            return build_single(self._blank(char))
        if char.lower() in SHORTHANDS:
            return build_class([], char, self._folding)
        if char.isalnum():
            raise self._refused(UNSUPPORTED, back=2)
        return self._literal(char)

    def _literal(self, char: str) -> Node:
        folded = fold_letters(char, self._folding)
        return (
            build_single(folded)
            if len(folded) == 1
            else Concatenation(tuple(build_single(letter) for letter in folded))
        )

    def _class(self) -> Node:
        negated = self._take("^")
        ranges: list[tuple[str, str]] = []
        shorthands = ""
        while self._next() != "]" or not (ranges or shorthands):
            first = self._member()
            if len(first) > 1:
                shorthands += first[1]
                continue
            last = first
            if self._next() == "-" and self._next(1) != "]":
                self._step()
                last = self._member()
            if len(last) > 1 or last < first:
                raise self._refused(MALFORMED, back=1)
            ranges.append((first, last))
        self._step()
        return build_class(ranges, shorthands, self._folding, negated=negated)

    def _member(self) -> str:
        """Return one character of a class, or a shorthand with its backslash."""
        char = self._step()
        if char == "[" and self._next() == ":":
            raise self._refused(UNSUPPORTED, back=1)
        if char != "\\":
            return char
        char = self._step()
        if char.lower() in SHORTHANDS:
            return "\\" + char
        if char.isalnum() and char not in _BLANKS:
            raise self._refused(UNSUPPORTED, back=2)
        return self._blank(char) if char in _BLANKS else char

    def _blank(self, char: str) -> str:
        """Return what an escaped blank stands for: lines are joined, and tabs are mostly blanks."""
        return "\t" if char == "t" and self._folding.has_counted_ends else " "

    def _repeated(self, node: Node) -> Node:
        if self._next() in _TIMES:
            least, most = _TIMES[self._step()]
        elif self._take("{"):
            least, most = self._times()
        else:
            return node
        self._take("?")  # as few as possible: no matter, where the whole answer has to match
        if self._next() in ("*", "+", "?", "{"):
            raise self._refused(UNSUPPORTED if self._next() == "+" else MALFORMED)
        return Repeat(node, least, most)

    def _times(self) -> tuple[int, int | None]:
        least = self._number()
        several = self._take(",")
        most = self._number() if several else least
        if not self._take("}") or (least is None and most is None):
            raise self._refused(MALFORMED)
        if most is not None and most < (least or 0):
            raise self._refused(MALFORMED, back=1)
        return least or 0, most

    def _number(self) -> int | None:
        digits = ""
        while self._next() in tuple("0123456789"):
            digits += self._step()
            if int(digits) > MAX_TIMES:
                raise self._refused(TOO_LARGE, back=1)
        return int(digits) if digits else None

    def _next(self, ahead: int = 0) -> str:
        return self._pattern[self._at + ahead : self._at + ahead + 1]

    def _take(self, char: str) -> bool:
        is_next = self._next() == char
        self._at += is_next
        return is_next

    def _step(self) -> str:
        char = self._next()
        if not char:
            raise self._refused(MALFORMED)
        self._at += 1
        return char

    def _refused(self, code: str, back: int = 0) -> PatternError:
        return PatternError(code, max(0, self._at - back))
