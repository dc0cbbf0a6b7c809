"""Reading published questions: papers for takers, secrets for graders. Both frozen, both kept.

`papers` never touches the tables of keys and feedback; `secrets` is for grading and reveal.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from grading.contract import Json
from quizzes.bank.models import QuestionVersion, Rendition, VersionFeedback, VersionKey
from quizzes.lib.markup import render
from quizzes.lib.memory import Memory


@dataclass(frozen=True, slots=True)
class Rendered:
    """The words of a version in one language, as safe HTML."""

    language: str
    prompt: str
    options: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Paper:
    """What a taker may see of a version, in every language it has."""

    uuid: UUID
    version_id: int
    kind: str
    scheme: str
    content: Mapping[str, Json]
    source_language: str
    renditions: Mapping[str, Rendered]

    def words(self, language: str) -> Rendered:
        """Give the words in this language, else in the source's."""
        return self.renditions.get(language) or self.renditions[self.source_language]


@dataclass(frozen=True, slots=True)
class Said:
    """What reveal may say of a version in one language, as safe HTML; empty where nothing is."""

    language: str
    options: Mapping[str, str]
    explanation: str


@dataclass(frozen=True, slots=True)
class Secret:
    """The key of a version and what is said about it."""

    key: Mapping[str, Json]
    source_language: str
    said: Mapping[str, Said]

    def words(self, language: str) -> Said:
        """Give the feedback in this language, else in the source's."""
        return self.said.get(language) or self.said[self.source_language]


_papers: Memory[UUID, Paper] = Memory(5000)
_secrets: Memory[UUID, Secret] = Memory(5000)


def papers(versions: Iterable[UUID]) -> dict[UUID, Paper]:
    """Give the papers of these versions, two queries for those not read before, else none."""
    return _papers.get_many(versions, _load_papers)


def secrets(versions: Iterable[UUID]) -> dict[UUID, Secret]:
    """Give key and feedback of these versions, two queries for those not read before, else none."""
    return _secrets.get_many(versions, _load_secrets)


def _load_papers(wanted: list[UUID]) -> dict[UUID, Paper]:
    renditions: dict[int, dict[str, Rendered]] = {}
    for row in Rendition.objects.filter(version__uuid__in=wanted):
        renditions.setdefault(row.version_id, {})[row.language] = rendered(row.language, row.words)
    return {
        version.uuid: Paper(
            version.uuid,
            version.pk,
            version.kind,
            version.scheme,
            version.content,
            version.source_language,
            renditions[version.pk],
        )
        for version in QuestionVersion.objects.filter(uuid__in=wanted)
    }


def _load_secrets(wanted: list[UUID]) -> dict[UUID, Secret]:
    said: dict[int, dict[str, Said]] = {}
    for row in VersionFeedback.objects.filter(version__uuid__in=wanted):
        said.setdefault(row.version_id, {})[row.language] = spoken(row.language, row.words)
    rows = VersionKey.objects.select_related("version").filter(version__uuid__in=wanted)
    return {
        row.version.uuid: Secret(row.key, row.version.source_language, said[row.version_id])
        for row in rows
    }


def rendered(language: str, words: Mapping[str, Any]) -> Rendered:
    """Render the words a taker may see: of a rendition, or of a draft in a preview."""
    return Rendered(language, render(words.get("prompt") or ""), _html(words.get("options")))


def spoken(language: str, words: Mapping[str, Any]) -> Said:
    """Render what is said about the options, and why: of a version, or of a draft in a preview."""
    return Said(language, _html(words.get("options")), render(words.get("explanation") or ""))


def _html(texts: Any) -> dict[str, str]:
    """Render short texts; one line stands inside its row, more lines are blocks."""
    return {
        part: render(text, inline="\n" not in text.strip())
        for part, text in (texts or {}).items()
        if text
    }
