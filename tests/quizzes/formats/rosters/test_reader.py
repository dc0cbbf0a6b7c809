"""Lists of people, as schools and people who paste send them."""

from datetime import date
from io import BytesIO
from zipfile import ZipFile

import pytest
from openpyxl import Workbook

from quizzes.formats.rosters import MAX_PEOPLE, read_roster


def people(text: str | bytes) -> list[tuple[str, str, str]]:
    data = text if isinstance(text, bytes) else text.encode()
    return [(each.name, each.email, each.school_id) for each in read_roster(data).people]


ADA = ("Ada Lovelace", "ada@example.org", "0042")
BOB = ("Bob Núñez", "bob@example.org", "0043")


@pytest.mark.parametrize(
    "text",
    [
        "Name,E-mail,School ID\nAda Lovelace,ada@example.org,0042\nBob Núñez,bob@example.org,0043",
        (
            "Apellidos y nombre;Correo electrónico;N.º de matrícula\n"
            '"Lovelace, Ada";ada@example.org;0042\n"Núñez, Bob";bob@example.org;0043'
        ),
        (
            "Nombre\tApellidos\tCORREO\tLegajo\nAda\tLovelace\tada@example.org\t0042\n"
            "Bob\tNúñez\tbob@example.org\t0043"
        ),
        (
            "Some export of 2026\n\nStudent number;Surname;First name;Mail\n"
            "0042;Lovelace;Ada;Ada Lovelace <ada@example.org>\n0043;Núñez;Bob;bob@example.org"
        ),
        "ada@example.org,Ada Lovelace,0042\nbob@example.org,Bob Núñez,0043",
        "0042;Ada Lovelace;ada@example.org\n\n0043;Bob Núñez;<bob@example.org>\n",
    ],
)
def test_a_list_is_read_whatever_its_columns_are_called(text):
    assert people(text) == [ADA, BOB]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_a_list_is_read_whatever_program_saved_it(encoding):
    assert people("correo;nombre;código\r\nbob@example.org;Bob Núñez;0043".encode(encoding)) == [
        BOB
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ada@example.org", [("", "ada@example.org")]),
        ("Ada Lovelace <ada@example.org>", [("Ada Lovelace", "ada@example.org")]),
        ("Lovelace, Ada <ada@example.org>", [("Ada Lovelace", "ada@example.org")]),
        (
            'Ada Lovelace <ada@example.org>, "Núñez, Bob" <bob@example.org>; c@example.org',
            [
                ("Ada Lovelace", "ada@example.org"),
                ("Bob Núñez", "bob@example.org"),
                ("", "c@example.org"),
            ],
        ),
        ("ada@example.org bob@example.org", [("", "ada@example.org"), ("", "bob@example.org")]),
    ],
)
def test_addresses_are_pasted_as_mail_programs_write_them(text, expected):
    assert [(name, email) for name, email, _ in people(text)] == expected


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("Ada,,1", "email_missing"),
        ("Ada,ada at example,1", "email_invalid"),
        ("Ada,ada@example,1", "email_invalid"),
        ("Ada,a@example.org;b@example.org,1", "email_invalid"),
        (f"{'A' * 151},ada@example.org,1", "name_too_long"),
        (f"Ada,ada@example.org,{'1' * 65}", "school_id_too_long"),
        (f"Ada,{'a' * 250}@example.org,1", "email_invalid"),
    ],
)
def test_a_line_that_cannot_be_used_says_why_and_where(line, problem):
    roster = read_roster(f"name,email,id\n{line}\nBob,bob@example.org,2".encode())
    assert [(each.line, each.problem) for each in roster.people] == [(2, problem), (3, "")]


def test_a_line_without_address_among_loose_ones_is_named():
    roster = read_roster(b"ada@example.org,Ada\nNobody\n")
    assert [(each.line, each.problem) for each in roster.people] == [(1, ""), (2, "email_missing")]


