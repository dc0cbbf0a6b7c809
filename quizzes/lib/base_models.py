"""Base classes of the models: timestamped, immutable, frozen, append-only; bounds of times."""

import uuid
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any, ClassVar, Final

from django.core.exceptions import ValidationError
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy

FIRST_YEAR: Final = 2000
LAST_YEAR: Final = 2199


def check_calendar(moment: datetime) -> None:
    """Refuse a time so far off that with more time, or in another zone, it is in no calendar."""
    if not FIRST_YEAR <= moment.year <= LAST_YEAR:
        raise ValidationError(
            gettext_lazy("A year from %(first)s to %(last)s."),
            code="out_of_calendar",
            params={"first": FIRST_YEAR, "last": LAST_YEAR},
        )


def build_calendar_constraint(field: str, name: str) -> models.CheckConstraint:
    """Return the constraint that holds a time within the years, whatever writes it.

    It is a day wider on both ends: `check_calendar` reads the year in the zone of who writes.
    """
    first = datetime(FIRST_YEAR, 1, 1, tzinfo=UTC) - timedelta(days=1)
    last = datetime(LAST_YEAR + 1, 1, 1, tzinfo=UTC) + timedelta(days=1)
    within = models.Q(**{f"{field}__isnull": True}) | models.Q(**{f"{field}__range": (first, last)})
    return models.CheckConstraint(condition=within, name=name)


class ImmutableRowError(Exception):
    """The row is written once: it cannot be changed or deleted."""


class TimestampedModel(models.Model):
    """A row that people may change: an id for the outside, and when it was made and changed."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        abstract = True


class ChangeNumberedModel(TimestampedModel):
    """A row whose changes programs follow: a trigger numbers every insert and update (ADR 24)."""

    change_number = models.BigIntegerField(default=0, db_default=0, editable=False)

    class Meta:
        abstract = True


class ImmutableModel(models.Model):
    """A row that never changes, but may go while nothing rests on it."""

    # What a trigger refuses (triggers.py); Python refuses first.
    denied_operations: tuple[str, ...] = ("UPDATE",)

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert, never update."""
        if not self._state.adding:
            raise ImmutableRowError(f"{type(self).__name__} {self.pk} is written once")
        super().save(*args, **kwargs)


class FrozenModel(ImmutableModel):
    """A row written once, and for good."""

    denied_operations: tuple[str, ...] = ("UPDATE", "DELETE", "TRUNCATE")

    class Meta:
        abstract = True

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:  # noqa: ARG002  Django's signature
        """Refuse."""
        raise ImmutableRowError(f"{type(self).__name__} {self.pk} is never deleted")


class AppendOnly(FrozenModel):
    """A frozen row that is one entry of a record in time: a save, a grading, an event."""

    # What may be emptied, once, in an update that names the erasure and changes nothing else: by
    # the foreign key that names it.
    erasable_fields: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    # What must hold of the row as it is then, as SQL over NEW (triggers.RowRule).
    erasable_if: ClassVar[tuple[str, ...]] = ()

    class Meta:
        abstract = True


class RecordRow(AppendOnly):
    """An append-only row with a time of its own, named by what it belongs to and by its number.

    A column that nothing reads could be changed and nobody would find it, so there is none.
    """

    uuid = None  # type: ignore[assignment]  # takes a field away
    created_at = None  # type: ignore[assignment]  # takes a field away

    class Meta:
        abstract = True


class BigIntegerTextField(models.Field):  # type: ignore[type-arg]  # it takes no [] when it runs
    """A whole number of any size, exact: the halves of fractions that add up (ADR 11).

    The database keeps it as decimal text and never computes with it.
    """

    description = "a whole number of any size"

    def get_internal_type(self) -> str:
        """Be stored as a text is."""
        return "TextField"

    def get_prep_value(self, value: Any) -> str | None:
        """Write the number."""
        prepared = super().get_prep_value(value)
        return None if prepared is None else str(int(prepared))

    def from_db_value(self, value: str | None, *_: Any) -> int | None:
        """Read it."""
        return None if value is None else int(value)

    def to_python(self, value: Any) -> int | None:
        """Read it from a file of fixtures, say."""
        return None if value is None else int(value)


def fraction_or_none(numerator: int | None, denominator: int | None) -> Fraction | None:
    """Return the exact number of two columns; None where nothing is stored."""
    if numerator is None or denominator is None:
        return None
    return Fraction(numerator, denominator)
