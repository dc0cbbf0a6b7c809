"""`in_array`: as `in`, of a query, which PostgreSQL runs first and then looks up by an index.

For `a IN (SELECT …) OR b IN (SELECT …)` it has no index, and reads the whole table: each row is
compared with both. Two arrays it joins by bitmaps of two indexes.
"""

from typing import Any

from django.db.models import Field, ForeignKey
from django.db.models.fields.related_lookups import RelatedIn
from django.db.models.lookups import In


class _ArrayOperator:
    """Has the rows of the query made an array once, where the database knows arrays."""

    lookup_name: Any = "in_array"

    def get_rhs_op(self, connection: Any, rhs: str) -> str:
        """Return the operator and the query."""
        return f"= ANY(ARRAY{rhs})" if connection.vendor == "postgresql" else f"IN {rhs}"


class InArray(_ArrayOperator, In):
    """A value is among those of a query."""


class RelatedInArray(_ArrayOperator, RelatedIn):
    """A row is among those of a query."""


def register_lookups() -> None:
    """Let all fields have `in_array`."""
    Field.register_lookup(InArray)
    ForeignKey.register_lookup(RelatedInArray)
