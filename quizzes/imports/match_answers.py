"""Which twins of a file are joined: as was said before, as is said now, and what is then kept."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from quizzes.bank.models import Bank
from quizzes.formats.contract import ImportStatus, SourceItem
from quizzes.imports.import_plan.values import Planned
from quizzes.matching.bank_questions import only_language
from quizzes.matching.decisions import Word
from quizzes.matching.fingerprints import told_fingerprints
from quizzes.matching.key_changes import KeyVerdict
from quizzes.matching.language_match import LanguageMatch
from quizzes.matching.proposals import Proposals, confirmed


@dataclass(frozen=True, slots=True)
class Answers:
    """What a person said of the twins of a file: number of the item → name of the question.

    `above`: take those at least this sure, 0 to 1, where no key is at stake; None: none of them.
    Not `sought`: nothing new is proposed.
    """

    taken: Mapping[int, str] = field(default_factory=dict)
    refused: Mapping[int, str] = field(default_factory=dict)
    above: float | None = None
    sought: bool = True

    def without(self, number: int) -> "Answers":
        """Leave one open that was taken."""
        return replace(self, taken={n: name for n, name in self.taken.items() if n != number})

    def to_json(self) -> dict[str, Any]:
        """Give them as an import keeps them."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Answers":
        """Read what an import keeps."""
        taken, refused = (
            {int(number): str(name) for number, name in data.get(part, {}).items()}
            for part in ("taken", "refused")
        )
        return cls(taken, refused, data.get("above"))


NO_ANSWERS: Final = Answers()
"""Nobody said anything yet."""


def joined(
    bank: Bank, every: Sequence[SourceItem], proposed: Proposals, answers: Answers
) -> dict[int, LanguageMatch]:
    """Give the twins that are to be joined, by the number of the item.

    One that was confirmed and can no longer be joined: Conflict.
    """
    found = dict(proposed.known)
    for number, name in answers.taken.items():
        question = every[number].question if number < len(every) else None
        if question is not None and number not in found:
            twin = proposed.twins.get(number)
            same = twin if twin and twin.name == name else None
            found[number] = same or confirmed(bank, number, question, name)
    for number, twin in proposed.twins.items():
        sure = answers.above is not None and twin.confidence >= answers.above
        if sure and number not in {*found, *answers.refused} and is_safe(twin, every[number]):
            found[number] = twin
    return found


def is_safe(twin: LanguageMatch, one: SourceItem) -> bool:
    """Tell whether nothing is at stake but words: what touches a key, a person looks at alone."""
    keys = {KeyVerdict.NONE, KeyVerdict.SAME}
    return one.status != ImportStatus.REVIEW and twin.key in keys and not twin.left_out


def words(plans: Sequence[Planned], chosen: set[int], answers: Answers) -> Iterator[Word]:
    """Give what is to be remembered of these items: twins that were joined, or are none."""
    for one in plans:
        question, twin = one.found.question, one.twin
        if question is None or twin is None or twin.known:
            continue
        same = one.number in chosen and one.before is not None
        if same or one.number in answers.refused:
            language = only_language(question)
            for made in told_fingerprints(question):
                yield Word(twin.name, language, question.name, made, same)
