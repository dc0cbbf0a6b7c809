"""A list of people on its way from the process that reads it: as JSON, and back. Pure."""

from typing import Any

from quizzes.formats.contract import FileError
from quizzes.formats.rosters import MAX_PEOPLE, ListedPerson, RosterFile
from quizzes.imports.sandbox.frames import decode_json, encode_json_frame
from quizzes.lib.dataclass_json import to_json


def encode_roster(roster: RosterFile) -> bytes:
    """Return the frame of a list."""
    return encode_json_frame("people", to_json(roster))


def decode_roster(body: bytes) -> RosterFile:
    """Return the list of a frame; ValueError for what is none."""
    try:
        fields = decode_json(body)
        people = tuple(_decode_person(person) for person in fields["people"][:MAX_PEOPLE])
        errors = tuple(
            FileError(int(error["line"]), *(str(error[key]) for key in _ERROR_TEXTS))
            for error in fields["errors"]
        )
        sections = tuple((str(name), str(title)) for name, title in fields["sections"])
        return RosterFile(people, errors, sections, int(fields["left_out"]))
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError("this is no list as its reader returns it") from error


_ERROR_TEXTS = ("where", "code", "message")
_PERSON_TEXTS = ("email", "name", "school_id", "problem")


def _decode_person(fields: Any) -> ListedPerson:
    return ListedPerson(int(fields["line"]), *(str(fields[key])[:300] for key in _PERSON_TEXTS))
