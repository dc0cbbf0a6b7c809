"""Which question of a bank an item of a file is, where their names do not tell. Pure."""

from collections.abc import Container, Iterable, Iterator
from itertools import count

from grading.kinds import KINDS
from grading.schema import PROMPT
from quizzes.document import QuestionDocument, compute_digest
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.parsing.naming import LONGEST, slug


def fingerprint(question: ParsedQuestion, language: str) -> str:
    """Give equal texts to questions of equal kind, prompt and rows in one language; "" if none."""
    prompt = question.texts.get(PROMPT, {}).get(language, "")
    required = {
        text
        for table in KINDS[question.kind].schema.tables
        for text in table.texts
        if text.required and not text.is_feedback
    }
    rows = (
        texts.get(language, "")
        for row in question.rows
        for text, texts in row.texts.items()
        if text in required
    )
    return _fingerprint(question.kind, language, prompt, rows)


def question_fingerprints(question: ParsedQuestion) -> Iterator[str]:
    """Give the fingerprints of a file's question, one a language."""
    return filter(
        None, (fingerprint(question, language) for language in question_languages(question))
    )


def document_fingerprints(item: QuestionDocument) -> Iterator[str]:
    """Give the fingerprints of a question of the bank, one a language."""
    public = [
        slot for slot in item.text_slots if slot.required and not slot.is_feedback and slot.id
    ]
    for language, words in item.words.items():
        rows = (item.text_at(language, slot) for slot in public)
        if digest := _fingerprint(item.kind, language, str(words.get(PROMPT.name) or ""), rows):
            yield digest


def question_languages(question: ParsedQuestion) -> tuple[str, ...]:
    """Give the languages that the file says anything of a question in."""
    spoken = {language for texts in question.texts.values() for language in texts}
    for row in question.rows:
        spoken.update(language for texts in row.texts.values() for language in texts)
    return tuple(sorted(spoken))


def unique_name(preferred: str, *used: Container[str], longest: int = LONGEST) -> str:
    """Give a name nobody has: the wanted one as a slug, with a number if it is taken."""
    base = preferred if preferred == slug(preferred) else slug(preferred)
    name = base = base or "question"
    for number in count(2):
        if not any(name in names for names in used):
            break
        name = f"{base[: longest - len(str(number)) - 1]}-{number}"
    return name


def normalize_spaces(text: str) -> str:
    """Give a text as it is compared: blanks do not matter."""
    return " ".join(text.split())


def _fingerprint(kind: str, language: str, prompt: str, rows: Iterable[str]) -> str:
    if not prompt.strip():
        return ""
    return compute_digest(
        [kind, language, normalize_spaces(prompt), sorted(map(normalize_spaces, rows))]
    )
