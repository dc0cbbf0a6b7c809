"""Id tokens of OpenID Connect: verified here, also where they come directly from the provider."""

import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Any

import jwt

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA")
"""Signatures by a key pair. With a shared secret, or none, whoever knows the client could sign."""
MAX_LENGTH = 20_000
"""Characters."""
MAX_SUBJECT_LENGTH = 255
CLOCK_LEEWAY = 60
"""Seconds by which two clocks may differ."""
REQUIRED = ["iss", "sub", "aud", "exp", "iat", "nonce"]


class IdTokenInvalid(Exception):
    """A token that proves nothing; its text is for the log, and holds nothing of the token."""


class SigningKeyUnknown(IdTokenInvalid):
    """None of these keys is the one that the token names: the provider may have newer ones."""


def verify_id_token(
    token: str, *, keys: Mapping[str, Any], issuer: str, client_id: str, nonce: str
) -> dict[str, Any]:
    """Return the claims of a token that this provider signed for us, for this sign-in, just now.

    `keys` is the provider's JSON Web Key Set. Raises IdTokenInvalid for all else.
    """
    if not nonce or len(token) > MAX_LENGTH:
        raise IdTokenInvalid("no nonce was stored, or the token is too long")
    try:
        key = _find_key(token, keys)
        claims: dict[str, Any] = jwt.decode(
            token,
            key.key,
            algorithms=[key.algorithm_name],
            audience=client_id,
            issuer=issuer,
            leeway=CLOCK_LEEWAY,
            options={"require": REQUIRED},
        )
    except (jwt.PyJWTError, ValueError, TypeError) as failure:
        raise IdTokenInvalid(type(failure).__name__) from failure
    _check_claims(claims, client_id=client_id, nonce=nonce)
    return claims


def _find_key(token: str, keys: Mapping[str, Any]) -> jwt.PyJWK:
    """Return the key that the token names; one without a name may be the only one."""
    header = jwt.get_unverified_header(token)
    if header.get("alg") not in ALGORITHMS:
        raise IdTokenInvalid("the signature is of no kind that counts")
    listed = keys.get("keys")
    if not isinstance(listed, list):
        raise IdTokenInvalid("the provider has no keys")
    signing = [key for key in listed if isinstance(key, dict) and key.get("use", "sig") == "sig"]
    named = (
        [key for key in signing if key.get("kid") == header["kid"]] if "kid" in header else signing
    )
    if len(named) != 1:
        raise SigningKeyUnknown("not exactly one key fits")
    if named[0].get("alg", header["alg"]) != header["alg"]:
        raise IdTokenInvalid("the key is for another kind of signature")
    return jwt.PyJWK(named[0], algorithm=header["alg"])


def _check_claims(claims: Mapping[str, Any], *, client_id: str, nonce: str) -> None:
    audience = claims["aud"]
    others = isinstance(audience, list) and audience != [client_id]
    if others or claims.get("azp", client_id) != client_id:
        raise IdTokenInvalid("the token is for another client, too")
    stored = claims["nonce"]
    if not isinstance(stored, str) or not hmac.compare_digest(stored.encode(), nonce.encode()):
        raise IdTokenInvalid("the nonce is another")
    subject = claims["sub"]
    if not isinstance(subject, str) or not 0 < len(subject) <= MAX_SUBJECT_LENGTH:
        raise IdTokenInvalid("the subject is of another form")


def check_same_subject(claims: Mapping[str, Any], userinfo: Mapping[str, Any]) -> None:
    """Raise IdTokenInvalid if what the provider says of a person is of another than the token's."""
    if userinfo.get("sub") != claims["sub"]:
        raise IdTokenInvalid("the userinfo is of another subject")


def digest_identity(*, issuer: str, subject: str) -> str:
    """Return what one identity is kept under: 64 hexadecimal digits, of issuer and subject both.

    As a JSON list, so that no other two texts give the same one joined.
    """
    return hashlib.sha256(json.dumps([issuer, subject]).encode()).hexdigest()
