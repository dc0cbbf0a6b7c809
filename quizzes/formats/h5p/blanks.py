"""H5P.Blanks: words between stars are gaps, `*right/as well:tip*`; two stars are one."""

import re
from dataclasses import dataclass, replace
from html import unescape

from quizzes.formats.builders import (
    Accepted,
    Gap,
    Head,
    add_score_feedback,
    build_cloze,
    escape_wildcards,
)
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.h5p.item import Item, Refused
from quizzes.formats.parsing.json_tree import Value
from quizzes.formats.parsing.placeholders import free_word, marked, standing, within_formula

MOST_GAPS = 100
MOST_ANSWERS = 100
_TAG = re.compile(r"<[^<>]*>")
_BETWEEN = re.compile(r"(?<!\\)/")


@dataclass(frozen=True, slots=True)
class Blank:
    """A gap: what is accepted, and the tip on it."""

    answers: tuple[str, ...]
    tip: str = ""


def blanks(item: Item, head: Head) -> ParsedQuestion:
    """Read all blocks of text as one text with gaps."""
    at = item.params.get("questions")
    pieces = [piece for block in at.items for piece in cut(block.text())]
    found = [piece for piece in pieces if isinstance(piece, Blank)]
    word = free_word(piece for piece in pieces if isinstance(piece, str))
    html = "".join(_standing(pieces, word))
    if not found:
        raise Refused("no_gaps", at)
    if len(found) > MOST_GAPS or any(len(one.answers) > MOST_ANSWERS for one in found):
        raise Refused("too_many_gaps", at)
    if within_formula(html, word):
        raise Refused("gap_in_formula", at)
    head = replace(head, prompt=marked(_prompt(item, at, html), word))
    gaps, case = _gaps(item, at, found), _case(item)
    # Words are compared there as they stand, but for capitals where an author says so.
    made = build_cloze(head, gaps, case=case, accents=True, spaces=True, punctuation=True)
    return add_score_feedback(made, item.language, item.bands())


def cut(html: str) -> list[str | Blank]:
    """Part a text at its gaps; a star that no other follows is one."""
    said = html.split("*")
    pieces: list[str | Blank] = [said[0]]
    place = 1
    while place < len(said):
        if place == len(said) - 1:
            pieces.append(f"*{said[place]}")
        elif not said[place]:
            pieces.append(f"*{said[place + 1]}")
        else:
            pieces += [_blank(said[place]), said[place + 1]]
        place += 2
    return pieces


def _blank(said: str) -> Blank:
    words, _, tip = unescape(_TAG.sub("", said)).partition(":")
    answers = (" ".join(one.replace("\\/", "/").split()) for one in _BETWEEN.split(words))
    return Blank(tuple(dict.fromkeys(filter(None, answers))), " ".join(tip.split()))


def _standing(pieces: list[str | Blank], word: str) -> list[str]:
    said, number = [], 0
    for piece in pieces:
        if isinstance(piece, Blank):
            number += 1
            tip = piece.tip.replace("&", "&amp;").replace("<", "&lt;")
            said.append(standing(word, number) + (f" ({tip})" if tip else ""))
        else:
            said.append(piece)
    return said


def _prompt(item: Item, at: Value, html: str) -> str:
    above = item.markdown(item.params.get("text"))
    return "\n\n".join(filter(None, (item.shown(), above, item.markdown(at, html))))


def _gaps(item: Item, at: Value, found: list[Blank]) -> list[Gap]:
    if not all(one.answers for one in found):
        item.note("answer_empty", at)
    if tip := next((one.tip for one in found if one.tip), ""):
        item.note("tip_shown", at, tip)
    return [
        Gap(f"gap-{number}", accepted=[Accepted(escape_wildcards(text)) for text in one.answers])
        for number, one in enumerate(found, start=1)
    ]


def _case(item: Item) -> bool:
    if item.set("acceptSpellingErrors", default=False):
        item.note("spelling_counts", item.params.get("behaviour"))
    return item.set("caseSensitive", default=True)
