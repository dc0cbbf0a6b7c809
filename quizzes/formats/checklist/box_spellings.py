r"""Boxes and blocks of a checklist in other spellings, as we read them, line by line. Pure.

`()` and `( X )` become `( )` and `(X)` where a page has ticks of that sort, `\[x\]` becomes
`[x]`, and the blocks of MkDocs a heading or a quotation.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from quizzes.formats.checklist.sections import EXPLAINS
from quizzes.formats.checklist.signed_options import tick_signed
from quizzes.formats.checklist.ticked_entries import open_ticked_lists
from quizzes.formats.parsing.code_fences import find_code_lines
from quizzes.formats.parsing.labels import WORD, strip_label
from quizzes.formats.parsing.page_spellings import spell_page
from quizzes.formats.parsing.quotations import unquote_page

_LEAD = r"([ \t]{0,12}(?:(?:[-*+]|\d{1,3}[.)]|[A-Za-z][.)])[ \t]{1,4})?)"
_ROUND_TICK = re.compile(rf"^{_LEAD}\([ \t]?[xX*•][ \t]?\)(?=[ \t]+\S)", re.MULTILINE)
_WIDE_TICK = re.compile(rf"{_LEAD}\([ \t]?([xX*•])[ \t]?\)(?=[ \t]+\S)")
_EMPTY = re.compile(rf"{_LEAD}\((?:[ \t]{{2,3}})?\)(?=[ \t]+(?!=>|->|\{{)\S)")
_ROUND_LETTER = re.compile(rf"{_LEAD}\([oO]\)(?=[ \t]+\S)")
_ROUND = re.compile(rf"{_LEAD}\( \)[ \t]+\S")
_BARE_BOX = re.compile(r"[ \t]{0,12}\[[ xX]?\][ \t]+\S")
_BARE_TICK = re.compile(
    r"^([ \t]{0,12})\[(?:[ \t][xX*][ \t]?|[xX*][ \t]|\*)\](?=[ \t]+\S)", re.MULTILINE
)
"""A box without a bullet whose tick is a star, or has blanks beside it: "[*] A", "[ x ] B"."""
_LETTER_TICK = re.compile(
    r"^([ \t]{0,12}(?:[-*+]|\d{1,3}[.)])[ \t]{1,4})\[[vV]\](?=[ \t]+\S)", re.MULTILINE
)
_ANY_BOX = re.compile(
    r"^[ \t]{0,12}(?:[-*+]|\d{1,3}[.)])[ \t]{1,4}\[(?P<tick>[ xX])\]", re.MULTILINE
)
_ESCAPED = re.compile(r"([ \t]{0,12})\\\[[ \t]?([xX✓✔]?)[ \t]?\\\](?=[ \t]+\S)")
_BOX = re.compile(r"[ \t]{0,12}(?P<mark>[-*+]|\d{1,3}[.)])[ \t]+\[(?P<tick>[ xX]?)\][ \t]+(?=\S)")
_LABELLED = re.compile(r"\?\[(?P<text>\S.*)\](?:\((?:single|multiple)\))?[ \t]*")
_QUESTION_HEADING = re.compile(r"^#{1,6}[ ]Q\d", re.MULTILINE)
_ANSWER_HEADING = re.compile(r"^#{1,6}[ ]+(A\d{1,4})[.:)]?[ \t]*$", re.MULTILINE)
"""A heading above the answer to the question of this number."""
_ROW = re.compile(
    r"[ \t]*\|[ \t]*(?:(?:-[ ])?(?P<box>\[[ xX]\])(?:[ \t]*\|)?[ \t]*"
    r"(?P<text>[^|\s](?:[^|]*[^|\s])?)"
    r"|(?P<before>[^|\s](?:[^|]*[^|\s])?)[ \t]*\|[ \t]*(?P<last>\[[ xX]\]))[ \t]*\|[ \t]*"
)
"""A row of a table that has a box and a text."""
_ROW_RULE = re.compile(r"[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*")
_HEAD_LINES = 2
_LONGEST_LEAD = 24
_IN_CODE = re.compile(rf"{_LEAD}`(\[[ xX✓]\])`(?=[ \t]+\S)")
_DOUBLED = re.compile(
    r"^[ \t]{0,12}(?:[-*+][ \t]+)?\[(?P<box>\[[ xX]?\]|\([ xX]?\)|\[\?\])\][ \t]+(?P<text>\S.*)"
)
"""A box of LiaScript, "[[x]] Tajo" or "[( )] Ebro", or a hint, "[[?]] It is long"."""
_ENTRY = re.compile(
    r"[ \t]{0,12}<li>[ \t]*(?:[-*+][ \t]+)?(?P<box>\[[ xX]\])[ \t]*(?:</?li>)?(?P<text>.*)"
)
"""A box within an entry of a list of HTML: "<li>- [x] Tajo</li>"."""
_LIST_TAGS = re.compile(r"[ \t]{0,12}(?:</?(?:ul|ol|li)>[ \t]{0,8}){1,4}")
_BLOCK = re.compile(
    r"(?P<indent>[ \t]{0,12})(?:\?\?\?\+?|!!!)[ \t]+(?P<kind>[\w-]+)"
    r"(?:[ \t]+[\w-]+){0,4}(?:[ \t]+\"(?P<title>[^\"]*)\")?[ \t]*$"
)
_ASKS = frozenset({"question", "quiz", "help", "faq", "exercise", "example"})
_EXPLANATORY = frozenset("success tip note info answer hint check done abstract solution".split())
_INDENT = 4


@lru_cache(maxsize=1)  # detection asks for each ending, and then it is read
def spell_boxes(text: str) -> str:
    """Return a page with as many lines, its boxes as ours."""
    text = spell_page(unquote_page(text))
    if _QUESTION_HEADING.search(text):
        text = _ANSWER_HEADING.sub(r"<!-- \1 -->", text)
    lines = text.split("\n")
    code_lines = find_code_lines(lines)
    _open_rows(lines, code_lines)
    if "<li>" in text:
        _open_entries(lines, code_lines)
    if _LETTER_TICK.search(text) and {box["tick"] for box in _ANY_BOX.finditer(text)} == {" "}:
        for at, (line, is_code) in enumerate(zip(lines, code_lines, strict=True)):
            lines[at] = line if is_code else _LETTER_TICK.sub(r"\1[x]", line, count=1)
    has_round = _ROUND_TICK.search(text) is not None
    if _BARE_TICK.search(text):
        _tick_bare_boxes(lines, code_lines)
    spelled = [
        line if is_code else _spell_line(line, place, has_round=has_round)
        for place, (line, is_code) in enumerate(zip(lines, code_lines, strict=True))
    ]
    _tick_round_letters(spelled, code_lines)
    open_ticked_lists(spelled, code_lines)
    opened = _open_questions(list(_open_blocks(spelled, code_lines)), code_lines)
    if "none_apply" not in text:  # ours: no option may be right
        tick_signed(opened, code_lines)
    return "\n".join(opened)


def _tick_round_letters(lines: list[str], code_lines: Sequence[bool]) -> None:
    """Tick round boxes that are filled with an "O", right above or below an empty one."""
    filled = [at for at, line in enumerate(lines) if line.strip() and not code_lines[at]]
    for before, place, after in zip([-1, *filled], filled, [*filled[1:], -1], strict=False):
        if "(" in lines[place][:_LONGEST_LEAD] and _ROUND_LETTER.match(lines[place]):
            beside = [lines[at] for at in (before, after) if at >= 0]
            if any(map(_ROUND.match, beside)):
                lines[place] = _ROUND_LETTER.sub(r"\1(x)", lines[place], count=1)


def _tick_bare_boxes(lines: list[str], code_lines: Sequence[bool]) -> None:
    """Tick boxes without bullets in which a star or a wide "x" stands, in rows with other boxes."""
    row: list[int] = []
    for place in range(len(lines) + 1):
        line = lines[place] if place < len(lines) and not code_lines[place] else ""
        if line.lstrip()[:1] == "[" and (_BARE_BOX.match(line) or _BARE_TICK.match(line)):
            row.append(place)
            continue
        if any(_BARE_BOX.match(lines[at]) for at in row):
            for at in row:
                bare = lines[at].lstrip()
                tick = "[*]" if "*" in bare[: bare.index("]")] else "[x]"
                margin = lines[at][: len(lines[at]) - len(bare)]
                box = tick if _BARE_TICK.match(lines[at]) else bare[: bare.index("]") + 1]
                lines[at] = f"{margin}- {box}{bare[bare.index(']') + 1 :]}"
        row = []


def _open_entries(lines: list[str], code_lines: Sequence[bool]) -> None:
    """Write boxes within a list of HTML as those of Markdown, without the tags of the list."""
    places = [at for at, line in enumerate(lines) if "li>" in line or "l>" in line]
    matches = {at: _ENTRY.match(lines[at]) for at in places if not code_lines[at]}
    entries = {at: entry for at, entry in matches.items() if entry}
    for at in places if entries else ():
        if entry := entries.get(at):
            text = entry["text"].replace("</li>", "").strip()
            lines[at] = f"- {entry['box']} {text}".rstrip()
        elif not code_lines[at] and _LIST_TAGS.fullmatch(lines[at]):
            lines[at] = ""


def _open_rows(lines: list[str], code_lines: Sequence[bool]) -> None:
    """Write tables of which each row has one box, and a text beside, as lists of boxes."""
    start = 0
    for place in range(len(lines) + 1):
        is_row = place < len(lines) and lines[place].lstrip().startswith("|")
        if is_row and not code_lines[place]:
            continue
        rows = [_ROW.fullmatch(line) for line in lines[start:place]]
        first = next((at for at, row in enumerate(rows) if row), 0)
        body = [row for row in rows[first:] if row]
        if (
            len(body) > 1
            and len(body) == len(rows) - first
            and _is_head(lines, start, start + first)
        ):
            if first:
                lines[start], lines[start + first - 1] = f"<!-- {lines[start].strip()} -->", ""
            for at, row in enumerate(body, start=start + first):
                box = row["box"] or row["last"]
                lines[at] = f"- {box} {row['text'] or row['before']}"
        start = place + 1


def _is_head(lines: Sequence[str], start: int, end: int) -> bool:
    """Return whether lines are the head of a table and its rule, or the rule alone."""
    return start == end or (
        end - start <= _HEAD_LINES and _ROW_RULE.fullmatch(lines[end - 1]) is not None
    )


def _spell_line(line: str, place: int, *, has_round: bool) -> str:
    if line.startswith("?[") and (label := _LABELLED.fullmatch(line)):
        return f"### Q{place + 1}. {label['text']}"
    start = line.lstrip()[:8]
    if "[[" in start or "[(" in start:
        return _DOUBLED.sub(_spell_doubled, line, count=1)
    if "\\[" in start and (box := _ESCAPED.match(line)):
        return f"{box[1]}[{box[2] or ' '}]{line[box.end() :].removesuffix(chr(92))}"
    if "`[" in start:
        return _IN_CODE.sub(r"\1\2", line, count=1)
    if not has_round or "(" not in start:
        return line
    return _EMPTY.sub(r"\1( )", _WIDE_TICK.sub(r"\1(\2)", line, count=1), count=1)


def _spell_doubled(doubled: re.Match[str]) -> str:
    """Return a box of LiaScript as one of a list, or its hint."""
    box = doubled["box"].lower()
    if "?" in box:
        return f"Hint: {doubled['text']}"
    return f"- {box[0]}{'x' if 'x' in box else ' '}{box[-1]} {doubled['text']}"


def _open_blocks(lines: Sequence[str], code_lines: Sequence[bool]) -> Iterator[str]:
    """Yield lines, those of blocks without their margin: questions as text, others as quotations.

    Blocks may stand within each other. A title that says no more than "Question" gets a number.
    """
    count = 0
    blocks: list[tuple[int, bool]] = []  # the margin of each that is open; whether it explains
    for line, is_code in zip(lines, code_lines, strict=True):
        margin = len(line) - len(line.lstrip())
        while blocks and line.strip() and margin < blocks[-1][0]:
            blocks.pop()
        block = None if is_code else _BLOCK.match(line)
        if block and (explains := _says_explanation(block)) is not None:
            title = block["title"] or block["kind"].capitalize()
            blocks.append((margin + _INDENT, explains))
            if not explains and WORD.fullmatch(title.strip()):
                count += 1
                title = f"{title.strip()} {count}"
            yield f"> **{title}**" if explains else f"### {title}"
        elif blocks:
            text = line[blocks[-1][0] :]
            yield f"> {text}".rstrip() if blocks[-1][1] else text
        else:
            yield line


def _open_questions(lines: list[str], code_lines: Sequence[bool]) -> list[str]:
    """Return lines without the empty boxes of questions: those with two boxes or more within."""
    margin_within, count = -1, 0  # of the boxes below
    for place in range(len(lines) - 1, -1, -1):
        line = lines[place]
        if code_lines[place] or not line.strip():
            continue
        box = _BOX.match(line)
        margin = len(line) - len(line.lstrip())
        is_outer = box is not None and margin + 1 < margin_within
        if box and is_outer and count > 1 and not box["tick"].strip():
            mark = box["mark"] if box["mark"][0].isdecimal() else ""
            lines[place] = f"{line[:margin]}{mark} {line[box.end() :]}".lstrip(" ")
        if box is None or is_outer:
            margin_within, count = -1, 0
        else:
            count = count + 1 if margin == margin_within else 1
            margin_within = margin
    return lines


def _says_explanation(block: re.Match[str]) -> bool | None:
    """Return whether a block explains, or asks; None for any other."""
    title = block["title"] or block["kind"]
    if strip_label(title, heading=True) is not None or title.rstrip().endswith("?"):
        return False
    if EXPLAINS.match(title) or block["kind"].lower() in _EXPLANATORY:
        return True
    return False if block["kind"].lower() in _ASKS else None
