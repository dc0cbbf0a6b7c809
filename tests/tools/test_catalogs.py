"""Catalogues: complete, compiled, and in step with the sources."""

import shutil

import polib
import pytest

from tools import catalogs


@pytest.fixture
def root(tmp_path):
    """Give a tiny project with one translated sentence."""
    folder = tmp_path / "locale" / "es" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (tmp_path / "quizzes").mkdir()
    (tmp_path / "quizzes" / "words.py").write_text('from x import _\nHELLO = _("Hello")\n')
    write(tmp_path, polib.POEntry(msgid="Hello", msgstr="Hola"))
    catalogs.compile_all(tmp_path)
    return tmp_path


def write(root, *entries):
    catalogue = polib.POFile()
    catalogue.metadata = {"Content-Type": "text/plain; charset=UTF-8"}
    catalogue.extend(entries)
    catalogue.save(str(root / "locale/es/LC_MESSAGES/django.po"))


def incomplete(root):
    return [line for path in catalogs.catalogues(root) for line in catalogs.incomplete(path)]


def test_a_complete_compiled_catalogue_has_no_problems(root):
    assert incomplete(root) == []


def test_empty_and_doubtful_entries_are_named(root):
    doubtful = polib.POEntry(msgid="Hello", msgstr="Hola", flags=["fuzzy"])
    write(root, doubtful, polib.POEntry(msgid="Bye", msgstr=""))
    catalogs.compile_all(root)
    assert [line for line in incomplete(root) if "not translated" in line] == [
        "es/django.po: not translated: 'Hello'",
        "es/django.po: not translated: 'Bye'",
    ]


def test_a_stale_or_missing_compiled_file_is_named(root):
    write(root, polib.POEntry(msgid="Hello", msgstr="Buenas"))
    assert "not up to date" in incomplete(root)[0]
    (root / "locale/es/LC_MESSAGES/django.mo").unlink()
    assert "not up to date" in incomplete(root)[0]


def test_a_language_of_the_box_without_catalogue_is_named(root):
    shutil.rmtree(root / "locale")
    assert catalogs.problems(root) == ["es: there is no catalogue"]


def test_without_xgettext_the_sources_were_not_compared_and_that_is_a_problem(root, monkeypatch):
    monkeypatch.setattr("tools.catalogs.shutil.which", lambda _name: None)
    assert catalogs.problems(root) == [catalogs.NOT_COMPARED]


@pytest.mark.skipif(not shutil.which("xgettext"), reason="gettext is not on PATH")
def test_messages_that_only_one_side_knows_are_named(root):
    assert catalogs.problems(root) == []
    (root / "quizzes" / "words.py").write_text('from x import _\nHELLO = _("Good day")\n')
    assert catalogs.problems(root) == [
        "es/django.po: missing: 'Good day'",
        "es/django.po: no longer used: 'Hello'",
    ]
