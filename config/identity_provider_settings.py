"""Identity providers (OpenID Connect), as the environment names them."""

import json
import re
from urllib.parse import urlsplit

from accounts.identity_providers import LOOPBACK, ClassRole, IdentityProvider
from config import env

PROVIDER_ID = re.compile(r"[a-z][a-z0-9]{0,30}")
DOMAIN = re.compile(r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+")
ROLES = ("learner", "assistant", "instructor")
CLASSES = (
    'JSON as {"a group of the provider": {"class": "a class", "role": "learner", "assistant" or'
    ' "instructor"}}'
)


def read_identity_providers(name: str) -> tuple[IdentityProvider, ...]:
    """Return the providers whose ids the variable lists; none by default.

    Raises SettingError for an id of another form, one that is listed twice, an issuer that is no
    https address (http only on this machine), a missing client or secret, and classes of another
    form.
    """
    ids = env.listing(name)
    for provider_id in ids:
        if not PROVIDER_ID.fullmatch(provider_id):
            raise env.SettingError(name, "ids of small letters and digits", provider_id)
    if len(set(ids)) < len(ids):
        raise env.SettingError(name, "a list without repetition", ",".join(ids))
    return tuple(_read(provider_id) for provider_id in ids)


def _read(provider_id: str) -> IdentityProvider:
    prefix = f"OCHENTA_OIDC_{provider_id.upper()}"
    return IdentityProvider(
        id=provider_id,
        name=env.text(f"{prefix}_NAME", provider_id),
        issuer=_read_issuer(f"{prefix}_ISSUER"),
        client_id=env.text(f"{prefix}_CLIENT_ID"),
        secret=env.secret(f"{prefix}_SECRET"),
        trusted_domains=frozenset(_read_domains(f"{prefix}_DOMAINS")),
        sends_email_verified=env.boolean(f"{prefix}_SENDS_EMAIL_VERIFIED", default=True),
        scopes=tuple(env.listing(f"{prefix}_SCOPES")),
        name_claim=env.text(f"{prefix}_NAME_CLAIM", "name"),
        school_id_claim=env.text(f"{prefix}_SCHOOL_ID_CLAIM", ""),
        groups_claim=env.text(f"{prefix}_GROUPS_CLAIM", "groups"),
        classes=_read_classes(f"{prefix}_CLASSES"),
        second_factors=frozenset(env.listing(f"{prefix}_SECOND_FACTORS")),
    )


def _read_issuer(name: str) -> str:
    issuer = env.text(name)
    expected = "an https address without user, query or fragment"
    try:
        parts = urlsplit(issuer)
        host = parts.hostname
    except ValueError:
        raise env.SettingError(name, expected, issuer) from None
    is_private = parts.scheme == "http" and host in LOOPBACK
    if not host or not (parts.scheme == "https" or is_private):
        raise env.SettingError(name, expected, issuer)
    if parts.query or parts.fragment or parts.username is not None:
        raise env.SettingError(name, expected, "of another form")
    return issuer


def _read_domains(name: str) -> list[str]:
    domains = env.listing(name)
    for domain in domains:
        if not DOMAIN.fullmatch(domain):
            raise env.SettingError(name, "domains in ASCII, separated by commas", domain)
    return [domain.lower() for domain in domains]


def _read_classes(name: str) -> dict[str, ClassRole]:
    text = env.text(name, "{}")
    try:
        mapping = json.loads(text)
        classes = {
            group: ClassRole(target["class"], target["role"]) for group, target in mapping.items()
        }
    except (ValueError, AttributeError, TypeError, KeyError):
        raise env.SettingError(name, CLASSES, text) from None
    for class_name, role in classes.values():
        if not isinstance(class_name, str) or not class_name.strip() or role not in ROLES:
            raise env.SettingError(name, CLASSES, text)
    return classes
