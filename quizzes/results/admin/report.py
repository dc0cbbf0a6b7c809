"""One attempt in full, for those who teach its learner: per question, and the journal."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from grading.contract import Line
from quizzes.attempts.models import Attempt, Response, Verdict
from quizzes.bank.selectors import Paper
from quizzes.results.admin.sayings import OUTCOMES, figure, reason
from quizzes.results.report import ItemReport, Report


@dataclass(frozen=True, slots=True)
class Choice:
    """An option of a question: what the learner did with it, and what it earned."""

    html: str
    chosen: bool
    right: bool
    feedback: str


@dataclass(frozen=True, slots=True)
class Why:
    """A line of the ledger, in words."""

    what: str
    earned: str
    reason: str


@dataclass(frozen=True, slots=True)
class Answered:
    """A question of the report."""

    number: int
    lang: str
    prompt: str
    outcome: str
    said: str
    earned: str
    points: str
    choices: tuple[Choice, ...]
    none_chosen: bool
    why: tuple[Why, ...]
    explanation: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One save, as it was kept."""

    at: datetime
    number: int
    answer: str
    revision: int
    verdict: str
    said: str
    flagged: bool
    language: str


def questions(report: Report, language: str) -> tuple[Answered, ...]:
    """Lay the report out, with everything that those who teach may see."""
    return tuple(_question(item, language) for item in report.items)


def _question(item: ItemReport, language: str) -> Answered:
    words = item.paper.words(language)
    chosen = _chosen(item.answer)
    right = _chosen(item.solution)
    names = _letters(item.plan.order)
    return Answered(
        number=item.slot + 1,
        lang=words.language,
        prompt=words.prompt,
        outcome=item.outcome,
        said=str(OUTCOMES.get(item.outcome, item.outcome)),
        earned="–" if item.earned is None else figure(item.earned),
        points=figure(item.plan.points),
        choices=tuple(
            Choice(
                f"{names[id_]} · {words.parts.get(id_, '')}",
                id_ in chosen,
                id_ in right,
                item.feedback.get(id_, ""),
            )
            for id_ in item.plan.order
        ),
        none_chosen=bool((item.answer or {}).get("none_apply")),
        why=tuple(_why(line, names) for line in item.ledger if line.earned or line.chosen),
        explanation=item.explanation,
    )


def _why(line: Line, names: Mapping[str, str]) -> Why:
    return Why(names.get(line.part, ""), figure(line.earned), reason(line.reason))


def _chosen(answer: Mapping[str, Any] | None) -> frozenset[str]:
    return frozenset(map(str, (answer or {}).get("chosen", ())))


def _letters(order: tuple[str, ...]) -> dict[str, str]:
    """Name options as the learner met them: the first is A."""
    return {id_: chr(ord("A") + place) for place, id_ in enumerate(order)}


def journal(attempt: Attempt, report: Report) -> tuple[Entry, ...]:
    """Give every save of an attempt in order of arrival, those that do not count included."""
    return tuple(_entries(attempt, report))


def _entries(attempt: Attempt, report: Report) -> Iterator[Entry]:
    for row in Response.objects.filter(attempt=attempt).order_by("received_at", "pk"):
        item = report.items[row.slot] if row.slot < len(report.items) else None
        yield Entry(
            at=row.received_at,
            number=row.slot + 1,
            answer=_told(row.answer, item.paper, _letters(item.plan.order)) if item else "…",
            revision=row.revision,
            verdict=row.verdict,
            said=str(Verdict(row.verdict).label),
            flagged=row.flagged,
            language=row.language,
        )


def _told(answer: Mapping[str, Any] | None, paper: Paper, names: Mapping[str, str]) -> str:
    if answer is None:
        return "–"
    if answer.get("none_apply"):
        return "∅"
    chosen = _chosen(answer)
    known = [name for id_, name in names.items() if id_ in chosen]
    return ", ".join(known) if known or paper.kind else str(answer)
