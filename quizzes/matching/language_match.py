"""A question of a bank that another question is, in another language or in the same. Pure."""

from dataclasses import dataclass

from quizzes.document import QuestionDocument
from quizzes.matching.key_changes import KeyChange
from quizzes.matching.reasons import Reason
from quizzes.matching.row_pairing import RowPair


@dataclass(frozen=True, slots=True)
class LanguageMatch:
    """The question of the bank that an item is held to be, in the item's `language`.

    `rows` pair the file's names of rows with the bank's ids. `known`: a person said so before, else
    it is only proposed. `key` and `left_out` tell what joining them would do, as `Joined` has it.
    """

    name: str
    language: str
    confidence: float
    reasons: tuple[Reason, ...] = ()
    rows: tuple[RowPair, ...] = ()
    confirmed: bool = False
    key_change: KeyChange = KeyChange.NONE
    left_out: tuple[str, ...] = ()
    document: QuestionDocument | None = None

    @property
    def ids(self) -> dict[str, str]:
        """Give the bank's id for each name of a row in the file."""
        return {pair.left: pair.right for pair in self.rows}
