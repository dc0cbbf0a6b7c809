"""Marking a short text: the first accepted answer that matches says what it earns."""

from fractions import Fraction
from functools import partial

from grading.contract import ONE, UNANSWERED, ZERO, ItemScore, LedgerLine
from grading.json_types import Answer, Content, Json, Key, ratio_from_json
from grading.lower_bound import list_clamps, read_lower_bound
from grading.numeric.correct_answers import LANGUAGE
from grading.numeric.readings import load_answer, score_readings
from grading.numeric.separators import DECIMAL
from grading.partial_credit import credit_code
from grading.short_text.folding import COUNTED, STAR, Folding
from grading.short_text.parsing import parse_answer
from grading.short_text.row_matching import find_match, is_near_miss
from grading.short_text.structure import AcceptedText, Rows, load_folding, load_rows
from grading.short_text.wildcard import encode_stars

OTHERWISE = "otherwise"
NEAR_MISS = "near_miss"


def score(content: Content, key: Key, answer: Json, method: str = "") -> ItemScore:
    """Score a canonical answer `{"text": str}`, or None for unanswered; else ValueError."""
    if answer is None:
        line = LedgerLine(OTHERWISE, chosen=False, right=None, earned=ZERO, reason=UNANSWERED)
        return ItemScore(ZERO, (line,), (UNANSWERED,))
    rows, folding = load_rows(key.get("accepted")), load_folding(content)
    return score_answer(rows, folding, load_answer(answer), read_lower_bound(content, []))


def score_answer(
    rows: Rows, folding: Folding, answer: Answer, lower_bound: Fraction = ZERO
) -> ItemScore:
    """Score what was typed by these accepted answers; numbers only where they are compared."""
    score_text = partial(_score_text, rows, folding, lower_bound)
    return score_readings(answer, score_text) if folding.by_value else score_text(answer)


def _score_text(rows: Rows, folding: Folding, lower_bound: Fraction, answer: Answer) -> ItemScore:
    text, number = load_text(answer), load_number(folding, answer)
    accepted = find_match(rows, folding, text, number)
    line = _build_line(accepted)
    clamps = list_clamps(line.earned, lower_bound)
    credit = max(line.earned, lower_bound)
    is_near = accepted is None and is_near_miss(rows, folding, text, number)
    reasons = (*_list_reasons(line, credit, is_near=is_near), *(clamp.reason for clamp in clamps))
    return ItemScore(credit, (line, *clamps), reasons)


def load_text(answer: Answer) -> str:
    """Return what was typed, of a canonical answer; another form: ValueError."""
    match answer:
        case {"text": str(text)}:
            return text
    raise ValueError("not a canonical answer")


def load_number(folding: Folding, answer: Answer) -> Fraction | None:
    """Return the number that a canonical answer was understood as, where values are compared."""
    number = answer.get("number") if folding.by_value else None
    return None if number is None else ratio_from_json(number)


def _build_line(accepted: AcceptedText | None) -> LedgerLine:
    """Return the one line of the ledger: the accepted answer that it is, or `otherwise`."""
    if accepted is None:
        return LedgerLine(OTHERWISE, chosen=True, right=False, earned=ZERO, reason="not_accepted")
    reason = (
        "accepted"
        if accepted.credit == 1
        else "accepted_partly"
        if accepted.credit > 0
        else "known_wrong"
    )
    return LedgerLine(
        accepted.id, chosen=True, right=accepted.credit > 0, earned=accepted.credit, reason=reason
    )


def _list_reasons(line: LedgerLine, credit: Fraction, *, is_near: bool) -> tuple[str, ...]:
    """Return the reasons of a mark: the verdict, its cause, and whether it was a near miss."""
    verdict = credit_code(credit)
    if credit == ONE:
        return (verdict,)
    return (verdict, line.reason, NEAR_MISS) if is_near else (verdict, line.reason)


def correct_answer(content: Content, key: Key) -> Answer:
    """Return the first full answer that can be written as words; if there is none: ValueError."""
    answer = find_correct_answer(load_rows(key.get("accepted")), load_folding(content))
    if answer is None:
        raise ValueError("unchecked accepted answers: no_plain_full_credit")
    return answer


def find_correct_answer(rows: Rows, folding: Folding) -> Answer | None:
    """Return the first full answer that can be written as words; stars are left out of it.

    Words without a star come before those with one. None: there is no such answer.
    """
    full = [encode_stars(row.text, folding) for row in rows if row.credit == 1 and not row.pattern]
    for marked in sorted(full, key=lambda marked: STAR in marked):
        raw = {"text": _write_words(marked, folding)}
        context = {"language": LANGUAGE, "separator": DECIMAL} if folding.by_value else {}
        answer = parse_answer(folding, {**raw, **context})
        if isinstance(answer, dict) and score_answer(rows, folding, answer).credit == 1:
            return answer
    return None


def _write_words(marked: str, folding: Folding) -> str:
    """Return what a learner would type."""
    text = marked.replace(STAR, "")
    if text != marked and folding.spaces != COUNTED:
        text = " ".join(text.split())
    return text
