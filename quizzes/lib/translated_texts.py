"""Texts with one translation a language, as JSON columns store them: language → text."""

from collections.abc import Mapping


def choose_text(texts: Mapping[str, str], language: str, source: str) -> tuple[str, str]:
    """Return a text and the language it is in: the requested one, else the source's."""
    text = texts.get(language)
    return (text, language) if text else (texts.get(source, ""), source)
