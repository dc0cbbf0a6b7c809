"""Pages by cursor: each goes on after the last row given, so that writes skip nothing."""

import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar
from urllib.parse import urlencode

from django.db.models import Model, Q, QuerySet
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from quizzes.api.fields import StrictSerializer
from quizzes.lib.base_models import check_calendar

Row = TypeVar("Row", bound=Model)
DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE = 50, 200
RFC3339 = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9:]{8}(\.[0-9]{1,9})?([Zz]|[+-][0-9]{2}:[0-9]{2})"
)


@extend_schema_field(
    {"type": "integer", "minimum": 1, "maximum": MAX_PAGE_SIZE, "default": DEFAULT_PAGE_SIZE}
)
class PageSizeField(serializers.Field[int, str, int, Any]):
    """How many rows a page."""

    default_error_messages = {
        "out_of_range": format_lazy(
            gettext_lazy("A whole number from 1 to {maximum}."), maximum=MAX_PAGE_SIZE
        )
    }

    def to_internal_value(self, data: str) -> int:
        """Read it; other spellings of numbers are none."""
        if not re.fullmatch(r"[1-9][0-9]{0,3}", data) or int(data) > MAX_PAGE_SIZE:
            self.fail("out_of_range")
        return int(data)


class PageQuery(StrictSerializer):
    """The query of every list."""

    limit = PageSizeField(required=False, help_text="Rows a page.")
    cursor = serializers.CharField(
        required=False, max_length=300, help_text="Where to go on: the `cursor` of a page before."
    )


@dataclass(frozen=True, slots=True)
class Order:
    """By which fields rows are listed, and how each is read back from a cursor."""

    fields: tuple[tuple[str, Callable[[str], Any]], ...]

    def after(self, values: Sequence[Any]) -> Q:
        """Return the condition on rows that come after these values."""
        condition, equal = Q(), Q()
        for (name, _), value in zip(self.fields, values, strict=True):
            condition |= equal & Q(**{f"{name}__gt": value})
            equal &= Q(**{name: value})
        return condition

    def cursor(self, row: object) -> str:
        """Write where a row stands."""
        return self.write([getattr(row, name) for name, _ in self.fields])

    def write(self, values: Sequence[Any]) -> str:
        """Write a place in the list."""
        place = json.dumps([str(value) for value in values])
        return urlsafe_b64encode(place.encode()).decode().rstrip("=")

    def read(self, cursor: str) -> list[Any]:
        """Read a cursor; one that is none: ValidationError."""
        try:
            padded = cursor + "=" * (-len(cursor) % 4)
            stored = json.loads(urlsafe_b64decode(padded.encode("ascii")))
            return [
                read(value)
                for (_, read), value in zip(self.fields, map(_text, stored), strict=True)
            ]
        except (ValueError, TypeError, RecursionError) as error:
            raise build_cursor_error() from error


def build_cursor_error() -> ValidationError:
    """Return the error of a cursor that is none of the list."""
    wrong = {"cursor": [gettext_lazy("Not a cursor of this list.")]}
    return ValidationError(wrong, code="bad_cursor")


def _text(value: Any) -> str:
    if not isinstance(value, str) or "\0" in value:
        raise TypeError("a cursor holds strings")
    return value.encode("utf-8").decode("utf-8")  # what is no Unicode: ValueError


def parse_utc(written: str) -> datetime:
    """Parse a time with its zone, as UTC; without a zone, or beyond all calendars: ValueError."""
    instant = datetime.fromisoformat(written)
    if instant.tzinfo is None:
        raise ValueError("a time without a zone")
    try:
        return instant.astimezone(UTC)
    except OverflowError as error:
        raise ValueError("a time that UTC cannot tell") from error


@extend_schema_field(OpenApiTypes.DATETIME)
class QueryDateTimeField(serializers.Field[datetime, str, datetime, Any]):
    """A time in an address, with its zone: `2026-11-21T12:00:00Z`."""

    default_error_messages = {
        "invalid": gettext_lazy("A time with its zone, as 2026-11-21T12:00:00Z.")
    }

    def to_internal_value(self, data: str) -> datetime:
        """Read it; a 30th of February is none."""
        if not RFC3339.fullmatch(data):
            self.fail("invalid")
        try:
            return parse_utc(data.upper())
        except ValueError:
            self.fail("invalid")


class StrictDateTimeField(QueryDateTimeField):
    """A time in what is posted, with its zone, within the years that are stored."""

    default_validators = [check_calendar]

    def to_internal_value(self, data: Any) -> datetime:
        """Read it; what is no text is no time."""
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


BY_SLUG = Order((("slug", str),))
BY_NAME = Order((("name", str),))


@dataclass(frozen=True, slots=True)
class Page:
    """Some rows, and where they end."""

    rows: Sequence[Any]
    next: str | None
    cursor: str | None

    def to_json(self, items: Any) -> dict[str, Any]:
        """Return the page with its rows as the resource shows them."""
        return {"items": items, "next": self.next, "cursor": self.cursor}


def paginate(rows: QuerySet[Row], order: Order, request: Request, params: dict[str, Any]) -> Page:
    """Return the requested page of these rows; one query."""
    return build_page(load_candidates(rows, order, params), order, request, params)


def load_candidates(rows: QuerySet[Row], order: Order, params: dict[str, Any]) -> list[Any]:
    """Return the rows of a page and one more."""
    limit, cursor = params.get("limit", DEFAULT_PAGE_SIZE), params.get("cursor")
    if cursor is not None:
        rows = rows.filter(order.after(order.read(cursor)))
    return list(rows.order_by(*(name for name, _ in order.fields))[: limit + 1])


def build_page(
    candidates: Sequence[Any], order: Order, request: Request, params: dict[str, Any]
) -> Page:
    """Return the page of the rows after the cursor, of which there is one more if more follow."""
    limit = params.get("limit", DEFAULT_PAGE_SIZE)
    rows = candidates[:limit]
    last = order.cursor(rows[-1]) if rows else params.get("cursor")
    more = len(candidates) > limit and last is not None
    return Page(rows, build_next(request, str(last)) if more else None, last)


def build_next(request: Request, cursor: str) -> str:
    """Return the address of the page after a cursor."""
    params = {name: value for name, value in request.query_params.items() if name != "cursor"}
    return f"{request.path}?{urlencode({**params, 'cursor': cursor})}"
