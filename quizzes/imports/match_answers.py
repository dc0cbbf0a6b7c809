"""Which twins of a file are joined: as was said before, as is said now, and what is then kept."""

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
    """What a person said of the twins of a file: number of the item → name of the question.

    `above`: take those at least this sure, 0 to 1, where no key is at stake; None: none of them.
    Not `sought`: nothing new is proposed.
    """

    accepted: Mapping[int, str] = field(default_factory=dict)
    rejected: Mapping[int, str] = field(default_factory=dict)
    min_confidence: float | None = None
    search: bool = True

    def without(self, number: int) -> "MatchAnswers":
        """Leave one open that was taken."""
        return replace(self, accepted={n: name for n, name in self.accepted.items() if n != number})

    def to_json(self) -> dict[str, Any]:
        """Give them as an import keeps them."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "MatchAnswers":
        """Read what an import keeps."""
        accepted, rejected = (
            {int(number): str(name) for number, name in data.get(part, {}).items()}
            for part in ("accepted", "rejected")
        )
        return cls(accepted, rejected, data.get("min_confidence"))


NO_ANSWERS: Final = MatchAnswers()
"""Nobody said anything yet."""


def matches_to_merge(
    bank: Bank, every: Sequence[SourceItem], proposed: MatchProposals, answers: MatchAnswers
) -> dict[int, LanguageMatch]:
    """Give the twins that are to be joined, by the number of the item.

    One that was confirmed and can no longer be joined: Conflict.
    """
    matches = dict(proposed.confirmed)
    for number, name in answers.accepted.items():
        question = every[number].question if number < len(every) else None
        if question is not None and number not in matches:
            twin = proposed.matches.get(number)
            same = twin if twin and twin.name == name else None
            matches[number] = same or build_confirmed_match(bank, number, question, name)
    for number, twin in proposed.matches.items():
        sure = answers.min_confidence is not None and twin.confidence >= answers.min_confidence
        if sure and number not in {*matches, *answers.rejected} and is_safe(twin, every[number]):
            matches[number] = twin
    return matches


def is_safe(twin: LanguageMatch, source_item: SourceItem) -> bool:
    """Tell whether nothing is at stake but words: what touches a key, a person looks at alone."""
    keys = {KeyChange.NONE, KeyChange.SAME}
    return (
        source_item.status != ImportStatus.REVIEW and twin.key_change in keys and not twin.left_out
    )


def decisions_to_save(
    plans: Sequence[PlannedItem], chosen: set[int], answers: MatchAnswers
) -> Iterator[Decision]:
    """Give what is to be remembered of these items: twins that were joined, or are none."""
    for item_plan in plans:
        question, twin = item_plan.source_item.question, item_plan.match
        if question is None or twin is None or twin.confirmed:
            continue
        same = item_plan.number in chosen and item_plan.before is not None
        if same or item_plan.number in answers.rejected:
            language = single_language(question)
            for fingerprint in question_fingerprints(question):
                yield Decision(twin.name, language, question.name, fingerprint, same)
