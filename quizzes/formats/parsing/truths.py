"""The words by which files say that a statement is true or false. Pure."""

_TRUE = {"true", "verdadero", "vrai", "verdadeiro", "richtig", "wahr", "t"}
_FALSE = {"false", "falso", "faux", "falsch", "f"}


def truth(text: str) -> bool | None:
    """Tell which of both a text says; None for any other."""
    said = text.strip().lower()
    return True if said in _TRUE else False if said in _FALSE else None
