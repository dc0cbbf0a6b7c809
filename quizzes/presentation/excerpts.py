"""The beginning of a text, for lists and sentences."""

import re
from html import unescape

from django.utils.translation import gettext

# Between blocks a space parts the words; the tags within a line leave the words as they stand.
_INLINE_TAG = re.compile(r"</?(?:a|code|del|em|s|span|strong|sub|sup)\b[^>]*>")
_TAG = re.compile(r"<[^>]*>")
EXCERPT = 90


def excerpt(html: str) -> str:
    """Return the beginning of a text without its markup."""
    text = " ".join(unescape(_TAG.sub(" ", _INLINE_TAG.sub("", html))).split())
    return text if len(text) <= EXCERPT else f"{text[:EXCERPT].rstrip()}…"


def quote(text: str) -> str:
    """Return a text in the quotation marks of the reader's language."""
    return gettext("“%(text)s”") % {"text": text}
