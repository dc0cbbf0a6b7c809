"""The language of each question of a file, where the file mixes two and does not say so. Pure.

A format takes one language for a whole file. A question that clearly speaks another one is given
that; where neither the file nor a question tells, a note says so.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from quizzes.formats.contract import Found, Note, Parcel, ParcelQuestion, ParcelRow, Said
from quizzes.formats.parsing.languages import clearly, detect

TRUTHS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {"Verdadero": "True", "Falso": "False"},
    "es": {"True": "Verdadero", "False": "Falso"},
}
"""What formats write for true and false where a file does not."""


def spoken(parcel: Parcel) -> Parcel:
    """Give each question the language that it clearly speaks; for files that name none."""
    found = tuple(_item(one) for one in parcel.found)
    told = any(note.code == "language_unknown" for note in parcel.noise)
    several = len({language for one in parcel.questions for language in _languages(one)}) > 1
    texts = "\n".join(text for one in parcel.questions for text in _texts(one))
    if told or several or not texts or detect(texts) or found != parcel.found:
        return replace(parcel, found=found)
    noise = (*parcel.noise, Note("language_unknown", 1))
    return replace(parcel, found=found, noise=noise)


def _item(one: Found) -> Found:
    question = one.question
    if question is None or len(said_in := _languages(question)) != 1:
        return one
    (language,) = said_in
    other = clearly("\n".join(_texts(question)))
    if other in {"", language} or any(note.code == "language_doubtful" for note in one.notes):
        return one
    note = Note("language_of_item", one.line, "", {"language": other})
    return replace(one, question=_moved(question, language, other), notes=(*one.notes, note))


def _languages(question: ParcelQuestion) -> frozenset[str]:
    return frozenset(
        language
        for said in (question.said, *(row.said for row in question.rows))
        for texts in said.values()
        for language in texts
    )


def _texts(question: ParcelQuestion) -> Iterator[str]:
    for said in (question.said, *(row.said for row in question.rows)):
        for texts in said.values():
            yield from texts.values()


def _moved(question: ParcelQuestion, language: str, other: str) -> ParcelQuestion:
    tables = {
        name: tuple(_row(row, question.kind, language, other) for row in rows)
        for name, rows in question.tables.items()
    }
    return replace(question, said=_said(question.said, language, other), tables=tables)


def _row(row: ParcelRow, kind: str, language: str, other: str) -> ParcelRow:
    moved = _said(row.said, language, other)
    if kind == "true_false":
        words = TRUTHS.get(other, {})
        moved = {
            text: {code: words.get(said, said) for code, said in texts.items()}
            for text, texts in moved.items()
        }
    return replace(row, said=moved)


def _said(said: Said, language: str, other: str) -> Said:
    return {
        text: {other if code == language else code: one for code, one in texts.items()}
        for text, texts in said.items()
    }
