"""Fingerprints of questions with the same texts, and names that nobody uses. Pure."""

from collections.abc import Container, Iterable, Iterator
from itertools import count

from grading.kinds import KINDS
from grading.schema import PROMPT
from quizzes.document import QuestionDocument, compute_digest
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.parsing.naming import MAX_NAME_LENGTH, slugify


def question_fingerprints(question: ParsedQuestion) -> Iterator[str]:
    """Yield the fingerprints of a file's question, one a language.

    They equal those of `document_fingerprints`, without the cost of a document.
    """
    required = {
        text
        for table in KINDS[question.kind].schema.tables
        for text in table.texts
        if text.required and not text.is_feedback
    }
    for language in sorted(question.languages):
        rows = (
            texts.get(language, "")
            for row in question.rows
            for text, texts in row.texts.items()
            if text in required
        )
        prompt = question.texts.get(PROMPT, {}).get(language, "")
        yield from _fingerprint(question.kind, language, prompt, rows)


def document_fingerprints(document: QuestionDocument) -> Iterator[str]:
    """Yield the fingerprints of a question of the bank, one a language."""
    public = [
        slot for slot in document.text_slots if slot.required and not slot.is_feedback and slot.id
    ]
    for language, words in document.words.items():
        rows = (document.text_at(language, slot) for slot in public)
        prompt = str(words.get(PROMPT.name) or "")
        yield from _fingerprint(document.kind, language, prompt, rows)


def unique_name(preferred: str, *used: Container[str], longest: int = MAX_NAME_LENGTH) -> str:
    """Return an unused name: the preferred one as a slug, with a number if it is used."""
    base = preferred if preferred == slugify(preferred) else slugify(preferred)
    name = base = base or "question"
    for number in count(2):
        if not any(name in names for names in used):
            break
        name = f"{base[: longest - len(str(number)) - 1]}-{number}"
    return name


def normalize_spaces(text: str) -> str:
    """Return a text with one blank for several, to be compared."""
    return " ".join(text.split())


def _fingerprint(kind: str, language: str, prompt: str, rows: Iterable[str]) -> Iterator[str]:
    """Yield a digest that questions of equal kind, prompt and rows share; none without a prompt."""
    if prompt.strip():
        yield compute_digest(
            [kind, language, normalize_spaces(prompt), sorted(map(normalize_spaces, rows))]
        )
