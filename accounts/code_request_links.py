"""Links in the mails with codes for signing in: who follows one may ask for codes again.

Codes by mail are counted, so that nobody fills the mailbox of another. Behind a shared network
address somebody else can use up the codes of an account. The owner, who alone gets the mails,
follows the link in one of them, and has a count of their own in that browser.
"""

import secrets
from dataclasses import dataclass

from django.contrib.sessions.backends.base import SessionBase
from django.core import signing

SALT = "accounts.code_request_link"
SESSION_KEY = "code_request_link"
MINUTES = 15
"""As long as a link works: until as many minutes after the mail the codes are counted."""


@dataclass(frozen=True)
class CodeRequestLink:
    """What a link holds: the address of an account, and an id that no other mail has."""

    address: str
    id: str


def make_link(address: str) -> str:
    """Return the signed part of a link for the account with this address; another for each mail."""
    return signing.dumps([address, secrets.token_hex(8)], salt=SALT)


def read_link(link: str) -> CodeRequestLink | None:
    """Return what a link holds; None if it is forged or too old."""
    try:
        address, identifier = signing.loads(link, salt=SALT, max_age=MINUTES * 60)
    except signing.BadSignature:
        return None
    return CodeRequestLink(address, identifier)


def follow_link(session: SessionBase, link: str) -> bool:
    """Remember in the session that the link was followed there; return whether it works."""
    if read_link(link) is None:
        return False
    session[SESSION_KEY] = link
    return True


def find_followed_link(session: SessionBase) -> CodeRequestLink | None:
    """Return the link that was followed in this session last; None if there is none that works."""
    return read_link(session.get(SESSION_KEY, ""))
