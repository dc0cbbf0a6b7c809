"""A number that two conventions read differently, and whose writer did not say which is meant.

Before an attempt is submitted its writer is asked; only when time is over first is there nobody to
ask. Its answer has the number as its language reads it, until it is scored: then both readings are,
and the one that earns more counts. So nobody loses points by a convention that they were not asked
about; where both earn the same, the language's stands.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from grading.contract import ZERO, ItemScore, LedgerLine, build_rule
from grading.json_types import Answer, Json, ratio_from_json, ratio_to_json
from grading.numeric.numerals import parse_numeral
from grading.numeric.separators import DECIMAL, THOUSANDS

WRITER, LANGUAGE, SCORE = "writer", "language", "score"
"""By what an ambiguous number was read, as `read_by` of its answer says; `score` once it counts."""

READING = "reading"
"""The part of the ledger's line that says that the other reading counts."""

OTHER_READING = "other_reading"
"""Its reason."""


def load_answer(answer: Json) -> Answer:
    """Return a canonical answer with its fields; another form: ValueError."""
    match answer:
        case dict():
            return answer
    raise ValueError("not a canonical answer")


def is_unconfirmed(answer: Mapping[str, Json]) -> bool:
    """Return whether a canonical answer can be two numbers, and its writer did not say which."""
    return answer.get("read_by") == LANGUAGE


def list_unconfirmed(answer: Json, path: str = "") -> Iterator[str]:
    """Yield the path to each text of a canonical answer that is unconfirmed: `gaps.pi.typed`."""
    if isinstance(answer, Mapping):
        for name, part in answer.items():
            inner = f"{path}.{name}".removeprefix(".")
            if name in {"typed", "text"} and is_unconfirmed(answer):
                yield inner
            yield from list_unconfirmed(part, inner)


def read_otherwise(answer: Mapping[str, Json]) -> dict[str, Json]:
    """Return an unconfirmed answer with its other reading as the number."""
    typed = str(answer.get("typed", answer.get("text")))
    numbers = {parse_numeral(typed, "", mark).number for mark in (DECIMAL, THOUSANDS)}
    [other] = numbers - {ratio_from_json(answer["number"])}
    return {**answer, "number": ratio_to_json(other)}


def score_readings(answer: Answer, score: Callable[[Answer], ItemScore]) -> ItemScore:
    """Return the score of an answer; of one that is unconfirmed, that of its better reading."""
    item_score = score(answer)
    if not is_unconfirmed(answer):
        return item_score
    other = score(read_otherwise(answer))
    if other.credit <= item_score.credit:
        return item_score
    line = build_rule(READING, ZERO, OTHER_READING)
    return ItemScore(other.credit, (*other.ledger, line), (*other.reasons, OTHER_READING))


def resolve_readings(answer: Answer | None, ledger: Sequence[LedgerLine]) -> Answer | None:
    """Return an answer with the numbers that count, as the ledger of its score says.

    Their `read_by` is then `score`; without a ledger nothing is known of that, nor told.
    """
    if answer is None or not ledger:
        return answer
    parts = {line.part for line in ledger if line.reason == OTHER_READING}
    gaps = answer.get("gaps")
    if isinstance(gaps, Mapping):
        resolved = {id_: _resolve(part, is_other=id_ in parts) for id_, part in gaps.items()}
        return {**answer, "gaps": resolved}
    return _resolve(answer, is_other=bool(parts))


def _resolve(answer: Json, *, is_other: bool) -> Answer:
    fields = load_answer(answer)
    if not is_unconfirmed(fields):
        return fields
    return {**(read_otherwise(fields) if is_other else fields), "read_by": SCORE}
