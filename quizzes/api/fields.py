"""Fields of the API: exact numbers out; in, nothing but what the schema says.

The framework's own fields are kind to strings that look like numbers and to names nobody knows. A
program is helped more by hearing of its mistake.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any, Final
from uuid import UUID

from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from grading.totals import format_decimal

ANY_FILE: Final = "application/octet-stream"
"""A type of every answer that is a file: without it generated clients take bytes for text."""


class StrictSerializer(serializers.Serializer[Any]):
    """A serializer of requests: a field that it does not name is an error."""

    def to_internal_value(self, data: Any) -> Any:
        """Refuse unknown fields, then read as ever."""
        if isinstance(data, Mapping):
            unknown = {name: ["unknown_field"] for name in data if name not in self.fields}
            if unknown:
                raise serializers.ValidationError(unknown, code="unknown_field")
        return super().to_internal_value(data)


class FractionSerializer(serializers.Serializer[Any]):
    """An exact number: a fraction in lowest terms, and a decimal string cut off after six."""

    numerator = serializers.IntegerField()
    denominator = serializers.IntegerField(min_value=1)
    decimal = serializers.CharField()


@extend_schema_field(FractionSerializer)
class FractionField(serializers.Field[Fraction, Any, dict[str, Any], Any]):
    """Shows a Fraction; never a float."""

    def to_representation(self, value: Fraction) -> dict[str, Any]:
        """Return the three ways of writing it."""
        return fraction_to_json(value)


def fraction_to_json(value: Fraction) -> dict[str, Any]:
    """Write an exact number as the API does."""
    return {
        "numerator": value.numerator,
        "denominator": value.denominator,
        "decimal": format_decimal(value),
    }


class MessageField(serializers.CharField):
    """A sentence about the object that is shown, by the function that describes it."""

    def __init__(self, describe: Callable[[Any], str]) -> None:
        super().__init__(source="*", help_text="in the language asked for")
        self.describe = describe

    def to_representation(self, value: Any) -> str:
        """Return the sentence in the active language."""
        return self.describe(value)


def format_utc(instant: datetime) -> str:
    """Return a time in the one form of the API: UTC, six decimals, Z; it sorts as text."""
    return instant.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


class UTCDateTimeField(serializers.DateTimeField):
    """A time, in UTC for everyone."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(default_timezone=UTC, **settings)

    def to_representation(self, value: datetime) -> str:
        """Return it in the form of all times."""
        return format_utc(value)


class StrictIntegerField(serializers.IntegerField):
    """A JSON integer: no string, no 3.0, no true."""

    def to_internal_value(self, data: Any) -> int:
        """Refuse what merely looks like one."""
        if type(data) is not int:
            self.fail("invalid")
        return super().to_internal_value(data)


class StrictBooleanField(serializers.BooleanField):
    """A JSON boolean."""

    def to_internal_value(self, data: Any) -> bool:
        """Refuse what merely sounds like one."""
        if not isinstance(data, bool):
            self.fail("invalid", input="")
        return data


class StrictCharField(serializers.CharField):
    """A JSON string."""

    def to_internal_value(self, data: Any) -> str:
        """Refuse numbers."""
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class StrictUUIDField(serializers.UUIDField):
    """A UUID in its canonical form."""

    def to_internal_value(self, data: Any) -> UUID:
        """Refuse other spellings."""
        uuid = super().to_internal_value(data) if isinstance(data, str) else None
        if uuid is None or str(uuid) != data.lower():
            self.fail("invalid", value="")
        return uuid


@extend_schema_field(OpenApiTypes.BINARY)
class UploadField(serializers.FileField):
    """A file that comes with a form."""


@extend_schema_field(OpenApiTypes.BOOL)
class QueryBooleanField(serializers.Field[bool, str, bool, Any]):
    """`true` or `false` in an address."""

    default_error_messages = {"invalid": _("Either true or false.")}

    def to_internal_value(self, data: str) -> bool:
        """Read the word."""
        if data not in {"true", "false"}:
            self.fail("invalid")
        return data == "true"
