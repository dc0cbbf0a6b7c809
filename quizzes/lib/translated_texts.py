"""Texts with one translation a language, as JSON columns store them: language → text."""

from collections.abc import Mapping

from django.utils.translation import get_language


def choose_text(texts: Mapping[str, str], language: str, source: str) -> tuple[str, str]:
    """Return a text and the language it is in: the requested one, else the source's."""
    text = texts.get(language)
    return (text, language) if text else (texts.get(source, ""), source)


def choose_title(titles: Mapping[str, str], source: str) -> str:
    """Return a title in the language of the page, else the source's; "": it has none."""
    return choose_text(titles, get_language() or source, source)[0]
