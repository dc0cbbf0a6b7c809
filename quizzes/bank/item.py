"""Item: the whole of a question in plain values, as drafts hold it and files bring it. Pure."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import Any

from grading.contract import Json, Problem
from grading.kinds import KINDS
from quizzes.lib.markup import MAX_CHARACTERS

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
        """Give the item as a draft stores it."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Item":
        """Read a draft; fields it does not have are empty."""
        known = {name: data[name] for name in cls.__dataclass_fields__ if name in data}
        return cls(**{"kind": "", "scheme": "", **known})

    def digest(self) -> str:
        """Give a fingerprint of everything: equal digests, equal questions."""
        return digest_of(self.to_json())

    def source_digest(self) -> str:
        """Give a fingerprint of the words that translations are made from."""
        source = self.source_language
        return digest_of([self.words.get(source), self.feedback.get(source)])

    def option_ids(self) -> tuple[str, ...]:
        """Give the ids of the options in the author's order; none where the kind has none."""
        options = self.content.get("options")
        if not isinstance(options, list):
            return ()
        return tuple(str(option["id"]) for option in options if isinstance(option, dict))

    def is_stale(self, language: str) -> bool:
        """Tell whether the source changed after this language was translated."""
        made_from = self.translated_from.get(language)
        return made_from is not None and made_from != self.source_digest()


def digest_of(value: Any) -> str:
    """Give a fingerprint of plain values; equal values, equal fingerprints."""
    return sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def languages(item: Item) -> tuple[str, ...]:
    """Give the languages that have any words at all, the source first."""
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
    """Give every text in one language with its path, as problems name it."""
    for table, by_language in (("words", item.words), ("feedback", item.feedback)):
        for part, text in by_language.get(code, {}).items():
            if isinstance(text, Mapping):
                for option, one in text.items():
                    yield f"{table}.{code}.{part}.{option}", str(one or "")
            else:
                yield f"{table}.{code}.{part}", str(text or "")


def problems(item: Item) -> tuple[Problem, ...]:
    """Name all that keeps the item from being published; `where` is a path to the field.

    Structure and key are judged by the kind; here, that each language is whole or absent.
    """
    kind = KINDS.get(item.kind)
    if kind is None:
        return (Problem("kind", "unknown_kind", {"kind": item.kind}),)
    structural = kind.check(item.content, item.key, item.scheme)
    verbal = [p for language in languages(item) for p in _missing_words(item, language)]
    return (*structural, *verbal, *_too_long(item))


def _too_long(item: Item) -> Iterator[Problem]:
    """Find what no page could show, in any language, in use or not."""
    for language in sorted({*item.words, *item.feedback}):
        for where, text in texts(item, language):
            if len(text) > MAX_CHARACTERS:
                yield Problem(where, "markup_too_large", {"maximum": MAX_CHARACTERS})


def _missing_words(item: Item, language: str) -> Iterator[Problem]:
    words = item.words.get(language, {})
    if not str(words.get("prompt") or "").strip():
        yield Problem(f"words.{language}.prompt", "missing_text", {"language": language})
    options = words.get("options") or {}
    for option in item.option_ids():
        if not str(options.get(option) or "").strip():
            where = f"words.{language}.options.{option}"
            yield Problem(where, "missing_text", {"language": language})


def warnings(item: Item) -> tuple[Problem, ...]:
    """Name what an author should look at, though it may be published."""
    return tuple(_one_sided(item)) + tuple(
        Problem(f"words.{language}", "stale_translation", {"language": language})
        for language in languages(item)
        if item.is_stale(language)
    )


def _one_sided(item: Item) -> Iterator[Problem]:
    """Find feedback that one language has and another, of those in use, has not."""
    used = languages(item)
    for part in ("explanation", *item.option_ids()):
        having = {language for language in used if _feedback(item, language, part)}
        for language in used if having else ():
            if language not in having:
                where = f"feedback.{language}." + (
                    part if part == "explanation" else f"options.{part}"
                )
                yield Problem(where, "missing_feedback", {"language": language})


def _feedback(item: Item, language: str, part: str) -> str:
    words = item.feedback.get(language, {})
    text = words.get(part) if part == "explanation" else (words.get("options") or {}).get(part)
    return str(text or "").strip()
