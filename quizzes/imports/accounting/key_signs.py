"""The signs of a key in plain files: each must be that of a right option, in a text or told. Pure.

A reader takes ticks, ticked boxes and words such as "(correct)" out of the texts, so the remainder
of lines cannot see that one got lost, or became the key of another option.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from quizzes.formats.contract import LONGEST_QUOTE, Note, SourceItem

SIGN_LEFT_OVER = "sign_left_over"
FORMATS_WITH_SIGNS = frozenset({"checklist", "letter_key"})
_TICKED = re.compile(
    r"[>\s]{0,20}(?:[-*+]|\d{1,3}[.)]|[A-Za-z][.)])\s*"
    r"(?P<sign>\\?\[\s?[xX✓✔✅]\s?\\?\](?![(\[:])|\([xX]\)(?=\s))"
)
_TICK = re.compile(r"(?P<sign>[✅✔☑]|[(\[](?:correct(?: answer)?|correct[ao])[)\]])", re.IGNORECASE)
_ALONE = re.compile(r"[\s>*_]*(?:[✅✔☑]\ufe0f?|[(\[][^\])]*[)\]])[\s*_]*")
"""A sign that stands on a line of its own, below the option it is said of."""
_FENCE = re.compile(r"\s*(?:```|~~~)")


def find_lost_signs(item: SourceItem, lines: Sequence[str]) -> Iterator[Note]:
    """Yield a note on each sign within an item that says something its key does not."""
    question = item.question
    if question is None or question.kind == "true_false":
        return
    right = {row.line for row in question.rows if row.values.get("right") is True}
    noted = {note.line for note in (*item.notes, *item.keys)}
    texts = "\n".join(words for texts in question.all_texts for words in texts.values())
    rows = sorted((row.line, row.values.get("right") is True) for row in question.rows)
    is_code = False
    for number in range(item.line, min(item.end_line, len(lines)) + 1):
        line = lines[number - 1]
        is_code ^= _FENCE.match(line) is not None
        sign = None if is_code else _TICKED.match(line) or _TICK.search(line)
        if sign and _ALONE.fullmatch(line):
            above = rows[: bisect_left(rows, (number, False))]
            if above and above[-1][1]:
                continue
        if sign and number not in right | noted and sign["sign"] not in texts:
            yield Note(SIGN_LEFT_OVER, number, line.strip()[:LONGEST_QUOTE])
