"""Item: the whole of a question in plain values, as drafts hold it and files bring it. Pure."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import Any

from grading import remarks, shape
from grading.contract import Json, Problem
from grading.kinds import KINDS
from grading.shape import Place, Shape
from quizzes.lib.markup import MAX_CHARACTERS, media_problems, missing

Words = Mapping[str, Any]
"""Part → text, or part → option id → text; of one language."""


@dataclass(frozen=True, slots=True)
class Item:
    """One question, whole. `words` is what a taker may see, `feedback` what only reveal may show.

    `translated_from` remembers, a language, the digest of the source words it was made from.
    """

    kind: str
    scheme: str
    source_language: str = "en"
    content: Mapping[str, Json] = field(default_factory=dict)
    key: Mapping[str, Json] = field(default_factory=dict)
    words: Mapping[str, Words] = field(default_factory=dict)
    feedback: Mapping[str, Words] = field(default_factory=dict)
    translated_from: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the item as a draft stores it."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Item":
        """Read a draft; fields it does not have are empty."""
        fields = {name: data[name] for name in cls.__dataclass_fields__ if name in data}
        return cls(**{"kind": "", "scheme": "", **fields})

    def digest(self) -> str:
        """Return a fingerprint of everything: equal digests, equal questions."""
        # As `to_json`, without copying what is only read.
        return digest_of({name: getattr(self, name) for name in self.__dataclass_fields__})

    def source_digest(self) -> str:
        """Return a fingerprint of the words that translations are made from."""
        source = self.source_language
        return digest_of([self.words.get(source), self.feedback.get(source)])

    def is_stale(self, language: str) -> bool:
        """Return whether the source changed after this language was translated."""
        made_from = self.translated_from.get(language)
        return made_from is not None and made_from != self.source_digest()


def digest_of(value: Any) -> str:
    """Return a fingerprint of plain values; equal values, equal fingerprints."""
    return sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def languages(item: Item) -> tuple[str, ...]:
    """Return the languages that have any words at all, the source first."""
    others = sorted(
        language
        for language, words in item.words.items()
        if language != item.source_language and any(_texts(words))
    )
    return (item.source_language, *others)


def _texts(words: Words) -> Iterator[str]:
    for part in words.values():
        if isinstance(part, Mapping):
            yield from (text for text in part.values() if text)
        elif part:
            yield part


def texts(item: Item, code: str) -> Iterator[tuple[str, str]]:
    """Return every text in one language with its path, as problems name it."""
    for table, by_language in (("words", item.words), ("feedback", item.feedback)):
        for part, text in by_language.get(code, {}).items():
            if isinstance(text, Mapping):
                for option, option_text in text.items():
                    yield f"{table}.{code}.{part}.{option}", str(option_text or "")
            else:
                yield f"{table}.{code}.{part}", str(text or "")


def shape_of(item: Item) -> Shape:
    """Return the shape of the item's kind; of a kind that does not exist: one without anything."""
    kind = KINDS.get(item.kind)
    return kind.shape if kind else Shape(texts=())


def row_ids(item: Item) -> tuple[str, ...]:
    """Return the ids of all rows (options, pairs, accepted answers), table by table."""
    return shape.row_ids(shape_of(item), item.content, item.key)


def places(item: Item) -> tuple[Place, ...]:
    """Name every text that the item has or may have in each language."""
    return tuple(shape.places(shape_of(item), item.content, item.key))


def problems(item: Item) -> tuple[Problem, ...]:
    """Name all that keeps the item from being published; `where` is a path to the field.

    Structure and key are judged by the kind; here, that each language is whole or absent.
    """
    kind = KINDS.get(item.kind)
    if kind is None:
        return (Problem("kind", "unknown_kind", {"kind": item.kind}),)
    return (
        *kind.check(item.content, item.key, item.scheme),
        *remarks.check(kind.shape, item.content, item.key),
        *_ids_twice(item),
        *(p for language in languages(item) for p in _missing_words(item, language)),
        *(p for language in languages(item) for p in _missing_gaps(item, language)),
        *_too_long(item),
        *(p for language in languages(item) for p in _of_media(item, language)),
    )


def _ids_twice(item: Item) -> Iterator[Problem]:
    """Find rows of two tables under one id: words and marks could not tell them apart."""
    layout = shape.lay_out(shape_of(item), item.content, item.key)
    owner: dict[str, str] = {}
    for table, rows in layout.tables.items():
        for row in rows:
            if owner.setdefault(row.id, table) != table:
                yield Problem(f"{table}.{row.id}", "duplicate_id", {})


def _too_long(item: Item) -> Iterator[Problem]:
    """Find what no page could show, in any language, in use or not."""
    for language in sorted({*item.words, *item.feedback}):
        for where, text in texts(item, language):
            if len(text) > MAX_CHARACTERS:
                yield Problem(where, "markup_too_large", {"maximum": MAX_CHARACTERS})


def _of_media(item: Item, language: str) -> Iterator[Problem]:
    """Find pictures, sounds and films that say nothing to those who cannot see or hear them."""
    for where, text in texts(item, language):
        for problem in media_problems(text):
            yield Problem(where, problem.code, {"line": problem.line, "detail": problem.detail})


def _missing_words(item: Item, language: str) -> Iterator[Problem]:
    for place in places(item):
        if place.required and not said(item, language, place):
            yield Problem(_path(place, language), "missing_text", {"language": language})


def _missing_gaps(item: Item, language: str) -> Iterator[Problem]:
    """Find gaps that do not stand in the text of a language, or stand there twice."""
    for table in shape_of(item).tables:
        text = str(item.words.get(language, {}).get(table.marked) or "") if table.marked else ""
        if text and len(text) <= MAX_CHARACTERS:
            marks = shape.marks(shape_of(item), item.content, table.marked)
            for mark in missing(text, marks):
                where = f"words.{language}.{table.marked}"
                yield Problem(where, "gap_not_in_text", {"mark": mark, "language": language})


def said(item: Item, language: str, place: Place) -> str:
    """Return the text at a place in one language; "" where nothing is said."""
    words = (item.feedback if place.told else item.words).get(language, {})
    part = words.get(place.part)
    if place.id:
        part = part.get(place.id) if isinstance(part, Mapping) else None
    return part.strip() if isinstance(part, str) else ""


def _path(place: Place, language: str) -> str:
    return f"{'feedback' if place.told else 'words'}.{language}.{place.path}"


def warnings(item: Item) -> tuple[Problem, ...]:
    """Name what an author should look at, though it may be published."""
    return tuple(_one_sided(item)) + tuple(
        Problem(f"words.{language}", "stale_translation", {"language": language})
        for language in languages(item)
        if item.is_stale(language)
    )


def _one_sided(item: Item) -> Iterator[Problem]:
    """Find what one language says and another, of those in use, does not."""
    used = languages(item)
    for place in places(item):
        having = {language for language in used if said(item, language, place)}
        for language in used if having and not place.required else ():
            if language not in having:
                code = "missing_feedback" if place.told else "missing_hint"
                yield Problem(_path(place, language), code, {"language": language})
