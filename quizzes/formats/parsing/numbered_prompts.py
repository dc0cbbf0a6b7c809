"""Numbered questions above lists of options, of which some have no options themselves. Pure.

Without headings, a question belongs to the options below it, whatever stands between: one without
options would be part of the next one's prompt. Where that happens the numbers become headings.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from quizzes.formats.parsing.code_fences import find_code_lines
from quizzes.formats.parsing.labels import LABEL, split_number, strip_label

_ONE = re.compile(r"(?<!\d)1(?!\d)")


def head_numbered_prompts(lines: list[str], spans: Sequence[range], end: int) -> None:
    """Make headings of the numbers of questions, if one above another has no options.

    `spans` are the places of the options of each question, `end` that of the keys of the page.
    """
    code_lines = find_code_lines(lines)
    prompts, last = list[int](), 0
    has_orphan = False
    starts = [0, *(span.stop for span in spans)]
    all_spans = [*spans, range(end, end)]
    _count_ones(lines, code_lines, starts, spans)
    if _are_counted(lines, code_lines, starts, spans):
        return
    numbered = [
        [
            (place, numbered[0])
            for place in range(above, span.start)
            if not code_lines[place] and (numbered := split_number(lines[place]))
            if numbered[1]
        ]
        for above, span in zip(starts, all_spans, strict=True)
    ]
    for above, span, places, below in zip(
        starts, all_spans, numbered, [*numbered[1:], []], strict=True
    ):
        chain = [(place, number) for place, number in places if number > last]
        goes_on = bool(chain) and [number for _, number in below[:1]] == [chain[-1][1] + 1]
        is_list = not last or len(chain) < len(places)  # its numbers begin anew
        is_row = _is_row(chain, last, lines, is_apart=is_list and not goes_on)
        is_row = is_row and (above > 0 or _is_beginning(lines, chain[0][0]))
        own = chain if is_row else chain[-1:]
        has_orphan = has_orphan or (is_row and span.start < end and len(chain) > 1)
        prompts += [place for place, _ in own] if is_row or span.start < end else []
        last = own[-1][1] if own else 0
    if has_orphan:
        for place in prompts:
            if label := split_number(lines[place]):
                lines[place] = f"#### {label[0]}. {label[1]}"


def _count_ones(
    lines: list[str], code_lines: Sequence[bool], starts: Sequence[int], spans: Sequence[range]
) -> None:
    """Count the questions of a page on which each is "1.", as Markdown lets one write them.

    Only where one that asks has no options: it stands above another.
    """
    numbered = [
        [
            (place, number[0])
            for place in range(above, span.start)
            if not code_lines[place] and (number := split_number(lines[place])) and number[1]
        ]
        for above, span in zip(starts, spans, strict=False)
    ]
    if len(spans) <= 1 or not all(numbered) or {n for row in numbered for _, n in row} != {1}:
        return
    prompts = [
        place
        for row in numbered
        for place, _ in row
        if place == row[-1][0] or lines[place].rstrip(" *_`").endswith(("?", "？"))
    ]
    if len(prompts) > len(spans):
        for count, place in enumerate(prompts, start=1):
            lines[place] = _ONE.sub(str(count), lines[place], count=1)


def _are_counted(
    lines: Sequence[str], code_lines: Sequence[bool], starts: Sequence[int], spans: Sequence[range]
) -> bool:
    """Return whether a heading with a word and a number stands above all options: "Question 3".

    Then numbers below are lists of reasons.
    """
    return len(spans) > 1 and all(
        any(
            not code_lines[place] and lines[place].startswith("#") and _counts(lines[place])
            for place in range(above, span.start)
        )
        for above, span in zip(starts, spans, strict=False)
    )


def _counts(heading: str) -> bool:
    label = LABEL.match(heading.lstrip("# "))
    return label is not None and bool(label["word"] or label["counted"])


def _is_row(
    chain: Sequence[tuple[int, int]], last: int, lines: Sequence[str], *, is_apart: bool
) -> bool:
    """Return whether numbers go on by one from the last question.

    `is_apart`: each must stand below an empty line, else they may be a list of a prompt.
    """
    if not chain or (last and chain[0][1] != last + 1):
        return False
    is_next = all(number == before + 1 for (_, before), (_, number) in pairwise(chain))
    if not is_apart:
        return is_next
    return is_next and all(not lines[place - 1].strip() for place, _ in chain if place)


def _is_beginning(lines: Sequence[str], place: int) -> bool:
    """Return whether nothing that may ask stands above the first number of a page."""
    above = [line.strip() for line in lines[:place] if line.strip()]
    return all(
        line.startswith(("#", "---", "<!--"))
        and not line.rstrip("*_ ").endswith("?")
        and strip_label(line.lstrip("# "), heading=True) is None
        for line in above
    )
