"""How a card is written out of a note's fields: `{{Front}}`, `{{hint:Help}}`, `{{#Extra}}…`."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

MOST_READ = 100_000
"""Characters of a template that are looked through for fields: programs follow these."""
MOST_TOKENS = 500
_TOKEN = re.compile(r"\{\{([^{}]{1,200})\}\}")
_ANSWER = re.compile(r"<hr\s[^<>]*\bid\s*=\s*[\"']?answer\b[^<>]*>", re.IGNORECASE)
_OF_ANKI = frozenset("FrontSide Tags Type Deck Subdeck Card CardFlag CardID".split())


@dataclass(frozen=True, slots=True)
class Shown:
    """A field where a template shows it, and through which filters: `hint`, `type`, `cloze`."""

    name: str
    filters: tuple[str, ...] = ()


def shown(template: str) -> list[Shown]:
    """Give the fields that a template shows, each use of them once, in their order."""
    fields = map(_field, _tokens(template))
    return [one for one in fields if one]


def asked(template: str) -> set[str]:
    """Give the fields on which parts of a template depend."""
    tokens = map(str.strip, _tokens(template))
    return {one[1:].strip() for one in tokens if one[:1] in {"#", "^"}}


def after_answer(template: str) -> str:
    """Give what a back shows below its front, where a line parts them."""
    found = list(_ANSWER.finditer(template))
    return template[found[-1].end() :] if found else template


def rendered(template: str, values: Mapping[str, str], leave_out: frozenset[str]) -> str:
    """Write a template out, each field but once, so that no few words become many."""
    once = {name: text for name, text in values.items() if name not in leave_out}
    return "".join(_written(template, values, once))


def _tokens(template: str) -> Iterator[str]:
    found = _TOKEN.findall(template, 0, MOST_READ)
    return islice(dict.fromkeys(found), MOST_TOKENS)


def _written(template: str, values: Mapping[str, str], once: dict[str, str]) -> Iterator[str]:
    at, within = 0, list[tuple[str, bool]]()  # the conditions around, and whether each holds
    for found in _TOKEN.finditer(template):
        token = found[1].strip()
        if all(holds for _, holds in within):
            yield template[at : found.start()]
            if field := _field(token):
                yield once.pop(field.name, "")
        at = found.end()
        _step(token, values, within)
    if all(holds for _, holds in within):
        yield template[at:]


def _step(token: str, values: Mapping[str, str], within: list[tuple[str, bool]]) -> None:
    """Go into a condition, or out of it."""
    sign, name = token[:1], token[1:].strip()
    if sign in {"#", "^"}:
        within.append((name, bool(values.get(name, "").strip()) == (sign == "#")))
    elif sign == "/" and within and within[-1][0] == name:
        within.pop()


def _field(token: str) -> Shown | None:
    *filters, name = (part.strip() for part in token.split(":"))
    if token.strip()[:1] in {"#", "^", "/", "!", "="} or name in _OF_ANKI:
        return None
    if any(one.startswith("tts") for one in filters):
        return None
    return Shown(name, tuple(filters))
