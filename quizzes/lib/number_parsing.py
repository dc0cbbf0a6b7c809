"""Whole numbers out of text that anybody may have sent. Pure."""


def parse_count(text: str, *, maximum: int, default: int = 0) -> int:
    """Return a whole number, at most `maximum`; `default` for what is none, or has more digits."""
    is_count = text.isascii() and text.isdigit() and len(text) <= len(str(maximum))
    return min(int(text), maximum) if is_count else default
