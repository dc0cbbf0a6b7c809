"""A question as its author sees it: rows and columns of plain values. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from grading.schema import Text
from quizzes.instructor.questions.field_values import TypedValue

TextByLanguage = Mapping[str, str]
"""Language → text."""


@dataclass(frozen=True, slots=True)
class RowFormData:
    """One row of a table as the author sees it.

    `name` is the author's own for it, `values` are its fields by name, `texts` by field
    prefix. `fixed_row`: which of the fixed rows of the table it is, if the table has any.
    """

    id: str = ""
    name: str = ""
    values: Mapping[str, TypedValue] = field(default_factory=dict)
    texts: Mapping[str, TextByLanguage] = field(default_factory=dict)
    fixed_row: str = ""


@dataclass(frozen=True, slots=True)
class QuestionFormData:
    """A question as the page shows it. `up_to_date`: languages declared so."""

    kind: str
    scoring_method: str
    source_language: str
    languages: tuple[str, ...] = ()
    values: Mapping[str, TypedValue] = field(default_factory=dict)
    texts: Mapping[str, TextByLanguage] = field(default_factory=dict)
    tables: Mapping[str, Sequence[RowFormData]] = field(default_factory=dict)
    up_to_date: frozenset[str] = frozenset()

    def rows(self) -> Iterator[RowFormData]:
        """Return the rows of all tables."""
        for rows in self.tables.values():
            yield from rows


def field_prefix(text: Text) -> str:
    """Return the beginning of the names of a text's form fields; feedback has one of its own."""
    return f"{'feedback' if text.is_feedback else 'words'}_{text.name}"
