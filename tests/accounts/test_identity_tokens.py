"""Id tokens: what is not signed by this provider, for us, for this sign-in, now, proves nothing."""

import json
import time
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from accounts.identity_tokens import (
    IdTokenInvalid,
    check_same_subject,
    digest_identity,
    verify_id_token,
)

ISSUER, CLIENT, NONCE = "https://id.example.org", "ochenta", "nonce-of-this-sign-in"
KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)


def describe(key: rsa.RSAPrivateKey, **more: str) -> dict[str, Any]:
    public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key()))
    return {**public, "kid": "k1", "use": "sig"} | more


def sign(key: Any = KEY, algorithm: str = "RS256", kid: str = "k1", **claims: Any) -> str:
    now = int(time.time())
    usual = {"iss": ISSUER, "aud": CLIENT, "sub": "s1", "nonce": NONCE}
    payload = {**usual, "iat": now, "exp": now + 300, **claims}
    payload = {name: claim for name, claim in payload.items() if claim is not None}
    return jwt.encode(payload, key, algorithm=algorithm, headers={"kid": kid})


def verify(token: str, **changed: Any) -> dict[str, Any]:
    usual = {"keys": {"keys": [describe(KEY)]}, "issuer": ISSUER, "client_id": CLIENT}
    return verify_id_token(token, **({**usual, "nonce": NONCE} | changed))


def test_a_token_of_this_sign_in_is_accepted():
    assert verify(sign())["sub"] == "s1"


@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "https://other.example.org"},
        {"aud": "other"},
        {"aud": [CLIENT, "other"]},
        {"azp": "other"},
        {"nonce": "of another sign-in"},
        {"nonce": None},
        {"exp": 1_000_000_000},
        {"exp": None},
        {"iat": 4_000_000_000},
        {"sub": None},
        {"sub": ""},
        {"sub": "s" * 256},
    ],
    ids=str,
)
def test_a_token_with_another_claim_proves_nothing(claims: dict[str, Any]):
    with pytest.raises(IdTokenInvalid):
        verify(sign(**claims))


def test_a_signature_by_another_key_or_by_none_proves_nothing():
    forged = [
        sign(OTHER_KEY),
        sign(kid="k2"),
        sign("", "none"),
        sign(CLIENT * 8, "HS256"),
        sign()[:-8] + "AAAAAAAA",
        "no token",
        "a.b.c",
        "x" * 30_000,
    ]
    for token in forged:
        with pytest.raises(IdTokenInvalid):
            verify(token)


def test_keys_that_do_not_fit_are_not_used():
    sets: list[Any] = [
        {},
        {"keys": None},
        {"keys": []},
        {"keys": ["k1"]},
        {"keys": [describe(KEY, use="enc")]},
        {"keys": [describe(KEY, alg="RS512")]},
        {"keys": [describe(KEY), describe(OTHER_KEY)]},
        {"keys": [describe(KEY, kty="unknown")]},
    ]
    for keys in sets:
        with pytest.raises(IdTokenInvalid):
            verify(sign(), keys=keys)


def test_without_a_stored_nonce_nothing_is_accepted():
    with pytest.raises(IdTokenInvalid):
        verify(sign(nonce=""), nonce="")


def test_userinfo_of_another_subject_is_refused():
    check_same_subject({"sub": "s1"}, {"sub": "s1"})
    for userinfo in ({"sub": "s2"}, {}):
        with pytest.raises(IdTokenInvalid):
            check_same_subject({"sub": "s1"}, userinfo)


def test_an_identity_is_of_its_issuer():
    here = digest_identity(issuer=ISSUER, subject="s1")
    assert here != digest_identity(issuer="https://other.example.org", subject="s1")
    assert here != digest_identity(issuer=ISSUER + "s", subject="1")
    assert here == digest_identity(issuer=ISSUER, subject="s1")
