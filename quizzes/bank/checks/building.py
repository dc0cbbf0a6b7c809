"""From what was found to what every door tells of it, of a bank or of a file. Pure."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from uuid import UUID

from quizzes.bank.checks.values import Checks, Meant, Of, Score, Told
from quizzes.bank.lint import Finding, Looked

Waived = tuple[str, str, str, str]
"""The name of a question, the code of a finding, the other question, the digest of the state."""

Ids = Mapping[str, tuple[int, UUID]]
"""Name of a question → its ids within and for the outside."""


def build(
    looked: Mapping[str, Looked],
    found: Iterable[Finding],
    rows: Mapping[str, str],
    *,
    ids: Ids | None = None,
    waived: Mapping[Waived, Meant] | None = None,
) -> Checks:
    """Put together what was found; `rows` are the short names of rows by their ids."""
    of = {name: _of(name, one, ids or {}) for name, one in looked.items()}
    return Checks(
        len(looked),
        tuple(_told(one, of.get(one.question), rows, waived or {}) for one in found),
        _score(one.blind.everything for one in looked.values()),
        _score(one.blind.lot for one in looked.values()),
    )


def _of(name: str, looked: Looked, ids: Ids) -> Of:
    pk, uuid = ids.get(name, (None, None))
    return Of(pk, uuid, name, looked.prompt, looked.digest)


def _told(
    found: Finding, of: Of | None, rows: Mapping[str, str], waived: Mapping[Waived, Meant]
) -> Told:
    meant = waived.get((of.name, found.code, found.about, of.digest)) if of else None
    return Told(found, of, rows.get(found.row, found.row), meant)


def _score(credits_: Iterable[Fraction | None]) -> Score | None:
    known = [credit for credit in credits_ if credit is not None]
    return Score(sum(known, Fraction(0)) / len(known), len(known)) if known else None
