"""Drafts that are not finished are exported, too: no writer raises, whatever is missing."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from quizzes.formats import WRITERS, ochenta, text2qti
from quizzes.formats.contract import ParsedQuestion
from tests.grading.examples import PROJECT

BANK = ochenta.read((PROJECT / "fixtures/banks/every-kind-once.yaml").read_bytes())


def unfinished(question: ParsedQuestion) -> Iterator[ParsedQuestion]:
    """Yield the question with parts of it missing: all rows, rows of one table, their fields."""
    yield replace(question, tables={})
    for name, rows in question.tables.items():
        for fewer in (
            (),
            rows[:1],
            tuple(replace(row, values={}) for row in rows),
            tuple(replace(row, texts={}) for row in rows),
        ):
            yield replace(question, tables={**question.tables, name: fewer})


@pytest.mark.parametrize("format_name", WRITERS)
def test_a_writer_never_raises_for_an_unfinished_draft(format_name):
    for item in BANK.items:
        assert item.question is not None
        for question in unfinished(item.question):
            file = replace(BANK, items=(replace(item, question=question),))
            for language in ("en", "es"):
                WRITERS[format_name].write(file, language=language)


def test_a_number_without_a_key_is_left_out_of_text2qti_and_named():
    (numeric,) = (item for item in BANK.items if item.kind == "numeric")
    assert numeric.question is not None
    question = replace(numeric.question, tables={**numeric.question.tables, "numbers": ()})
    written = text2qti.write(
        replace(BANK, items=(replace(numeric, question=question),)), language="en"
    )
    assert [loss.code for loss in written.warnings if loss.question] == ["key_missing"]
