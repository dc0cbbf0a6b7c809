"""A person as a list names them, and the list."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from quizzes.formats.contract import FileError

MAX_NAME: Final = 150
MAX_SCHOOL_ID: Final = 64
MAX_ADDRESS: Final = 254
_LETTER = r"[^\s@<>,;:\"()\[\]\\]"
ADDRESS = re.compile(rf"{_LETTER}+@{_LETTER}+")
_WHOLE_ADDRESS = re.compile(rf"{_LETTER}+@{_LETTER}+\.{_LETTER}{{2,}}")


@dataclass(frozen=True, slots=True)
class ListedPerson:
    """A line of a list; `problem` is the code of why it cannot be used, "" if it can.

    Without a problem the address looks like one; nothing is said of whether it exists.
    """

    line: int
    email: str
    name: str = ""
    school_id: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class RosterFile:
    """The people of a list in its order, what keeps it from being read, and what to choose from.

    `sections`: the classes of a package that has several, as (id, title).
    """

    people: tuple[ListedPerson, ...] = ()
    errors: tuple[FileError, ...] = ()
    sections: tuple[tuple[str, str], ...] = ()
    left_out: int = 0


def build_person(
    line: int, *, email: str, name: str, school_id: str, problem: str = ""
) -> ListedPerson:
    """Return the person of a line, each part on one line and short; else with the problem."""
    email, name, school_id = map(_join_blanks, (email, name, school_id))
    problem = problem or _find_problem(email, name, school_id)
    return ListedPerson(
        line, email[:MAX_ADDRESS], name[:MAX_NAME], school_id[:MAX_SCHOOL_ID], problem
    )


def _find_problem(email: str, name: str, school_id: str) -> str:
    if not email:
        return "email_missing"
    if len(email) > MAX_ADDRESS or not _WHOLE_ADDRESS.fullmatch(email):
        return "email_invalid"
    if len(name) > MAX_NAME:
        return "name_too_long"
    return "school_id_too_long" if len(school_id) > MAX_SCHOOL_ID else ""


def join_name(parts: Iterable[str]) -> str:
    """Return a name from its parts; of one that is written "Family, Given", in that order."""
    name = " ".join(filter(None, map(_join_blanks, parts)))
    family, comma, given_name = name.partition(",")
    return f"{given_name.strip()} {family.strip()}".strip() if comma else name


def _join_blanks(text: str) -> str:
    return " ".join(text.split())
