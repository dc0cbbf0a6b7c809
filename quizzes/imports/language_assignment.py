"""The language of each question of a file, where the file mixes two and does not say so. Pure.

A format takes one language for a whole file. A question that is clearly in another one is given
that; where neither the file nor a question has a language, a note says so.
"""

from collections.abc import Mapping
from dataclasses import replace

from quizzes.formats.contract import FieldTexts, Note, ParsedFile, ParsedQuestion, SourceItem
from quizzes.formats.parsing.boolean_words import OWN_WORDS
from quizzes.formats.parsing.languages import detect_certain_language, detect_language
from quizzes.formats.parsing.progress import count_each

_DOUBTS = frozenset({"language_by_script", "language_unknown"})


def assign_languages(parsed_file: ParsedFile) -> ParsedFile:
    """Return the file, each question in the language that it clearly has."""
    items = tuple(map(_assign_language, count_each(parsed_file.items)))
    is_noted = any(note.code in _DOUBTS for note in parsed_file.ignored_lines)
    several = (
        len(frozenset().union(*(question.languages for question in parsed_file.questions))) > 1
    )
    texts = "\n".join(map(_join_texts, parsed_file.questions))
    if is_noted or several or not texts or detect_language(texts) or items != parsed_file.items:
        return replace(parsed_file, items=items)
    ignored_lines = (*parsed_file.ignored_lines, Note("language_unknown", 1))
    return replace(parsed_file, items=items, ignored_lines=ignored_lines)


def _assign_language(item: SourceItem) -> SourceItem:
    question = item.question
    if question is None or len(question.languages) != 1:
        return item
    (language,) = question.languages
    other = detect_certain_language(_join_texts(question))
    if other in {"", language} or any(note.code == "language_doubtful" for note in item.notes):
        return item
    # What formats write for true and false where a file does not.
    own = OWN_WORDS.get(other, ()) if question.kind == "true_false" else ()
    words = {
        word: text for texts in OWN_WORDS.values() for word, text in zip(texts, own, strict=False)
    }
    tables = {
        name: tuple(replace(row, texts=_move(row.texts, language, other, words)) for row in rows)
        for name, rows in question.tables.items()
    }
    question = replace(question, texts=_move(question.texts, language, other, {}), tables=tables)
    note = Note("language_of_item", item.line, "", {"language": other})
    return replace(item, question=question, notes=(*item.notes, note))


def _join_texts(question: ParsedQuestion) -> str:
    return "\n".join(text for texts in question.all_texts for text in texts.values())


def _move(
    field_texts: FieldTexts, language: str, other: str, words: Mapping[str, str]
) -> FieldTexts:
    """Return the texts of one language as those of the other, with its words for true and false."""
    return {
        field: {
            (other if code == language else code): words.get(text, text)
            for code, text in texts.items()
        }
        for field, texts in field_texts.items()
    }
