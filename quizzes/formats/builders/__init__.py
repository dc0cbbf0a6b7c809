"""Building questions of our kinds from what a file says: one function a kind. Pure.

Readers fill values (`Head`, `Option`, `Accepted`, `Number`, `Gap`, `SourceChoice`) from their
syntax; `choice_settling` and `answer_settling` decide what counts and what is doubtful, and the
builders know which tables, fields and texts that is.
"""

from grading.short_text.wildcard import escape_wildcards
from quizzes.formats.builders.choice import (
    Option,
    SourceChoice,
    build_choice,
    build_true_false,
    infer_scoring_method,
)
from quizzes.formats.builders.choice_settling import (
    compute_full_points,
    exceeds_weights,
    settle_choice,
    share_points,
)
from quizzes.formats.builders.cloze import Gap, build_cloze
from quizzes.formats.builders.feedback import add_hints, add_row_feedback, add_score_feedback
from quizzes.formats.builders.lower_bound import (
    find_least_filling,
    settle_lower_bound,
    settle_typed_bound,
    settle_wrong_order,
)
from quizzes.formats.builders.open_settling import settle_open, settle_without_options
from quizzes.formats.builders.ordering import build_matching, build_ordering
from quizzes.formats.builders.question_head import Head, add_explanation
from quizzes.formats.builders.text_entry import (
    END_BLANKS_IGNORED,
    Accepted,
    Number,
    are_end_blanks_ignored,
    build_essay,
    build_flashcard,
    build_numeric,
    build_short_text,
    build_strict_comparison,
    join_lines,
    strip_layout,
)

__all__ = [
    "END_BLANKS_IGNORED",
    "Accepted",
    "Gap",
    "Head",
    "Number",
    "Option",
    "SourceChoice",
    "add_explanation",
    "add_hints",
    "add_row_feedback",
    "add_score_feedback",
    "are_end_blanks_ignored",
    "build_choice",
    "build_cloze",
    "build_essay",
    "build_flashcard",
    "build_matching",
    "build_numeric",
    "build_ordering",
    "build_short_text",
    "build_strict_comparison",
    "build_true_false",
    "compute_full_points",
    "escape_wildcards",
    "exceeds_weights",
    "find_least_filling",
    "infer_scoring_method",
    "join_lines",
    "settle_choice",
    "settle_lower_bound",
    "settle_open",
    "settle_typed_bound",
    "settle_without_options",
    "settle_wrong_order",
    "share_points",
    "strip_layout",
]
