"""Pages that are one quotation: every line begins with `>`. Pure."""

import re

_QUOTED = re.compile(r"[ \t]*>[ ]?")
_NEARLY_ALL = 9, 10


def unquote_page(text: str) -> str:
    """Return a page line by line, without the marks of a quotation if nearly all lines have one."""
    lines = text.split("\n")
    filled = [line for line in lines if line.strip()]
    quoted = sum(_QUOTED.match(line) is not None for line in filled)
    share, of = _NEARLY_ALL
    if of * quoted <= share * len(filled):
        return text
    return "\n".join(_QUOTED.sub("", line, count=1) for line in lines)
