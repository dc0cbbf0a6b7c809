"""OneRoster packages (1.1 and 1.2, CSV): the students of one class of a ZIP."""

from collections.abc import Iterator, Mapping

from quizzes.formats.contract import FileError
from quizzes.formats.parsing.packages import Package
from quizzes.formats.rosters.headings import fold_heading
from quizzes.formats.rosters.people import ListedPerson, RosterFile, build_person
from quizzes.formats.tables import read_delimited

USERS, ENROLLMENTS, CLASSES = "users.csv", "enrollments.csv", "classes.csv"
_DELETED, _STUDENT = "tobedeleted", "student"

_Record = Mapping[str, str]


def read_package(package: Package, section: str) -> RosterFile:
    """Return the students of a class of the package, by the id `section` where it has several.

    Without enrolments: all of its students. Lines are those of users.csv.
    """
    users = list(_read_records(package, USERS))
    enrolled = [row for _, row in _read_records(package, ENROLLMENTS) if _is_student(row)]
    titles = {row["sourcedid"]: row.get("title", "") for _, row in _read_records(package, CLASSES)}
    sections = sorted({row.get("classsourcedid", "") for row in enrolled})
    if len(sections) > 1 and section not in sections:
        error = FileError(1, ENROLLMENTS, "roster_several_classes", "it has several classes")
        named = tuple((name, titles.get(name, "")) for name in sections)
        return RosterFile(errors=(error,), sections=named)
    chosen = section if section in sections else "".join(sections)
    ids = {row.get("usersourcedid") for row in enrolled if row.get("classsourcedid", "") == chosen}
    is_listed = (lambda row: row["sourcedid"] in ids) if enrolled else _is_student
    people = tuple(_build(line, row) for line, row in users if is_listed(row))
    return RosterFile(people, left_out=len(users) - len(people))


def _is_student(row: _Record) -> bool:
    # In OneRoster 1.2 roles are in a file of their own, and users.csv has no such column.
    return row.get("role", _STUDENT).casefold() in {_STUDENT, ""}


def _build(line: int, row: _Record) -> ListedPerson:
    names = (row.get("givenname", ""), row.get("familyname", ""))
    school_id = row.get("identifier") or row["sourcedid"]
    return build_person(line, email=row.get("email", ""), name=" ".join(names), school_id=school_id)


def _read_records(package: Package, name: str) -> Iterator[tuple[int, _Record]]:
    """Yield the rows of a member with their lines, by heading; not what is to be deleted."""
    path = next((path for path in package.names if path.rpartition("/")[2] == name), None)
    content = package.read(path) if path else b""
    if isinstance(content, FileError) or not content:
        return
    (table,) = read_delimited(content, len).tables
    header = [fold_heading(cell) for cell in table.rows[0].cells] if table.rows else []
    for row in table.rows[1:]:
        record = dict(zip(header, map(str.strip, row.cells), strict=False))
        if record.get("sourcedid") and record.get("status", "").casefold() != _DELETED:
            yield row.line, record
