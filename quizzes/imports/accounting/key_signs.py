"""The signs of a key in plain files: each must be that of a right option, in a text or told. Pure.

A reader takes ticks, ticked boxes, stars and words such as "(correct)" out of the texts, so the
remainder of lines cannot see that one got lost, or became the key of another option.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from quizzes.formats.contract import LONGEST_QUOTE, Note, ParsedQuestion, SourceItem
from quizzes.formats.parsing.key_lines import begins_with_key_word, is_key_line, read_key
from quizzes.formats.parsing.verdicts import are_signs_of_truths, split_verdict
from quizzes.imports.accounting.page_signs import SIGN_LEFT_OVER, find_lost_marks

FORMATS_WITH_SIGNS = frozenset({"aiken", "checklist", "letter_key", "text2qti", "transcript"})
_TICKED = re.compile(
    r"[>\s]{0,20}(?:[-*+]|\d{1,3}[.)]|[A-Za-z][.)])\s*"
    r"(?P<sign>\\?\[\s?[xX✓✔✅]\s?\\?\](?![(\[:])|\([xX]\)(?=\s))"
)
_TICK = re.compile(r"(?P<sign>[✅✔☑]|[(\[](?:correct(?: answer)?|correct[ao])[)\]])", re.IGNORECASE)
_ALONE = re.compile(r"[\s>*_]*(?:[✅✔☑]\ufe0f?|[(\[][^\])]*[)\]])[\s*_]*")
"""A sign that stands on a line of its own, below the option it is said of."""
_BEFORE_SIGN = re.compile(r"[>\s]{0,20}(?:[-*+]\s+)?(?:[\[(]\s?[\])]\s+)?")
_FENCE = re.compile(r"\s*(?:```|~~~)")


_STARRED = re.compile(r"\*[A-Za-z]\)[ \t]+\S|\[\*\][ \t]+\S")
_ANSWER = re.compile(r"\s*ANSWER\s*:\s*(?P<letters>.*)", re.IGNORECASE)
_LETTERED = re.compile(r"\s*([A-Z])[.)]")
_NAMED = re.compile(
    r"[>\s]{0,20}(?:[-*+]|\d{1,3}[.)])?\s*(?:\\?\[[^\]]?\s?\\?\]|\([ xX*•]\))?\s*\*?\(?"
    r"(?P<name>[A-Za-z])[.)](?=\s)"
)
"""An option with a letter, and maybe a bullet and a box before it."""
_KEYED_IN_WORDS = frozenset({"checklist", "text2qti"})
"""Formats whose key is a sign: a line "Answer: B" says it again, or something else."""


def find_lost_signs(
    item: SourceItem, lines: Sequence[str], format_: str, others: Sequence[int] = ()
) -> Iterator[Note]:
    """Yield a note on each sign within an item that says something its key does not.

    Also on each of `others`, the lines of a question in another form that is in it; one a line.
    """
    for line in others:
        yield Note(SIGN_LEFT_OVER, line, lines[line - 1].strip()[:LONGEST_QUOTE])
    if format_ in FORMATS_WITH_SIGNS:
        signs = _find_signs(item, lines, format_)
        yield from (note for note in signs if note.line not in others)


def _find_signs(item: SourceItem, lines: Sequence[str], format_: str) -> Iterator[Note]:
    """Yield a note on each sign that the format reads as one of a key, and that is in no key."""
    question = item.question
    if question is None or question.kind == "true_false":
        return
    if format_ in _KEYED_IN_WORDS:
        yield from _find_other_keys(item, question, lines)
    if format_ == "text2qti":
        yield from _find_lost_stars(item, lines)
    elif format_ == "aiken":
        yield from _find_lost_letters(item, lines)
    elif format_ == "transcript":
        yield from find_lost_marks(item, lines)
    else:
        yield from _find_lost_ticks(item, question, lines)


def _list_lines(item: SourceItem, lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines of an item with their numbers."""
    yield from enumerate(lines[item.line - 1 : item.end_line], start=item.line)


def _find_other_keys(
    item: SourceItem, question: ParsedQuestion, lines: Sequence[str]
) -> Iterator[Note]:
    """Yield a note on each line "Answer: B" that names other options than the signs do."""
    rows = question.tables.get("options", ())
    names = [_NAMED.match(lines[row.line - 1]) for row in rows if row.line <= len(lines)]
    texts = [next(iter(next(iter(row.texts.values()), {}).values()), "") for row in rows]
    if len(names) != len(rows) or not all(names):
        return
    named = [(name["name"].lower(), text) for name, text in zip(names, texts, strict=True) if name]
    right = {at for at, row in enumerate(rows) if row.values.get("right") is True}
    last = max((row.line for row in rows), default=0)
    for number, line in _list_lines(item, lines):
        if number <= last or not is_key_line(line):
            continue
        key = read_key(named, lines[: item.end_line], number - 1)
        if key.right and key.right != right and key.rests == {number - 1: ""}:
            yield Note(SIGN_LEFT_OVER, number, line.strip()[:LONGEST_QUOTE])


def _find_lost_stars(item: SourceItem, lines: Sequence[str]) -> Iterator[Note]:
    """Yield a note on each star of text2qti whose option is not right."""
    if item.question is None:
        return
    right = {row.line for row in item.question.rows if row.values.get("right") is True}
    for number, line in _list_lines(item, lines):
        if _STARRED.match(line) and number not in right:
            yield Note(SIGN_LEFT_OVER, number, line.strip()[:LONGEST_QUOTE])


def _find_lost_letters(item: SourceItem, lines: Sequence[str]) -> Iterator[Note]:
    """Yield a note on each line "ANSWER: B" of Aiken, one of whose letters is not right."""
    if item.question is None:
        return
    right = {row.line for row in item.question.rows if row.values.get("right") is True}
    rows = {row.line for row in item.question.rows}
    letters: set[str] = set()
    for number, line in _list_lines(item, lines):
        if option := _LETTERED.match(line) if number in rows else None:
            letters |= {option[1]} if number in right else set()
        elif (answer := _ANSWER.match(line)) and not (
            {*re.findall(r"\b[A-Z]\b", answer["letters"].upper())} <= letters
        ):
            yield Note(SIGN_LEFT_OVER, number, line.strip()[:LONGEST_QUOTE])


def _find_lost_ticks(
    item: SourceItem, question: ParsedQuestion, lines: Sequence[str]
) -> Iterator[Note]:
    right = {row.line for row in question.rows if row.values.get("right") is True}
    noted = {note.line for note in (*item.notes, *item.keys)}
    texts = "\n".join(words for texts in question.all_texts for words in texts.values())
    rows = sorted((row.line, row.values.get("right") is True) for row in question.rows)
    is_code = False
    boxed = [_BEFORE_SIGN.sub("", lines[number - 1]) for number, _ in rows]
    if are_signs_of_truths([split_verdict(text) for text in boxed]):
        noted |= {number for number, _ in rows}
    for number in range(item.line, min(item.end_line, len(lines)) + 1):
        line = lines[number - 1]
        is_code ^= _FENCE.match(line) is not None
        sign = None if is_code else _TICKED.match(line) or _TICK.search(line)
        if sign and _ALONE.fullmatch(line):
            above = rows[: bisect_left(rows, (number, False))]
            if above and above[-1][1]:
                continue
        if sign and sign.re is _TICK and begins_with_key_word(line) and not rows:
            continue  # "✅ Answer: it bends" of a question without options
        if sign and number not in right | noted and sign["sign"] not in texts:
            yield Note(SIGN_LEFT_OVER, number, line.strip()[:LONGEST_QUOTE])
