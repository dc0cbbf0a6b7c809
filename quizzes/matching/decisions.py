"""What persons said of twins, kept and looked up: the last word counts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from accounts.models import User
from quizzes.bank.models import Bank, Question
from quizzes.formats.contract import ParsedQuestion
from quizzes.matching.fingerprints import question_fingerprints
from quizzes.matching.models import PairDecision


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person said: the question of this name and a text are the same question, or not."""

    question: str
    language: str
    name: str
    fingerprint: str
    same: bool


def save_decisions(*, bank: Bank, words: Sequence[Decision], by: User | None) -> None:
    """Keep what a person said."""
    names = {word.question for word in words}
    questions = dict(Question.objects.filter(bank=bank, name__in=names).values_list("name", "pk"))
    PairDecision.objects.bulk_create(
        [
            PairDecision(
                question_id=questions[word.question],
                language=word.language,
                name=word.name[:100],
                fingerprint=word.fingerprint,
                same=word.same,
                by=by,
            )
            for word in words
        ],
        update_conflicts=True,
        unique_fields=["question", "language", "name", "fingerprint"],
        update_fields=["same", "by", "updated_at"],
    )


def rejected_pairs(bank: Bank) -> frozenset[tuple[str, str]]:
    """Give what is no twin: name of the question, and name or fingerprint of the other text."""
    decisions = PairDecision.objects.filter(question__bank=bank, same=False)
    rows = decisions.values_list("question__name", "name", "fingerprint")
    return frozenset((question, other) for question, *others in rows for other in others if other)


def confirmed_pairs(bank: Bank, numbered: Iterable[tuple[int, ParsedQuestion]]) -> dict[int, str]:
    """Give the questions that items of a file are, as persons said: number → name.

    An item is known by its words, or by the name of a question that was taken in by its twin.
    """
    decisions = PairDecision.objects.filter(question__bank=bank, same=True).order_by(
        "updated_at", "pk"
    )
    by_print = dict(decisions.values_list("fingerprint", "question__name"))
    taken_in = Question.objects.filter(bank=bank, merged_into__isnull=False)
    absorbed = dict(taken_in.values_list("name", "merged_into__name"))
    if not by_print and not absorbed:
        return {}
    confirmed = {}
    for number, question in numbered:
        prints = (by_print.get(fingerprint, "") for fingerprint in question_fingerprints(question))
        if name := absorbed.get(question.name) or next(filter(None, prints), ""):
            confirmed[number] = _last(name, absorbed)
    return confirmed


def _last(name: str, absorbed: dict[str, str]) -> str:
    """Follow a question to the one that took in the one that took it in."""
    seen = {name}
    while (after := absorbed.get(name, "")) and after not in seen:
        name = after
        seen.add(name)
    return name
