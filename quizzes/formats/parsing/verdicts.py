"""Signs and words beside an option that say if it is right: ✅, ☐, (correct), "Wrong:". Pure."""

import re
from collections.abc import Sequence
from enum import Enum, auto

from quizzes.formats.parsing.boolean_words import parse_boolean

TICKS, CROSSES = "✅✔✓☑🗹🟢", "❌✗✘✖🔴🚫⛔"
CHOSEN, EMPTY = "☒●◉⦿■🔘", "☐⬜◻○◯□🔲▢⚪"
SIGN = rf"[{TICKS}{CROSSES}{CHOSEN}{EMPTY}]\ufe0f?"
_CIRCLES = frozenset("🟢🔴🟡🔵🟣🟠🟤⚫⚪")
_ARROW = r"(?:→|➡\ufe0f?|👉\ufe0f?|=>|->|>>)"
_RIGHT = r"correct(?:[ao]|[ ]answer)?|right|richtig|correto|cierto"
_WRONG = r"incorrect[ao]?|wrong|incorreto"
_MARK = r"[*_]{0,3}"
_BEFORE = re.compile(
    rf"(?:(?P<sign>{SIGN})|(?P<arrow>{_ARROW})(?=[ \t])"
    rf"|(?P<bold>\*\*)?(?:(?P<true>{_RIGHT})|(?P<false>{_WRONG}))"
    r"(?(bold)(?:\*\*:|:\*\*)|:)(?=[ \t]))[ \t]*",
    re.IGNORECASE,
)
_AFTER = re.compile(
    rf"[ \t]*(?:(?:(?<=[ \t])//[ \t]*)?(?P<sign>{SIGN})[ \t]*"
    rf"(?:{_MARK}(?:{_RIGHT}|{_WRONG}){_MARK})?"
    rf"|[ \t]`(?P<code>{_RIGHT})`|[ \t]<!--[ \t]*(?P<comment>{_RIGHT}|answer)[ \t]*-->"
    rf"|[ \t]{_MARK}[(\[](?:(?P<right>{_RIGHT}|key)|(?P<wrong>{_WRONG})|(?P<true>V|T)|(?P<false>F))"
    rf"[)\]]{_MARK}"
    rf"|[ \t](?:[-–—]|//|#)[ \t]*{_MARK}(?:(?P<word>{_RIGHT})|(?P<no>{_WRONG})){_MARK}[!.]?"
    r"|[ \t](?:<-+|←)[ \t]*(?P<arrow>correct[ao]?|right|answer)\b\.?)[ \t.]*$",
    re.IGNORECASE,
)
_LONGEST_MARK = 60
_TRUTHS = {
    word: is_true
    for is_true, words in ((True, "正确 正確 верно đúng"), (False, "错误 錯誤 неверно sai"))
    for word in words.split()
}
"""Words beside signs that are theirs, in more languages than statements are read in."""
_STRUCK = re.compile(r"~~(?P<text>(?:(?!~~).)+)~~")


class Verdict(Enum):
    """What stands beside an option."""

    RIGHT = auto()
    WRONG = auto()
    CHOSEN = auto()  # a full circle or box: right beside empty ones
    EMPTY = auto()
    TRUE = auto()  # (V), "Right:": counts where each option has one
    FALSE = auto()


def split_verdict(text: str) -> tuple[str, Verdict | None]:
    """Return the text of an option without what says whether it is right, and what that is.

    The first sign counts; a text that is struck out is wrong.
    """
    verdict = None
    if struck := _STRUCK.fullmatch(text.strip()):
        return struck["text"].strip(), Verdict.WRONG
    if (before := _BEFORE.match(text)) and not _shows_circles(before[0], text[before.end() :]):
        verdict, text = _read(before), text[before.end() :]
    text = text.rstrip()
    # Only its end is searched: a run of blanks before it would be tried from each of them.
    if (after := _AFTER.search(text[-_LONGEST_MARK:])) and (
        rest := text[: len(text) - len(after[0])].rstrip()
    ):
        verdict, text = verdict or _read(after), rest
    if struck := _STRUCK.fullmatch(text.strip()):
        return struck["text"].strip(), verdict or Verdict.WRONG
    return text.strip(), verdict


def _shows_circles(sign: str, rest: str) -> bool:
    """Return whether a coloured circle is one of several of a text: colours, not verdicts."""
    return sign[:1] in _CIRCLES and not _CIRCLES.isdisjoint(rest)


def find_right(verdicts: Sequence[Verdict | None]) -> tuple[frozenset[int], bool]:
    """Return the places of the right options of a list, and whether only wrong ones are marked."""
    kinds = {*verdicts}
    if kinds == {Verdict.TRUE, Verdict.FALSE}:
        return _find(verdicts, {Verdict.TRUE}), False
    if Verdict.RIGHT in kinds and not {Verdict.CHOSEN, Verdict.EMPTY} <= kinds:
        return _find(verdicts, {Verdict.RIGHT}), False
    if kinds == {Verdict.CHOSEN, Verdict.EMPTY}:
        return _find(verdicts, {Verdict.CHOSEN}), False
    if kinds == {Verdict.WRONG, None}:
        return _find(verdicts, {None}), True
    return frozenset(), False


def are_signs_of_truths(options: Sequence[tuple[str, Verdict | None]]) -> bool:
    """Return whether the signs of two options are those of their words: "✅ True", "❌ False"."""
    truths = [
        _TRUTHS.get(text.strip("*_ .").casefold(), parse_boolean(text, letters=True))
        for text, _ in options
    ]
    signs = {True: Verdict.RIGHT, False: Verdict.WRONG, None: None}
    return {*truths} == {True, False} and [signs[truth] for truth in truths] == [
        verdict for _, verdict in options
    ]


def _find(verdicts: Sequence[Verdict | None], right: set[Verdict | None]) -> frozenset[int]:
    return frozenset(at for at, verdict in enumerate(verdicts) if verdict in right)


def _read(match: re.Match[str]) -> Verdict:
    groups = match.groupdict()
    if sign := groups["sign"]:
        by_sign = {TICKS: Verdict.RIGHT, CROSSES: Verdict.WRONG, CHOSEN: Verdict.CHOSEN}
        return next((each for signs, each in by_sign.items() if sign[0] in signs), Verdict.EMPTY)
    if groups.get("bold"):
        return Verdict.RIGHT if groups["true"] else Verdict.WRONG
    if groups.get("true") or groups.get("false"):
        return Verdict.TRUE if groups["true"] else Verdict.FALSE
    return Verdict.WRONG if groups.get("wrong") or groups.get("no") else Verdict.RIGHT
