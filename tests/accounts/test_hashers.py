"""How passwords are hashed on the real site."""

from django.contrib.auth.hashers import check_password, identify_hasher, make_password

from accounts.hashers import Argon2


def test_a_password_is_argon2id_at_the_cost_we_chose(settings):
    settings.PASSWORD_HASHERS = ["accounts.hashers.Argon2"]
    encoded = make_password("a good long password")
    assert encoded.startswith("argon2$argon2id$")
    assert "m=19456,t=2,p=1" in encoded
    assert check_password("a good long password", encoded)
    assert not check_password("another", encoded)
    assert isinstance(identify_hasher(encoded), Argon2)


def test_a_hash_of_another_cost_is_renewed_at_the_next_sign_in(settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
    dear = make_password("a good long password")
    assert Argon2().must_update(dear)
