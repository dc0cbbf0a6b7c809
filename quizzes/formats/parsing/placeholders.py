"""Placeholders for gaps while a text is converted: words that the text does not have. Pure."""

import re
from collections.abc import Iterable

from quizzes.lib.html_conversion.formulas import TEX


def find_free_word(texts: Iterable[str]) -> str:
    """Return the beginning of words that these texts do not have."""
    all_texts, word = list(texts), "Gapword"
    while any(word in text for text in all_texts):
        word += "x"
    return word


def build_placeholder(word: str, number: int | str) -> str:
    """Return the placeholder for one gap, counted from 1."""
    return f"{word}{number}Z"


def is_in_formula(html: str, placeholder: str) -> bool:
    """Return whether a placeholder is in a formula, where none of our gaps can be."""
    return any(placeholder in match[0] for match in TEX.finditer(html))


def restore_marks(text: str, word: str) -> str:
    """Return a text with `[[gap-1]]` in the place of the placeholders."""
    return re.sub(rf"{word}(\d+)Z", r"[[gap-\1]]", text)
