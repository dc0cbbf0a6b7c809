"""The id by which a note is known again, as a name of ours and back."""

import hashlib
import re

from quizzes.formats.parsing.naming import MAX_NAME_LENGTH, slugify

_OURS = re.compile(r"ochenta:([a-z0-9-]*)/([a-z0-9-]{1,100})/([a-z]{2,3})")
"""The ids of notes that were made of a bank of ours: bank, question, language."""


def name_note(note_id: str) -> str:
    """Return the name of a note, which stays whatever becomes of its words."""
    if match := _OURS.fullmatch(note_id):
        return match[2]
    if note_id and len(note_id) <= MAX_NAME_LENGTH and note_id == slugify(note_id):
        return note_id
    return f"anki-{hashlib.sha256(note_id.encode('utf-8', 'replace')).hexdigest()[:12]}"


def build_note_id(bank: str, name: str, language: str) -> str:
    """Return the id of a note that is made of a question in one of its languages."""
    return f"ochenta:{bank}/{name}/{language}"


def read_language(note_id: str) -> str:
    """Return the language of a note that was made of ours; else ""."""
    match = _OURS.fullmatch(note_id)
    return match[3] if match else ""
