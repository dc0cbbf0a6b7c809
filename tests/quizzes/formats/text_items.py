"""What the tests of formats of plain text read of items, and the files they read."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from quizzes.formats.contract import FieldTexts, ParsedFile, ParsedQuestion, SourceItem

PROJECT = Path(__file__).parents[3]
FIXTURES = PROJECT / "fixtures" / "formats"
SEEDS = PROJECT.parent / "shared" / "seeds"
CORPORA = PROJECT.parent / "shared" / "corpora"
with_seeds = pytest.mark.skipif(not SEEDS.is_dir(), reason="the documents stand beside the project")
with_corpora = pytest.mark.skipif(
    not CORPORA.is_dir(), reason="the corpora stand beside the project"
)


def list_codes(item: SourceItem) -> list[str]:
    return [note.code for note in item.notes]


def _get(texts: FieldTexts, name: str, *, is_feedback: bool) -> str:
    return next(
        (
            words
            for text, by_language in texts.items()
            for words in by_language.values()
            if (text.name, text.is_feedback) == (name, is_feedback)
        ),
        "",
    )


def get_text(item: SourceItem, name: str = "prompt") -> str:
    assert item.question
    return _get(item.question.texts, name, is_feedback=name == "explanation")


def list_options_with_feedback(item: SourceItem) -> list[tuple[str, bool, str]]:
    assert item.question
    return [
        (
            _get(row.texts, "options", is_feedback=False),
            row.values["right"] is True,
            _get(row.texts, "options", is_feedback=True),
        )
        for row in item.question.tables["options"]
    ]


def list_options(item: SourceItem) -> list[tuple[str, bool]]:
    return [(text, is_right) for text, is_right, _ in list_options_with_feedback(item)]


def list_texts(question: ParsedQuestion | None) -> list[str]:
    assert question
    return [words for texts in question.all_texts for words in texts.values()]


def assert_fast(read: Callable[..., ParsedFile], text: str, seconds: float) -> None:
    began = time.process_time()
    read(text.encode(), language="en")
    assert time.process_time() - began < seconds
