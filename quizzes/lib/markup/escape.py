"""Plain text as Markdown: what would be markup is escaped. Pure."""

import re

_PUNCTUATION = r"!-/:-@\[-`{-~"
_SPECIAL = re.compile(
    rf"""
      [`*$\[\]]
    | \\(?=[{_PUNCTUATION}]|\n|$)     # elsewhere a backslash is one
    | (?<![^\W_])_ | _(?![^\W_])      # within a word it is no markup
    | ~(?=~) | (?<=~)~
    | <(?=[A-Za-z])                   # an address
    | &(?=\#|[A-Za-z])                # a character by its name
    | !(?=\[|$)
    """,
    re.VERBOSE,
)
_LINE = re.compile(r"([#>|:=+-])|(\d{1,9})([.)])(?=\s|$)")


def escape_markdown(text: str) -> str:
    """Return plain text as Markdown: its words, lines and paragraphs show as they are."""
    stripped = "\n".join(line.strip(" \t") for line in text.strip().split("\n"))
    paragraphs = map(escape_inline, re.split(r"\n\s*\n", stripped))
    return "\n\n".join(
        "\\\n".join(map(escape_line_start, paragraph.split("\n"))) for paragraph in paragraphs
    )


def escape_inline(text: str) -> str:
    """Escape what is markup anywhere in a line."""
    return _SPECIAL.sub(r"\\\g<0>", text)


def escape_line_start(line: str) -> str:
    """Escape what is markup at the beginning of a line: headings, lists, quotations, tables."""
    match = _LINE.match(line)
    if not match:
        return line
    return f"\\{line}" if match[1] else f"{match[2]}\\{line[len(match[2]) :]}"
