"""Making people and tying them to groups."""

from django.db import transaction

from accounts.models import Group, Membership, Role, User


@transaction.atomic
def keep_person(
    *, email: str, name: str, password: str, language: str = "", administrator: bool = False
) -> User:
    """Give the person with this address, made now if need be; who is there stays unchanged."""
    known = User.objects.filter(email=email.lower()).first()
    if known is not None:
        return known
    return User.objects.create_user(
        email, password, name=name, language=language, is_superuser=administrator
    )


def join(*, user: User, group: Group, role: Role) -> Membership:
    """Put a person into a group; who is in it already takes on the role."""
    membership, _ = Membership.objects.update_or_create(
        user=user, group=group, defaults={"role": role}
    )
    return membership
