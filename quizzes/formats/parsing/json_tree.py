"""JSON that strangers wrote, as values with their lines and their place. Pure.

Read token by token, so that what is nested or filled to hurt ends where it begins.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import isfinite

from quizzes.formats.contract import FileError
from quizzes.formats.parsing.decoding import clean_text, decode

JsonScalar = str | int | float | bool | None

BIGGEST = 16 * 1024 * 1024
DEEPEST = 60
MOST_VALUES = 60_000
_PUNCTUATION = frozenset({"}", "]", ",", ":", ""})
_TOKEN = re.compile(
    r"""[ \t\n]*+(
      [{}\[\],:]
    | "(?:[^"\\\x00-\x1f]|\\.)*+"
    | -?\d{1,30}(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?
    | true | false | null
    | \Z
    )""",
    re.VERBOSE,
)


@dataclass(slots=True)
class _JsonError(Exception):
    at: int
    message: str


@dataclass(frozen=True, slots=True)
class JsonNode:
    """One value: lines `line` to `last`, and its place, such as `questions[2].params`.

    `plain` is a text, number, flag or None; an object has `fields`, a list has `items`.
    """

    line: int
    last: int
    where: str
    plain: JsonScalar = None
    fields: Mapping[str, "JsonNode"] = field(default_factory=dict)
    items: tuple["JsonNode", ...] = ()

    def get(self, *names: str) -> "JsonNode":
        """Return what stands under these names, one within the other; else nothing."""
        current = self
        for name in names:
            current = current.fields.get(name) or JsonNode(
                self.line, self.line, f"{current.where}.{name}"
            )
        return current

    def text(self) -> str:
        """Return a text; "" if it is none."""
        return self.plain if isinstance(self.plain, str) else ""

    def flag(self, *, default: bool) -> bool:
        """Return a flag, or the default if it is none."""
        return self.plain if isinstance(self.plain, bool) else default

    def number(self) -> int | float | None:
        """Return a number; None if it is none, or one without an end."""
        if isinstance(self.plain, bool | str) or self.plain is None:
            return None
        return self.plain if isfinite(self.plain) else None

    def walk(self) -> Iterator["JsonNode"]:
        """Yield this and all that is within, in order."""
        waiting = [self]
        while waiting:
            current = waiting.pop()
            yield current
            waiting += [*reversed(current.items), *reversed([*current.fields.values()])]


def parse(data: bytes) -> JsonNode | FileError:
    """Read bytes as one value; what is no JSON, or made to hurt: FileError with its line."""
    if len(data) > BIGGEST:
        return FileError(1, "", "too_big", f"the file is over {BIGGEST} bytes")
    text = decode(data)[0]
    reader = _Reader(text)
    try:
        return reader.read()
    except _JsonError as error:
        return FileError(text.count("\n", 0, error.at) + 1, "", "not_json", error.message)


class _Reader:
    """Goes through the text once, from token to token."""

    def __init__(self, text: str) -> None:
        self.at = 0
        self._text = text
        self._line, self._counted = 1, 0
        self._left = MOST_VALUES

    def read(self) -> JsonNode:
        """Read the one value that the text is."""
        value = self._value(self._token(), "", 0)
        if self._token():
            raise _JsonError(self.at, "there is more after the end")
        return value

    def _token(self) -> str:
        """Return the next token as it is written; "" at the end."""
        match = _TOKEN.match(self._text, self.at)
        if match is None:
            raise _JsonError(self.at, "this is no JSON")
        self.at = match.end()
        return match[1]

    def _value(self, token: str, where: str, depth: int) -> JsonNode:
        """Read the value that begins with a token."""
        self._left -= 1
        if self._left < 0 or depth > DEEPEST:
            raise _JsonError(self.at, "the file is nested or filled too much")
        line = self._count_lines()
        if token == "{":
            fields = dict(self._fields(where, depth))
            return JsonNode(line, self._count_lines(), where, fields=fields)
        if token == "[":
            items = tuple(self._items(where, depth))
            return JsonNode(line, self._count_lines(), where, items=items)
        if token in _PUNCTUATION:
            raise _JsonError(self.at, "a value is missing")
        return JsonNode(line, line, where, self._plain(token))

    def _fields(self, where: str, depth: int) -> Iterator[tuple[str, JsonNode]]:
        for token in self._first_tokens("}"):
            name = self._plain(token) if token.startswith('"') else None
            if not isinstance(name, str) or self._token() != ":":
                raise _JsonError(self.at, "a name is missing")
            place = f"{where}.{name}" if where else name
            yield name, self._value(self._token(), place, depth + 1)

    def _items(self, where: str, depth: int) -> Iterator[JsonNode]:
        for place, token in enumerate(self._first_tokens("]")):
            yield self._value(token, f"{where}[{place}]", depth + 1)

    def _first_tokens(self, end: str) -> Iterator[str]:
        """Yield the first token of each part, up to the end; commas stand between them."""
        token = self._token()
        while token != end:
            yield token
            sign = self._token()
            if sign not in {",", end}:
                raise _JsonError(self.at, "a comma is missing")
            if sign == end:
                return
            token = self._token()
            if token == end:
                raise _JsonError(self.at, "a value is missing")

    def _plain(self, token: str) -> JsonScalar:
        try:
            parsed: JsonScalar = json.loads(token)
        except ValueError:
            raise _JsonError(self.at, "this is not written as JSON writes it") from None
        return clean_text(parsed) if isinstance(parsed, str) else parsed

    def _count_lines(self) -> int:
        self._line += self._text.count("\n", self._counted, self.at)
        self._counted = self.at
        return self._line
