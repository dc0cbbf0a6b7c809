"""What stands in the cells of each kind of question."""

from collections.abc import Callable, Mapping
from string import ascii_lowercase

from quizzes.formats.contract import ParsedRow
from quizzes.formats.parsing.export_tracker import ExportTracker, plain_text
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
    return _WRITERS[line.tracker.question.kind](line)


def _choice(line: Line) -> str:
    tracker, right = line.tracker, []
    for letter, row in line.lettered("options", tracker.rows("options")):
        line.say("option", tracker.text("options", row=row), letter)
        line.say("unchosen", tracker.text("unchosen", told=True, row=row), letter)
        right += [letter] if tracker.value("right", row) else []
        if row.values.get("weight"):
            line.put("weight", share(tracker.ratio("weight", row)), letter)
    if right or tracker.value("none_apply"):
        line.put("correct", named(right, line.wordings()))
    return ""


def _truth(line: Line) -> str:
    tracker = line.tracker
    words = dict(zip(_TRUTHS, _WORDS.get(tracker.language, _WORDS["en"]), strict=True))
    rows = sorted(tracker.rows("options"), key=lambda row: row.name != _TRUTHS[0])
    for letter, row in line.lettered("options", rows):
        text = tracker.text("options", row=row)
        line.say("option", "" if text == words.get(row.name) else text, letter)
        line.say("unchosen", tracker.text("unchosen", told=True, row=row), letter)
        if tracker.value("right", row):
            line.put("correct", row.name)
    return ""


def _short(line: Line) -> str:
    tracker, every = line.tracker, []
    worded = [row for row in tracker.rows("accepted") if not tracker.value("pattern", row)]
    if len(worded) < len(tracker.rows("accepted")):
        tracker.warn("pattern_left_out")
    for _, row in line.lettered("accepted", worded):
        every.append(Entry(str(tracker.value("text", row)), tracker.ratio("credit", row)))
    line.put("correct", listed(every))
    return ""


def _numeric(line: Line) -> str:
    tracker, every = line.tracker, []
    texts = {row.name: _numeral(tracker, row) for row in tracker.rows("numbers")}
    held = [row for row in tracker.rows("numbers") if texts[row.name]]
    if len(held) < len(texts):
        tracker.warn("tolerance_left_out")
    for _, row in line.lettered("numbers", held):
        every.append(Entry(texts[row.name], tracker.ratio("credit", row)))
    line.put("correct", listed(every))
    return ""


def _numeral(tracker: ExportTracker, row: ParsedRow) -> str:
    value, tolerance, margin = (
        str(tracker.value(one, row)) for one in ("value", "tolerance", "margin")
    )
    return numeral(value, tolerance, margin)


def _matching(line: Line) -> str:
    tracker, used, pairs = line.tracker, set(), list[tuple[str, str]]()
    words = {row.name: tracker.text("rights", row=row) for row in tracker.rows("rights")}
    lefts = tracker.rows("lefts")
    for _, row in line.lettered("lefts", lefts):
        right = str(tracker.value("goes_with", row) or "")
        used.add(right)
        pairs.append((tracker.text("lefts", row=row), words.get(right, "")))
    pairs += [("", text) for name, text in words.items() if name not in used]
    for at, (letter, both) in enumerate(zip(ascii_lowercase, pairs, strict=False)):
        left, right = (plain_text(one)[0] if line.plain else one for one in both)
        if not left and at < len(lefts):
            continue
        if pair(paired(left, right)) != (left, right):
            return "arrow_left_out"
        line.put("option", paired(left, right), letter, tracker.language)
    return "" if len(pairs) <= len(ascii_lowercase) else "too_many_options"


def _ordering(line: Line) -> str:
    for letter, row in line.lettered("items", line.tracker.rows("items")):
        line.say("option", line.tracker.text("items", row=row), letter)
    return ""


def _flashcard(line: Line) -> str:
    line.say("option", line.tracker.text("back", told=True), "a")
    line.say("hint", line.tracker.text("hint"))
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
