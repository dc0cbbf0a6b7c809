"""The whole of a question in plain values, as drafts store it and files contain it."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Any

from grading.json_types import Json
from grading.kinds import KINDS
from grading.schema import QuestionData, QuestionRow, QuestionSchema, Table, TextSlot

Words = Mapping[str, Any]
"""Part → text, or part → option id → text; of one language."""


@dataclass(frozen=True)  # no slots: its rows and text slots are read once
class QuestionDocument:
    """One question. `words` is what a taker may see, `feedback` what only reveal may show.

    `translated_from` remembers, a language, the digest of the source words it was made from.
    """

    kind: str
    scoring_method: str
    source_language: str = "en"
    content: Mapping[str, Json] = field(default_factory=dict)
    key: Mapping[str, Json] = field(default_factory=dict)
    words: Mapping[str, Words] = field(default_factory=dict)
    feedback: Mapping[str, Words] = field(default_factory=dict)
    translated_from: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the document as a draft stores it."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "QuestionDocument":
        """Read a draft; fields it does not have are empty."""
        fields = {name: data[name] for name in cls.__dataclass_fields__ if name in data}
        return cls(**{"kind": "", "scoring_method": "", **fields})

    def digest(self) -> str:
        """Return a fingerprint of everything: equal digests, equal questions."""
        # As `to_json`, without copying what is only read.
        return compute_digest({name: getattr(self, name) for name in self.__dataclass_fields__})

    def source_digest(self) -> str:
        """Return a fingerprint of the words that translations are made from."""
        source = self.source_language
        return compute_digest([self.words.get(source), self.feedback.get(source)])

    def is_outdated(self, language: str) -> bool:
        """Return whether the source changed after this language was translated."""
        made_from = self.translated_from.get(language)
        return made_from is not None and made_from != self.source_digest()

    @property
    def schema(self) -> QuestionSchema:
        """The schema of the kind; of a kind that does not exist: one without anything."""
        kind = KINDS.get(self.kind)
        return kind.schema if kind else QuestionSchema(texts=())

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that have any words at all, the source first."""
        others = sorted(
            language
            for language, words in self.words.items()
            if language != self.source_language and any(_iter_texts(words))
        )
        return (self.source_language, *others)

    @property
    def row_ids(self) -> tuple[str, ...]:
        """The ids of all rows (options, pairs, accepted answers), table by table."""
        return self.schema.list_row_ids(self.content, self.key)

    @cached_property
    def question_data(self) -> QuestionData:
        """Its fields and rows, as the schema has them."""
        return self.schema.load(self.content, self.key)

    @cached_property
    def text_slots(self) -> tuple[TextSlot, ...]:
        """Every text that the question has or may have in each language."""
        return tuple(self.schema.iter_text_slots(self.question_data))

    def iter_rows(self) -> Iterator[tuple[Table, QuestionRow]]:
        """Yield every row with its table, table by table."""
        tables = self.question_data.tables
        for table in self.schema.tables:
            for row in tables[table.name]:
                yield table, row

    def iter_texts(self, language: str) -> Iterator[tuple[str, str]]:
        """Return every text in one language with its path, as problems name it."""
        for table, by_language in (("words", self.words), ("feedback", self.feedback)):
            for part, text in by_language.get(language, {}).items():
                if isinstance(text, Mapping):
                    for option, option_text in text.items():
                        yield f"{table}.{language}.{part}.{option}", str(option_text or "")
                else:
                    yield f"{table}.{language}.{part}", str(text or "")

    def text_at(self, language: str, slot: TextSlot) -> str:
        """Return the text of a slot in one language; "" where it has none."""
        words = (self.feedback if slot.is_feedback else self.words).get(language, {})
        part = words.get(slot.part)
        if slot.id:
            part = part.get(slot.id) if isinstance(part, Mapping) else None
        return part.strip() if isinstance(part, str) else ""


def compute_digest(value: Any) -> str:
    """Return a fingerprint of plain values; equal values, equal fingerprints."""
    return sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def _iter_texts(words: Words) -> Iterator[str]:
    for part in words.values():
        if isinstance(part, Mapping):
            yield from (text for text in part.values() if text)
        elif part:
            yield part
