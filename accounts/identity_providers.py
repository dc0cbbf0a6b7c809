"""Identity providers (OpenID Connect) that people may sign in by: what a site says of each."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
"""Names of this machine: a provider that runs on it may be asked over plain http."""


class ClassRole(NamedTuple):
    """What who is in one group of a provider is here: a role in the class of this name."""

    class_name: str
    role: str


@dataclass(frozen=True)
class IdentityProvider:
    """One provider: what it is, and how far it is trusted."""

    id: str
    name: str
    issuer: str
    client_id: str
    secret: str = field(repr=False)
    trusted_domains: frozenset[str] = frozenset()
    """Domains of addresses for which its word counts, in lower case and ASCII."""
    sends_email_verified: bool = True
    """False: it gives out the addresses of these domains itself, and sends no `email_verified`."""
    scopes: tuple[str, ...] = ()
    """Asked for beside `openid`, `profile` and `email`."""
    name_claim: str = "name"
    school_id_claim: str = ""
    groups_claim: str = "groups"
    classes: Mapping[str, ClassRole] = field(default_factory=dict)
    """By group of the provider; none: it gives no roles."""
    second_factors: frozenset[str] = frozenset()
    """Values of `amr` or `acr` that stand for a second factor of ours; none: nothing does."""
