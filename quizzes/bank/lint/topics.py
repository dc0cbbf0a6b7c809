"""What findings are about, so that a long list can be looked at one topic after the other."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final


class Topic(StrEnum):
    """What a finding is about."""

    PUBLISHING = "publishing"  # what keeps a question from being published
    SCORING = "scoring"
    ACCEPTED = "accepted"
    WORDING = "wording"
    FEEDBACK = "feedback"
    LANGUAGES = "languages"
    DUPLICATES = "duplicates"
    KEY_BIAS = "key_bias"
    FILES = "files"
    DISPLAY = "display"


_CODES: Final[Mapping[Topic, str]] = {
    Topic.SCORING: "select_all_pays guessing_pays same_for_all_pays anything_counts"
    " cost_without_effect",
    Topic.ACCEPTED: (
        "needs_markup several_answers long_answer exact_measure signs_ignored typographic_signs"
        " looks_like_code"
    ),
    Topic.WORDING: (
        "same_option equal_rows catch_all_option catch_all_shuffled double_negative long_option"
    ),
    Topic.FEEDBACK: "no_feedback some_feedback hint_names_key safe_text_names_key",
    Topic.LANGUAGES: (
        "missing_feedback missing_hint outdated_translation no_translation untranslated"
        " numbers_differ code_differs formulas_differ listings_differ files_differ"
    ),
    Topic.DUPLICATES: "duplicate near_duplicate same_prompt",
    Topic.KEY_BIAS: "key_leans mostly_true mostly_false longest_is_right catch_all_is_right",
    Topic.FILES: "media_unknown media_malformed alt_missing file_unused picture_not_own",
    Topic.DISPLAY: (
        "nested_too_deeply formula_unreadable too_many_formulas code_language_unknown"
        " tables_too_large too_many_brackets listing_too_long link_unsafe"
    ),
}

TOPICS: Final[Mapping[str, Topic]] = {
    code: topic for topic, codes in _CODES.items() for code in codes.split()
}
"""What each code is about; one that is not here keeps a question from being published."""
