"""What helps a learner before the key is shown: hints, and texts that their author calls safe."""

from dataclasses import dataclass

from grading.json_types import Content, Key
from grading.schema import EXPLANATION, HINTS, SAFE, QuestionSchema, build_safe_field


@dataclass(frozen=True, slots=True)
class EarlyTexts:
    """Ids of the hints in their order; ids of rows and names of texts that are safe."""

    hint_ids: tuple[str, ...] = ()
    safe: frozenset[str] = frozenset()

    @property
    def is_explanation_safe(self) -> bool:
        """Whether the explanation may be shown before the key."""
        return EXPLANATION.name in self.safe


def find_early_texts(schema: QuestionSchema, content: Content, key: Key) -> EarlyTexts:
    """Return what a question may say before its key is shown."""
    question = schema.load(content, key)
    names = (
        text.name
        for text in schema.texts
        if question.fields.get(build_safe_field(text.name).name) is True
    )
    rows = (
        row.id
        for table_rows in question.tables.values()
        for row in table_rows
        if row.values.get(SAFE.name) is True
    )
    hint_ids = tuple(row.id for row in question.tables.get(HINTS.name, ()))
    return EarlyTexts(hint_ids, frozenset((*names, *rows)))
