"""Invitations for tests, made through the service that instructors use."""

from datetime import datetime

from accounts.invitations import InvitedPerson, invite_many
from accounts.models import Group, Invitation, Role, User
from quizzes.lib import clock


def create_invitation(
    group: Group,
    email: str,
    *,
    by: User,
    now: datetime | None = None,
    role: Role = Role.LEARNER,
    name: str = "",
    school_id: str = "",
) -> Invitation:
    """Invite an address into a class, and return its invitation."""
    person = InvitedPerson(email, name, school_id)
    (invitation,) = invite_many(
        by=by, people=[person], now=now or clock.now(), group=group, role=role, language="en"
    )
    return invitation
