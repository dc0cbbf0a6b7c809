"""Whether an item of a file is the question that the bank has under its name, or another. Pure.

Titles such as "Question 1" are in every file; a name alone must not overwrite what somebody wrote.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from grading.kinds import KINDS
from grading.schema import PROMPT
from quizzes.document import QuestionDocument
from quizzes.formats.contract import ParsedQuestion
from quizzes.matching.fingerprints import normalize_spaces, question_languages

NAME_COLLISION: Final = "another_question"
"""Neither its words nor its rows are those that the bank has."""
LANGUAGE_MISMATCH: Final = "another_language"
"""The file speaks other languages than the bank's question, and little says that it is that one."""

ALIKE: Final = 0.35
"""From this likeness on, prompts are states of one question; unrelated ones have about 0.15."""
ROWS_ALIKE: Final = 0.5
ENOUGH: Final = 12
"""Characters of rows that say anything: "yes" and "no" are in many questions."""
_COUNTED: Final = re.compile(r"[a-z]{0,12}-?\d+")
"""Names that do not tell one question from another: "q1", "question-12"."""


def find_conflict(question: ParsedQuestion, existing: QuestionDocument) -> str:
    """Give the code of what a person must decide, "" where the two are plainly one question."""
    shared = [language for language in question_languages(question) if _speaks(existing, language)]
    if not shared:
        return "" if _may_translate(question, existing) else LANGUAGE_MISMATCH
    return (
        "" if any(_related(question, existing, language) for language in shared) else NAME_COLLISION
    )


def _may_translate(question: ParsedQuestion, existing: QuestionDocument) -> bool:
    """Tell whether a name that somebody chose, and as many rows, say that it is a translation."""
    loaded = existing.schema.load(existing.content, existing.key)
    row_counts = {name: len(rows) for name, rows in question.tables.items() if rows}
    has = {name: len(rows) for name, rows in loaded.tables.items() if rows}
    return (
        question.kind == existing.kind
        and row_counts == has
        and not _COUNTED.fullmatch(question.name)
    )


def _speaks(existing: QuestionDocument, language: str) -> bool:
    return any(existing.text_at(language, slot) for slot in existing.text_slots)


def _related(question: ParsedQuestion, existing: QuestionDocument, language: str) -> bool:
    prompts = (
        question.texts.get(PROMPT, {}).get(language, ""),
        str(existing.words.get(language, {}).get(PROMPT.name) or ""),
    )
    if normalize_spaces(prompts[0]) == normalize_spaces(prompts[1]) != "":
        return True
    rows = (_joined(_told_rows(question, language)), _joined(_held_rows(existing, language)))
    said_rows = all(len(row_text) >= ENOUGH for row_text in rows)
    if not all(map(normalize_spaces, prompts)) and not said_rows:
        return True  # there is nothing to compare
    return trigram_similarity(*prompts) >= ALIKE or (
        said_rows and trigram_similarity(*rows) >= ROWS_ALIKE
    )


def _told_rows(question: ParsedQuestion, language: str) -> Iterator[str]:
    free = {table.name for table in KINDS[question.kind].schema.tables if not table.fixed_rows}
    for table, rows in question.tables.items():
        for row in rows if table in free else ():
            yield from (
                texts.get(language, "")
                for text, texts in row.texts.items()
                if text.required and not text.is_feedback
            )


def _held_rows(existing: QuestionDocument, language: str) -> Iterator[str]:
    kind = KINDS.get(existing.kind)
    if kind and not any(table.fixed_rows for table in kind.schema.tables):
        for slot in existing.text_slots:
            if slot.id and slot.required and not slot.is_feedback:
                yield existing.text_at(language, slot)


def _joined(texts: Iterable[str]) -> str:
    return " ".join(sorted(filter(None, map(normalize_spaces, texts))))


def trigram_similarity(left: str, right: str) -> float:
    """Give how much two texts have in common, 0 to 1, by their threes of characters."""
    first, second = _threes(left), _threes(right)
    return 2 * len(first & second) / (len(first) + len(second)) if first and second else 0.0


def _threes(text: str) -> set[str]:
    padded = f" {normalize_spaces(text).casefold()} "
    return {padded[at : at + 3] for at in range(len(padded) - 2)}
