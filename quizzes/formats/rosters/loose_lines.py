"""Lines of people without headings: what is an address, a number and a name is seen by its form."""

import csv
import re
from collections.abc import Iterator, Sequence

from quizzes.formats.rosters.people import ADDRESS, ListedPerson, build_person, join_name

_SCHOOL_ID = re.compile(r"[\w./-]*\d[\w./-]*")
_MAILBOX = re.compile(rf"(?:\"([^\"]*)\"|([^<>,;\"@]*?))\s*<?({ADDRESS.pattern})>?(?:[,;\s]+|$)")
_DELIMITERS = "\t;,|"


def read_loose_lines(text: str) -> Iterator[ListedPerson]:
    """Yield the people of a text: cells in any order, or addresses one after another."""
    for number, line in enumerate(text.split("\n"), start=1):
        if len(ADDRESS.findall(line)) > 1:
            yield from _read_mailboxes(number, line)
        elif line.strip():
            delimiter = next((sign for sign in _DELIMITERS if sign in line), ",")
            yield read_loose_cells(number, next(csv.reader([line], delimiter=delimiter)))


def _read_mailboxes(number: int, line: str) -> Iterator[ListedPerson]:
    end = 0
    for mailbox in _MAILBOX.finditer(line):
        if line[end : mailbox.start()].strip(" ,;"):
            break
        end = mailbox.end()
        name = join_name([mailbox[1] or mailbox[2] or ""])
        yield build_person(number, email=mailbox[3], name=name, school_id="")
    if line[end:].strip(" ,;"):
        yield build_person(number, email=line[end:].strip(" ,;"), name="", school_id="")


def read_loose_cells(number: int, cells: Sequence[str], problem: str = "") -> ListedPerson:
    """Return the person of one row of cells."""
    email, names, school_ids, display_name = "", list[str](), list[str](), ""
    for cell in map(str.strip, cells):
        address = ADDRESS.search(cell)
        if address is not None and not email:
            email = address[0]
            display_name = cell.replace(f"<{email}>", "").replace(email, "").strip(" \"'")
        elif _SCHOOL_ID.fullmatch(cell):
            school_ids.append(cell)
        elif cell:
            names.append(cell)
    if not email and names and not problem:
        problem = "email_missing"
    # "Lovelace, Ada <ada@example.org>", and two columns, of which nobody knows which is which.
    name = join_name([display_name, *names] if display_name else names)
    school_id = school_ids[0] if school_ids else ""
    return build_person(number, email=email, name=name, school_id=school_id, problem=problem)
