"""Merging a translation: the texts of a question on the rows of the bank's. Pure.

Structure and key of the bank's question stay, because answers refer to them. Only where it has no
key, it gets that of the translation.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import uuid4

from grading.schema import PROMPT
from quizzes.document import QuestionDocument, Words
from quizzes.matching.fingerprints import unique_name
from quizzes.matching.key_changes import Ids, KeyChange, compare_keys, replace_ids

_PLACEHOLDER = re.compile(r"\[\[([^\[\]]+)\]\]")


@dataclass(frozen=True, slots=True)
class MergedTranslation:
    """The question with both languages; `rows` are its new rows, name → id.

    `left_out` are the texts of rows that the question does not have.
    """

    document: QuestionDocument
    key_change: KeyChange
    rows: Mapping[str, str] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()


def merge_translation(
    existing: QuestionDocument,
    other: QuestionDocument,
    language: str,
    ids: Ids,
    names: Mapping[str, str],
) -> MergedTranslation:
    """Return the bank's question with the other's texts in this language on its rows.

    `ids` are the other's rows → the question's; `names` the question's rows, name → id.
    """
    key, key_change = existing.key, compare_keys(existing, other, ids)
    rows: dict[str, tuple[str, str]] = {}
    if key_change == KeyChange.PROPOSED:
        rows = _name_key_rows(other, ids, names)
        ids = {**ids, **{row_id: id_ for row_id, (_, id_) in rows.items()}}
        key = {**key, **{name: replace_ids(part, ids) for name, part in other.key.items()}}
    words = _move_words(other.words.get(language, {}), existing, other, ids)
    feedback = _move_texts(other.feedback.get(language, {}), ids)
    document = replace(
        existing,
        key=key,
        words={**existing.words, language: words},
        feedback={**existing.feedback, language: feedback},
    )
    if language != existing.source_language:
        made_from = {**existing.translated_from, language: document.source_digest()}
        document = replace(document, translated_from=made_from)
    left_out = tuple(
        text
        for slot in other.text_slots
        if slot.id and slot.id not in ids and (text := other.text_at(language, slot))
    )
    return MergedTranslation(document, key_change, dict(rows.values()), left_out)


def _name_key_rows(
    other: QuestionDocument, ids: Ids, names: Mapping[str, str]
) -> dict[str, tuple[str, str]]:
    """Return a name and an id in the question for each row that is in the key alone."""
    new_rows: dict[str, tuple[str, str]] = {}
    for table, row in other.iter_rows():
        if table.secret and row.id not in ids:
            name = unique_name(row.id, names, {name for name, _ in new_rows.values()})
            new_rows[row.id] = name, str(uuid4())
    return new_rows


def _move_words(
    words: Words, existing: QuestionDocument, other: QuestionDocument, ids: Ids
) -> dict[str, Any]:
    """Return public texts by the question's rows, with its placeholders in the prompt."""
    by_row = _move_texts(words, ids)
    own, existing_gaps = (
        document.schema.map_placeholders(document.content, PROMPT.name)
        for document in (other, existing)
    )
    names = {id_: name for name, id_ in existing_gaps.items()}
    renamed = {name: names[ids[id_]] for name, id_ in own.items() if ids.get(id_) in names}
    if renamed and isinstance(by_row.get(PROMPT.name), str):
        by_row[PROMPT.name] = _PLACEHOLDER.sub(
            lambda match: f"[[{renamed.get(match[1], match[1])}]]", by_row[PROMPT.name]
        )
    return by_row


def _move_texts(words: Words, ids: Ids) -> dict[str, Any]:
    return {
        part: {ids[id_]: row_text for id_, row_text in text.items() if id_ in ids}
        if isinstance(text, Mapping)
        else text
        for part, text in words.items()
    }
