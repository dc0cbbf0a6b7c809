"""How passwords are hashed on the real site."""

from django.contrib.auth.hashers import check_password, identify_hasher, make_password

from accounts.hashers import Argon2


def test_a_password_is_argon2id_at_the_cost_we_chose(settings):
    settings.PASSWORD_HASHERS = ["accounts.hashers.Argon2"]
    made = make_password("a good long password")
    assert made.startswith("argon2$argon2id$")
    assert "m=19456,t=2,p=1" in made
    assert check_password("a good long password", made)
    assert not check_password("another", made)
    assert isinstance(identify_hasher(made), Argon2)


def test_a_hash_of_another_cost_is_renewed_at_the_next_sign_in(settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
    dear = make_password("a good long password")
    assert Argon2().must_update(dear)
