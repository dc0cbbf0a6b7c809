"""Hints and texts called safe that name what is right: they are shown before the key is."""

import re
from collections.abc import Iterator

from grading.learning_texts import find_early_texts
from grading.schema import QuestionRow, Table, TextSlot
from quizzes.bank.lint.findings import Finding
from quizzes.bank.lint.question_view import QuestionView, build_path
from quizzes.lib.markup import plain

MIN_LENGTH = 2
"""Characters of an answer; a shorter one stands in any text."""


def check_early_texts(view: QuestionView) -> Iterator[Finding]:
    """Name them, language by language."""
    document = view.document
    early = find_early_texts(document.schema, document.content, document.key)
    hints = set(early.hint_ids)
    for language in view.languages:
        right, wrong = _list_answers(view, language)
        for slot in view.text_slots:
            is_hint = slot.id in hints
            if slot.is_feedback and (is_hint or _is_safe(slot, early.safe)):
                words = _fold(view.text_at(language, slot))
                # A text that weighs right and wrong options against each other tells nothing.
                if _names_any(words, right) and not _names_any(words, wrong):
                    code = "hint_names_key" if is_hint else "safe_text_names_key"
                    yield Finding(code, language=language, path=build_path(slot, language))


def _is_safe(slot: TextSlot, safe: frozenset[str]) -> bool:
    """Return whether a text is safe; feedback on a chosen option may name that option."""
    return (slot.id or slot.part) in safe and (not slot.id or slot.part not in _ABOUT_OPTIONS)


_ABOUT_OPTIONS = {"options", "accepted", "numbers"}


def _list_answers(view: QuestionView, language: str) -> tuple[set[str], set[str]]:
    """Return the texts of what is right, and of what is wrong."""
    right: set[str] = set()
    wrong: set[str] = set()
    for table, row in view.rows_with("right"):
        words = _fold(
            view.text_at(language, TextSlot(table.name, row.id, required=True, is_feedback=False))
        )
        (right if row.values.get("right") is True else wrong).add(words)
    for field in ("pattern", "tolerance"):
        for table, row in view.rows_with(field):
            right.add(_read_accepted(table, row))
    prompt = _fold(view.prompt())
    return {words for words in right if not _names_any(prompt, {words})}, wrong - right


def _read_accepted(table: Table, row: QuestionRow) -> str:
    typed = str(row.values.get("value" if table.name == "numbers" else "text") or "")
    is_pattern = row.values.get("pattern") is True or "*" in typed
    return "" if is_pattern else _fold(typed)


def _fold(text: str) -> str:
    return " ".join(plain(text).casefold().split())


def _names_any(words: str, answers: set[str]) -> bool:
    return any(
        len(answer) >= MIN_LENGTH
        and re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", words) is not None
        for answer in answers
    )
