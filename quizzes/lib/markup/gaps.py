"""Gaps in a text: `[[mark]]` becomes a place that a page can fill, in tables and in code too.

The mark goes through the renderer as a plain word, which every part of it leaves whole, and is
turned into an element only afterwards.
"""

import re
from collections.abc import Mapping
from html import escape

from quizzes.lib.markup.renderer import render

_TAG = re.compile(r"(<[^>]*>)")


def render_with_gaps(text: str, marks: Mapping[str, str]) -> str:
    """Render block Markdown; each `[[mark]]` that `marks` knows is `<span class="gap" data-gap>`.

    `marks` gives the id of each mark. Where no element can stand (in an address, in the text of an
    image, in a formula), the mark stays text, and `missing` names it.
    """
    if not marks:
        return render(text)
    words = _words(text, marks)
    for mark, word in words.items():
        text = text.replace(f"[[{mark}]]", word)
    parts = _TAG.split(render(text))  # every second piece is a tag
    for mark, word in words.items():
        gap = f'<span class="gap" data-gap="{escape(marks[mark])}"></span>'
        plain = escape(f"[[{mark}]]")
        parts = [part.replace(word, plain if n % 2 else gap) for n, part in enumerate(parts)]
    return "".join(parts)


def missing(text: str, marks: Mapping[str, str]) -> tuple[str, ...]:
    """Return the marks that are not in the text exactly once, or are where no gap can be."""
    html = render_with_gaps(text, marks)
    return tuple(
        mark for mark, id_ in marks.items() if html.count(f'data-gap="{escape(id_)}"') != 1
    )


def _words(text: str, marks: Mapping[str, str]) -> dict[str, str]:
    """Return a word for each mark that the text does not have."""
    begin = "Gapword"
    while begin in text:
        begin += "x"
    return {mark: f"{begin}{number}Z" for number, mark in enumerate(marks)}
