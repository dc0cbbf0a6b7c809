"""The texts of a question: from the tables of words and feedback to the page, and back. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

from grading.shape import Text
from quizzes.bank.admin.authored import Authored, Row, stem
from quizzes.bank.item import Item, Words, shape_of


def texts_of(item: Item, text: Text, id_: str) -> dict[str, str]:
    """Give a text of the question, or of one of its rows, language → text."""
    table = item.feedback if text.told else item.words
    return {code: _text(words, text.name, id_) for code, words in table.items()}


def _text(words: Words, part: str, id_: str) -> str:
    found = words.get(part)
    if id_:
        found = found.get(id_) if isinstance(found, Mapping) else None
    return found if isinstance(found, str) else ""


def written(
    authored: Authored, before: Item, made: Item, *, told: bool
) -> dict[str, dict[str, Any]]:
    """Write the texts of every language that the page has a column for; the others stay."""
    tables: Mapping[str, Words] = before.feedback if told else before.words
    codes = dict.fromkeys((*authored.languages, *tables))
    written = {code: dict(tables.get(code, {})) for code in codes}
    for code in authored.languages:
        old = tables.get(code, {})
        for part in _parts(before, told=told) | _parts(made, told=told):
            written[code].pop(part, None)
        written[code] |= _of_language(authored, made, code, old, told=told)
    return {code: words for code, words in written.items() if words or code in tables}


def _parts(item: Item, *, told: bool) -> set[str]:
    shape = shape_of(item)
    texts = (*shape.texts, *(text for table in shape.tables for text in table.texts))
    return {text.name for text in texts if text.told == told}


def _of_language(
    authored: Authored, made: Item, code: str, old: Words, *, told: bool
) -> dict[str, Any]:
    """Give what one language says; an empty text stays one only where there was one before."""
    shape = shape_of(made)
    words: dict[str, Any] = {}
    for text in shape.texts:
        said = authored.texts.get(stem(text), {}).get(code, "")
        if text.told == told and (said or text.name in old):
            words[text.name] = said
    for table in shape.tables:
        for text in table.texts:
            if text.told == told:
                rows = authored.tables.get(table.name, ())
                _of_rows(words, text, rows, code, old.get(text.name))
    return words


def _of_rows(
    words: dict[str, Any], text: Text, rows: Sequence[Row], code: str, old: object
) -> None:
    known = old if isinstance(old, Mapping) else None
    said = {row.id: row.texts.get(stem(text), {}).get(code, "") for row in rows}
    held = {id_: one for id_, one in said.items() if one or id_ in (known or {})}
    if held or known is not None:
        words[text.name] = words.get(text.name, {}) | held
