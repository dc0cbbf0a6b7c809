"""Options and keys in the many spellings of other people, rewritten in one, line by line. Pure."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from quizzes.formats.letter_key.block_spellings import (
    bullet_options,
    move_verdicts,
    open_blocks,
    open_details,
    open_directives,
    open_folded_listings,
    open_listed_options,
)
from quizzes.formats.letter_key.difference_spellings import open_differences
from quizzes.formats.letter_key.html_spellings import spell_html
from quizzes.formats.letter_key.listed_answers import move_listed_answers
from quizzes.formats.letter_key.table_spellings import spell_tables
from quizzes.formats.parsing.code_fences import find_code_lines
from quizzes.formats.parsing.page_spellings import spell_page
from quizzes.formats.parsing.quotations import unquote_page
from quizzes.formats.parsing.verdicts import SIGN, TICKS

_LEAD = r"^([ \t]{0,12}(?:[-*+][ \t]+)?(?:\*\*)?)"
_WORD = r"(?:Option|Choice|Opci[oó]n|Alternativa)"
_LABEL = r"\(?(?:[A-Za-z]|\d{1,2})[.):]"
_LABEL_ALONE = re.compile(rf"[ \t]*(?:[-*+][ \t]+)?(?:\[[ xX]?\]|{_LABEL})*")
_KEYWORD = r"(?:correct[ ])?answers?|solutions?|respuestas?|soluci[oó]n(?:es)?"
_BLANKS = str.maketrans(dict.fromkeys("\u00a0\u2002\u2003\u3000", " "))
_CIRCLED = {"🅰": "A", "🅱": "B", "🅲": "C", "🅳": "D", "🅴": "E", "🅾": "O"}
_LETTER = re.compile(
    r"^([ \t]{0,12}(?:[-*+][ \t]+)?)([🅰🅱🅲🅳🅴\U0001F1E6-\U0001F1EC])\ufe0f?[.):]?[ \t]*(?=\S)"
)


def _move_sign(match: re.Match[str]) -> str:
    """Return an option whose sign stood before its letter with the sign at its end."""
    return f"{match[1]}{match[3]} {match[2] or '✅'}"


def _spell_end_sign(match: re.Match[str]) -> str:
    """Return a tick for a sign behind an option; a sign that is the option as it is: "1. *"."""
    is_option = _LABEL_ALONE.fullmatch(match.string[: match.start()]) is not None
    return match[0] if is_option else " ✅"


def _spell_callout(match: re.Match[str]) -> str:
    """Return the title of a callout as that of a key; "" where it is any other."""
    return f"**{match[1]}:**" if match[1] else ""


def _spell_tags(match: re.Match[str]) -> str:
    """Return what stands between tags as bold or struck out; code as it is."""
    marks = "~~" if match[2] and match[2].lower() in {"del", "s", "strike"} else "**"
    return match[1] or f"{marks}{match[3]}{marks}"


def _spell_letter(match: re.Match[str]) -> str:
    """Return the letter that a picture of one shows."""
    letter = _CIRCLED.get(match[2]) or chr(ord(match[2]) - 0x1F1E6 + ord("A"))
    return f"{match[1]}{letter}. "


_WORDED = 2
"""The last patterns, which need no sign."""
_REWRITTEN: Sequence[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]] = tuple(
    (re.compile(pattern, re.IGNORECASE), written)
    for pattern, written in (
        (r"^(?:[ \t]*&nbsp;)+[ \t]*", " "),
        (r"^[ \t]*(?:[\U0001F300-\U0001FAFF❓❔▪▶►➤🔹🔸]\ufe0f?[ \t]+)+(?=\(?[A-Z][.)][ \t])", ""),
        (r"^[ \t]*[❓❔🔹🔸📝🎯🧠]\ufe0f?[ \t]*(?=[*_]{0,3}(?:Question|Pregunta|Q)[ \t]?\d)", ""),
        (r"^([ \t]*)A:[ \t]*(?-i:([A-J]))[).][ \t]", r"\1Answer: \2) "),
        (r"(?<=[ \t])\*\*(?=[^\s*])([^*]+?)[ \t]+\*\*\*[ \t]*$", r"\1 ✅"),
        (
            r"(?:(?<=[ \t])\*\*\*(?=\S)|^\*\*\*(?=[A-J][.)]))([^*]+)\*\*\*[ \t]*$",
            r"**\1**",
        ),
        (r"^([ \t]{0,12}(?:[-*+][ \t]+)?)[（(]?([A-Z]|\d{1,3})[．、）][ \t]*(?=\S)", r"\1\2. "),
        (
            r"^([\W_]{0,8}(?:(?:正确|正確|参考|參考)?答案|正解|解答|答え|정답)[*_ ]{0,4})：",
            r"\1: ",
        ),
        (
            (
                r"^([\W_]{0,8}(?:(?:正确|正確|参考|參考)?答案|正解|정답)[是为為選选]?)[ ]?"
                r"(?-i:([A-J]{1,5}))(?:[：:，,。.、]|$)[ ]?"
            ),
            r"\1: \2. ",
        ),
        (
            (
                rf"^([ \t>]*)[{TICKS}]\ufe0f?[ \t]*(?=[*_`]|.{{1,20}}[—–-][ \t])"
                r"([*_`]{0,3}(?-i:[A-J](?:[ ]?[,&/][ ]?[A-J]){0,4})[*_`]{0,3})[ \t]*"
                r"(?=$|[—–-][ \t])"
            ),
            r"\1Answer: \2 ",
        ),
        (r"(?<=\w)\\([.)])", r"\1"),
        (r"^[ \t]*<(p|li|div)\b[^<>]*>(.*)</\1>[ \t]*$", r"\2"),
        (r"^[ \t]*(?:<br ?/?>)+[ \t]*(?=\S)", ""),
        (r"(`[^`]*`)|<(b|strong|u|mark)>(?=\S)((?:(?!<\2>).)+?)</\2>", _spell_tags),
        (r"(`[^`]*`)|<(del|s|strike)>(?=\S)((?:(?!<\2>).)+?)</\2>", _spell_tags),
        (r":(?:white_check_mark|heavy_check_mark|ballot_box_with_check):", "✅"),
        (r":(?:x|negative_squared_cross_mark):", "❌"),
        (r":(?:black_square_button|white_large_square|white_square_button|white_circle):", "⬜"),
        (r"^([ \t]{0,12}(?:[-*+][ \t]+)?)([0-9])\ufe0f?\u20e3[ \t]*", r"\1\2. "),
        (rf"{_LEAD}~~({_LABEL}[ \t]+)(.+)~~[ \t]*$", r"\1\2~~\3~~"),
        (rf"{_LEAD}(?:({SIGN})|(?:→|=>|->|>>)[ \t])[ \t]*((?:\*\*)?{_LABEL}[ \t]+.*)$", _move_sign),
        (r"^([ \t]{0,12})\*(\(?[A-Za-z][.)][ \t]+[^*]*)\*[ \t]*$", r"\1\2 ✅"),
        (r"^([ \t]{0,12})\*(\(?[A-Za-z][.)][ \t]+.*)$", r"\1\2 ✅"),
        (rf"^[ \t]*:::.*?\b({_KEYWORD})\b.*$", r"**\1:**"),
        (r"^[ \t]*:::.*$", ""),
        (r"^[ \t]*</?quiz\b[^<>]*>[ \t]*$", ""),
        (rf"{_LEAD}\[([A-WYZ]|\d{{1,2}})\][ \t]+(?=\S)", r"\1\2) "),
        (rf"{_LEAD}`\(?([A-Z])[.):]?`[.):]?[ \t]+(?=\S)", r"\1\2. "),
        (rf"{_LEAD}([A-Z])[ \t]+\|[ \t]+(?=[^|]+$)", r"\1\2. "),
        (r"^([ \t]{0,12}(?:[-*+][ \t]+)?)`(\(?[A-J][ ]?[.)][ \t]+[^`]+)`[ \t]*$", r"\1**\2**"),
        (
            r"^([ \t]*(?:[-*+][ \t]+)?)==(?:\*\*)?(\(?\w[.)][ \t]+[^=*]+)(?:\*\*)?==[ \t]*$",
            r"\1**\2**",
        ),
        (
            r"^([ \t]*(?:[-*+]|\(?\w[.)])[ \t]+)(?:==(?=\S)([^=]+)==|\*(?=[^\s*])([^*]+)\*)$",
            r"\1**\2\3**",
        ),
        (r"(?<![-*+\s])[ \t]+(?:\[x\]|✓|\*{1,2})[ \t]*$", _spell_end_sign),
        (r"(?<=\S)[ \t]+<{1,9}-+[ \t]*correct.{0,10}$", " ✅"),
        (rf"^[ \t]*>[ \t]*\[!\w+\][+-]?[ \t]*({_KEYWORD})?[ \t]*$", _spell_callout),
        (r"^([ \t]*\(?\w{1,3}\.)-(?=[ \t])", r"\1"),
        (rf"{_LEAD}{_WORD}[ ]+([A-Z]|\d)(?:\*\*)?[ \t]*[.:)](?:\*\*)?[ \t]+(?=\S)", r"\1\2. "),
    )
)
_REWRITTEN_WORDS = _REWRITTEN[-_WORDED:]
_RUN_ON = re.compile(r"(?:^[ \t]{0,12}[-*+]|(?<=\S)-)[ \t](?=[A-J][.)][ \t])")
"""Where options begin whose line breaks were lost."""
_FEWEST_RUN_ON = 2
_LETTERS = "ABCDEFGHIJ"
_COUNTED = re.compile(
    r"^([ \t]*(?:#{1,6}[ \t]+)?(?:\*\*)?)(?:第[ ]?(\d{1,4})[ ]?(?:题|題|问|問)"
    r"|(?:Frage|Fråga|Вопрос|Питання|Pergunta|Questão|Domanda|Vraag|Spørgsmål|Pytanie|Otázka|Kérdés"
    r"|Întrebarea?|Ερώτηση|Soru|Soal|Pertanyaan|Câu(?: hỏi)?|Kysymys|问题|問題|問|题目|題目|질문"
    r"|문제|문항)[ \t]{0,3}#?(\d{1,4}))(?=[ \t]*(?:[.:：)（(\[*_—–-]|$))",
    re.IGNORECASE,
)
"""A label that counts questions in another language."""
_SIGN = re.compile(r"[^\w \t.,;?'()-]")
_TITLE = re.compile(rf"\*\*(?:{_KEYWORD}):\*\*", re.IGNORECASE)
_QUOTED_KEY = re.compile(
    r">[ ]?[*_`(]{0,3}[A-J](?:[ ]?[,&/][ ]?[A-J]){0,4}[*_`)]{0,3}(?:[ \t]*$|[.):]|[ \t]*[—–-])"
)
_SHORT_ANSWER = re.compile(r"^([ \t]*[*_]{0,2})A:")
_NUMBERED_ANSWER = re.compile(
    r"^([ \t]*[*_]{0,2})A\d{1,3}[.):](?=[ \t*_]{1,4}\(?[A-Ja-j]\)?[*_. \t]{0,6}$)"
)
_NUMBERED_QUESTION = re.compile(r"[ \t]*[*_]{0,2}Q\d{1,3}[.):]")
_TICKED_LETTERS = re.compile(
    rf"[ \t>]{{0,6}}[{TICKS}]\ufe0f?[ ]{{0,3}}[*_`(]{{0,3}}"
    r"([A-J](?:[ ]?(?:,|&|/|and|y)[ ]?[A-J]){0,4})[*_`)]{0,3}[.]?[ \t]*"
)
_SIGNED = re.compile(rf"[ \t>]{{0,6}}(?:[-*+][ ]+)?{SIGN}")
_TURNED = re.compile(r"^[ \t]*\?{1,2}[ \t]*$")
_EMPTY_BOX = re.compile(r"^([ \t]{0,12}(?:[-*+][ \t]+|(?=[\[(])))(?:\[ ?\]|\( \))[ \t]+(?=\S)")
_NUMBERED_BOX = re.compile(r"^([ \t]{0,12}\d{1,2}[.)][ \t]+)(?:\[ ?\]|\( \))[ \t]+(?P<text>\S.*)$")
_IS_BOX = re.compile(r"(?:[-*+][ \t]+)?\[[ xX]?\][ \t]")
_TICKED = re.compile(r"[ \t]{0,12}(?:[-*+]|\w{1,2}[.)])?[ \t]*(?:\[ ?[xX✓✔✅*] ?\]|\([xX*•]\))")
_BREAK = re.compile(r"(?<![ \t])[ \t]*<br ?/?>[ \t]*(?=\(?[B-Z][.)][ \t])", re.IGNORECASE)
_TIGHT = re.compile(rf"{_LEAD}([A-J])[.)](?=[^\s.)*_\d])")
_WIDE = re.compile(r"^([ \t]{0,12}(?:[-*+][ \t]+)?)([A-J])(?:[ ]{2,6}|\t)(?=[^\s|])")
"""A letter that only blanks part from its option: "A  512KB"."""
_LABELLED = re.compile(rf"{_LEAD}{_LABEL}[ \t]")
_BREAKS = re.compile(r"(?:(?<![ \t])[ \t]+)?(?:<br ?/?>)+[ \t]*$", re.IGNORECASE)
_LONGEST_BREAKS = 40
_NEAR = 3
_SHORTEST = 3
"""Characters of the shortest line that is spelled in another way: `b.x`."""


@dataclass(frozen=True, slots=True)
class SpelledText:
    """A page in the usual spelling; `table_heads` are the places of lines that named columns."""

    text: str
    table_heads: frozenset[int]


@lru_cache(maxsize=1)  # detection asks for each ending, and then it is read
def simplify_spellings(text: str) -> SpelledText:
    """Return a page with as many lines, each spelled in the most usual way; listings as they are.

    `[B] text`, `Option B: text`, `B.text` become `B. text`; marks of a right option a tick or bold.
    """
    spaced = spell_page(unquote_page(text)).translate(_BLANKS)
    lines = list(
        open_blocks(
            list(
                open_directives(
                    open_differences(open_listed_options(open_folded_listings(spaced.split("\n"))))
                )
            )
        )
    )
    lines = list(open_details(lines))
    lines, table_heads = spell_tables(list(spell_html(lines)))
    lines = move_listed_answers(_spell_ticked_letters(_spell_answers(lines)))
    lines = move_verdicts(_open_empty_boxes(lines))
    lines = bullet_options(lines, find_code_lines(lines))
    for at, is_code in enumerate(find_code_lines(lines)):
        if not is_code:
            lines[at] = _simplify(lines[at])
    _join_titles(lines)
    for at in _find_tight(lines):
        lines[at] = _TIGHT.sub(r"\1\2. ", lines[at], count=1)
    for at in _find_wide(lines):
        lines[at] = _WIDE.sub(r"\1\2. ", lines[at], count=1)
    return SpelledText("\n".join(lines), table_heads)


def _spell_answers(lines: list[str]) -> list[str]:
    """Return lines in which "A:" is an answer: questions begin with "Q:" or "Q1:", none "B:".

    So is "A3) b" below "Q3)", and what stands below a question mark alone, as on cards of Obsidian.
    """
    lines = [_TURNED.sub("**Answer:**", line) for line in lines]
    is_numbered = any(map(_NUMBERED_QUESTION.match, lines))
    if is_numbered:
        lines = [_NUMBERED_ANSWER.sub(r"\1Answer:", line) for line in lines]
    starts = {line.lstrip(" *_")[:2].upper() for line in lines}
    if not ("Q:" in starts or is_numbered) or "B:" in starts:
        return lines
    return [_SHORT_ANSWER.sub(r"\1Answer:", line) for line in lines]


def _spell_ticked_letters(lines: list[str]) -> list[str]:
    """Return lines in which letters with a tick alone are keys: "✅ B", but for lists of signs."""
    spelled = list(lines)
    above = ""
    for place, line in enumerate(lines):
        if match := _TICKED_LETTERS.fullmatch(line):
            below = next((each for each in lines[place + 1 : place + _NEAR] if each.strip()), "")
            if not _SIGNED.match(above) and not _SIGNED.match(below):
                spelled[place] = f"Answer: {match[1]}"
        above = line if line.strip() else above
    return spelled


def _open_empty_boxes(lines: list[str]) -> list[str]:
    """Return lines without boxes where no box has a tick: the key stands elsewhere."""
    if any(map(_TICKED.match, lines)):
        return lines
    opened = [_EMPTY_BOX.sub(lambda match: match[1] or "- ", line) for line in lines]
    start = 0
    for place in range(len(lines) + 1):
        if place < len(lines) and _NUMBERED_BOX.match(lines[place]):
            continue
        boxes = [match for line in lines[start:place] if (match := _NUMBERED_BOX.match(line))]
        if not any(_IS_BOX.match(box["text"]) for box in boxes):  # else boxes are what is asked
            opened[start:place] = [f"{box[1]}{box['text']}" for box in boxes]
        start = place + 1
    return opened


def _join_titles(lines: list[str]) -> None:
    """Write the title "Answer" of a callout and the quoted letters right below it as one line."""
    for at, line in enumerate(lines[:-1]):
        if line.startswith("**") and _TITLE.fullmatch(line) and _QUOTED_KEY.match(lines[at + 1]):
            lines[at], lines[at + 1] = "", f"Answer: {lines[at + 1].lstrip('> ')}"
            for below in range(at + 2, len(lines)):
                if not lines[below].startswith(">"):
                    break
                lines[below] = lines[below][1:].removeprefix(" ")


def _split_run_on(line: str) -> str:
    """Return options that share a line in disorder, "- B. text- A. text", by their letters."""
    bullet, *options = _RUN_ON.split(line)
    if bullet or sorted(option[0] for option in options) != [*_LETTERS[: len(options)]]:
        return line
    return "   ".join(sorted(option.strip() for option in options))


def _simplify(line: str) -> str:
    if len(line.strip()) < _SHORTEST:
        return line
    if line.count("-") > _FEWEST_RUN_ON and len(_RUN_ON.findall(line)) > _FEWEST_RUN_ON:
        line = _split_run_on(line)
    if counted := _COUNTED.match(line):
        line = f"{counted[1]}Question {counted[2] or counted[3]}{line[counted.end() :]}"
    # Most lines have no sign that is rewritten: to try each pattern on all would take long.
    for pattern, written in _REWRITTEN if _SIGN.search(line) else _REWRITTEN_WORDS:
        # `sub` reads what is written anew each time, and most patterns find nothing.
        if pattern.search(line):
            line = pattern.sub(written, line)
    if _LABELLED.match(line):
        line = line[:-_LONGEST_BREAKS] + _BREAKS.sub("", line[-_LONGEST_BREAKS:])
    return _BREAK.sub("   ", _LETTER.sub(_spell_letter, line))


def _find_tight(lines: Sequence[str]) -> Iterator[int]:
    """Yield the places of labels without a blank that count on with one near them."""
    labels = [(at, match[2]) for at, line in enumerate(lines) if (match := _TIGHT.match(line))]
    for n, (at, letter) in enumerate(labels):
        beside = [*labels[max(n - 1, 0) : n], *labels[n + 1 : n + 2]]
        if any(
            abs(other - at) <= _NEAR and ord(name) - ord(letter) == (1 if other > at else -1)
            for other, name in beside
        ):
            yield at


def _find_wide(lines: Sequence[str]) -> list[int]:
    """Return the places of letters with two blanks behind, where these count from A, line by line.

    A listing, or a table of blanks with a head above, has none.
    """
    places: list[int] = []
    run: list[int] = []
    code_lines = find_code_lines(lines)
    for at, (line, is_code) in enumerate(zip(lines, code_lines, strict=True)):
        if not line.strip():
            continue
        match = None if is_code else _WIDE.match(line)
        if match and ord(match[2]) == ord("A") + len(run):
            run.append(at)
            continue
        places += run if len(run) > 1 else []
        run = [at] if match and match[2] == "A" else []
    return places + (run if len(run) > 1 else [])
