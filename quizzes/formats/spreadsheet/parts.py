"""What stands in the cells of each kind of question."""

from collections.abc import Callable, Mapping
from string import ascii_lowercase

from quizzes.formats.contract import ParsedRow
from quizzes.formats.parsing.taking import Taking, shown
from quizzes.formats.spreadsheet.answers import named
from quizzes.formats.spreadsheet.entries import Entry, listed, share
from quizzes.formats.spreadsheet.lines import Line
from quizzes.formats.spreadsheet.numerals import numeral
from quizzes.formats.spreadsheet.pairs import pair, paired

_TRUTHS = ("true", "false")
_WORDS = {"en": ("True", "False"), "es": ("Verdadero", "Falso")}


def put(line: Line) -> str:
    """Put all of a question into cells; the code of what keeps it out, or ""."""
    line.begin()
    return _WRITERS[line.taking.question.kind](line)


def _choice(line: Line) -> str:
    taking, right = line.taking, []
    for letter, row in line.lettered("options", taking.rows("options")):
        line.say("option", taking.text("options", row=row), letter)
        line.say("unchosen", taking.text("unchosen", told=True, row=row), letter)
        right += [letter] if taking.value("right", row) else []
        if row.values.get("weight"):
            line.put("weight", share(taking.ratio("weight", row)), letter)
    if right or taking.value("none_apply"):
        line.put("correct", named(right, line.wordings()))
    return ""


def _truth(line: Line) -> str:
    taking = line.taking
    words = dict(zip(_TRUTHS, _WORDS.get(taking.language, _WORDS["en"]), strict=True))
    rows = sorted(taking.rows("options"), key=lambda row: row.name != _TRUTHS[0])
    for letter, row in line.lettered("options", rows):
        text = taking.text("options", row=row)
        line.say("option", "" if text == words.get(row.name) else text, letter)
        line.say("unchosen", taking.text("unchosen", told=True, row=row), letter)
        if taking.value("right", row):
            line.put("correct", row.name)
    return ""


def _short(line: Line) -> str:
    taking, every = line.taking, []
    worded = [row for row in taking.rows("accepted") if not taking.value("pattern", row)]
    if len(worded) < len(taking.rows("accepted")):
        taking.lose("pattern_left_out")
    for _, row in line.lettered("accepted", worded):
        every.append(Entry(str(taking.value("text", row)), taking.ratio("credit", row)))
    line.put("correct", listed(every))
    return ""


def _numeric(line: Line) -> str:
    taking, every = line.taking, []
    texts = {row.name: _numeral(taking, row) for row in taking.rows("numbers")}
    held = [row for row in taking.rows("numbers") if texts[row.name]]
    if len(held) < len(texts):
        taking.lose("tolerance_left_out")
    for _, row in line.lettered("numbers", held):
        every.append(Entry(texts[row.name], taking.ratio("credit", row)))
    line.put("correct", listed(every))
    return ""


def _numeral(taking: Taking, row: ParsedRow) -> str:
    value, tolerance, margin = (
        str(taking.value(one, row)) for one in ("value", "tolerance", "margin")
    )
    return numeral(value, tolerance, margin)


def _matching(line: Line) -> str:
    taking, used, pairs = line.taking, set(), list[tuple[str, str]]()
    words = {row.name: taking.text("rights", row=row) for row in taking.rows("rights")}
    lefts = taking.rows("lefts")
    for _, row in line.lettered("lefts", lefts):
        right = str(taking.value("goes_with", row) or "")
        used.add(right)
        pairs.append((taking.text("lefts", row=row), words.get(right, "")))
    pairs += [("", text) for name, text in words.items() if name not in used]
    for at, (letter, both) in enumerate(zip(ascii_lowercase, pairs, strict=False)):
        left, right = (shown(one)[0] if line.plain else one for one in both)
        if not left and at < len(lefts):
            continue
        if pair(paired(left, right)) != (left, right):
            return "arrow_left_out"
        line.put("option", paired(left, right), letter, taking.language)
    return "" if len(pairs) <= len(ascii_lowercase) else "too_many_options"


def _ordering(line: Line) -> str:
    for letter, row in line.lettered("items", line.taking.rows("items")):
        line.say("option", line.taking.text("items", row=row), letter)
    return ""


def _flashcard(line: Line) -> str:
    line.say("option", line.taking.text("back", told=True), "a")
    line.say("hint", line.taking.text("hint"))
    return ""


def _essay(_line: Line) -> str:
    return ""


_WRITERS: Mapping[str, Callable[[Line], str]] = {
    "single_choice": _choice,
    "multiple_choice": _choice,
    "true_false": _truth,
    "short_text": _short,
    "numeric": _numeric,
    "matching": _matching,
    "ordering": _ordering,
    "essay": _essay,
    "flashcard": _flashcard,
}
