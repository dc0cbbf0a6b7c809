"""How a card is written out of a note's fields: `{{Front}}`, `{{hint:Help}}`, `{{#Extra}}…`."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

MOST_READ = 100_000
"""Characters of a template that are searched for fields: programs follow these."""
MOST_TOKENS = 500
_TOKEN = re.compile(r"\{\{([^{}]{1,200})\}\}")
_ANSWER = re.compile(r"<hr\s[^<>]*\bid\s*=\s*[\"']?answer\b[^<>]*>", re.IGNORECASE)
_SPECIAL = frozenset("FrontSide Tags Type Deck Subdeck Card CardFlag CardID".split())
"""Names that are no fields of a note."""


@dataclass(frozen=True, slots=True)
class TemplateField:
    """A field where a template shows it, and its filters: `hint`, `type`, `cloze`."""

    name: str
    filters: tuple[str, ...] = ()


def find_fields(template: str) -> list[TemplateField]:
    """Return the fields that a template shows, each use of them once, in their order."""
    fields = map(_parse_field, _list_tokens(template))
    return [field for field in fields if field]


def find_conditions(template: str) -> set[str]:
    """Return the fields on which parts of a template depend."""
    tokens = map(str.strip, _list_tokens(template))
    return {token[1:].strip() for token in tokens if token[:1] in {"#", "^"}}


def strip_front(template: str) -> str:
    """Return what a back shows below its front, where a line parts them."""
    lines = list(_ANSWER.finditer(template))
    return template[lines[-1].end() :] if lines else template


def render_template(template: str, values: Mapping[str, str], left_out: frozenset[str]) -> str:
    """Write a template out, each field but once, so that no few words become many."""
    unused = {name: text for name, text in values.items() if name not in left_out}
    return "".join(_render(template, values, unused))


def _list_tokens(template: str) -> Iterator[str]:
    return islice(dict.fromkeys(_TOKEN.findall(template, 0, MOST_READ)), MOST_TOKENS)


def _render(template: str, values: Mapping[str, str], unused: dict[str, str]) -> Iterator[str]:
    end, conditions = 0, list[tuple[str, bool]]()  # those around, and whether each holds
    for match in _TOKEN.finditer(template):
        token = match[1].strip()
        if all(holds for _, holds in conditions):
            yield template[end : match.start()]
            if field := _parse_field(token):
                yield unused.pop(field.name, "")
        end = match.end()
        sign, name = token[:1], token[1:].strip()
        if sign in {"#", "^"}:
            conditions.append((name, bool(values.get(name, "").strip()) == (sign == "#")))
        elif sign == "/" and conditions and conditions[-1][0] == name:
            conditions.pop()
    if all(holds for _, holds in conditions):
        yield template[end:]


def _parse_field(token: str) -> TemplateField | None:
    *filters, name = (part.strip() for part in token.split(":"))
    if token.strip()[:1] in {"#", "^", "/", "!", "="} or name in _SPECIAL:
        return None
    if any(filter_.startswith("tts") for filter_ in filters):
        return None
    return TemplateField(name, tuple(filters))
