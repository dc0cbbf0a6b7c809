"""Which sides of events were erased, as those erasures say that this site wrote (ADR 31, 56)."""

from collections.abc import Iterator
from typing import Any

from quizzes.audit.models import AuditErasure
from quizzes.audit.personal_sides import SIDES, PersonalSide, is_side_intact
from quizzes.audit.row_macs import is_authentic
from quizzes.lib.row_reading import UnreadableRow, read_rows


class ErasedSides:
    """The events that authentic erasures name, by erasure and side."""

    def __init__(self) -> None:
        self._events: dict[tuple[int, str], frozenset[str]] = {}

    def read_erasures(self) -> Iterator[AuditErasure | UnreadableRow]:
        """Read all erasures; yield those that this site did not write."""
        for erasure in read_rows(AuditErasure.objects.order_by("pk")):
            if isinstance(erasure, UnreadableRow) or not is_authentic(erasure):
                yield erasure
                continue
            for side in SIDES:
                self._events[erasure.pk, side.erasure] = frozenset(erasure.events[side.erasure])

    def is_intact(self, event: Any) -> bool:
        """Return whether both sides are as they were written, or empty and named as erased."""
        return all(self._is_side_intact(event, side) for side in SIDES)

    def _is_side_intact(self, event: Any, side: PersonalSide) -> bool:
        erasure = getattr(event, f"{side.erasure}_id")
        if erasure is not None and str(event.uuid) not in self._events.get(
            (erasure, side.erasure), ()
        ):
            return False
        return is_side_intact(event, side, erased=erasure is not None)