def workbook(*rows, title="Sheet") -> bytes:
    book, buffer = Workbook(), BytesIO()
    sheet = book.create_sheet(title, 0)
    for row in rows:
        sheet.append(row)
    book.save(buffer)
    return buffer.getvalue()


def test_a_workbook_is_read_with_headings_and_without():
    rows = (["Ada Lovelace", "ada@example.org", "0042"], ["Bob Núñez", "bob@example.org", "0043"])
    assert people(workbook(["Alumno", "Correo", "Matrícula"], *rows)) == [ADA, BOB]
    assert people(workbook(*rows)) == [ADA, BOB]


def test_numbers_of_a_workbook_are_ids_and_dates_are_not():
    with_number = workbook(["Name", "Mail", "ID"], ["Ada Lovelace", "ada@example.org", 42])
    assert people(with_number)[0][2] == "42"
    day = date(2026, 1, 2)
    (person,) = read_roster(workbook(["Name", "Mail", "ID"], ["Ada", "a@example.org", day])).people
    assert person.problem == "cell_is_date"


def test_formulas_are_not_computed():
    data = workbook(["Name", "Mail"], ['=HYPERLINK("http://example.org")', "a@example.org"])
    assert read_roster(data).people[0].problem == "formula_without_value"


def package(**members: str) -> bytes:
    buffer = BytesIO()
    with ZipFile(buffer, "w") as archive:
        for name, text in members.items():
            archive.writestr(f"{name}.csv", text)
    return buffer.getvalue()


USERS = (
    "sourcedId,status,enabledUser,role,givenName,familyName,identifier,email\n"
    "u1,active,true,student,Ada,Lovelace,0042,ada@example.org\n"
    "u2,active,true,student,Bob,Núñez,0043,bob@example.org\n"
    "u3,active,true,teacher,Cy,Twombly,0044,cy@example.org\n"
    "u4,tobedeleted,true,student,Di,Fossey,0045,di@example.org\n"
)
ENROLLMENTS = (
    "sourcedId,classSourcedId,schoolSourcedId,userSourcedId,role\n"
    "e1,c1,s,u1,student\ne2,c1,s,u2,student\ne3,c1,s,u3,teacher\ne4,c1,s,u4,student\n"
)


def test_a_package_of_one_class_gives_its_students():
    roster = read_roster(package(users=USERS, enrollments=ENROLLMENTS))
    assert [each.name for each in roster.people] == ["Ada Lovelace", "Bob Núñez"]
    assert [each.school_id for each in roster.people] == ["0042", "0043"]
    assert roster.left_out == 1
    assert people(package(users=USERS)) == [ADA, BOB]


def test_of_a_package_with_several_classes_one_is_chosen():
    other = ENROLLMENTS + "e5,c2,s,u2,student\n"
    classes = "sourcedId,title\nc1,History\nc2,Maths\n"
    data = package(users=USERS, enrollments=other, classes=classes)
    roster = read_roster(data)
    assert roster.errors[0].code == "roster_several_classes"
    assert roster.sections == (("c1", "History"), ("c2", "Maths"))
    assert [each.name for each in read_roster(data, "c2").people] == ["Bob Núñez"]


def test_roles_of_the_newer_version_stand_in_the_enrolments():
    users = USERS.replace("role,", "").replace("student,", "").replace("teacher,", "")
    roster = read_roster(package(users=users, enrollments=ENROLLMENTS))
    assert [each.name for each in roster.people] == ["Ada Lovelace", "Bob Núñez"]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "roster_empty"),
        (b"name,email\n", "roster_empty"),
        (b"PK\x03\x04 no package", "package_damaged"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "workbook_old"),
        (b"a@example.org\n" * (MAX_PEOPLE + 1), "roster_too_long"),
    ],
)
def test_what_is_no_list_is_refused_whole(data, code):
    roster = read_roster(data)
    assert ([error.code for error in roster.errors], roster.people) == ([code], ())
