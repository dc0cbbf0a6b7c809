"""From a code to its sentence."""

from collections import defaultdict
from collections.abc import Mapping

from django.utils.functional import Promise

Sentences = Mapping[str, Promise | str]
"""Code → sentence, in the language of whoever reads it."""


def describe(code: str, sentences: Sentences, detail: Mapping[str, object] | None = None) -> str:
    """Return the sentence of a code, with its detail; without one, the code in words."""
    sentence = str(sentences.get(code) or code.replace("_", " "))
    return sentence % defaultdict(str, detail or {}) if "%(" in sentence else sentence
