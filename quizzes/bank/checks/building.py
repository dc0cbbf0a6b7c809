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
    findings: Iterable[Finding],
    rows: Mapping[str, str],
    *,
    ids: Ids | None = None,
    waived: Mapping[Waived, Meant] | None = None,
) -> Checks:
    """Put together what was found; `rows` are the short names of rows by their ids."""
    of = {name: _of(name, question, ids or {}) for name, question in looked.items()}
    return Checks(
        len(looked),
        tuple(
            _checked(finding, of.get(finding.question), rows, waived or {}) for finding in findings
        ),
        _score(question.blind.everything for question in looked.values()),
        _score(question.blind.lot for question in looked.values()),
    )


def _of(name: str, looked: Looked, ids: Ids) -> Of:
    pk, uuid = ids.get(name, (None, None))
    return Of(pk, uuid, name, looked.prompt, looked.digest)


def _checked(
    finding: Finding, of: Of | None, rows: Mapping[str, str], waived: Mapping[Waived, Meant]
) -> Told:
    meant = waived.get((of.name, finding.code, finding.about, of.digest)) if of else None
    return Told(finding, of, rows.get(finding.row, finding.row), meant)


def _score(credits_: Iterable[Fraction | None]) -> Score | None:
    earned = [credit for credit in credits_ if credit is not None]
    return Score(sum(earned, Fraction(0)) / len(earned), len(earned)) if earned else None
