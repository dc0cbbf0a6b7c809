"""`in_array`: as `in`, of a query, which PostgreSQL runs first and then looks up by an index.

`in_list`: as `in`, of values that are one parameter, however many: a prepared query may have it.

For `a IN (SELECT …) OR b IN (SELECT …)` it has no index, and reads the whole table: each row is
compared with both. Two arrays it joins by bitmaps of two indexes.
"""

import json
from collections.abc import Sequence
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Field, ForeignKey, Lookup
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


class ListField(Field):  # type: ignore[type-arg]  # it takes no [] when it runs
    """Values of another field as one parameter: an array, or JSON where there are no arrays."""

    def __init__(self, base_field: "Field[Any, Any]") -> None:
        super().__init__()
        self.base_field = base_field

    def db_type(self, connection: BaseDatabaseWrapper) -> str:
        """Return the type of the array."""
        return f"{self.base_field.db_type(connection)}[]"

    def get_db_prep_value(
        self, value: Sequence[Any], connection: BaseDatabaseWrapper, prepared: bool = False
    ) -> Any:
        """Return the values as the database takes them."""
        values = [self.base_field.get_db_prep_value(part, connection, prepared) for part in value]
        return values if connection.vendor == "postgresql" else json.dumps(values)


class InList(Lookup):
    """A value is among those of a list: whole numbers, texts or UUIDs."""

    lookup_name: Any = "in_list"
    prepare_rhs = False

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        """Return the condition, with the list as its one parameter."""
        sql, params = self.process_lhs(compiler, connection)
        values = ListField(self.lhs.output_field).get_db_prep_value(self.rhs, connection)
        among = "= ANY(%s)"
        if connection.vendor != "postgresql":
            among = "IN (SELECT value FROM JSON_EACH(%s))"
        return f"{sql} {among}", [*params, values]


def register_lookups() -> None:
    """Let all fields have `in_array` and `in_list`."""
    Field.register_lookup(InArray)
    Field.register_lookup(InList)
    ForeignKey.register_lookup(RelatedInArray)
