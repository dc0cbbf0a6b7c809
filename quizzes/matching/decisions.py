"""People's decisions about matches, stored and looked up: the last one counts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from accounts.models import User
from quizzes.bank.access import check_editor
from quizzes.bank.models import Bank, Question
from quizzes.formats.contract import ParsedQuestion
from quizzes.matching.fingerprints import question_fingerprints
from quizzes.matching.models import PairDecision


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision: the question of this name and a text are the same question, or not."""

    question: str
    language: str
    name: str
    fingerprint: str
    same: bool


def save_decisions(*, bank: Bank, decisions: Sequence[Decision], by: User | None) -> None:
    """Save decisions; each replaces an earlier one on the same pair.

    No editor of the bank: NotFound.
    """
    check_editor(by, bank)
    names = {decision.question for decision in decisions}
    questions = dict(Question.objects.filter(bank=bank, name__in=names).values_list("name", "pk"))
    PairDecision.objects.bulk_create(
        [
            PairDecision(
                question_id=questions[decision.question],
                language=decision.language,
                name=decision.name[:100],
                fingerprint=decision.fingerprint,
                same=decision.same,
                by=by,
            )
            for decision in decisions
        ],
        update_conflicts=True,
        unique_fields=["question", "language", "name", "fingerprint"],
        update_fields=["same", "by", "updated_at"],
    )


def rejected_pairs(bank: Bank) -> frozenset[tuple[str, str]]:
    """Return the rejected pairs: name of the question, and name or fingerprint of the text."""
    decisions = PairDecision.objects.filter(question__bank=bank, same=False)
    rows = decisions.values_list("question__name", "name", "fingerprint")
    return frozenset((question, other) for question, *others in rows for other in others if other)


def confirmed_pairs(bank: Bank, numbered: Iterable[tuple[int, ParsedQuestion]]) -> dict[int, str]:
    """Return the questions that items of a file are, as people decided: number → name.

    An item is known by its texts, or by the name of a question that was merged into another.
    """
    decisions = PairDecision.objects.filter(question__bank=bank, same=True).order_by(
        "updated_at", "pk"
    )
    by_fingerprint = dict(decisions.values_list("fingerprint", "question__name"))
    merged = Question.objects.filter(bank=bank, merged_into__isnull=False)
    merged_into = dict(merged.values_list("name", "merged_into__name"))
    if not by_fingerprint and not merged_into:
        return {}
    confirmed = {}
    for number, question in numbered:
        names = (
            by_fingerprint.get(fingerprint, "") for fingerprint in question_fingerprints(question)
        )
        if name := merged_into.get(question.name) or next(filter(None, names), ""):
            confirmed[number] = _follow_merges(name, merged_into)
    return confirmed


def _follow_merges(name: str, merged_into: dict[str, str]) -> str:
    """Return the question into which this one was merged in the end."""
    visited = {name}
    while (target := merged_into.get(name, "")) and target not in visited:
        name = target
        visited.add(name)
    return name
