"""The readers of the environment: what they take, and the sentence with which they refuse."""

import pytest

from config import env


def test_text_is_stripped_and_empty_counts_as_unset(monkeypatch):
    monkeypatch.setenv("OCHENTA_X", "  hello ")
    assert env.text("OCHENTA_X") == "hello"
    monkeypatch.setenv("OCHENTA_X", "   ")
    assert env.text("OCHENTA_X", "fallback") == "fallback"


def test_a_missing_text_without_default_is_named(monkeypatch):
    monkeypatch.delenv("OCHENTA_X", raising=False)
    with pytest.raises(SystemExit, match=r"^OCHENTA_X must be a text, but it is not set\.$"):
        env.text("OCHENTA_X")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        *(("1", True), ("TRUE", True), ("yes", True), ("on", True)),
        *(("0", False), ("False", False), ("no", False), ("OFF", False)),
    ],
)
def test_a_boolean_is_read_in_every_usual_spelling(monkeypatch, written, meant):
    monkeypatch.setenv("OCHENTA_X", written)
    assert env.boolean("OCHENTA_X", not meant) is meant


@pytest.mark.parametrize("default", [True, False])
def test_an_unset_boolean_is_its_default(monkeypatch, default):
    monkeypatch.delenv("OCHENTA_X", raising=False)
    assert env.boolean("OCHENTA_X", default) is default


def test_a_boolean_that_is_neither_is_refused_with_the_choices(monkeypatch):
    monkeypatch.setenv("OCHENTA_X", "maybe")
    with pytest.raises(SystemExit, match=r"OCHENTA_X must be one of 1, true.*'maybe'"):
        env.boolean("OCHENTA_X", default=True)


@pytest.mark.parametrize(("written", "number"), [("1", 1), ("9", 9), (" 5 ", 5)])
def test_integer_bounds_are_included(monkeypatch, written, number):
    monkeypatch.setenv("OCHENTA_X", written)
    assert env.integer("OCHENTA_X", 3, minimum=1, maximum=9) == number


@pytest.mark.parametrize("written", ["0", "10", "-1", "2.5", "two", "1e3"])
def test_an_integer_outside_its_bounds_or_no_number_is_refused(monkeypatch, written):
    monkeypatch.setenv("OCHENTA_X", written)
    with pytest.raises(SystemExit, match="OCHENTA_X must be a whole number") as refused:
        env.integer("OCHENTA_X", 3, minimum=1, maximum=9)
    assert "of at least 1 and of at most 9" in str(refused.value)


def test_an_unset_integer_is_its_default(monkeypatch):
    monkeypatch.setenv("OCHENTA_X", "")
    assert env.integer("OCHENTA_X", 3) == 3


def test_an_unbounded_integer_takes_any_whole_number(monkeypatch):
    monkeypatch.setenv("OCHENTA_X", "-12")
    assert env.integer("OCHENTA_X", 3) == -12


def test_a_choice_is_spelt_exactly(monkeypatch):
    monkeypatch.setenv("OCHENTA_X", "console")
    assert env.one_of("OCHENTA_X", "smtp", ("smtp", "console")) == "console"
    monkeypatch.setenv("OCHENTA_X", "Console")
    with pytest.raises(SystemExit, match="OCHENTA_X must be one of smtp, console"):
        env.one_of("OCHENTA_X", "smtp", ("smtp", "console"))


def test_a_listing_drops_blanks_and_empty_parts(monkeypatch):
    monkeypatch.setenv("OCHENTA_X", "a.example, b.example,, ")
    assert env.listing("OCHENTA_X") == ["a.example", "b.example"]
    monkeypatch.delenv("OCHENTA_X")
    assert env.listing("OCHENTA_X", ("c.example",)) == ["c.example"]


def test_a_secret_comes_from_the_variable_or_from_the_file(monkeypatch, tmp_path):
    monkeypatch.setenv("OCHENTA_X", "spoken")
    assert env.secret("OCHENTA_X") == "spoken"
    monkeypatch.delenv("OCHENTA_X")
    secret_file = tmp_path / "secret"
    secret_file.write_text("written\n", encoding="utf-8")
    monkeypatch.setenv("OCHENTA_X_FILE", str(secret_file))
    assert env.secret("OCHENTA_X") == "written"


def test_a_secret_that_is_nowhere_falls_back_or_is_named(monkeypatch):
    monkeypatch.delenv("OCHENTA_X", raising=False)
    monkeypatch.delenv("OCHENTA_X_FILE", raising=False)
    assert env.secret("OCHENTA_X", "fallback") == "fallback"
    with pytest.raises(SystemExit, match="OCHENTA_X must be a text"):
        env.secret("OCHENTA_X")


@pytest.mark.parametrize("content", [None, b"", b" \n", b"\xff\xfe"])
def test_a_secret_file_that_is_missing_empty_or_not_text_is_named(monkeypatch, tmp_path, content):
    secret_file = tmp_path / "secret"
    if content is not None:
        secret_file.write_bytes(content)
    monkeypatch.delenv("OCHENTA_X", raising=False)
    monkeypatch.setenv("OCHENTA_X_FILE", str(secret_file))
    with pytest.raises(SystemExit, match="OCHENTA_X_FILE must be a"):
        env.secret("OCHENTA_X", "fallback")


def test_two_sources_of_one_secret_are_refused_without_showing_it(monkeypatch, tmp_path):
    monkeypatch.setenv("OCHENTA_X", "hush")
    monkeypatch.setenv("OCHENTA_X_FILE", str(tmp_path / "secret"))
    with pytest.raises(SystemExit, match="OCHENTA_X_FILE must be left out") as refused:
        env.secret("OCHENTA_X")
    assert "hush" not in str(refused.value)


@pytest.mark.parametrize("value", ["127.0.0.1:3310", "clamav:3310", "[::1]:3310", "/run/clamd", ""])
def test_an_address_of_a_socket_is_a_path_or_a_host_with_a_port(monkeypatch, value):
    monkeypatch.setenv("OCHENTA_X", value)
    assert env.socket_address("OCHENTA_X") == value


@pytest.mark.parametrize(
    "value", ["clamav", "clamav:", "clamav:0", "clamav:http", ":3310", "clamav:65536"]
)
def test_what_is_no_address_of_a_socket_is_refused(monkeypatch, value):
    monkeypatch.setenv("OCHENTA_X", value)
    with pytest.raises(env.SettingError, match="socket file"):
        env.socket_address("OCHENTA_X")
