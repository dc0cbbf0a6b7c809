"""The keys that receipts and checkpoints are signed with (Ed25519), and those that signed before.

The secret is text of words of 43 letters: 32 bytes each, in base64 for addresses, without padding.
The first is the private key; every other is the public key of one that signed before it, or, after
`mac.`, the key of a former one for the codes of rows (ADR 50). A key's id is its thumbprint by RFC
7638, and public keys are published as JWK (RFC 7517, RFC 8037).
"""

import base64
import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from django.conf import settings

from quizzes.lib import key_file
from quizzes.lib.hash_chain import compute_mac, to_canonical_json

WORDS = re.compile(r"\s*[A-Za-z0-9_-]{43}(\s+(mac\.)?[A-Za-z0-9_-]{43})*\s*")
"""The form of the secret."""
MAC_PREFIX = "mac."
_DAMAGED = (
    "The signing key in {path} was not whole and has been made anew:"
    " receipts that were signed with it can no longer be checked on this site."
)


@dataclass(frozen=True, slots=True)
class SigningKeys:
    """The private key, its id, all public keys by their ids and all keys of MACs, its own first."""

    private_key: Ed25519PrivateKey
    key_id: str
    public_keys: Mapping[str, Ed25519PublicKey]
    mac_keys: tuple[bytes, ...]

    def sign(self, content: Any) -> dict[str, str]:
        """Return the id of the key and its signature over the canonical form of a JSON value."""
        signature = self.private_key.sign(to_canonical_json(content))
        return {"key": self.key_id, "signature": encode(signature)}

    def compute_mac(self, digest: bytes) -> bytes:
        """Return the authentication code of a row of the record with this digest, 32 bytes."""
        return compute_mac(self.mac_keys[0], digest)

    def is_authentic(self, digest: bytes, mac: bytes) -> bool:
        """Return whether this site, with its key of today or of before, wrote the row."""
        return any(hmac.compare_digest(compute_mac(key, digest), mac) for key in self.mac_keys)

    def is_known(self, key_id: object) -> bool:
        """Return whether this is the id of a key of this site, of today or of before."""
        return isinstance(key_id, str) and key_id in self.public_keys

    def is_signed(self, content: Any, key_id: object, signature: object) -> bool:
        """Return whether the key of this id signed the content; no key or no signature: False."""
        public_key = self.public_keys.get(key_id) if isinstance(key_id, str) else None
        if public_key is None or not isinstance(signature, str):
            return False
        try:
            public_key.verify(decode(signature), to_canonical_json(content))
        except (InvalidSignature, ValueError):
            return False
        return True

    def is_signed_document(self, document: Any, name: str) -> bool:
        """Return whether this is what `sign` says of a content, under this name, and no more."""
        if not isinstance(document, dict) or set(document) != {name, "key", "signature"}:
            return False
        return self.is_signed(document[name], document["key"], document["signature"])

    def to_jwks(self) -> dict[str, list[dict[str, str]]]:
        """Return the public keys as a JWK set, the one that signs now first."""
        return {
            "keys": [
                {**_to_jwk(public_key), "kid": key_id, "use": "sig", "alg": "EdDSA"}
                for key_id, public_key in self.public_keys.items()
            ]
        }


def encode(content: bytes) -> str:
    """Return bytes in base64 for addresses, without padding."""
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def decode(text: str) -> bytes:
    """Read what `encode` wrote; anything else: ValueError."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def _to_jwk(public_key: Ed25519PublicKey) -> dict[str, str]:
    return {"crv": "Ed25519", "kty": "OKP", "x": encode(public_key.public_bytes_raw())}


def _compute_key_id(public_key: Ed25519PublicKey) -> str:
    return encode(hashlib.sha256(to_canonical_json(_to_jwk(public_key))).digest())


def create_secret() -> str:
    """Return a new secret: one private key."""
    return secrets.token_urlsafe(32)


def rotate_secret(secret: str) -> str:
    """Return a secret with a new private key, followed by what verifies with all before it."""
    keys = parse_secret(secret)
    public = [encode(public_key.public_bytes_raw()) for public_key in keys.public_keys.values()]
    macs = [MAC_PREFIX + encode(key) for key in keys.mac_keys]
    return "\n".join([create_secret(), *public, *macs]) + "\n"


@lru_cache(maxsize=8)
def parse_secret(secret: str) -> SigningKeys:
    """Return the keys of a secret. One of another form: ValueError, which does not show it."""
    if not WORDS.fullmatch(secret):
        raise ValueError("a signing key is words of 43 letters, digits, - and _")
    word, *words = secret.split()
    former = [decode(word) for word in words if not word.startswith(MAC_PREFIX)]
    former_macs = [decode(word.removeprefix(MAC_PREFIX)) for word in words if "." in word]
    private_key = Ed25519PrivateKey.from_private_bytes(decode(word))
    public_keys = [private_key.public_key(), *map(Ed25519PublicKey.from_public_bytes, former)]
    mac_key = compute_mac(decode(word), b"ochenta: rows of the record")
    by_id = {_compute_key_id(public_key): public_key for public_key in public_keys}
    return SigningKeys(private_key, next(iter(by_id)), by_id, (mac_key, *former_macs))


def load_secret() -> str:
    """Return the secret of the settings, or of the embedded site's file, made if missing."""
    return settings.SIGNING_KEY or key_file.load_or_create(
        settings.SIGNING_KEY_FILE,
        is_complete=lambda secret: bool(WORDS.fullmatch(secret)),
        create=create_secret,
        damaged=_DAMAGED,
    )


def load_signing_keys() -> SigningKeys:
    """Return the site's keys, read once in each process."""
    return parse_secret(_load_secret_once())


@lru_cache(maxsize=1)
def _load_secret_once() -> str:
    return load_secret()
