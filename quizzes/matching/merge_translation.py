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
    held: QuestionDocument,
    told: QuestionDocument,
    language: str,
    ids: Ids,
    names: Mapping[str, str],
) -> MergedTranslation:
    """Give the bank's question with the twin's words in this language laid on its rows.

    `ids` are the twin's rows → the question's; `names` the question's rows, name → id.
    """
    verdict = compare_keys(held, told, ids)
    rows = _rows_of_key(told, ids, names) if verdict == KeyChange.PROPOSED else {}
    known = {**ids, **{here: id_ for here, (_, id_) in rows.items()}}
    item = replace(
        held,
        key=held.key if verdict != KeyChange.PROPOSED else _key(held, told, known),
        words={**held.words, language: _words(told.words.get(language, {}), held, told, known)},
        feedback={
            **held.feedback,
            language: _laid(told.feedback.get(language, {}), known),
        },
    )
    if language != held.source_language:
        made_from = {**held.translated_from, language: item.source_digest()}
        item = replace(item, translated_from=made_from)
    left_out = tuple(_left_out(told, language, known))
    return MergedTranslation(item, verdict, dict(rows.values()), left_out)


def _key(held: QuestionDocument, told: QuestionDocument, ids: Ids) -> dict[str, Any]:
    return {**held.key, **{name: replace_ids(value, ids) for name, value in told.key.items()}}


def _rows_of_key(
    told: QuestionDocument, ids: Ids, names: Mapping[str, str]
) -> dict[str, tuple[str, str]]:
    """Give rows that stand in the key alone a name and an id in the question: id → both."""
    loaded = told.schema.load(told.content, told.key)
    found: dict[str, tuple[str, str]] = {}
    for table in told.schema.tables:
        for row in loaded.tables[table.name] if table.secret else ():
            if row.id not in ids:
                name = unique_name(row.id, names, {name for name, _ in found.values()})
                found[row.id] = name, str(uuid4())
    return found


def _words(
    words: Words, held: QuestionDocument, told: QuestionDocument, ids: Ids
) -> dict[str, Any]:
    """Lay public words on the rows; gaps in the prompt are called as the question calls them."""
    laid = _laid(words, ids)
    here, there = (one.schema.map_placeholders(one.content, PROMPT.name) for one in (told, held))
    called = {id_: mark for mark, id_ in there.items()}
    other = {mark: called[ids[id_]] for mark, id_ in here.items() if ids.get(id_) in called}
    if other and isinstance(laid.get(PROMPT.name), str):
        laid[PROMPT.name] = _MARK.sub(
            lambda mark: f"[[{other.get(mark[1], mark[1])}]]", laid[PROMPT.name]
        )
    return laid


def _laid(words: Words, ids: Ids) -> dict[str, Any]:
    return {
        part: {ids[id_]: said for id_, said in text.items() if id_ in ids}
        if isinstance(text, Mapping)
        else text
        for part, text in words.items()
    }


def _left_out(told: QuestionDocument, language: str, ids: Ids) -> Iterator[str]:
    for slot in told.text_slots:
        if slot.id and slot.id not in ids and (text := told.text_at(language, slot)):
            yield text
