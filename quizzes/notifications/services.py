"""Having notifications sent that were not."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from django.db import transaction

from accounts.models import User
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import RecordedChange, record_all
from quizzes.lib.errors import NotFound
from quizzes.notifications.access import list_overseen_notifications
from quizzes.notifications.models import Notification, NotificationState

SENDABLE = (NotificationState.QUARANTINED, NotificationState.NOT_SENT)


@transaction.atomic
def send_again(*, notifications: Collection[UUID], by: User, now: datetime) -> int:
    """Have notifications tried again that are in quarantine or were not sent; return how many.

    Others stay as they are; whether there is something to say is decided anew. None that this
    person oversees: NotFound.
    """
    rows = list(
        Notification.objects.filter(
            pk__in=list_overseen_notifications(by).filter(uuid__in=notifications).values("pk")
        )
        .select_related("quiz")
        .select_for_update(of=("self",))
        .order_by("pk")
    )
    if not rows:
        raise NotFound
    sendable = [row for row in rows if row.state in SENDABLE]
    Notification.objects.filter(pk__in=[row.pk for row in sendable]).update(
        state=NotificationState.WAITING, tries=0, next_try_at=now, error="", updated_at=now
    )
    changes = [
        RecordedChange(
            row,
            before={"state": row.state},
            after={"state": NotificationState.WAITING, "kind": row.kind},
        )
        for row in sendable
    ]
    record_all(AuditCode.NOTIFICATION_SENT_AGAIN, changes, by=by)
    return len(sendable)
