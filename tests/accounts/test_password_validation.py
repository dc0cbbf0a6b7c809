"""What people may choose as a password, and that it is taken as it was typed."""

from hashlib import sha1
from pathlib import Path

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.test import Client

from accounts.models import User
from accounts.password_validation import BreachedPasswordValidator
from tests.users import PASSWORD, Users, logged_in_client

GOOD = [
    "a good long password",
    "aaaa bbbb cccc dddd",
    "ñandú ñandú ñandú",
    "the quiz of a horse",
    "12 34 56 78 90 1357",
    "x" * 64,
    "ab" * 100,
]
"""Of any composition and length; a word of the site among others does no harm."""


@pytest.mark.parametrize("password", GOOD)
def test_any_composition_and_length_is_allowed(password):
    validate_password(password)


@pytest.mark.parametrize(
    ("password", "code"),
    [
        ("k3#xQ9z", "password_too_short"),
        ("iloveyou123", "password_too_common"),
        ("Ochenta2026!", "password_context_words"),
        ("quiz-exam-2026", "password_context_words"),
        ("Contraseña-1234", "password_context_words"),
        ("gryffindor99", "password_context_words"),
        ("hogwarts_2026", "password_context_words"),
    ],
)
def test_what_is_easily_guessed_is_refused(settings, password, code):
    settings.PASSWORD_CONTEXT_WORDS = [*settings.PASSWORD_CONTEXT_WORDS, "Gryffindor"]
    settings.ALLOWED_HOSTS = ["quiz.hogwarts.example"]
    with pytest.raises(ValidationError) as refused:
        validate_password(password)
    assert code in [error.code for error in refused.value.error_list]


@pytest.fixture
def breached(settings, tmp_path: Path) -> list[str]:
    passwords = [f"breached {number}" for number in range(500)]
    digests = sorted(
        sha1(text.encode(), usedforsecurity=False).hexdigest().upper() for text in passwords
    )
    path = tmp_path / "breached.txt"
    path.write_text("".join(f"{digest}:{len(digest)}\r\n" for digest in digests))
    settings.BREACHED_PASSWORDS = str(path)
    return passwords


def test_every_password_of_the_file_is_refused_and_no_other(breached):
    validator = BreachedPasswordValidator()
    for password in breached:
        with pytest.raises(ValidationError, match="breach"):
            validator.validate(password)
    for number in range(500):
        validator.validate(f"another {number}")


def test_an_empty_file_and_none_refuse_nothing(settings, tmp_path: Path):
    (tmp_path / "empty").touch()
    settings.BREACHED_PASSWORDS = str(tmp_path / "empty")
    BreachedPasswordValidator().validate("breached 1")
    settings.BREACHED_PASSWORDS = ""
    BreachedPasswordValidator().validate("breached 1")


@pytest.mark.parametrize("password", [" blanks at the ends  ", "CaSe Matters", "é" * 40, "x" * 300])
def test_a_password_is_taken_as_it_was_typed(users: Users, password):
    client = logged_in_client(users.learner)
    sent = {"oldpassword": PASSWORD, "password1": password, "password2": password}
    assert client.post("/accounts/password/change/", sent).status_code == 302
    user = User.objects.get(pk=users.learner.pk)
    assert user.check_password(password)
    for other in (password.strip() + "y", password.swapcase(), password[:72]):
        assert other == password or not user.check_password(other)
    login = {"login": user.email, "password": password}
    assert Client().post("/accounts/login/", login).status_code == 302


def test_the_old_password_is_asked_for(users: Users):
    client = logged_in_client(users.learner)
    new = "another long one entirely"
    for old in ({}, {"oldpassword": "wrong"}):
        client.post("/accounts/password/change/", {"password1": new, "password2": new} | old)
        assert User.objects.get(pk=users.learner.pk).check_password(PASSWORD)


@pytest.mark.parametrize("page", ["/accounts/login/", "/accounts/signup/"])
def test_fields_hide_the_password_and_let_managers_fill_it(db, page):
    content = Client().get(page).content.decode()
    assert 'type="password"' in content
    assert "-password" in content.split('type="password"')[1].split(">")[0]
    assert "onpaste" not in content
