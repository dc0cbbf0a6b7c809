"""Policies: the rules of one quiz version in plain values, frozen with it. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any


@dataclass(frozen=True, slots=True)
class RevealPolicy:
    """When each thing may be shown: moments as in `RevealMoment`; unknown moments show nothing."""

    score: str = "after_submit"
    correctness: str = "after_submit"
    feedback: str = "after_submit"
    hints: str = "after_submit"
    key: str = "after_last_attempt"
    explanation: str = "after_last_attempt"
    all_options: bool = False


@dataclass(frozen=True, slots=True)
class Policies:
    """Everything that decides how a quiz version is taken, kept and shown."""

    mode: str = "graded"
    time_limit_minutes: int | None = None
    grace_seconds: int = 10
    max_attempts: int | None = None
    cooldown_minutes: int = 0
    window_attempts: int | None = 3
    window_hours: int = 8
    attempt_grade_policy: str = "highest"
    scoring_method: str = ""
    shuffle_questions: bool = False
    shuffle_options: bool = True
    one_question_a_page: bool = False
    lock_questions: bool = False
    one_device: bool = False
    practice_credits: str = "1, 1/2, 1/4"
    practice_shows_keys: bool = False
    reveal: RevealPolicy = field(default_factory=RevealPolicy)

    def to_json(self) -> dict[str, Any]:
        """Return the policies as a quiz version or a manifest stores them."""
        # `asdict` copies each value by itself: 190 calls an attempt.
        return {**_list_values(self), "reveal": _list_values(self.reveal)}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "Policies":
        """Read what `to_json` wrote; a name this code does not know: TypeError."""
        rest = {name: value for name, value in stored.items() if name != "reveal"}
        return cls(**rest, reveal=RevealPolicy(**stored.get("reveal", {})))

    @property
    def time_limit(self) -> timedelta | None:
        """How long an attempt may take, before any accommodation."""
        return (
            None if self.time_limit_minutes is None else timedelta(minutes=self.time_limit_minutes)
        )

    @property
    def grace(self) -> timedelta:
        """How late a save may arrive and still count: the network's part, not the learner's."""
        return timedelta(seconds=self.grace_seconds)


def _list_values(rules: Policies | RevealPolicy) -> dict[str, Any]:
    return {name: getattr(rules, name) for name in rules.__slots__}
