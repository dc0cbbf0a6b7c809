"""Two one-language questions made one: the words of a twin on the rows of the bank's. Pure.

Structure and key of the bank's question stand, for answers already given refer to them. Only where
it has no key is the twin's taken, and that a person has confirmed.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import uuid4

from grading.schema import PROMPT
from quizzes.document import QuestionDocument, Words
from quizzes.matching.fingerprints import unique_name
from quizzes.matching.key_changes import Ids, KeyChange, compare_keys, replace_ids

_MARK = re.compile(r"\[\[([^\[\]]+)\]\]")


@dataclass(frozen=True, slots=True)
class MergedTranslation:
    """The question with both translations; `rows` are rows it got by name, `left_out` lost words.

    What is in `left_out` is said of rows of the twin that the question does not have.
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
    """Give the bank's question with the twin's words in this language laid on its rows.

    `ids` are the twin's rows → the question's; `names` the question's rows, name → id.
    """
    verdict = compare_keys(existing, other, ids)
    rows = _rows_of_key(other, ids, names) if verdict == KeyChange.PROPOSED else {}
    all_ids = {**ids, **{here: id_ for here, (_, id_) in rows.items()}}
    item = replace(
        existing,
        key=existing.key if verdict != KeyChange.PROPOSED else _key(existing, other, all_ids),
        words={
            **existing.words,
            language: _words(other.words.get(language, {}), existing, other, all_ids),
        },
        feedback={
            **existing.feedback,
            language: _laid(other.feedback.get(language, {}), all_ids),
        },
    )
    if language != existing.source_language:
        made_from = {**existing.translated_from, language: item.source_digest()}
        item = replace(item, translated_from=made_from)
    left_out = tuple(_left_out(other, language, all_ids))
    return MergedTranslation(item, verdict, dict(rows.values()), left_out)


def _key(existing: QuestionDocument, other: QuestionDocument, ids: Ids) -> dict[str, Any]:
    return {**existing.key, **{name: replace_ids(value, ids) for name, value in other.key.items()}}


def _rows_of_key(
    other: QuestionDocument, ids: Ids, names: Mapping[str, str]
) -> dict[str, tuple[str, str]]:
    """Give rows that stand in the key alone a name and an id in the question: id → both."""
    loaded = other.schema.load(other.content, other.key)
    new_rows: dict[str, tuple[str, str]] = {}
    for table in other.schema.tables:
        for row in loaded.tables[table.name] if table.secret else ():
            if row.id not in ids:
                name = unique_name(row.id, names, {name for name, _ in new_rows.values()})
                new_rows[row.id] = name, str(uuid4())
    return new_rows


def _words(
    words: Words, existing: QuestionDocument, other: QuestionDocument, ids: Ids
) -> dict[str, Any]:
    """Lay public words on the rows; gaps in the prompt are called as the question calls them."""
    by_row = _laid(words, ids)
    here, there = (
        document.schema.map_placeholders(document.content, PROMPT.name)
        for document in (other, existing)
    )
    called = {id_: mark for mark, id_ in there.items()}
    renamed_marks = {mark: called[ids[id_]] for mark, id_ in here.items() if ids.get(id_) in called}
    if renamed_marks and isinstance(by_row.get(PROMPT.name), str):
        by_row[PROMPT.name] = _MARK.sub(
            lambda mark: f"[[{renamed_marks.get(mark[1], mark[1])}]]", by_row[PROMPT.name]
        )
    return by_row


def _laid(words: Words, ids: Ids) -> dict[str, Any]:
    return {
        part: {ids[id_]: row_text for id_, row_text in text.items() if id_ in ids}
        if isinstance(text, Mapping)
        else text
        for part, text in words.items()
    }


def _left_out(other: QuestionDocument, language: str, ids: Ids) -> Iterator[str]:
    for slot in other.text_slots:
        if slot.id and slot.id not in ids and (text := other.text_at(language, slot)):
            yield text
