"""A condition for check constraints: two columns are a fraction in lowest terms (ADR 11, 27)."""

import re
from math import gcd
from typing import Any

from django.db.models import BooleanField, Func

NUMERATOR, DENOMINATOR = "(0|-?[1-9][0-9]*)", "[1-9][0-9]*"

POSTGRESQL = (
    f"CASE WHEN {{0}}::text ~ '^{NUMERATOR}$' AND {{1}}::text ~ '^{DENOMINATOR}$'"
    " THEN gcd({0}::numeric, {1}::numeric) = 1{more} ELSE FALSE END"
)
WITHIN = " AND {0}::numeric >= 0 AND {0}::numeric * {3}::numeric <= {2}::numeric * {1}::numeric"


class IsFraction(Func):
    """Whether a numerator and a denominator, numbers or decimal texts, are in lowest terms.

    With a second fraction after them: and that the first is between 0 and it, both included.
    """

    function = "ochenta_is_fraction"
    output_field = BooleanField()

    def as_postgresql(self, compiler: Any, _connection: Any, **_context: Any) -> Any:
        """Compute with numbers of any size."""
        columns, params = [], list[Any]()
        for expression in self.get_source_expressions():
            sql, parameters = compiler.compile(expression)
            columns.append(sql)
            params += parameters
        if params:
            raise ValueError("a fraction is checked in columns")
        more = WITHIN.format(*columns) if len(columns) > len(("numerator", "denominator")) else ""
        return POSTGRESQL.format(*columns, more=more), ()


def is_fraction(numerator: object, denominator: object, *maximum: object) -> bool:
    """Return what IsFraction asks; SQLite calls it, which has no whole numbers of any size."""
    texts = str(numerator), str(denominator)
    if not re.fullmatch(NUMERATOR, texts[0]) or not re.fullmatch(DENOMINATOR, texts[1]):
        return False
    above, below = map(int, texts)
    if gcd(above, below) != 1:
        return False
    if not maximum:
        return True
    most, parts = (int(str(number)) for number in maximum)
    return 0 <= above * parts <= most * below


def add_function(connection: Any, **_: Any) -> None:
    """Give a new connection to SQLite the function that the constraints call."""
    if connection.vendor == "sqlite":
        connection.connection.create_function(
            IsFraction.function, -1, is_fraction, deterministic=True
        )
