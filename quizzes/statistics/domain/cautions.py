"""Why a figure is missing, or is to be read with care: codes, which an interface says in words."""

from enum import StrEnum

FEW_ATTEMPTS = 30
"""Below this many attempts a correlation or reliability is an impression: a figure says so."""


class Caution(StrEnum):
    """A reason beside a figure, or instead of it."""

    NO_ATTEMPTS = "no_attempts"
    TOO_FEW_ATTEMPTS = "too_few_attempts"
    """Missing: the formula needs more."""
    FEW_ATTEMPTS = "few_attempts"
    """There, but of fewer than 30 attempts."""
    NO_VARIATION = "no_variation"
    """Missing: everybody has the same score, or the same mark."""
    ONE_QUESTION = "one_question"
    """Missing: nothing beside the question to compare it with."""
    NEGATIVE_COVARIANCE = "negative_covariance"
    """Missing: an effective weight of a question whose marks fall as totals rise."""
    DRAWN_QUESTIONS = "drawn_questions"
    """There, by another formula: not everybody had the same questions."""
    UNEQUAL_DRAWS = "unequal_draws"
    """Missing: drawn questions of unequal worth or number have no reliability in one formula."""
    DIFFERENT_MAXIMA = "different_maxima"
    """There, as a share of the maximum: attempts could earn different maxima."""
    FEW_COMMON_QUESTIONS = "few_common_questions"
    """Missing: learners have too few questions in common to be matched by."""
    SMALL_GROUP = "small_group"
    """Withheld: a part of so few attempts would show the scores or choices of a person."""
    ONE_LANGUAGE = "one_language"
    """Missing: fewer than two languages have enough attempts."""
