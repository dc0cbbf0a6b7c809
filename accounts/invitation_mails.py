"""The mails to whom one invites or adds to a class: counted by the day, queued, taken back."""

from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import Q

from accounts.access import is_administrator
from accounts.models import (
    Group,
    Invitation,
    InvitationMailCount,
    NoticeKind,
    SecurityNotice,
    User,
)
from accounts.security_notices import queue_notices
from quizzes.lib.errors import Refused

MAX_PER_DAY = 3_000
"""How many mails one instructor may have sent in a day; whoever runs the site has no limit.

The longest list of a class, and half of it once more.
"""


def count_mails(*, by: User, number: int, now: datetime) -> None:
    """Count mails that a person has sent; in the transaction that queues them.

    More than MAX_PER_DAY on one day (UTC): Refused (invitations_too_many), and none is counted.
    """
    if is_administrator(by) or not number:
        return
    counts = InvitationMailCount.objects.select_for_update()
    count, _ = counts.get_or_create(user=by, day=now.astimezone(UTC).date())
    if count.mails + number > MAX_PER_DAY:
        raise Refused("invitations_too_many")
    count.mails += number
    count.save(update_fields=["mails"])


def queue_invitations(invitations: Collection[Invitation]) -> None:
    """Queue the mail of each invitation, in place of one that still waits."""
    delete_waiting(Q(invitation__in=invitations))
    queue_notices(
        SecurityNotice(
            invitation=invitation,
            kind=NoticeKind.INVITATION,
            recipient=invitation.email,
            context=_describe(invitation.invited_by, invitation.group),
        )
        for invitation in invitations
    )


def queue_enrolments(users: Collection[User], *, group: Group, by: User) -> None:
    """Queue a mail to each of those whom `by` has added to a class, in their language."""
    queue_notices(
        SecurityNotice(
            user=user, kind=NoticeKind.ENROLLED, recipient=user.email, context=_describe(by, group)
        )
        for user in users
        if user.is_confirmed
    )


def delete_waiting(which: Q) -> None:
    """Take back mails that wait, of invitations that are over or have another mail."""
    SecurityNotice.objects.filter(which, kind=NoticeKind.INVITATION).delete()


def delete_old_counts(*, now: datetime) -> None:
    """Delete the counts of days that are over."""
    day = (now - timedelta(days=2)).astimezone(UTC).date()
    InvitationMailCount.objects.filter(day__lt=day).delete()


def _describe(inviter: User | None, group: Group | None) -> dict[str, Any]:
    return {"inviter": str(inviter) if inviter else "", "group": group.name if group else ""}
