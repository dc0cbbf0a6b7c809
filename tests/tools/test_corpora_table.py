"""The table of corpora: a row a format, and an exit code that fails where a line is lost."""

from dataclasses import replace
from pathlib import Path

import pytest

from quizzes.formats.contract import Note
from quizzes.imports import parse
from tools import corpora_table

CHECKLIST = "Which?\n- [ ] one\n- [x] two\n\nWhich now?\n- [ ] three\n- [ ] four\n\n# Stray\n"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    (tmp_path / "one.md").write_text(CHECKLIST)
    (tmp_path / "two.gift").write_text("Which? {=a ~b}\n")
    (tmp_path / "strange.bin").write_bytes(b"\x00\x01")
    (tmp_path / "skipped.json").write_text("{}")
    return tmp_path


def test_each_format_has_its_counts_and_what_is_not_read_is_named(corpus, capsys):
    assert corpora_table.main([str(corpus)]) == 0
    output = capsys.readouterr().out
    head, checklist, gift, total, *unread = output.splitlines()
    assert head.split()[0] == "format"
    assert checklist.split() == ["checklist", "1", "2", "1", "1", "0", "0", "0"]
    assert gift.split() == ["gift", "1", "1", "1", "0", "0", "0", "0"]
    assert total.split() == ["all", "2", "3", "2", "1", "0", "0", "0"]
    assert unread == ["not read: 1", "  strange.bin: format_unknown"]


def test_a_lost_line_of_an_item_that_is_right_fails(corpus, capsys, monkeypatch):
    def lose(parsed_file, data, format_):
        items = (replace(item, remainder=(Note("x", 1, "q"),)) for item in parsed_file.items)
        return replace(parsed_file, items=tuple(items))

    monkeypatch.setattr(parse, "list_remainder", lose)
    assert corpora_table.main([str(corpus)]) == 1
    assert capsys.readouterr().out.splitlines()[1].split()[-1] == "1"


def test_a_folder_without_questions_fails_and_one_that_is_not_there_is_named(tmp_path, capsys):
    assert corpora_table.main([str(tmp_path)]) == 1
    with pytest.raises(SystemExit):
        corpora_table.main([str(tmp_path / "away")])
    assert "no such folder" in capsys.readouterr().err
