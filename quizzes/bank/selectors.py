"""Reading published questions: public versions for takers, keys for graders. Both are cached.

Public versions are read without the tables of keys and feedback, which grading and reveal read.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from grading.json_types import Json
from grading.kinds import KINDS
from grading.schema import PROMPT
from quizzes.bank.models import QuestionVersion, VersionFeedback, VersionKey, VersionTranslation
from quizzes.lib.frozen_cache import FrozenCache
from quizzes.lib.markup import render, render_with_gaps


@dataclass(frozen=True, slots=True)
class RenderedTexts:
    """The words of a version in one language, as safe HTML.

    `parts` are the texts of rows by their ids, `texts` the others by name: a hint, say. Where a
    gap of the prompt is, it has `<span class="gap" data-gap="<id>"></span>`.
    """

    language: str
    prompt: str
    parts: Mapping[str, str]
    texts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PublicVersion:
    """What a taker may see of a version, in every language it has."""

    uuid: UUID
    version_id: int
    kind: str
    scoring_method: str
    content: Mapping[str, Json]
    source_language: str
    translations: Mapping[str, RenderedTexts]

    def words(self, language: str) -> RenderedTexts:
        """Return the words in this language, else in the source's."""
        return self.translations.get(language) or self.translations[self.source_language]


@dataclass(frozen=True, slots=True)
class RenderedFeedback:
    """What reveal may say of a version in one language, as safe HTML.

    `parts` is part → id of the row → text, `texts` the others by name, the explanation for one.
    """

    language: str
    parts: Mapping[str, Mapping[str, str]]
    texts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class KeyAndFeedback:
    """The key of a version and what is said about it."""

    key: Mapping[str, Json]
    source_language: str
    feedback: Mapping[str, RenderedFeedback]

    def words(self, language: str) -> RenderedFeedback:
        """Return the feedback in this language, else in the source's."""
        return self.feedback.get(language) or self.feedback[self.source_language]


_public_versions: FrozenCache[UUID, PublicVersion] = FrozenCache(5000)
_keys_and_feedback: FrozenCache[UUID, KeyAndFeedback] = FrozenCache(5000)


def load_public_versions(versions: Iterable[UUID]) -> dict[UUID, PublicVersion]:
    """Return the public versions of these, two queries for those not read before, else none."""
    return _public_versions.get_many(versions, _load_public_versions)


def load_keys_and_feedback(versions: Iterable[UUID]) -> dict[UUID, KeyAndFeedback]:
    """Return key and feedback of these versions: two queries for those not cached, else none."""
    return _keys_and_feedback.get_many(versions, _load_secrets)


def _load_public_versions(uuids: list[UUID]) -> dict[UUID, PublicVersion]:
    versions = {version.pk: version for version in QuestionVersion.objects.filter(uuid__in=uuids)}
    translations: dict[int, dict[str, RenderedTexts]] = {}
    for row in VersionTranslation.objects.filter(version__in=versions):
        version = versions[row.version_id]
        gaps = prompt_gaps(version.kind, version.content)
        words = render_texts(row.language, row.texts, gaps)
        translations.setdefault(row.version_id, {})[row.language] = words
    return {
        version.uuid: PublicVersion(
            version.uuid,
            version.pk,
            version.kind,
            version.scoring_method,
            version.content,
            version.source_language,
            translations[version.pk],
        )
        for version in versions.values()
        if version.pk in translations
    }


def _load_secrets(uuids: list[UUID]) -> dict[UUID, KeyAndFeedback]:
    feedback: dict[int, dict[str, RenderedFeedback]] = {}
    for row in VersionFeedback.objects.filter(version__uuid__in=uuids):
        feedback.setdefault(row.version_id, {})[row.language] = render_feedback(
            row.language, row.texts
        )
    rows = VersionKey.objects.select_related("version").filter(version__uuid__in=uuids)
    return {
        row.version.uuid: KeyAndFeedback(
            row.key, row.version.source_language, feedback[row.version_id]
        )
        for row in rows
    }


def load_right_orders(versions: Iterable[QuestionVersion]) -> dict[int, tuple[str, ...]]:
    """Return the right order of those that ask for one, by primary key: one query for all, or none.

    For whoever shuffles the items: it is a key, and no page may show it.
    """
    ordered = {
        version.pk: table.order_key
        for version in versions
        if version.kind in KINDS
        for table in KINDS[version.kind].schema.tables
        if table.order_key
    }
    rows = VersionKey.objects.filter(version__in=ordered) if ordered else ()
    return {row.version_id: tuple(row.key[ordered[row.version_id]]) for row in rows}


def prompt_gaps(kind: str, content: Mapping[str, Json]) -> dict[str, str]:
    """Return the marks of the gaps in the prompt, each with the id of its gap."""
    return KINDS[kind].schema.map_placeholders(content, PROMPT.name) if kind in KINDS else {}


def render_texts(language: str, words: Mapping[str, Any], gaps: Mapping[str, str]) -> RenderedTexts:
    """Render the words a taker may see: of a translation, or of a draft in a preview."""
    by_row, by_name = _apart(words)
    prompt = render_with_gaps(str(words.get(PROMPT.name) or ""), gaps)
    parts = {id_: html for part in by_row.values() for id_, html in part.items()}
    return RenderedTexts(
        language,
        prompt,
        parts,
        by_name,
    )


def render_feedback(language: str, words: Mapping[str, Any]) -> RenderedFeedback:
    """Render what is said about the answers, and why: of a version, or of a draft in a preview."""
    return RenderedFeedback(language, *_apart(words))


def _apart(words: Mapping[str, Any]) -> tuple[dict[str, dict[str, str]], dict[str, str]]:
    """Render the texts of rows, by part and id, and those that stand alone, by name."""
    by_row = {name: _html(text) for name, text in words.items() if isinstance(text, Mapping)}
    by_name = {
        name: render(text)
        for name, text in words.items()
        if name != PROMPT.name and isinstance(text, str) and text
    }
    return by_row, by_name


def _html(texts: Mapping[str, Any]) -> dict[str, str]:
    """Render short texts; one line stands inside its row, more lines are blocks."""
    return {
        id_: render(text, inline="\n" not in text.strip())
        for id_, text in texts.items()
        if isinstance(text, str) and text
    }
