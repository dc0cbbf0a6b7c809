"""Whether an item of a file is the question that the bank has under its name, or another. Pure.

Titles such as "Question 1" are in every file; a name alone must not overwrite what somebody wrote.
"""

import re
from collections import Counter
from typing import Final

from grading.kinds import KINDS
from grading.schema import PROMPT
from quizzes.document import QuestionDocument
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.document_mapping import build_document
from quizzes.matching.fingerprints import normalize_spaces

NAME_COLLISION: Final = "another_question"
"""Neither its texts nor its rows are those that the bank has."""
LANGUAGE_MISMATCH: Final = "another_language"
"""The file has other languages than the bank's question, which may be another one."""

MIN_PROMPT_SIMILARITY: Final = 0.35
"""From here on, prompts are states of one question; unrelated ones have about 0.15."""
MIN_ROW_SIMILARITY: Final = 0.5
MIN_ROW_LENGTH: Final = 12
"""Characters of rows that can be compared: "yes" and "no" are in many questions."""
_COUNTED: Final = re.compile(r"[a-z]{0,12}-?\d+")
"""Names that do not tell one question from another: "q1", "question-12"."""


def find_conflict(question: ParsedQuestion, existing: QuestionDocument) -> str:
    """Return the code of what a person must decide, "" where the two are plainly one question."""
    languages = [language for language in question.languages if _has_language(existing, language)]
    document = build_document(question, None, "")
    if not languages:
        return "" if _may_translate(question, document, existing) else LANGUAGE_MISMATCH
    related = any(_is_related(document, existing, language) for language in languages)
    return "" if related else NAME_COLLISION


def _may_translate(
    question: ParsedQuestion, document: QuestionDocument, existing: QuestionDocument
) -> bool:
    """Return whether a name that somebody chose, and as many rows, make it a translation."""
    row_counts, existing_counts = (
        Counter(table.name for table, _ in each.iter_rows()) for each in (document, existing)
    )
    return (
        question.kind == existing.kind
        and row_counts == existing_counts
        and not _COUNTED.fullmatch(question.name)
    )


def _has_language(existing: QuestionDocument, language: str) -> bool:
    return any(existing.text_at(language, slot) for slot in existing.text_slots)


def _is_related(document: QuestionDocument, existing: QuestionDocument, language: str) -> bool:
    prompts = [
        normalize_spaces(str(each.words.get(language, {}).get(PROMPT.name) or ""))
        for each in (document, existing)
    ]
    if prompts[0] == prompts[1] != "":
        return True
    rows = [_join_rows(each, language) for each in (document, existing)]
    have_rows = all(len(row_text) >= MIN_ROW_LENGTH for row_text in rows)
    if not all(prompts) and not have_rows:
        return True  # there is nothing to compare
    return trigram_similarity(*prompts) >= MIN_PROMPT_SIMILARITY or (
        have_rows and trigram_similarity(*rows) >= MIN_ROW_SIMILARITY
    )


def _join_rows(document: QuestionDocument, language: str) -> str:
    """Return the texts of all rows; "" for a kind whose rows are the same in every question."""
    kind = KINDS.get(document.kind)
    if kind is None or any(table.fixed_rows for table in kind.schema.tables):
        return ""
    texts = (
        document.text_at(language, slot)
        for slot in document.text_slots
        if slot.id and slot.required and not slot.is_feedback
    )
    return " ".join(sorted(filter(None, map(normalize_spaces, texts))))


def trigram_similarity(left: str, right: str) -> float:
    """Return how much two texts have in common, 0 to 1, by their trigrams."""
    first, second = _trigrams(left), _trigrams(right)
    return 2 * len(first & second) / (len(first) + len(second)) if first and second else 0.0


def _trigrams(text: str) -> set[str]:
    padded = f" {normalize_spaces(text).casefold()} "
    return {padded[at : at + 3] for at in range(len(padded) - 2)}
