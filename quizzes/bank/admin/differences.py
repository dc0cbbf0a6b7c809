"""What changed between two states of a question, part by part and word by word. Pure."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

from django.utils.translation import gettext as _

from quizzes.bank.admin.drafting import read
from quizzes.bank.admin.words import languages
from quizzes.bank.item import Item

SAME, GONE, NEW = "same", "gone", "new"


@dataclass(frozen=True, slots=True)
class Piece:
    """Some words that stayed, went or came."""

    text: str
    fate: str


@dataclass(frozen=True, slots=True)
class Difference:
    """A part that changed: its name, the language it is in, and its words."""

    part: str
    language: str
    pieces: tuple[Piece, ...]


def words(before: str, after: str) -> tuple[Piece, ...]:
    """Compare two texts word by word; blanks and line ends are words too."""
    old, new = (re.findall(r"\S+|\s+", text) for text in (before, after))
    return tuple(_pieces(old, new))


def _pieces(old: list[str], new: list[str]) -> Iterator[Piece]:
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for kind, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if kind == "equal":
            yield Piece("".join(new[new_from:new_to]), SAME)
            continue
        for text, fate in (
            ("".join(old[old_from:old_to]), GONE),
            ("".join(new[new_from:new_to]), NEW),
        ):
            if text:
                yield Piece(text, fate)


def between(before: Item, after: Item, names: Mapping[str, str]) -> tuple[Difference, ...]:
    """Name every part that differs; `names` are the options' short names by id."""
    old, new = parts(before, names), parts(after, names)
    return tuple(
        Difference(part, language, words(old.get((part, language), ""), text))
        for (part, language), text in {**dict.fromkeys(old, ""), **new}.items()
        if old.get((part, language), "") != text
    )


def parts(item: Item, names: Mapping[str, str]) -> dict[tuple[str, str], str]:
    """Lay a question out as (name of the part, language) → text; language-neutral parts have none.

    A language is named by its name, for people.
    """
    shown = read(item, names)
    marked = {row.name or row.id: row for row in shown.rows}
    found = {
        (_("kind"), ""): shown.kind,
        (_("scoring"), ""): shown.scheme,
        (_("order of options"), ""): " ".join(marked),
        (_("pinned"), ""): " ".join(name for name, row in marked.items() if row.pinned),
        (_("correct"), ""): " ".join(name for name, row in marked.items() if row.right),
        (_("weights"), ""): " ".join(
            f"{name}={row.weight}" for name, row in marked.items() if row.weight
        ),
        (_("none of these"), ""): _("offered") if shown.none_apply else _("not offered"),
        (_("shuffled"), ""): _("yes") if shown.shuffle else _("no"),
    }
    for code, name in languages(*item.words, *item.feedback).items():
        found[_("prompt"), name] = shown.prompt.get(code, "")
        for option, row in marked.items():
            found[_("option %(name)s") % {"name": option}, name] = row.text.get(code, "")
            said = _("feedback on %(name)s") % {"name": option}
            found[said, name] = row.feedback.get(code, "")
        found[_("explanation"), name] = shown.explanation.get(code, "")
    return found
