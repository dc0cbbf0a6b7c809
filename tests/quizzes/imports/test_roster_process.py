"""Lists of people are read in the process that reads whatever strangers send."""

import pytest

from accounts.models import RosterImport
from quizzes.formats.rosters import read_roster
from quizzes.imports.sandbox import reading_process
from quizzes.imports.sandbox.roster_codec import decode_roster
from tests.quizzes.imports.sandbox.servers import all_turns_taken
from tests.users import logged_in_client


def test_a_list_comes_back_as_it_was_read():
    data = b"nombre;correo;id\nAda;ada@example.org;1\nBob;bob;2\n"
    assert reading_process.read_people(data) == read_roster(data)
    assert [person.problem for person in reading_process.read_people(data).people] == [
        "",
        "email_invalid",
    ]


def test_a_list_that_is_none_says_so():
    assert [error.code for error in reading_process.read_people(b"").errors] == ["roster_empty"]


def test_a_list_that_takes_too_long_is_given_up():
    long = b"a" * 3_000_000  # without an address the search begins anew at every letter
    assert [error.code for error in reading_process.read_people(long).errors] == ["file_too_slow"]


@pytest.mark.django_db
def test_while_too_many_files_are_read_the_page_says_so_and_keeps_the_list(users):
    page = f"/admin/accounts/group/{users.group.pk}/people/"
    sent = {"text": "new@example.org", "role": "learner"}
    with all_turns_taken():
        response = logged_in_client(users.instructor).post(page, sent)
    assert response.status_code == 503
    assert "Other files are being read at the moment." in response.content.decode()
    assert "new@example.org" in response.content.decode()
    assert not RosterImport.objects.exists()


def test_what_no_reader_sends_is_no_list():
    for body in (b"[]", b"{}", b'{"people": [1], "errors": [], "sections": [], "left_out": 0}'):
        try:
            decode_roster(body)
        except ValueError:
            continue
        raise AssertionError(body)
