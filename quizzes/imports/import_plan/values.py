"""What a plan is made of: what the bank holds, and what would become of each item of a file."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from quizzes.document import QuestionDocument, compute_digest
from quizzes.formats.contract import SourceItem
from quizzes.matching.language_match import LanguageMatch


@dataclass(frozen=True, slots=True)
class ExistingQuestion:
    """A question as the bank has it: its draft, and all its rows ever, name → id.

    `loaded` is the digest of what a file last said, "" if none ever did. `live`: its draft is what
    is published.
    """

    name: str
    document: QuestionDocument
    rows: Mapping[str, str] = field(default_factory=dict)
    tags: frozenset[str] = frozenset()
    imported_fingerprint: str = ""
    is_published_as_drafted: bool = True


@dataclass(frozen=True, slots=True)
class BankSnapshot:
    """What the bank holds, as far as a plan asks: by name, names by fingerprint, all names.

    `twins` are items, by their number in the file, of which a person said that they are another
    language of a question. `named`: the file is this very bank's, so a name in it is the question
    that the bank calls so.
    """

    source_language: str = "en"
    by_name: Mapping[str, ExistingQuestion] = field(default_factory=dict)
    names_by_fingerprint: Mapping[str, str] = field(default_factory=dict)
    names: frozenset[str] = frozenset()
    matches: Mapping[int, LanguageMatch] = field(default_factory=dict)
    is_own_file: bool = False


class ImportAction(StrEnum):
    """What would become of an item of a file: each has exactly one, so that the counts add up."""

    NEW = "new"
    SAME = "same"
    CHANGED = "changed"
    TWIN = "twin"  # another language of a question of the bank, as a person confirmed
    CONFLICT = "conflict"  # an author wrote here since the last load, or no file ever did
    REVIEW = "needs_review"  # it comes in as a draft, never published
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class ChangedPart:
    """A part that file and bank say differently; language "" where it has none."""

    part: str
    language: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class PlannedItem:
    """What would be done with one item; `number` is its place in the file, from 0.

    `name` is the question's in the bank, `item` its next state, `rows` its rows (name → id).
    `asks` is the code of what a person must decide of a conflict, "" where its name says it.
    `twin` is the question that it may be in another language, `alike` the one that it resembles
    in its own; not `searched`: there were too many to look. `lasting`: files speak for the whole
    question, as far as is known. `live`: it may be published if it has no problems.
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
    duplicates_searched: bool = True
    file_managed: bool = True
    is_published_as_drafted: bool = True

    def fingerprint(self) -> str:
        """Give a short fingerprint of what would be done, to tell whether it is still the same."""
        parts = [[part.part, part.language, part.before, part.after] for part in self.differences]
        twin = self.match.name if self.match else ""
        return compute_digest([self.number, self.action, self.name, twin, parts])[:16]

    @property
    def in_bank(self) -> bool:
        """Whether the bank has the question that it is."""
        return self.before is not None

    @property
    def writes(self) -> bool:
        """Whether anything would be written if a person chose it."""
        return self.action not in {ImportAction.SAME, ImportAction.REFUSED}

    @property
    def selected_by_default(self) -> bool:
        """Whether it is chosen unless a person says otherwise."""
        review_of_held = self.action == ImportAction.REVIEW and self.before is not None
        return self.writes and self.action != ImportAction.CONFLICT and not review_of_held
