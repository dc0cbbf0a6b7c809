"""What keeps a question from being published, and what an author should look at."""

from collections.abc import Iterator

from grading import feedback_rules
from grading.contract import Problem
from grading.kinds import KINDS
from grading.schema import TextSlot
from quizzes.document.equal_rows import find_equal_rows
from quizzes.document.question import QuestionDocument
from quizzes.document.reading_link import find_link_problems
from quizzes.lib.markup import MAX_CHARACTERS, media_warnings, missing


def find_problems(document: QuestionDocument) -> tuple[Problem, ...]:
    """Return all that keeps the question from being published; `where` is a path to the field.

    Structure and key are judged by the kind; here, that each language is whole or absent.
    """
    kind = KINDS.get(document.kind)
    if kind is None:
        return (Problem("kind", "unknown_kind", {"kind": document.kind}),)
    languages = document.languages
    return (
        *kind.validate(document.content, document.key, document.scoring_method),
        *feedback_rules.validate(kind.schema, document.content, document.key),
        *_find_duplicate_ids(document),
        *(p for language in languages for p in _find_missing_words(document, language)),
        *(p for language in languages for p in _find_missing_gaps(document, language)),
        *(p for language in languages for p in find_equal_rows(document, language)),
        *(p for language in languages for p in find_link_problems(document, language)),
        *_find_long_texts(document),
        *(p for language in languages for p in _find_media_problems(document, language)),
    )


def _find_duplicate_ids(document: QuestionDocument) -> Iterator[Problem]:
    """Find rows of two tables under one id: words and marks could not tell them apart."""
    owner: dict[str, str] = {}
    for table, rows in document.question_data.tables.items():
        for row in rows:
            if owner.setdefault(row.id, table) != table:
                yield Problem(f"{table}.{row.id}", "duplicate_id", {})


def _find_long_texts(document: QuestionDocument) -> Iterator[Problem]:
    """Find what no page could show, in any language, in use or not."""
    for language in sorted({*document.words, *document.feedback}):
        for where, text in document.iter_texts(language):
            if len(text) > MAX_CHARACTERS:
                yield Problem(where, "markup_too_large", {"maximum": MAX_CHARACTERS})


def _find_media_problems(document: QuestionDocument, language: str) -> Iterator[Problem]:
    """Find pictures, sounds and films that say nothing to those who cannot see or hear them."""
    for where, text in document.iter_texts(language):
        for problem in media_warnings(text):
            yield Problem(where, problem.code, {"line": problem.line, "detail": problem.detail})


def _find_missing_words(document: QuestionDocument, language: str) -> Iterator[Problem]:
    for slot in document.text_slots:
        if slot.required and not document.text_at(language, slot):
            yield Problem(_path(slot, language), "missing_text", {"language": language})


def _find_missing_gaps(document: QuestionDocument, language: str) -> Iterator[Problem]:
    """Find gaps that do not stand in the text of a language, or stand there twice."""
    schema, words = document.schema, document.words.get(language, {})
    for table in schema.tables:
        text = str(words.get(table.placeholder_in) or "") if table.placeholder_in else ""
        if text and len(text) <= MAX_CHARACTERS:
            placeholders = schema.map_placeholders(document.content, table.placeholder_in)
            for placeholder in missing(text, placeholders):
                where = f"words.{language}.{table.placeholder_in}"
                yield Problem(
                    where, "gap_not_in_text", {"placeholder": placeholder, "language": language}
                )


def _path(slot: TextSlot, language: str) -> str:
    return f"{'feedback' if slot.is_feedback else 'words'}.{language}.{slot.path}"


def find_warnings(document: QuestionDocument) -> tuple[Problem, ...]:
    """Return what an author should look at, though it may be published."""
    return tuple(_find_one_sided_texts(document)) + tuple(
        Problem(f"words.{language}", "outdated_translation", {"language": language})
        for language in document.languages
        if document.is_outdated(language)
    )


def _find_one_sided_texts(document: QuestionDocument) -> Iterator[Problem]:
    """Find what one language says and another, of those in use, does not."""
    languages = document.languages
    for slot in document.text_slots:
        having = {language for language in languages if document.text_at(language, slot)}
        for language in languages if having and not slot.required else ():
            if language not in having:
                code = "missing_feedback" if slot.is_feedback else "missing_hint"
                yield Problem(_path(slot, language), code, {"language": language})
