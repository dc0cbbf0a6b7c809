"""The option that none of the others is right, where a format has no other way to say it. Pure."""

IDENT = "none_apply"
_WORDS = {"en": "None of these", "es": "Ninguna de estas"}


def said(language: str) -> str:
    """Give its words; in other languages they are English."""
    return _WORDS.get(language, _WORDS["en"])
