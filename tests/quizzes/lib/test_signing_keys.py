"""The keys that sign: one private, every former one public."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from quizzes.lib import signing_keys
from quizzes.lib.hash_chain import to_canonical_json

CONTENT = {"attempt": "ñ", "answers": {"0": "ab"}}


def test_what_is_signed_is_verified_with_the_published_key_alone():
    keys = signing_keys.parse_secret(signing_keys.create_secret())
    signed = keys.sign(CONTENT)
    (published,) = keys.to_jwks()["keys"]
    assert (published["kid"], published["alg"]) == (signed["key"], "EdDSA")
    public = Ed25519PublicKey.from_public_bytes(signing_keys.decode(published["x"]))
    public.verify(signing_keys.decode(signed["signature"]), to_canonical_json(CONTENT))
    assert keys.is_signed(CONTENT, signed["key"], signed["signature"])


def test_a_key_is_named_by_its_thumbprint_of_rfc_7638():
    # The key and the thumbprint that RFC 8037 prints in its appendix A.
    seed = "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"
    thumbprint = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"
    assert signing_keys.parse_secret(seed).key_id == thumbprint


@pytest.mark.parametrize(
    ("content", "key", "signature"),
    [
        ({**CONTENT, "more": 1}, None, None),
        (CONTENT, "another", None),
        (CONTENT, None, "AAAA"),
        (CONTENT, None, "no base64 ñ"),
        (CONTENT, None, 7),
        (CONTENT, 7, None),
    ],
)
def test_what_was_not_signed_so_is_not_genuine(content, key, signature):
    keys = signing_keys.parse_secret(signing_keys.create_secret())
    signed = keys.sign(CONTENT)
    assert not keys.is_signed(content, key or signed["key"], signature or signed["signature"])


def test_after_a_rotation_the_former_keys_still_verify():
    secret = signing_keys.create_secret()
    first = signing_keys.parse_secret(secret)
    signed = first.sign(CONTENT)
    secret = signing_keys.rotate_secret(secret)
    secret = signing_keys.rotate_secret(secret)
    keys = signing_keys.parse_secret(secret)
    assert len(keys.public_keys) == len(keys.to_jwks()["keys"]) == 3
    assert keys.key_id != first.key_id
    assert keys.is_signed(CONTENT, signed["key"], signed["signature"])
    assert keys.sign(CONTENT)["key"] == keys.key_id == keys.to_jwks()["keys"][0]["kid"]


@pytest.mark.parametrize("secret", ["", "short", "k" * 42, "k" * 43 + " short"])
def test_a_secret_of_another_form_is_refused_and_not_shown(secret):
    with pytest.raises(ValueError, match="43") as error:
        signing_keys.parse_secret(secret)
    assert not secret or secret not in str(error.value)


def test_the_embedded_site_makes_its_key_once_for_its_owner_alone(tmp_path, settings):
    settings.SIGNING_KEY, settings.SIGNING_KEY_FILE = "", tmp_path / "new" / "signing-key"
    secret = signing_keys.load_secret()
    assert signing_keys.load_secret() == secret
    assert settings.SIGNING_KEY_FILE.stat().st_mode & 0o777 == 0o600
    settings.SIGNING_KEY = signing_keys.create_secret()
    assert signing_keys.load_secret() == settings.SIGNING_KEY


def test_a_damaged_file_is_replaced_with_a_warning(tmp_path, settings, capsys):
    settings.SIGNING_KEY, settings.SIGNING_KEY_FILE = "", tmp_path / "signing-key"
    settings.SIGNING_KEY_FILE.write_text("cut sh")
    assert signing_keys.WORDS.fullmatch(signing_keys.load_secret())
    assert str(settings.SIGNING_KEY_FILE) in capsys.readouterr().err
