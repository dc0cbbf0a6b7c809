"""Lists of lettered options, written as boxes of a checklist. Pure."""

import re
from collections.abc import Sequence

from quizzes.formats.letter_key.key_sentences import LONGEST_LABEL
from quizzes.formats.letter_key.option_lists import OptionList
from quizzes.formats.letter_key.question_evidence import NEAR
from quizzes.formats.parsing.code_fences import find_code_lines
from quizzes.formats.parsing.key_lines import is_key_line

_DETAILS = re.compile(
    r"[ \t]*(?:</details>|<details[^<>]*>[ \t]*(?:<summary[^<>]*>[^\n]*</summary>)?)[ \t]*$",
    re.IGNORECASE,
)
_TAGS = re.compile(r"(?:</?(?:p|div|b|blockquote)\b[^<>]*>[ \t]*)+", re.IGNORECASE)
_SUMMARY = re.compile(r"[ \t]*<summary[^<>]*>[^\n]*</summary>[ \t]*", re.IGNORECASE)
_BULLET = re.compile(r"[-*+][ \t]+(?P<text>\S.*)$")
_LONGEST_BOX = 40
_LONGEST_TAIL = 8


def _open_bullet(option_list: OptionList, lines: list[str]) -> None:
    """Take the bullet off the question that the options are a list within."""
    first = option_list.options[0]
    place = next((at for at in range(first.place - 1, -1, -1) if lines[at].strip()), 0)
    bullet = _BULLET.match(lines[place])
    indent = len(lines[first.place]) - len(lines[first.place].lstrip())
    if first.name and bullet and indent:
        lines[place] = bullet["text"]


def write_boxes(
    option_list: OptionList, lines: list[str], keys: dict[int, tuple[str, ...]]
) -> None:
    """Write the options with boxes, and what a key says beside as a quotation below them."""
    if not option_list.prompt:
        _open_bullet(option_list, lines)
        _dedent_below(option_list, lines)
    if option_list.start == option_list.end:
        _write_line_of_boxes(option_list, lines)
    else:
        _write_lines_of_boxes(option_list, lines, keys)
    opens_box = any(_is_tag(lines, place) for place in option_list.answer)
    for place, rest in option_list.answer.items():
        keys[place] = (lines[place].rstrip().removesuffix(rest),)
        lines[place] = f"> {rest}" if rest else ""
    if option_list.head:
        place, words, mark = option_list.head
        lines[place], keys[place] = words, (mark,)
    if option_list.answer:
        first, last = min(option_list.answer), max(option_list.answer)
        titles = _open_details(lines, first, last, is_open=opens_box)
        keys.update({at: (title,) for at, title in titles.items() if at not in keys})


def _write_lines_of_boxes(
    option_list: OptionList, lines: list[str], keys: dict[int, tuple[str, ...]]
) -> None:
    """Write each option with a box and its label, and what marked it among the keys.

    The reader of boxes takes labels off, unless a text names options by them.
    """
    is_labelled = all(option.name and option.plain for option in option_list.options)
    for at, option in enumerate(option_list.options):
        line = lines[option.place]
        indent = line[: len(line) - len(line.lstrip())] if option.name == "" else ""
        text = option.plain if option_list.is_by_verdict else option.text
        if text and option.plain != option.text and text == option.plain:
            before, _, after = line.partition(text)
            is_label = sum(map(str.isalnum, before)) < LONGEST_LABEL
            keys[option.place] = (after,) if is_label else (before, after)
        box = "x" if at in option_list.right else " "
        label = f"{option.name.upper()}) " if is_labelled else ""
        lines[option.place] = f"{indent}- [{box}] {label}{text}"


def _write_line_of_boxes(option_list: OptionList, lines: list[str]) -> None:
    """Write options that share a line as boxes without bullets, with their labels.

    The words above them that stand on that line, too, stay.
    """
    is_labelled = all(option.name and option.plain for option in option_list.options)
    boxes = "   ".join(
        f"[{'x' if at in option_list.right else ' '}] "
        f"{f'{option.name.upper()}) ' if is_labelled else ''}{option.plain}"
        for at, option in enumerate(option_list.options)
    )
    lines[option_list.start] = f"{option_list.prompt}   {boxes}" if option_list.prompt else boxes


def _dedent_below(option_list: OptionList, lines: list[str]) -> None:
    """Take the margin off lines below the last option that are indented as it is: not its own."""
    last = option_list.options[-1]
    indent = len(lines[last.place]) - len(lines[last.place].lstrip())
    if not (indent and last.name):
        return
    for place in range(last.place + 1, min(last.place + _LONGEST_BOX, len(lines))):
        line = lines[place].lstrip()
        margin = len(lines[place]) - len(line)
        if line and not 0 < margin <= indent and not is_key_line(line):
            return
        lines[place] = line


def _open_details(lines: list[str], first: int, last: int, *, is_open: bool) -> dict[int, str]:
    """Take the tags off the box that a key is in; what is below it in the box explains the key.

    Return the titles that were taken off, by their places. `is_open`: the first line of the box
    is a line of the key.
    """
    above = next((at for at in range(first, first - NEAR, -1) if _is_tag(lines, at)), None)
    end = min(last + _LONGEST_BOX, len(lines))
    below = next((at for at in range(last + 1, end) if _is_tag(lines, at)), None)
    titles: dict[int, str] = {}
    if above is not None:
        titles = {at: lines[at] for at in range(above, first) if "<summary" in lines[at].lower()}
        lines[above] = ""
        for at in range(above + 1, first):
            lines[at] = "" if _SUMMARY.fullmatch(lines[at]) else lines[at]
        titles = {at: title for at, title in titles.items() if not lines[at]}
    is_within = is_open or above is not None
    if below is not None and (is_within or below - last < _LONGEST_TAIL):
        lines[below] = ""
        code_lines = find_code_lines(lines[last + 1 : below])
        for at in range(last + 1, below) if is_within else ():
            line = lines[at] if code_lines[at - last - 1] else lines[at].strip()
            if _TAGS.fullmatch(line):
                lines[at] = ""
            elif line.strip() and not line.startswith(">"):
                lines[at] = f"> {line}"
    return titles


def _is_tag(lines: Sequence[str], place: int) -> bool:
    return place >= 0 and _DETAILS.match(lines[place]) is not None
