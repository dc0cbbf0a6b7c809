"""Language and profile: kept with the person and on the device."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.users import logged_in_client

pytestmark = pytest.mark.django_db


def test_a_switch_is_remembered_and_leads_back(users):
    client = logged_in_client(users.learner)
    response = client.post(reverse("language"), {"lang": "es", "next": "/attempts/"})
    assert response["Location"] == "/attempts/"
    assert '<html lang="es"' in client.get("/").content.decode()
    users.learner.refresh_from_db()
    assert users.learner.language == "es"


def test_a_visitor_may_switch_before_signing_in():
    client = Client()
    client.post(reverse("language"), {"lang": "es", "next": "/accounts/login/"})
    assert '<html lang="es"' in client.get("/accounts/login/").content.decode()


@pytest.mark.parametrize(
    "following", ["https://elsewhere.example/", "//elsewhere.example", "javascript:1", "", "x"]
)
def test_nobody_is_sent_elsewhere(following):
    response = Client().post(reverse("language"), {"lang": "es", "next": following})
    assert response["Location"] == "/"


def test_an_unknown_language_changes_nothing():
    response = Client().post(reverse("language"), {"lang": "../etc", "next": "/"})
    assert "language" not in response.cookies


def test_the_profile_keeps_name_language_and_zone(users):
    client = logged_in_client(users.learner)
    form = {"name": "Ada", "language": "es", "time_zone": "America/Bogota"}
    response = client.post(reverse("profile"), form, follow=True)
    assert '<html lang="es"' in response.content.decode()
    users.learner.refresh_from_db()
    assert users.learner.name == "Ada"
    assert users.learner.time_zone == "America/Bogota"


def test_the_profile_shows_the_school_id_and_does_not_change_it(users):
    users.learner.school_id = "0042"
    users.learner.save()
    client = logged_in_client(users.learner)
    assert "School id: 0042" in client.get(reverse("profile")).content.decode()
    form = {"name": "Ada", "language": "en", "time_zone": "UTC", "school_id": "1"}
    client.post(reverse("profile"), form)
    users.learner.refresh_from_db()
    assert (users.learner.name, users.learner.school_id) == ("Ada", "0042")


@pytest.mark.parametrize(
    "change", [{"time_zone": "Mars/Olympus"}, {"language": "xx"}, {"name": "x" * 151}]
)
def test_nonsense_in_the_profile_is_named_and_not_kept(users, change):
    client = logged_in_client(users.learner)
    form = {"name": "Ada", "language": "es", "time_zone": "UTC"} | change
    response = client.post(reverse("profile"), form)
    assert response.status_code == 422
    assert "errorlist" in response.content.decode()
    users.learner.refresh_from_db()
    assert users.learner.name == "Learner"
