"""Marking a short text: the first accepted answer that matches says what it earns."""

from fractions import Fraction

from grading.contract import ONE, UNANSWERED, ZERO, ItemScore, LedgerLine
from grading.json_types import Answer, Content, Json, Key
from grading.lower_bound import list_clamps, read_lower_bound
from grading.partial_credit import credit_code
from grading.short_text.folding import COUNTED, STAR, Folding
from grading.short_text.number_value import is_ambiguous
from grading.short_text.parsing import parse_text
from grading.short_text.row_matching import find_match, is_near_miss
from grading.short_text.structure import Rows, load_folding, load_rows
from grading.short_text.wildcard import encode_stars

OTHERWISE = "otherwise"
NEAR_MISS = "near_miss"


def score(content: Content, key: Key, answer: Json, method: str = "") -> ItemScore:
    """Score a canonical answer `{"text": str}`, or None for unanswered; else ValueError."""
    rows, folding = load_rows(key.get("accepted")), load_folding(content)
    lower_bound = read_lower_bound(content, [])
    match answer:
        case None:
            line = LedgerLine(OTHERWISE, chosen=False, right=None, earned=ZERO, reason=UNANSWERED)
            return ItemScore(ZERO, (line,), (UNANSWERED,))
        case {"text": str(text)}:
            line = build_line(rows, folding, text)
            clamps = list_clamps(line.earned, lower_bound)
            credit = max(line.earned, lower_bound)
            reasons = list_reasons(line, credit, rows, folding, text)
            ledger = (line, *clamps)
            return ItemScore(credit, ledger, (*reasons, *(clamp.reason for clamp in clamps)))
    raise ValueError("not a canonical answer")


def build_line(rows: Rows, folding: Folding, text: str) -> LedgerLine:
    """Return the one line of the ledger: the accepted answer that it is, or `otherwise`."""
    accepted = find_match(rows, folding, text)
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


def list_reasons(
    line: LedgerLine, credit: Fraction, rows: Rows, folding: Folding, text: str
) -> tuple[str, ...]:
    """Return the reasons of a mark: the verdict, its cause, and whether it was a near miss."""
    verdict = credit_code(credit)
    if credit == ONE:
        return (verdict,)
    if line.part == OTHERWISE and is_near_miss(rows, folding, text):
        return (verdict, line.reason, NEAR_MISS)
    return (verdict, line.reason)


def correct_answer(content: Content, key: Key) -> Answer:
    """Return the first full answer that can be written as words; if there is none: ValueError."""
    text = find_correct_text(load_rows(key.get("accepted")), load_folding(content))
    if text is None:
        raise ValueError("unchecked accepted answers: no_plain_full_credit")
    return {"text": text}


def find_correct_text(rows: Rows, folding: Folding) -> str | None:
    """Return the first full answer that can be written as words; stars are left out of it.

    Words without a star come before those with one. None: there is no such answer.
    """
    full = [encode_stars(row.text) for row in rows if row.credit == 1 and not row.pattern]
    for marked in sorted(full, key=lambda marked: STAR in marked):
        text = parse_text(_write_words(marked, folding), folding)
        accepted = find_match(rows, folding, text) if isinstance(text, str) else None
        if isinstance(text, str) and accepted is not None and accepted.credit == 1:
            return text
    return None


def _write_words(marked: str, folding: Folding) -> str:
    """Return what a learner would type; a number that could be two, with one more digit."""
    text = marked.replace(STAR, "")
    if text != marked and folding.spaces != COUNTED:
        text = " ".join(text.split())
    return f"{text}0" if folding.by_value and is_ambiguous(text) else text
