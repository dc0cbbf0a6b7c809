"""What the templates of a reviewed question are given: plain values, ready to be shown."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

ANSWER_STATES = {"correct": "right", "partially_correct": "partly", "incorrect": "wrong"}
"""How a page marks an answer, by its outcome."""


@dataclass(frozen=True, slots=True)
class OptionRow:
    """One option of an answered question.

    `state` is right, partly, wrong, missed, or "" where none applies or it is not revealed.
    """

    html: SafeString
    lang: str
    chosen: bool
    state: str
    feedback_html: SafeString | None
    feedback_lang: str
    earned: str | None


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """One line of a ledger, in words."""

    text: str
    earned: str


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """What was answered in one place of a question: a field, a gap, one half of a pair.

    `label` names the place where a question has several. `state` is right, partly, wrong, or ""
    where that is not revealed; `expected` is what would have been right, None unless revealed.
    """

    label: SafeString | str
    answer: SafeString | str
    lang: str
    state: str
    expected: SafeString | str | None
    feedback_html: SafeString | None
    feedback_lang: str
    earned: str | None


@dataclass(frozen=True, slots=True)
class Fragment:
    """A part of an answered question; its template gets `row`.

    Equal fragments are rendered once and cached; what few learners share and may be long, like an
    essay, is not.
    """

    template: str
    row: Hashable
    cached: bool = True


@dataclass(frozen=True, slots=True)
class ReviewContent:
    """An answered question, as `review.html` shows it.

    `fragments` stand where the template writes `{{ question.fragments.<name> }}`, `frame` is given
    to it as `question.frame`: of the question alone, for the template is rendered once for each.
    """

    fragments: Mapping[str, Sequence[Fragment]]
    frame: Hashable = None


@dataclass(frozen=True, slots=True)
class ReviewedQuestion:
    """One question of a result page; `number` is 0 where it is asked by itself."""

    number: int
    kind: str
    prompt_html: SafeString
    lang: str
    points_earned: str | None
    points: str
    is_bonus: bool
    state: str | None
    remarks: tuple[SafeString, ...]
    explanation_html: SafeString | None
    hints: tuple[SafeString, ...]
    reading_link_html: SafeString | None
    feedback_lang: str
    credit: str | None
    scoring_hint: str
    explained: bool
    renders_prompt: bool
    frame: Hashable
