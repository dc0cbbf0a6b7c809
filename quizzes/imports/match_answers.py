"""A person's answers to proposed language matches, and what follows from them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from quizzes.bank.models import Bank
from quizzes.formats.contract import ImportStatus, SourceItem
from quizzes.imports.import_plan.values import PlannedItem
from quizzes.matching.bank_questions import single_language
from quizzes.matching.decisions import Decision
from quizzes.matching.fingerprints import question_fingerprints
from quizzes.matching.key_changes import KeyChange
from quizzes.matching.language_match import LanguageMatch
from quizzes.matching.proposals import MatchProposals, build_confirmed_match


@dataclass(frozen=True, slots=True)
class MatchAnswers:
    """The answers for the items of a file: number of the item → name of the question.

    `min_confidence`: safe matches from this confidence on are accepted, too; None: none of them.
    Not `search`: nothing new is proposed.
    """

    accepted: Mapping[int, str] = field(default_factory=dict)
    rejected: Mapping[int, str] = field(default_factory=dict)
    min_confidence: float | None = None
    search: bool = True

    def without(self, number: int) -> "MatchAnswers":
        """Return the answers without the one for this item."""
        accepted, rejected = (
            {n: name for n, name in answers.items() if n != number}
            for answers in (self.accepted, self.rejected)
        )
        return replace(self, accepted=accepted, rejected=rejected)

    def to_json(self) -> dict[str, Any]:
        """Return them as an import stores them."""
        return asdict(self)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "MatchAnswers":
        """Return what an import has stored."""
        accepted, rejected = (
            {int(number): str(name) for number, name in stored.get(part, {}).items()}
            for part in ("accepted", "rejected")
        )
        return cls(accepted, rejected, stored.get("min_confidence"))


@dataclass(frozen=True, slots=True)
class MatchAnswer:
    """Whether an item is the question that was proposed; None: not decided.

    `question` is the name of the question that the answer is about, if it is said.
    """

    number: int
    same: bool | None
    question: str | None = None


NO_ANSWERS: Final = MatchAnswers()
"""Nobody has answered yet."""


def matches_to_merge(
    bank: Bank,
    source_items: Sequence[SourceItem],
    proposals: MatchProposals,
    answers: MatchAnswers,
) -> dict[int, LanguageMatch]:
    """Return the matches to merge, by the number of the item.

    One that was confirmed and can no longer be merged: Conflict.
    """
    matches = dict(proposals.confirmed)
    for number, name in answers.accepted.items():
        question = source_items[number].question if number < len(source_items) else None
        if question is not None and number not in matches:
            match = proposals.matches.get(number)
            if match is None or match.question != name:
                match = build_confirmed_match(bank, number, question, name)
            matches[number] = match
    if answers.min_confidence is not None:
        for number, match in proposals.matches.items():
            is_open = number not in {*matches, *answers.rejected}
            is_sure = match.confidence >= answers.min_confidence
            if is_open and is_sure and is_safe(match, source_items[number]):
                matches[number] = match
    return matches


def is_safe(match: LanguageMatch, source_item: SourceItem) -> bool:
    """Return whether merging adds words and nothing else: a person need not look at it."""
    return (
        source_item.status != ImportStatus.REVIEW
        and match.key_change in {KeyChange.NONE, KeyChange.SAME}
        and not match.left_out
    )


def decisions_to_save(
    plan: Sequence[PlannedItem], selected: set[int], answers: MatchAnswers
) -> Iterator[Decision]:
    """Yield what is to be remembered of these items: matches that were merged or rejected."""
    for planned in plan:
        question, match = planned.source_item.question, planned.match
        if question is None or match is None or match.confirmed:
            continue
        is_same = planned.number in selected and planned.before is not None
        if is_same or planned.number in answers.rejected:
            language = single_language(question)
            for fingerprint in question_fingerprints(question):
                yield Decision(match.question, language, question.name, fingerprint, is_same)
