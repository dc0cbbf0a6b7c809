"""Gaps while their text becomes Markdown: each is a word that the text does not have. Pure."""

import re
from collections.abc import Iterable

from quizzes.formats.html.formulas import TEX


def free_word(texts: Iterable[str]) -> str:
    """Give the beginning of words that these texts do not have."""
    all_texts, word = list(texts), "Gapword"
    while any(word in one for one in all_texts):
        word += "x"
    return word


def standing(word: str, number: int) -> str:
    """Give the word for one gap, counted from 1."""
    return f"{word}{number}Z"


def within_formula(html: str, word: str) -> bool:
    """Tell whether a gap stands in a formula, where none of ours can."""
    return any(word in match[0] for match in TEX.finditer(html))


def marked(text: str, word: str) -> str:
    """Put `[[gap-1]]` where the words stand."""
    return re.sub(rf"{word}(\d+)Z", r"[[gap-\1]]", text)
