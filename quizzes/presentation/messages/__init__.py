"""One sentence a code, for every interface: pages, API, files and commands ask here."""

from quizzes.presentation.messages.attempts import (
    FORMAT_ERRORS,
    OUTCOMES,
    REASONS,
    REFUSALS,
    REVEAL_MOMENTS,
    REVEALED,
    SCORING_METHODS,
    describe_attempt_limits,
    describe_format_error,
    describe_reason,
    describe_refusal,
    describe_reveal,
    describe_scoring_method,
    describe_single_answer_scoring,
)

__all__ = [
    "FORMAT_ERRORS",
    "OUTCOMES",
    "REASONS",
    "REFUSALS",
    "REVEALED",
    "REVEAL_MOMENTS",
    "SCORING_METHODS",
    "describe_attempt_limits",
    "describe_format_error",
    "describe_reason",
    "describe_refusal",
    "describe_reveal",
    "describe_scoring_method",
    "describe_single_answer_scoring",
]
