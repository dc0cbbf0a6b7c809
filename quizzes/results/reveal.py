"""Reveal: what of score, correctness, feedback, hints, key and explanation may be shown to whom.

Pure, and the only place that decides. Every interface asks it; whatever it does not know, it hides.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction

from grading.contract import LedgerLine
from quizzes.publishing.policies import RevealPolicy

OVERSEER = "overseer"
LEARNER = "learner"
PRACTISED = "practised"
"""The state of a question that is practised, beside those of attempts."""


@dataclass(frozen=True, slots=True)
class RevealContext:
    """What the decision rests on.

    `passed`: this attempt or the learner's quiz grade passes. `exhausted`: no attempt is left for
    the learner, ever, or they gave up those that are. `closed`: the last window of anyone is
    over, accommodations included. Of what is practised: `over`, no try is left; `live`, a graded
    quiz that the learner may still take can ask it.
    """

    state: str
    role: str
    passed: bool = False
    exhausted: bool = False
    closed: bool = False
    over: bool = False
    live: bool = False


@dataclass(frozen=True, slots=True)
class Visibility:
    """What may be shown. `all_options`: feedback also of options that were not chosen.

    `hints`: with where to read on and what may come early, of questions that were not got right.
    """

    score: bool = False
    correctness: bool = False
    feedback: bool = False
    hints: bool = False
    key: bool = False
    explanation: bool = False
    all_options: bool = False


NOTHING = Visibility()
EVERYTHING = Visibility(**{field.name: True for field in fields(Visibility)})


def reveal(policy: RevealPolicy, context: RevealContext) -> Visibility:
    """Decide. Before an attempt is graded there is nothing to show to anyone but overseers."""
    if context.role == OVERSEER:
        return EVERYTHING
    if context.role == LEARNER and context.state == PRACTISED:
        return _reveal_practised(context)
    if context.role != LEARNER or context.state != "graded":
        return NOTHING
    feedback = _has_come(policy.feedback, context)
    return Visibility(
        score=_has_come(policy.score, context),
        correctness=_has_come(policy.correctness, context),
        feedback=feedback,
        hints=_has_come(policy.hints, context),
        key=_has_come(policy.key, context),
        explanation=_has_come(policy.explanation, context),
        all_options=policy.all_options and feedback,
    )


def _reveal_practised(context: RevealContext) -> Visibility:
    """Decide on a practised question: several tries at a live one would tell its key."""
    if context.live:
        return Visibility(hints=True)
    if context.over:
        return replace(EVERYTHING, all_options=False)
    return Visibility(score=True, correctness=True, feedback=True, hints=True)


def _has_come(moment: str, facts: RevealContext) -> bool:
    """Return whether a moment has come; one that is unknown here never does."""
    return {
        "after_submit": True,
        "after_pass": facts.passed,
        "after_last_attempt": facts.passed or facts.exhausted or facts.closed,
        "after_close": facts.closed,
    }.get(moment, False)


def ledger(lines: Sequence[LedgerLine], visible: Visibility) -> tuple[LedgerLine, ...]:
    """Return the lines of a mark that may be shown; their sum stays the mark, exactly.

    Without the key, a line about a part that was not chosen would tell whether it is right: such
    lines are merged into one that shows only what they earned.
    """
    if not (visible.correctness and visible.score):
        return ()
    if visible.key:
        return tuple(lines)
    return tuple(_without_key(lines))


def _without_key(lines: Sequence[LedgerLine]) -> Iterator[LedgerLine]:
    yield from (line for line in lines if line.chosen is not False)
    rest = [line for line in lines if line.chosen is False]
    if rest:
        earned = sum((line.earned for line in rest), Fraction())
        yield LedgerLine("not_chosen", chosen=False, right=None, earned=earned, reason="not_chosen")
