"""Questions in blocks of other tools, and options without bullets, as lists. Pure.

Blocks are those of MyST and Quarto (three backquotes or colons with a name in braces), and lines
of plain text below a question, one of them with a tick.
"""

import re
from collections.abc import Iterator, Sequence

from quizzes.formats.parsing.code_fences import find_code_lines
from quizzes.formats.parsing.key_lines import begins_with_key_word, is_key_line
from quizzes.formats.parsing.labels import strip_label
from quizzes.formats.parsing.verdicts import SIGN, TICKS

_DIRECTIVE = re.compile(
    r"[ \t]*(?P<marks>`{3,}|~{3,}|:{3,})[ \t]*(?:\{)?(?:mcq|quiz|question|questions|multiple-choice"
    r"|admonition|dropdown|tip|note|hint|important|solution|answer|toggle|exercise)"
    r"(?:\})?[ \t]*(?P<title>[^{}`]*)$",
    re.IGNORECASE,
)
_CHOICE = re.compile(
    r"[ \t]*:{3,}[ \t]*\{(?=[^{}]*\.(?:choice|option)\b)(?P<classes>[^{}]*)\}[ \t]*$"
)
_IS_RIGHT = re.compile(r"\.(?:correct|right|answer)", re.IGNORECASE)
_FOLDED = re.compile(r"[ \t]*(`{3,})[ ]?(?:details|spoiler|answer|solution)[ \t]*$", re.IGNORECASE)
"""Where a listing begins that is shown as a box."""
_SETTING = re.compile(r"[ \t]*:(?:class|name|label|open|icon|color|animate|admonition|hidden):.*$")
_SUMMARY = re.compile(
    r"[ \t]*<summary[^<>]*>(?:<\w+>)*([^<>]*)(?:</\w+>)*</summary>", re.IGNORECASE
)
_OPEN = re.compile(r"[ \t]*<details\b[^<>]*>", re.IGNORECASE)
_OPENING = re.compile(r"<details\b[^<>]*>", re.IGNORECASE)
_TITLED = re.compile(rf"(?:{_OPENING.pattern}[ \t]*)?{_SUMMARY.pattern}", re.IGNORECASE)
_VERDICT = re.compile(
    rf"[ \t>]*[*_]{{0,3}}(?:[(\[](?:correct(?:[ ]answer)?|correct[ao])[)\]]"
    rf"|[{TICKS}]\ufe0f?)[*_]{{0,3}}[ \t]*$",
    re.IGNORECASE,
)
_ENTRY = re.compile(r"[ \t]*(?:[-*+]|\(?[A-Za-z0-9]{1,2}[.):])[ \t]+\S")
_LETTERED = re.compile(r"[ \t]*(?:[-*+][ \t]+)?[`*_]{0,3}\(?[A-Za-z][.)][ \t*_]")
_NO_OPTION = re.compile(r"[ \t]*(?:[-*+#>|<~:!]|```|\d{1,3}[.)]|\(?[A-Za-z][.):]|\[[ xX]?\]|$)")
_TICKED = re.compile(rf"[^\s{TICKS}].*[^\s{TICKS}][ \t]*[{TICKS}]\ufe0f?[ \t\\]*$")
_SIGNED = re.compile(SIGN)
_ASKS = re.compile(r".*[?:？：][*_`)\"”\\ \t]*$|[ \t]*(?:#{1,6}[ \t]|\*\*|\d{1,4}[.)][ \t])")
_BLOCK = re.compile(r'[ \t]{0,12}(?:\?\?\?\+?|!!!)[ \t]*\w*[ \t]*"([^"]*)"[ \t]*$')
_LISTED_OPTION = re.compile(r"[ \t]{0,12}\(?(?P<name>[A-Ja-j])[.)][ \t]+\S")
_LETTERS = "ABCDEFGHIJ"
_BLOCK_INDENT = 4
_FEWEST = 2
_NEAR = 6
_MOST = 12
_LONGEST_BOX = 40


