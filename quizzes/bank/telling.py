"""The checks of a bank or a file as plain values: the same for every door."""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _

from quizzes.bank.checks import Checks, Score, Told
from quizzes.bank.lint import RANKS, Severity
from quizzes.bank.sayings import SEVERITY, say


def at_least(told: Iterable[Told], severity: Severity) -> tuple[Told, ...]:
    """Give the findings that are as grave as this, or graver."""
    rank = RANKS.index(severity)
    return tuple(one for one in told if RANKS.index(one.finding.severity) <= rank)


def as_json(found: Checks, listed: Iterable[Told]) -> dict[str, Any]:
    """Give the counts of all that is open, the figures, and the findings that are listed."""
    return {
        "questions": found.questions,
        "counts": {str(severity): n for severity, n in found.counts().items()},
        "meant": len(found.waived),
        "everything": score(found.everything),
        "guess": score(found.guess),
        "findings": [finding(one) for one in listed],
    }


def score(one: Score | None) -> dict[str, Any] | None:
    """Give a figure exactly: no float."""
    if one is None:
        return None
    return {
        "numerator": one.mean.numerator,
        "denominator": one.mean.denominator,
        "questions": one.questions,
    }


def finding(one: Told) -> dict[str, Any]:
    """Give one finding with its sentence in the language that is spoken."""
    found, of, meant = one.finding, one.question, one.meant
    return {
        "code": found.code,
        "severity": str(found.severity),
        "topic": str(found.topic),
        "question": str(of.uuid) if of and of.uuid else None,
        "name": of.name if of else "",
        "language": found.language,
        "part": found.part,
        "row": one.row,
        "figures": dict(found.figures),
        "message": say(found.code, found.figures),
        "meant": {"by": meant.by, "at": meant.at.isoformat()} if meant else None,
    }


def line(one: Told) -> str:
    """Tell a finding on one line, as compilers do: `question, place: how grave: what`."""
    found = one.finding
    name = one.question.name if one.question else "*"
    place = ".".join(filter(None, (found.part, one.row)))
    where = ", ".join(filter(None, (name, place, found.language if place else "")))
    word = SEVERITY[found.severity]
    return f"{where}: {word}: {say(found.code, found.figures)} [{found.code}]"


def summary(found: Checks) -> str:
    """Tell on one line how much there is of each, and how much is meant so."""
    counts = [f"{n} {SEVERITY[severity]}" for severity, n in found.counts().items() if n]
    meant = [_("%(n)s meant so") % {"n": len(found.waived)}] if found.waived else []
    return ", ".join([*counts, *meant]) or _("nothing to look at")
