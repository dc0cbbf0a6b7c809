"""A question of a bank that another question may be, in another language or its own. Pure."""

from dataclasses import dataclass

from quizzes.document import QuestionDocument
from quizzes.matching.key_changes import KeyChange
from quizzes.matching.reasons import Reason
from quizzes.matching.row_pairing import RowPair


@dataclass(frozen=True, slots=True)
class LanguageMatch:
    """The question of the bank that an item may be, and the item's `language`.

    `rows` pair the file's names of rows with the bank's ids. `confirmed`: a person said so before,
    else it is only proposed. `key_change` and `left_out` are those of `MergedTranslation`.
    """

    question: str
    language: str
    confidence: float
    reasons: tuple[Reason, ...] = ()
    rows: tuple[RowPair, ...] = ()
    confirmed: bool = False
    key_change: KeyChange = KeyChange.NONE
    left_out: tuple[str, ...] = ()
    document: QuestionDocument | None = None

    @property
    def percent(self) -> int:
        """The confidence in per cent."""
        return int(self.confidence * 100)

    @property
    def ids(self) -> dict[str, str]:
        """The bank's id for each name of a row in the file."""
        return {pair.left: pair.right for pair in self.rows}