def open_directives(lines: Sequence[str]) -> Iterator[str]:
    """Yield lines without the marks of blocks that hold a question, an option or a solution."""
    closings: list[str] = []  # of the blocks that are open
    choice = ""
    is_head = False
    for place, line in enumerate(lines):
        stripped = line.strip()
        directive = _DIRECTIVE.match(line) if stripped[:3] in {"```", "~~~", ":::"} else None
        if choice_block := _CHOICE.match(line):
            choice = "- ✅ " if _IS_RIGHT.search(choice_block["classes"]) else "- "
            closings.append(":::")
            yield ""
        elif directive and ("{" in line or directive["marks"].startswith(":")):
            closings.append(directive["marks"])
            is_head = True
            title = directive["title"].strip()
            following = next(
                (other for other in lines[place + 1 : place + _NEAR] if _is_text(other)), ""
            )
            yield f"**{title}:**" if title and not is_key_line(following) else ""
        elif closings and stripped == closings[-1]:
            closings.pop()
            yield ""
        elif is_head and _SETTING.match(line):
            yield ""
        else:
            is_head = False
            yield f"{choice}{stripped}" if choice and stripped else line
            choice = "" if stripped else choice


def open_folded_listings(lines: Sequence[str]) -> list[str]:
    """Return lines without the fences of listings that are boxes: each ends above a heading."""
    opened, opening, closing = list(lines), ("", 0), 0
    for place, line in enumerate([*lines, "## "]):
        folded = _FOLDED.match(line)
        if opening[0] and line.strip() == opening[0]:
            closing = place
        elif opening[0] and (folded or line.startswith("##")):
            if closing:
                opened[opening[1]] = opened[closing] = ""
            opening = "", 0
        if folded:
            opening, closing = (folded[1], place), 0
    return opened


def open_listed_options(lines: list[str]) -> list[str]:
    """Return lines in which a listing ends above the lettered options at its end.

    They are those of a question: a line below the listing has its key.
    """
    code_lines = find_code_lines(lines)
    opened = list(lines)
    end = 0  # the place below the last line with words
    for place in range(len(lines) - 1, -1, -1):
        closes = code_lines[place] and not (place + 1 < len(lines) and code_lines[place + 1])
        if closes and end and not code_lines[end] and begins_with_key_word(lines[end]):
            _open_listed(opened, place)
        if lines[place].strip():
            end = place
    return opened


def _open_listed(lines: list[str], closing: int) -> None:
    """End a listing above the options at its end: below a blank line, or they are all of it."""
    names = ""
    for place in range(closing - 1, -1, -1):
        line = lines[place]
        if option := _LISTED_OPTION.match(line):
            names = option["name"].upper() + names
            continue
        is_fence = line.lstrip().startswith(("```", "~~~"))
        counts = len(names) > 1 and _LETTERS.startswith(names)
        if counts and (is_fence or not line.strip()):
            lines[place], lines[closing] = "" if is_fence else lines[closing], ""
        if counts or line.strip():
            return


def _is_text(line: str) -> bool:
    return bool(line.strip()) and not _SETTING.match(line)


def open_blocks(lines: Sequence[str]) -> Iterator[str]:
    """Yield lines in which a block of MkDocs, `??? success "Answer"`, is a title and its lines.

    What is indented below it is no part of the option above.
    """
    margin = -1  # of the block that is open
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if margin >= 0 and line.strip() and indent < margin + _BLOCK_INDENT:
            margin = -1
        if block := _BLOCK.match(line):
            margin = indent
            yield f"<summary>{block[1]}</summary>"
        else:
            yield line[margin + _BLOCK_INDENT :] if margin >= 0 else line


