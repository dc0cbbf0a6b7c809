"""Searching questions: names, tags, and all texts of drafts in every language."""

import json
from typing import TYPE_CHECKING, Any

from django.db.models import Exists, JSONField, Lookup, OuterRef, Q, QuerySet

from quizzes.bank.models import Question, Tag

if TYPE_CHECKING:
    TextLookup = Lookup[Any]
else:
    TextLookup = Lookup


@JSONField.register_lookup
class AnyTextContains(TextLookup):
    """Whether any text within a JSON value contains a term, whatever its case; names do not count.

    On SQLite the case of ASCII letters alone does not count, as in its other searches.
    """

    lookup_name = "any_text_contains"
    prepare_rhs = False

    def as_postgresql(self, compiler: Any, connection: Any) -> tuple[str, tuple[Any, ...]]:
        """Return a JSON path that looks at each text."""
        column, params = self.process_lhs(compiler, connection)
        term = json.dumps(str(self.rhs), ensure_ascii=False)
        path = f'$.** ? (@.type() == "string" && @ like_regex {term} flag "iq")'
        return f"jsonb_path_exists({column}, %s::jsonpath)", (*params, path)

    def as_sqlite(self, compiler: Any, connection: Any) -> tuple[str, tuple[Any, ...]]:
        """Return a condition on the leaves of the tree."""
        column, params = self.process_lhs(compiler, connection)
        term = str(self.rhs).translate({ord(sign): f"\\{sign}" for sign in "\\%_"})
        tree = f"SELECT 1 FROM json_tree({column}) WHERE type = 'text' AND atom LIKE %s"  # noqa: S608  a column and a parameter
        return f"EXISTS ({tree} ESCAPE '\\')", (*params, f"%{term}%")


def find_questions(questions: QuerySet[Question], text: str) -> QuerySet[Question]:
    """Return the questions that have each word in name, tags, or any text of their drafts."""
    for word in text.split():
        tags = Tag.objects.filter(questions=OuterRef("pk"), name__icontains=word)
        questions = questions.filter(
            Q(name__icontains=word)
            | Q(draft__data__words__any_text_contains=word)
            | Q(draft__data__feedback__any_text_contains=word)
            | Exists(tags)
        )
    return questions
