"""What is found in questions and banks, in the author's words, for every door: a code, a sentence.

A finding says what is the case and what to do about it, and leaves it to the author.
"""

from collections.abc import Mapping
from fractions import Fraction

from django.conf import settings

from quizzes.bank.sayings.findings import ADVICE, SEVERITY, TOPIC
from quizzes.bank.sayings.problems import SENTENCES

__all__ = ["ADVICE", "SENTENCES", "SEVERITY", "TOPIC", "language_name", "say"]


def say(code: str, detail: Mapping[str, object]) -> str:
    """Put a finding into words; a code that is unknown here stands for itself."""
    named = dict(detail)
    if "language" in named:
        named["language"] = language_name(str(named["language"]))
    if "credit" in named:
        named["credit"] = f"{round(Fraction(str(named['credit'])) * 100)} %"
    sentence = ADVICE.get(code) or SENTENCES.get(code)
    return str(sentence) % named if sentence else code.replace("_", " ")


def language_name(code: str) -> str:
    """Return the name of a language; a language without one is called by its code."""
    return str(dict(settings.LANGUAGES).get(code, code))
