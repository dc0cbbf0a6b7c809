"""Which fields of a note type are front, back, hint and explanation, as its templates have them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from quizzes.formats.apkg.schemas import NoteType
from quizzes.formats.apkg.templates import Shown, after_answer, asked, shown

LONGEST = 2_000
"""Characters of a template that are written out with each note; of a longer one, fields alone."""
MOST_FIELDS = 50
EXPLAINING = frozenset({"explanation", "explicación", "extra", "back extra", "reverso extra"})
"""Names of fields that explain an answer, however they are written."""
_PROGRAM = re.compile(r"<script\b|\bonclick\s*=|javascript:", re.IGNORECASE)
_OCCLUSION = re.compile(r"image occlusion|oclusión de imagen", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Layout:
    """How the first card of a note is made: two templates and what stands apart from them.

    `fronts` are the fields that the front shows, `apart` those that it only hints at or asks for.
    `codes` are noted with every note of the type; `known` are all fields that any card has use
    for; `occluded` is a picture with parts covered.
    """

    front: str
    back: str
    fronts: frozenset[str]
    explaining: tuple[str, ...]
    known: frozenset[str]
    apart: frozenset[str] = frozenset()
    hints: tuple[str, ...] = ()
    covers: bool = False
    codes: tuple[str, ...] = ()
    occluded: bool = False


def layout(type_: NoteType, template: int) -> Layout:
    """Lay a type out by one of its templates, by its only one if that makes several cards."""
    if not type_.templates:
        return _plain(type_)
    at = template if template < len(type_.templates) and not type_.cloze else 0
    front, back = type_.templates[at]
    below, asked_for = after_answer(back), shown(front)
    fronts = _names(one.name for one in asked_for if _is_front(one))
    hints = _names(one.name for one in asked_for if "hint" in one.filters)
    before = {*fronts, *hints}
    behind = _names(one.name for one in shown(below) if one.name not in before)
    code = _code(front, back, below)
    typed = not type_.cloze and any("type" in one.filters for one in asked_for)
    return Layout(
        front=_bare(fronts) if code else front,
        back=_bare(behind) if code else below,
        fronts=frozenset(fronts),
        explaining=_names(n for n in behind if type_.cloze or n.lower() in EXPLAINING),
        known=_known(type_),
        apart=frozenset(one.name for one in asked_for) - {*fronts},
        hints=hints,
        covers=any("cloze" in one.filters for one in asked_for),
        codes=tuple(filter(None, (code, "typed_as_card" if typed else ""))),
        occluded=_occluded(type_),
    )


def _code(front: str, back: str, below: str) -> str:
    """Tell why the templates are not written out; "" if they are."""
    if _PROGRAM.search(front) or _PROGRAM.search(back):
        return "card_by_program"
    return "layout_left_out" if max(len(front), len(below)) > LONGEST else ""


def _plain(type_: NoteType) -> Layout:
    """Lay out by the order of fields: the first two are front and back, the rest explains."""
    names = _names(type_.fields)
    return Layout(
        front=_bare(names[:1]),
        back=_bare(names[1:2]),
        fronts=frozenset(names[:1]),
        explaining=names[2:],
        known=frozenset(names),
        occluded=_occluded(type_),
    )


def _is_front(one: Shown) -> bool:
    return "hint" not in one.filters and ("type" not in one.filters or "cloze" in one.filters)


def _known(type_: NoteType) -> frozenset[str]:
    sides = [side for pair in type_.templates for side in pair]
    return frozenset(one.name for side in sides for one in shown(side)).union(*map(asked, sides))


def _occluded(type_: NoteType) -> bool:
    return type_.occlusion or _OCCLUSION.search(type_.name) is not None


def _names(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))[:MOST_FIELDS]


def _bare(names: Iterable[str]) -> str:
    return "".join(f"<div>{{{{{name}}}}}</div>" for name in names)
