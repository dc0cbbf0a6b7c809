"""A command that runs until it is stopped is as documented, or CI is red."""

import pytest

from tools import try_commands
from tools.try_commands import NotAsDocumentedError, main, started

DEV = """
import signal, sys
signal.signal(signal.SIGTERM, lambda *_words: sys.exit({end}))
print({words!r}, flush=True)
{more}
"""


@pytest.fixture
def dev(monkeypatch, tmp_path):
    """Put a script of the test in place of ./dev."""
    monkeypatch.setattr(try_commands, "ROOT", tmp_path)

    def write(words="ready", end=143, more="signal.pause()"):
        (tmp_path / "dev").write_text(DEV.format(words=words, end=end, more=more))

    return write


def test_what_says_its_words_and_ends_in_order_is_used(dev, tmp_path):
    dev("it is ready")
    with started(tmp_path, "ready", "run") as process:
        assert process == "it is ready\n"


def test_what_ends_before_it_says_its_words_is_told(dev, tmp_path):
    dev("oh no", more="sys.exit(1)")
    with (
        pytest.raises(NotAsDocumentedError, match="never said 'ready': oh no"),
        started(tmp_path, "ready", "run"),
    ):
        pytest.fail("it never was ready")


def test_what_does_not_end_in_order_is_told(dev, tmp_path):
    dev(end=1)
    with (
        pytest.raises(NotAsDocumentedError, match="ended with 1"),
        started(tmp_path, "ready", "run"),
    ):
        pass


def test_nothing_to_try_is_no_success():
    assert main([]) == 1


def test_a_trial_that_fails_makes_the_whole_red(monkeypatch, capsys):
    def fail(_folder):
        raise NotAsDocumentedError("it names nobody")

    monkeypatch.setitem(try_commands.TRIALS, "run", fail)
    monkeypatch.setitem(try_commands.TRIALS, "services", lambda _folder: None)
    assert main(["services"]) == 0
    assert main(["run", "services"]) == 1
    assert "./dev run        FAILED: it names nobody" in capsys.readouterr().out


def test_a_run_that_names_nobody_is_told(dev, tmp_path, monkeypatch):
    monkeypatch.setattr(try_commands, "free_port", lambda: 8123)
    dev("Ochenta is at http://localhost:8123/")
    with pytest.raises(NotAsDocumentedError, match="names nobody"):
        try_commands.try_run(tmp_path)


def test_services_without_an_address_are_told(dev, tmp_path):
    dev("export OCHENTA_REDIS_URL='redis://:x@127.0.0.1:1/0'")
    with pytest.raises(NotAsDocumentedError, match="names other services"):
        try_commands.try_services(tmp_path)
