"""Lists in the order of the last change: a row that changes moves to the end.

Such a list ends before the first change that may still be overtaken by one that is being written
(quizzes.lib.change_numbers): who keeps the cursor misses no change, and meets none twice.
"""

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from quizzes.api.fields import UTCDateTimeField
from quizzes.api.pagination import Order, Page, build_page, load_candidates
from quizzes.lib import clock
from quizzes.lib.change_numbers import ChangeHorizon, read_horizon

log = logging.getLogger(__name__)

STALLED = timedelta(minutes=1)
"""So long no transaction of the site writes: what is held back longer, an operator should see."""
BY_CHANGE = Order((("change_number", int),))


@dataclass(frozen=True, slots=True)
class ChangePage(Page):
    """A page of a list by change; `pending_since` is the time of the first change held back."""

    pending_since: datetime | None

    def to_json(self, items: Any) -> dict[str, Any]:
        """Return the page with its rows as the resource shows them."""
        page = {"items": items, "next": self.next, "cursor": self.cursor}
        return {**page, "pending_since": self.pending_since}


class ChangePageSerializer(serializers.Serializer[Any]):
    """What a page of a list by change has beside its rows."""

    next = serializers.CharField(allow_null=True)
    cursor = serializers.CharField(allow_null=True)
    pending_since = UTCDateTimeField(
        allow_null=True,
        help_text="null, or the time of a change that is held back until an earlier one, which is "
        "still being written, is there: it comes after `cursor`",
    )


def paginate_changes(rows: QuerySet[Any], request: Request, params: dict[str, Any]) -> ChangePage:
    """Return the requested page of rows in the order of their last change; two queries."""
    horizon = read_horizon()
    _refuse_future(params.get("cursor"), horizon)
    candidates = load_candidates(rows, BY_CHANGE, params)
    visible = [row for row in candidates if row.change_number < horizon.horizon]
    page = build_page(visible, BY_CHANGE, request, params)
    pending = candidates[len(visible) :] if page.next is None else []
    pending_since = pending[0].updated_at if pending else None
    if pending_since and clock.now() - pending_since > STALLED:
        log.warning("changes since %s wait for a transaction that does not end", pending_since)
    return ChangePage(page.rows, page.next, page.cursor, pending_since)


def _refuse_future(cursor: str | None, horizon: ChangeHorizon) -> None:
    """Refuse a cursor from before the database went back in time: rows would be missed."""
    if cursor is not None and BY_CHANGE.read(cursor)[0] >= horizon.next_number:
        restored = _("The site was brought back from a backup. Begin without a cursor.")
        raise ValidationError({"cursor": [restored]}, code="cursor_ahead")
