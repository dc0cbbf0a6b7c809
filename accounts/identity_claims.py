"""What a provider says of a person becomes name, school id, classes and roles, as settings map it.

A role that came by a provider follows it, up, down and away; one that was given here is never taken
or lowered. Nobody becomes an administrator so: there is no such role in a class.
"""

import logging
from collections.abc import Mapping
from typing import Any

from allauth.socialaccount.models import SocialAccount

from accounts.account_audit import record_membership, record_school_id
from accounts.identity_providers import IdentityProvider
from accounts.identity_rules import proves_second_factor, read_address
from accounts.models import Group, Membership, Role, User
from accounts.services import add_to_group

log = logging.getLogger(__name__)

MAX_SCHOOL_ID = 64
MAX_NAME = 150


def apply_claims(
    user: User, linked: SocialAccount, provider: IdentityProvider, claims: Mapping[str, Any]
) -> None:
    """Take over what the settings map; call it in the transaction that links or signs in."""
    name = claims.get(provider.name_claim)
    if not user.name and isinstance(name, str):
        user.name = " ".join(name.replace("\0", "").split())[:MAX_NAME]
        user.save(update_fields=["name"])
    _set_school_id(user, claims.get(provider.school_id_claim))
    linked.extra_data["address"] = read_address(claims)
    linked.extra_data["second_factor"] = proves_second_factor(provider, claims)
    _apply_roles(user, linked, provider, claims.get(provider.groups_claim))
    linked.save()


def remove_granted_roles(user: User, linked: SocialAccount) -> None:
    """Remove the roles that came by an identity."""
    _replace_roles(user, linked, {})


def _set_school_id(user: User, claim: object) -> None:
    """Write the school id that the provider says; one of another person stays theirs."""
    school_id = claim.strip() if isinstance(claim, str) else ""
    if not school_id or len(school_id) > MAX_SCHOOL_ID or school_id == user.school_id:
        return
    if "\0" in school_id or User.objects.filter(school_id=school_id).exists():
        log.warning("a provider says of a person a school id that another has, or is none")
        return
    record_school_id(user, before=user.school_id, after=school_id)
    user.school_id = school_id
    user.save(update_fields=["school_id"])


def _apply_roles(
    user: User, linked: SocialAccount, provider: IdentityProvider, claim: object
) -> None:
    """Give the roles of the groups that the provider names; without a list it says nothing."""
    if not provider.classes or not isinstance(claim, list) or not user.is_confirmed:
        return
    roles: dict[str, str] = {}
    for group in filter(provider.classes.__contains__, map(str, claim)):
        class_name, role = provider.classes[group]
        roles[class_name] = max(roles.get(class_name, role), role, key=_rank)
    missing = roles.keys() - set(
        Group.objects.filter(name__in=roles).values_list("name", flat=True)
    )
    if missing:
        log.warning("the settings of the provider %s name a class that is not there", provider.id)
    _replace_roles(user, linked, roles)


def _replace_roles(user: User, linked: SocialAccount, roles: Mapping[str, str]) -> None:
    """Give these roles by name of the class; take those that came by it before and are not among.

    Who comes and goes in an archived class stays as it was.
    """
    granted: dict[str, dict[str, str]] = linked.extra_data.get("roles", {})
    existing = {
        str(membership.group.uuid): membership
        for membership in user.memberships.select_related("group")
    }
    grants = {}
    for key, grant in granted.items():
        membership = existing.get(key)
        if membership is None or membership.role != grant["role"]:
            continue  # changed here since
        if membership.group.archived_at is not None:
            grants[key] = grant
        elif membership.group.name not in roles:
            _revoke(membership, grant["before"])
    for group in Group.objects.filter(name__in=roles, archived_at=None):
        key = str(group.uuid)
        grant_now = _grant(user, group, roles[group.name], existing.get(key), granted.get(key))
        if grant_now is not None:
            grants[key] = grant_now
    linked.extra_data["roles"] = grants
    linked.save()


def _grant(
    user: User,
    group: Group,
    role: str,
    membership: Membership | None,
    grant: Mapping[str, str] | None,
) -> dict[str, str] | None:
    """Give a role; return it with what the person was before, None if what they are stays."""
    before = membership.role if membership is not None else ""
    if grant is not None and before == grant["role"]:
        before = grant["before"]  # it came by the provider, too: what was before that counts
    if before and _rank(before) >= _rank(role):
        add_to_group(user=user, group=group, role=Role(before), by=None)
        return None
    add_to_group(user=user, group=group, role=Role(role), by=None)
    return {"role": role, "before": before}


def _rank(role: str) -> int:
    return Role(role).rank


def _revoke(membership: Membership, before: str) -> None:
    """Remove a role that a provider gave; what the person was before, they are again."""
    if before:
        add_to_group(user=membership.user, group=membership.group, role=Role(before), by=None)
    else:
        record_membership(membership, before=membership.role)
        membership.delete()
