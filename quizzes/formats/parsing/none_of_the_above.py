"""The option "None of these", for formats that have no flag for it. Pure."""

IDENTIFIER = "none_apply"
_WORDS = {"en": "None of these", "es": "Ninguna de estas"}


def render_label(language: str) -> str:
    """Return its text; English in languages other than these."""
    return _WORDS.get(language, _WORDS["en"])
