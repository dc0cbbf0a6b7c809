"""The signs of a key on result pages: full boxes, verdicts and points. Pure."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from quizzes.formats.contract import LONGEST_QUOTE, Note, SourceItem
from quizzes.formats.transcript.vocabulary import CHOSEN, MARK, POINTS, parse_number, parse_verdict

SIGN_LEFT_OVER = "sign_left_over"


def find_lost_marks(item: SourceItem, lines: Sequence[str]) -> Iterator[Note]:
    """Yield a note on each full box of a right answer, and each verdict, that the key denies.

    Lines with several options say nothing of one of them.
    """
    question = item.question
    right = {row.line for row in question.rows if row.values.get("right")} if question else set()
    if question is None or not right:
        return
    rows = sorted({row.line for row in question.rows})
    page = [(number, lines[number - 1]) for number in range(item.line, item.end_line + 1)]
    is_full = any(
        parse_number(points["earned"]) == parse_number(points["of"])
        for _, line in page
        if (points := POINTS.search(line))
    )
    for number, line in page:
        first, *parts = MARK.split(line)
        words = "".join([first, *parts[1::2]]).strip(" -*\t")
        verdict = parse_verdict(words)
        above = rows[: bisect_left(rows, number)]
        if verdict and not verdict.doubtful:
            # A page calls an option wrong, too, where not all of several right ones were chosen.
            is_lost = verdict.right and bool(above) and above[-1] not in right
        else:
            marks = parts[::2]
            is_lost = is_full and marks in [[mark] for mark in CHOSEN] and number not in right
            is_lost = is_lost and number in rows
        if is_lost:
            yield Note(SIGN_LEFT_OVER, number, line.strip()[:LONGEST_QUOTE])
