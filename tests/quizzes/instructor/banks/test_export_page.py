"""Exporting a bank from its page: every format, what it loses first, then the file."""

from html import unescape

import pytest
from django.urls import reverse

from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.bank.models import Bank
from quizzes.formats import WRITERS
from quizzes.formats.contract import ExportWarning
from quizzes.formats.ochenta import name as own_format
from quizzes.imports.exporter import export_bank
from quizzes.instructor.banks.export_page import MAX_NAMES, list_losses
from tests.factories import create_bank, create_question
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def bank(users) -> Bank:
    into = create_bank(users)
    create_question(into, "several", right="ab")
    create_question(into, "one-right", right="a", kind="single_choice")
    return into


@pytest.fixture
def author(users):
    return logged_in_client(users.instructor)


def address_of(bank: Bank) -> str:
    return reverse("admin:bank_bank_export", args=[bank.pk])


def test_the_page_offers_every_format_and_stands_among_the_tabs(author, bank):
    page = author.get(address_of(bank)).content.decode()
    for format_ in WRITERS:
        assert f'<option value="{format_}"' in page
    tabs = author.get(reverse("admin:bank_bank_files", args=[bank.pk])).content.decode()
    assert f'href="{address_of(bank)}"' in tabs


def test_what_a_format_loses_is_told_before_the_file_is_sent(author, bank):
    response = author.get(address_of(bank), {"format": "aiken", "language": "es"})
    page = unescape(response.content.decode())
    assert "bank.txt" in page
    assert "The format has no such questions." in page
    assert "several" in page
    assert not AuditEvent.objects.filter(code=AuditCode.BANK_EXPORTED).exists()


def test_the_file_is_what_the_exporter_writes_and_is_in_the_audit_log(author, bank):
    query = {"format": "aiken", "language": "es", "download": ""}
    response = author.get(address_of(bank), query)
    assert response.content == export_bank(bank=bank, format_="aiken", language="es").data
    assert response["Content-Disposition"] == 'attachment; filename="bank.txt"'
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    event = AuditEvent.objects.get(code=AuditCode.BANK_EXPORTED)
    assert event.after == {"format": "aiken", "language": "es"}


def test_our_own_format_loses_nothing(author, bank):
    Bank.objects.update(source="")
    untold = author.get(address_of(bank), {"format": own_format}).content.decode()
    assert "the bank itself" in untold
    Bank.objects.update(source="A course", licence="CC0-1.0")
    page = author.get(address_of(bank), {"format": own_format}).content.decode()
    assert "Nothing is lost." in page


@pytest.mark.parametrize("query", [{"format": "none"}, {"format": "", "download": ""}])
def test_a_format_that_is_none_shows_the_choice(author, bank, query):
    response = author.get(address_of(bank), query | {"language": "xx"})
    assert response.status_code == 200
    assert "Content-Disposition" not in response


def test_who_does_not_see_the_keys_finds_no_page(users, bank):
    for person in (users.outsider, users.learner, users.stranger):
        assert logged_in_client(person).get(address_of(bank)).status_code == 404


def test_a_loss_of_many_questions_is_one_row_with_some_names_those_of_most_first():
    warnings = [ExportWarning("q", "tags_left_out")] + [
        ExportWarning(f"q{n}", "key_missing") for n in range(MAX_NAMES + 3) for _twice in "ab"
    ]
    losses = list_losses(warnings)
    assert [loss.count for loss in losses] == [MAX_NAMES + 3, 1]
    assert losses[0].unnamed_count == 3
