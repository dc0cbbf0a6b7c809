"""By what a note is known again: the mark that it carries, as a name of ours and back."""

import hashlib
import re

from quizzes.formats.parsing.naming import LONGEST, slug

_OURS = re.compile(r"ochenta:([a-z0-9-]*)/([a-z0-9-]{1,100})/([a-z]{2,3})")
"""What the notes are called that were made of a bank of ours: bank, question, language."""


def called(guid: str) -> str:
    """Give a note the name that it has whatever becomes of its words."""
    if found := _OURS.fullmatch(guid):
        return found[2]
    if guid and len(guid) <= LONGEST and guid == slug(guid):
        return guid
    return f"anki-{hashlib.sha256(guid.encode('utf-8', 'replace')).hexdigest()[:12]}"


def marked(bank: str, name: str, language: str) -> str:
    """Give the mark of a note that is made of a question in one of its languages."""
    return f"ochenta:{bank}/{name}/{language}"


def language_of(guid: str) -> str:
    """Give the language of a note that was made of ours; else ""."""
    found = _OURS.fullmatch(guid)
    return found[3] if found else ""