def open_details(lines: Sequence[str]) -> Iterator[str]:
    """Yield lines in which a box whose title is a question, and a quoted label, is opened."""
    is_question: list[bool] = []  # of the boxes that are open
    for place, line in enumerate(lines):
        stripped = line.strip()
        quoted = stripped[1:].strip() if stripped.startswith(">") else ""
        if quoted and strip_label(quoted, heading=False) is not None:
            yield quoted
            continue
        if "<" not in line or "details" not in line.lower() + lines[place - 1].lower():
            yield line
            continue
        title = _SUMMARY.search(line)
        following = lines[place + 1] if place + 1 < len(lines) else ""
        opens = _OPEN.match(line) is not None
        if opens:
            first = title or _SUMMARY.match(following)
            is_question.append(
                first is not None
                and (_is_question_title(first[1]) or _asks_within(first[1], lines, place + 1))
            )
        if title and is_question and is_question[-1] and _TITLED.fullmatch(stripped):
            yield title[1].strip()
        elif is_question and is_question[-1] and _OPENING.fullmatch(stripped):
            yield ""
        elif stripped.lower() == "</details>" and is_question:
            yield "" if is_question.pop() else line
        else:
            if "</details>" in line.lower() and is_question:
                is_question.pop()
            yield line


def _is_question_title(title: str) -> bool:
    """Return whether the title of a box is numbered, or asks."""
    text = title.strip()
    return not is_key_line(text) and (
        strip_label(text, heading=True) is not None or text.endswith("?")
    )


def _asks_within(title: str, lines: Sequence[str], start: int) -> bool:
    """Return whether a box has options with letters and, below them, their key."""
    entries = 0
    for line in lines[start : start + _LONGEST_BOX]:
        if "</details>" in line.lower():
            return False
        entries += _LETTERED.match(line) is not None
        if entries >= _FEWEST and is_key_line(line):
            return not is_key_line(title)
    return False


def move_verdicts(lines: Sequence[str]) -> list[str]:
    """Return lines in which "(Correct)" alone, below an entry of a list, stands at its end."""
    moved = list(lines)
    last = -1
    for place, line in enumerate(lines):
        if not line.strip():
            continue
        if last >= 0 and _VERDICT.match(line) and _ENTRY.match(moved[last]):
            moved[last] = f"{moved[last].rstrip()} ✅"
            moved[place] = ""
        else:
            last = place
    return moved


def bullet_options(lines: Sequence[str], code_lines: Sequence[bool]) -> list[str]:
    """Return lines in which lines without bullets below a question, one with a tick, have some."""
    bulleted = list(lines)
    for start, end in _find_paragraphs(lines, code_lines):
        first = start if _asks_above(lines, code_lines, start) else start + 1
        first = first + 1 if first == start and _asks(lines[start]) else first
        options = range(first, end)
        ticked = [place for place in options if _TICKED.match(lines[place].strip())]
        is_plain = not any(_NO_OPTION.match(lines[place]) for place in options)
        signs = sum(_SIGNED.search(lines[place]) is not None for place in options)
        asks = first == start or _asks(lines[start])
        if asks and is_plain and 0 < len(ticked) == signs < len(options) <= _MOST:
            for place in options:
                bulleted[place] = f"- {lines[place].strip()}"
    return bulleted


def _find_paragraphs(lines: Sequence[str], code_lines: Sequence[bool]) -> Iterator[tuple[int, int]]:
    start = 0
    for place in range(len(lines) + 1):
        if place == len(lines) or code_lines[place] or not lines[place].strip():
            if place - start >= _FEWEST:
                yield start, place
            start = place + 1


def _asks_above(lines: Sequence[str], code_lines: Sequence[bool], start: int) -> bool:
    """Return whether the next line with words above, but for a listing, is that of a question."""
    above = range(start - 1, -1, -1)
    return _asks(next((lines[at] for at in above if lines[at].strip() and not code_lines[at]), ""))


def _asks(line: str) -> bool:
    return _ASKS.match(line) is not None
