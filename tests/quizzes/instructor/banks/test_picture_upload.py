"""A picture put into a text while it is written: saved in the bank, answered with its address."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from quizzes.bank.models import Bank, Media
from tests import media_files
from tests.factories import create_bank
from tests.users import logged_in_client

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("store")]


@pytest.fixture
def bank(users) -> Bank:
    return create_bank(users)


@pytest.fixture
def author(users) -> Client:
    return logged_in_client(users.instructor)


def send(client: Client, slug: str = "bank", data: bytes | None = None):
    address = f"{reverse('admin:bank_bank_picture')}?bank={slug}"
    file = SimpleUploadedFile("cat.png", media_files.png(2, 1) if data is None else data)
    return client.post(address, {"file": file})


def test_it_goes_to_the_files_of_the_bank_and_its_address_comes_back(author, bank, users):
    answer = send(author)
    media = Media.objects.get(bank=bank)
    assert answer.json() == {"address": f"media:{media.uuid}.png"}
    assert media.uploaded_by == users.instructor


def test_what_is_no_picture_is_refused_in_words(author, bank):
    answer = send(author, data=b"no picture at all")
    assert answer.status_code == 422
    assert answer.json()["error"]
    assert not Media.objects.exists()


def test_nothing_sent_and_no_post_are_refused(author, bank):
    address = f"{reverse('admin:bank_bank_picture')}?bank=bank"
    assert author.post(address).status_code == 422
    assert author.get(address).status_code == 405


def test_one_too_large_is_refused_before_it_is_read(author, bank):
    answer = author.post(
        f"{reverse('admin:bank_bank_picture')}?bank=bank",
        b"x",
        content_type="multipart/form-data; boundary=x",
        headers={"content-length": str(10**12)},
    )
    assert answer.status_code == 413


def test_who_may_not_change_the_bank_saves_nothing(users, bank):
    for person in (users.outsider, users.learner, users.stranger):
        assert send(logged_in_client(person)).status_code == 404
    assert send(logged_in_client(users.instructor), "none").status_code == 404
    assert not Media.objects.exists()


def test_a_forged_form_saves_nothing(users, bank):
    client = Client(enforce_csrf_checks=True)
    client.force_login(users.instructor)
    assert send(client).status_code == 403
    assert not Media.objects.exists()
