"""Searching all texts of drafts: prompts, options, feedback, explanations, in every language."""

import json
from typing import Any

from django.db.models import JSONField, Lookup


@JSONField.register_lookup
class AnyTextContains(Lookup[Any]):
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
