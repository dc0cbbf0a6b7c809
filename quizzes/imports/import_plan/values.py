"""What a plan is made of: what the bank holds, and what would become of each item of a file."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from quizzes.document import QuestionDocument, compute_digest
from quizzes.formats.contract import SourceItem
from quizzes.matching.language_match import LanguageMatch


@dataclass(frozen=True, slots=True)
class Held:
    """A question as the bank has it: its draft, and all its rows ever, name → id.

    `loaded` is the digest of what a file last said, "" if none ever did. `live`: its draft is what
    is published.
    """

    name: str
    item: QuestionDocument
    rows: Mapping[str, str] = field(default_factory=dict)
    tags: frozenset[str] = frozenset()
    loaded: str = ""
    live: bool = True


@dataclass(frozen=True, slots=True)
class Holding:
    """What the bank holds, as far as a plan asks: by name, names by fingerprint, all names.

    `twins` are items, by their number in the file, of which a person said that they are another
    language of a question. `named`: the file is this very bank's, so a name in it is the question
    that the bank calls so.
    """

    source_language: str = "en"
    by_name: Mapping[str, Held] = field(default_factory=dict)
    alike: Mapping[str, str] = field(default_factory=dict)
    names: frozenset[str] = frozenset()
    twins: Mapping[int, LanguageMatch] = field(default_factory=dict)
    named: bool = False


class What(StrEnum):
    """What would become of an item of a file: each has exactly one, so that the counts add up."""

    NEW = "new"
    SAME = "same"
    CHANGED = "changed"
    TWIN = "twin"  # another language of a question of the bank, as a person confirmed
    CONFLICT = "conflict"  # an author wrote here since the last load, or no file ever did
    REVIEW = "needs_review"  # it comes in as a draft, never published
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Difference:
    """A part that file and bank say differently; language "" where it has none."""

    part: str
    language: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Planned:
    """What would be done with one item; `number` is its place in the file, from 0.

    `name` is the question's in the bank, `item` its next state, `rows` its rows (name → id).
    `asks` is the code of what a person must decide of a conflict, "" where its name says it.
    `twin` is the question that it may be in another language, `alike` the one that it resembles
    in its own; not `searched`: there were too many to look. `lasting`: files speak for the whole
    question, as far as is known. `live`: it may be published if it has no problems.
    """

    number: int
    found: SourceItem
    what: What
    name: str = ""
    item: QuestionDocument | None = None
    before: QuestionDocument | None = None
    rows: Mapping[str, str] = field(default_factory=dict)
    tags: frozenset[str] = frozenset()
    differences: tuple[Difference, ...] = ()
    asks: str = ""
    twin: LanguageMatch | None = None
    alike: LanguageMatch | None = None
    searched: bool = True
    lasting: bool = True
    live: bool = True

    def print(self) -> str:
        """Give a short fingerprint of what would be done, to tell whether it is still the same."""
        parts = [[one.part, one.language, one.before, one.after] for one in self.differences]
        twin = self.twin.name if self.twin else ""
        return compute_digest([self.number, self.what, self.name, twin, parts])[:16]

    @property
    def held(self) -> bool:
        """Whether the bank has the question that it is."""
        return self.before is not None

    @property
    def writes(self) -> bool:
        """Whether anything would be written if a person chose it."""
        return self.what not in {What.SAME, What.REFUSED}

    @property
    def usual(self) -> bool:
        """Whether it is chosen unless a person says otherwise."""
        review_of_held = self.what == What.REVIEW and self.before is not None
        return self.writes and self.what != What.CONFLICT and not review_of_held
