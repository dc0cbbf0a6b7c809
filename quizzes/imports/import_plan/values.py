"""What a plan consists of: what the bank has, and what is to be done with each item."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from quizzes.document import QuestionDocument, compute_digest
from quizzes.formats.contract import SourceItem
from quizzes.matching.language_match import LanguageMatch


@dataclass(frozen=True, slots=True)
class ExistingQuestion:
    """A question as the bank has it: its draft, and all rows that it ever had, name → id.

    `imported_fingerprint` is the digest of its last import, "" without one.
    """

    name: str
    document: QuestionDocument
    rows: Mapping[str, str] = field(default_factory=dict)
    tags: frozenset[str] = frozenset()
    imported_fingerprint: str = ""
    is_published_as_drafted: bool = True


@dataclass(frozen=True, slots=True)
class BankSnapshot:
    """What the bank has, as far as a plan needs it: by name, names by fingerprint, all names.

    `matches` are the items, by their number in the file, that a person confirmed to be another
    language of a question. `is_own_file`: the file is this bank's, so that its names are the
    bank's.
    """

    source_language: str = "en"
    by_name: Mapping[str, ExistingQuestion] = field(default_factory=dict)
    names_by_fingerprint: Mapping[str, str] = field(default_factory=dict)
    names: frozenset[str] = frozenset()
    matches: Mapping[int, LanguageMatch] = field(default_factory=dict)
    is_own_file: bool = False


class ImportAction(StrEnum):
    """What is to be done with an item: each has exactly one, so that the counts add up."""

    NEW = "new"
    SAME = "same"
    CHANGED = "changed"
    TRANSLATION = "translation"  # of a question of the bank, as a person confirmed
    CONFLICT = "conflict"  # an author changed it since the last import, or it was never imported
    REVIEW = "needs_review"  # it is imported as a draft, never published
    REFUSED = "refused"

    @property
    def writes(self) -> bool:
        """Whether anything is written if the item is selected."""
        return self not in {ImportAction.SAME, ImportAction.REFUSED}


@dataclass(frozen=True, slots=True)
class ChangedPart:
    """A part that differs between file and bank; language "" where it has none."""

    part: str
    language: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class PlannedItem:
    """What is to be done with one item; `number` is its place in the file, from 0.

    `name` is the question's in the bank, `document` its next state, `rows` its rows (name → id).
    `conflict_code` is what a person must decide about a conflict, "" where the name says it.
    `match` is the question that it may be in another language, `duplicate_of` the one that it
    resembles in its own. `file_managed`: all of the question comes from files.
    `is_published_as_drafted`: it may be published if it has no problems. `changed_in_file`: the
    file differs from what was last imported.
    """

    number: int
    source_item: SourceItem
    action: ImportAction
    name: str = ""
    document: QuestionDocument | None = None
    before: QuestionDocument | None = None
    rows: Mapping[str, str] = field(default_factory=dict)
    tags: frozenset[str] = frozenset()
    differences: tuple[ChangedPart, ...] = ()
    conflict_code: str = ""
    match: LanguageMatch | None = None
    duplicate_of: LanguageMatch | None = None
    file_managed: bool = True
    is_published_as_drafted: bool = True
    changed_in_file: bool = True

    def fingerprint(self) -> str:
        """Return a short fingerprint of what is to be done."""
        parts = [[part.part, part.language, part.before, part.after] for part in self.differences]
        match = self.match.question if self.match else ""
        return compute_digest([self.number, self.action, self.name, match, parts])[:16]

    @property
    def writes(self) -> bool:
        """Whether anything is written if it is selected."""
        return self.action.writes

    @property
    def selected_by_default(self) -> bool:
        """Whether it is selected unless a person decides otherwise."""
        comparison = self.source_item.comparison
        if comparison is not None and comparison.has_surprise:
            return False
        if self.action == ImportAction.REVIEW:
            return self.before is None and not self.source_item.is_damaged
        return self.writes and self.action != ImportAction.CONFLICT
