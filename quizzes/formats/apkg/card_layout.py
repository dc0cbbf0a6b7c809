"""Which fields of a note type are front, back, hint and explanation, as its templates have them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from quizzes.formats.apkg.card_templates import find_conditions, find_fields, strip_front
from quizzes.formats.apkg.collection import NoteType

MAX_LAYOUT_LENGTH = 2_000
"""Characters of a template that are written out with each note; of a longer one, fields alone."""
MOST_FIELDS = 50
_EXPLANATIONS = frozenset({"explanation", "explicación", "extra", "back extra", "reverso extra"})
"""Names of fields that explain an answer, however they are written."""
_PROGRAM = re.compile(r"<script\b|\bonclick\s*=|javascript:", re.IGNORECASE)
_OCCLUSION = re.compile(r"image occlusion|oclusión de imagen", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CardLayout:
    """How the first card of a note is made: two templates and the fields that stand beside them.

    `fronts` are the fields that the front shows, `not_shown` those that it only hints at or asks
    for. `codes` are noted with every note of the type; `used` are all fields that any card has
    use for; `is_occlusion` is a picture with parts covered.
    """

    front: str
    back: str
    fronts: frozenset[str]
    explanations: tuple[str, ...]
    used: frozenset[str]
    not_shown: frozenset[str] = frozenset()
    hints: tuple[str, ...] = ()
    is_cloze: bool = False
    codes: tuple[str, ...] = ()
    is_occlusion: bool = False


def build_layout(type_: NoteType, template: int) -> CardLayout:
    """Return the layout of one of the templates, of the only one if that makes several cards.

    Without templates, the first two fields are front and back, the rest explains.
    """
    is_occlusion = type_.occlusion or _OCCLUSION.search(type_.name) is not None
    if not type_.templates:
        names = _unique(type_.fields)
        return CardLayout(
            _list_fields(names[:1]),
            _list_fields(names[1:2]),
            fronts=frozenset(names[:1]),
            explanations=names[2:],
            used=frozenset(names),
            is_occlusion=is_occlusion,
        )
    number = template if template < len(type_.templates) and not type_.cloze else 0
    front, back = type_.templates[number]
    below, on_front = strip_front(back), find_fields(front)
    hints = _unique(field.name for field in on_front if "hint" in field.filters)
    fronts = _unique(
        field.name
        for field in on_front
        if "hint" not in field.filters and ("type" not in field.filters or "cloze" in field.filters)
    )
    behind = _unique(
        field.name for field in find_fields(below) if field.name not in {*fronts, *hints}
    )
    code = "layout_left_out" if max(len(front), len(below)) > MAX_LAYOUT_LENGTH else ""
    if _PROGRAM.search(front) or _PROGRAM.search(back):
        code = "card_by_program"
    is_typed = not type_.cloze and any("type" in field.filters for field in on_front)
    sides = [side for pair in type_.templates for side in pair]
    shown_anywhere = {field.name for side in sides for field in find_fields(side)}
    return CardLayout(
        _list_fields(fronts) if code else front,
        _list_fields(behind) if code else below,
        fronts=frozenset(fronts),
        explanations=_unique(
            name for name in behind if type_.cloze or name.lower() in _EXPLANATIONS
        ),
        used=frozenset(shown_anywhere.union(*map(find_conditions, sides))),
        not_shown=frozenset(field.name for field in on_front) - {*fronts},
        hints=hints,
        is_cloze=any("cloze" in field.filters for field in on_front),
        codes=tuple(filter(None, (code, "typed_as_card" if is_typed else ""))),
        is_occlusion=is_occlusion,
    )


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))[:MOST_FIELDS]


def _list_fields(names: Iterable[str]) -> str:
    """Return a template that shows these fields, one below the other."""
    return "".join(f"<div>{{{{{name}}}}}</div>" for name in names)
