"""What a check says: a code, how grave it is, and the place that it is about."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from quizzes.bank.lint.topics import TOPICS, Topic

FindingDetail = Mapping[str, str | int]


class Severity(StrEnum):
    """How grave a finding is, the gravest first."""

    ERROR = "error"  # it keeps the question from being published, or makes it unfair
    WARNING = "warning"  # learners will probably be misled, or need not know anything
    HINT = "hint"  # good questions seldom have it


SEVERITY_ORDER: Final = tuple(Severity)

_WARNINGS = (
    "select_all_pays guessing_pays same_for_all_pays anything_counts cost_without_effect"
    " needs_markup signs_ignored typographic_signs looks_like_code"
    " same_option catch_all_shuffled"
    " missing_feedback missing_hint outdated_translation no_translation untranslated"
    " numbers_differ code_differs formulas_differ listings_differ files_differ"
    " duplicate key_leans mostly_true mostly_false longest_is_right catch_all_is_right"
    " nested_too_deeply formula_unreadable too_many_formulas code_language_unknown"
    " hint_names_key safe_text_names_key"
    " tables_too_large too_many_brackets listing_too_long picture_not_own link_unsafe"
).split()
_HINTS = (
    "no_feedback some_feedback catch_all_option double_negative long_option near_duplicate"
    " same_prompt exact_measure long_answer several_answers file_unused"
).split()

SEVERITIES: Final[Mapping[str, Severity]] = {
    **dict.fromkeys(_WARNINGS, Severity.WARNING),
    **dict.fromkeys(_HINTS, Severity.HINT),
}
"""How grave each code is; one that is not here is an error, as what keeps from publishing is."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to look at. No `question`: of the bank.

    `path` names the place as problems do: `words.es.options.<id>`. `figures` go into the sentence;
    `of` among them is the name of another question.
    """

    code: str
    question: str = ""
    language: str = ""
    path: str = ""
    figures: FindingDetail = field(default_factory=dict)

    @property
    def severity(self) -> Severity:
        """How grave it is."""
        return SEVERITIES.get(self.code, Severity.ERROR)

    @property
    def topic(self) -> Topic:
        """What it is about."""
        return TOPICS.get(self.code, Topic.PUBLISHING)

    @property
    def part(self) -> str:
        """The part of the question that it is about, `options` say; "" where it is all of it."""
        return self._steps[0]

    @property
    def row(self) -> str:
        """The id of the row within the part, "" where there is none."""
        return self._steps[1]

    @property
    def about(self) -> str:
        """The other question that it is about, "" where there is none."""
        return str(self.figures.get("of", "")) if self.question else ""

    @property
    def _steps(self) -> tuple[str, str]:
        steps = self.path.split(".")
        if steps[0] in {"words", "feedback"}:
            steps = steps[2:]
        part, row = ([*steps, "", ""])[:2]
        return part, row


def by_severity(finding: Finding) -> tuple[int, str, str, str]:
    """Return what findings of one question are sorted by."""
    return SEVERITY_ORDER.index(finding.severity), finding.path, finding.language, finding.code
