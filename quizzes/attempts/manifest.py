"""The manifest: all that is needed to show, grade and replay one attempt. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any
from uuid import UUID

from grading.json_types import ratio_from_json, ratio_to_json
from grading.kinds import KINDS
from quizzes.lib.errors import Corrupt
from quizzes.lib.translated_texts import choose_text
from quizzes.publishing.policies import Policies

FORM = 1
UNREADABLE = "manifest_unreadable"
KIND_UNKNOWN = "kind_unknown"


@dataclass(frozen=True, slots=True)
class Slot:
    """One question of one attempt: which version, for how many points, in which order."""

    version: UUID
    question: UUID
    kind: str
    scoring_method: str
    points: Fraction
    section: int
    order: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Manifest:
    """What was drawn for one attempt, and the rules it is taken under."""

    quiz: UUID
    slug: str
    quiz_version: UUID
    title: Mapping[str, str]
    source_language: str
    policies: Policies
    threshold: Fraction
    seed: str
    slots: tuple[Slot, ...]

    @property
    def maximum(self) -> Fraction:
        """The points there are to earn."""
        return sum((slot.points for slot in self.slots), Fraction())

    def title_in(self, language: str) -> tuple[str, str]:
        """Return the title and the language it is in: this one, else the source's."""
        return choose_text(self.title, language, self.source_language)

    def to_json(self) -> dict[str, Any]:
        """Return the manifest as an attempt stores it."""
        return {
            "form": FORM,
            "quiz": str(self.quiz),
            "slug": self.slug,
            "quiz_version": str(self.quiz_version),
            "title": dict(self.title),
            "source_language": self.source_language,
            "policies": self.policies.to_json(),
            "threshold": ratio_to_json(self.threshold),
            "seed": self.seed,
            "slots": [_slot_to_json(slot) for slot in self.slots],
        }

    @classmethod
    def from_json(cls, stored: Any) -> "Manifest":
        """Read what `to_json` wrote; whatever else is stored, of any shape: Corrupt."""
        try:
            return cls._from_json(stored)
        except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError) as error:
            if isinstance(error, Corrupt):
                raise
            raise Corrupt(UNREADABLE) from error

    @classmethod
    def _from_json(cls, stored: Mapping[str, Any]) -> "Manifest":
        if stored["form"] != FORM:
            raise ValueError(f"a manifest of form {stored['form']!r} is unknown here")
        return cls(
            quiz=_read_uuid(stored["quiz"]),
            slug=stored["slug"],
            quiz_version=_read_uuid(stored["quiz_version"]),
            title=dict(stored["title"]),
            source_language=stored["source_language"],
            policies=Policies.from_json(stored["policies"]),
            threshold=ratio_from_json(stored["threshold"]),
            seed=stored["seed"],
            slots=_slots(stored["slots"]),
        )


def _slot_to_json(slot: Slot) -> dict[str, Any]:
    return {
        "version": str(slot.version),
        "question": str(slot.question),
        "kind": slot.kind,
        "scoring_method": slot.scoring_method,
        "points": ratio_to_json(slot.points),
        "section": slot.section,
        "order": list(slot.order),
    }


def _slots(stored: Sequence[Mapping[str, Any]]) -> tuple[Slot, ...]:
    return tuple(
        Slot(
            version=_read_uuid(slot["version"]),
            question=_read_uuid(slot["question"]),
            kind=_kind(slot["kind"]),
            scoring_method=slot["scoring_method"],
            points=_read_ratio(*slot["points"]),
            section=slot["section"],
            order=tuple(slot["order"]),
        )
        for slot in stored
    )


# The attempts at a quiz have the same few ids and points: read anew in each slot, they are what a
# regrade of many attempts would do most.
_read_uuid = lru_cache(maxsize=10_000)(UUID)


@lru_cache(maxsize=1_000, typed=True)  # typed: neither True nor 1.0 is read as 1
def _read_ratio(numerator: Any, denominator: Any) -> Fraction:
    return ratio_from_json([numerator, denominator])


def _kind(name: str) -> str:
    if name not in KINDS:
        raise Corrupt(KIND_UNKNOWN)
    return name
