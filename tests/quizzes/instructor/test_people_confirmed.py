"""Where people are chosen, the state of their address is shown, and a role waits for it."""

import pytest
from django.core import mail
from django.urls import reverse

from accounts.access import is_administrator, is_instructor
from accounts.models import Membership, Role, User
from accounts.tasks import send_security_notices
from quizzes.attempts.models import Accommodation
from tests.browser_forms import form_values
from tests.users import Users, logged_in_client

pytestmark = pytest.mark.django_db

PEOPLE = "/admin/accounts/user/"


@pytest.fixture
def unconfirmed(users: Users) -> User:
    """Somebody who has signed up and not confirmed."""
    user = users.stranger
    user.confirmed_email = ""
    user.save()
    return user


def change(users: Users, user: User, **sent: str | None):
    client = logged_in_client(users.administrator)
    address = f"{PEOPLE}{user.pk}/change/"
    data = form_values(client.get(address), "email") | sent
    return client.post(address, {name: value for name, value in data.items() if value is not None})


def test_a_membership_of_who_is_not_confirmed_waits_and_the_page_says_so(users, unconfirmed):
    client = logged_in_client(users.administrator)
    address = f"/admin/accounts/group/{users.group.pk}/change/"
    data = form_values(client.get(address), "memberships-TOTAL_FORMS")
    last = int(data["memberships-TOTAL_FORMS"]) - 1
    written = f" {unconfirmed.email.upper()} "
    row = {f"memberships-{last}-user": written, f"memberships-{last}-role": "instructor"}
    html = client.post(address, data | row, follow=True).content.decode()
    assert f"their role waits until they have confirmed: {unconfirmed.email}" in html
    assert Membership.objects.filter(user=unconfirmed, role=Role.INSTRUCTOR).exists()
    assert not is_instructor(User.objects.get(pk=unconfirmed.pk))
    page = client.get(address).content.decode()
    assert "not confirmed" in page


def test_nothing_is_said_to_wait_where_all_are_confirmed(users):
    client = logged_in_client(users.administrator)
    address = f"/admin/accounts/group/{users.group.pk}/change/"
    data = form_values(client.get(address), "memberships-TOTAL_FORMS")
    last = int(data["memberships-TOTAL_FORMS"]) - 1
    row = {f"memberships-{last}-user": users.stranger.email, f"memberships-{last}-role": "learner"}
    assert "their role waits" not in client.post(address, data | row, follow=True).content.decode()
    assert "not confirmed" not in client.get(address).content.decode()


def test_nobody_runs_the_site_whose_address_is_not_confirmed(users, unconfirmed):
    assert change(users, unconfirmed, is_superuser="on").status_code == 200
    assert not User.objects.get(pk=unconfirmed.pk).is_superuser
    sent = {"is_superuser": "on", "address_confirmed": "on"}
    assert change(users, unconfirmed, **sent).status_code == 302
    assert is_administrator(User.objects.get(pk=unconfirmed.pk))


def test_an_administrator_confirms_an_address_they_know_and_takes_it_back(users, unconfirmed):
    change(users, unconfirmed, name="Same")
    assert not User.objects.get(pk=unconfirmed.pk).is_confirmed
    change(users, unconfirmed, address_confirmed="on")
    assert User.objects.get(pk=unconfirmed.pk).is_confirmed
    change(users, unconfirmed, address_confirmed=None)
    assert not User.objects.get(pk=unconfirmed.pk).is_confirmed


def test_the_tick_of_one_address_confirms_no_other(users):
    response = change(users, users.learner, email="other@example.org")
    assert "The address has changed." in response.content.decode()
    assert User.objects.get(pk=users.learner.pk).email == "learner@example.org"
    data = form_values(response, "email")
    assert "address_confirmed" not in data
    client = logged_in_client(users.administrator)
    address = f"{PEOPLE}{users.learner.pk}/change/"
    assert client.post(address, data).status_code == 302
    changed = User.objects.get(pk=users.learner.pk)
    assert (changed.email, changed.is_confirmed) == ("other@example.org", False)


def test_an_administrator_who_ticks_again_confirms_the_other_address(users):
    response = change(users, users.administrator, email="Other@example.org")
    data = form_values(response, "email") | {"address_confirmed": "on"}
    client = logged_in_client(users.administrator)
    client.post(f"{PEOPLE}{users.administrator.pk}/change/", data)
    changed = User.objects.get(pk=users.administrator.pk)
    assert (changed.email, changed.is_confirmed) == ("other@example.org", True)
    assert is_administrator(changed)


def test_an_address_that_an_administrator_changes_is_told_to_both(users, unconfirmed):
    moved = {"email": "moved@example.org", "ticked_for": "moved@example.org"}
    change(users, users.learner, **moved)
    send_security_notices()
    assert [message.to[0] for message in mail.outbox] == [
        "learner@example.org",
        "moved@example.org",
    ]
    change(users, unconfirmed, email="another@example.org")
    send_security_notices()
    # The old one may be anybody's.
    assert [message.to[0] for message in mail.outbox[2:]] == ["another@example.org"]


def test_a_zone_that_does_not_exist_is_refused(users):
    assert change(users, users.learner, time_zone="Mars/Olympus").status_code == 200
    assert change(users, users.learner, time_zone="Europe/Madrid").status_code == 302
    learner = User.objects.get(pk=users.learner.pk)
    assert (learner.time_zone, learner.time_zone_chosen) == ("Europe/Madrid", True)


def test_every_place_where_people_are_chosen_shows_the_state(users, a_quiz, unconfirmed):
    Membership.objects.create(user=unconfirmed, group=users.group)
    Accommodation.objects.create(quiz=a_quiz, learner=unconfirmed)
    people = logged_in_client(users.administrator).get(PEOPLE).content.decode()
    assert people.count("not confirmed") == 1
    client = logged_in_client(users.instructor)
    chosen = f"Stranger ({unconfirmed.email}), address not confirmed"
    for page in ("add", "changelist"):
        html = client.get(reverse(f"admin:attempts_accommodation_{page}")).content.decode()
        assert chosen in html
        assert "Learner (learner@example.org), address" not in html
    assigned = client.get(reverse("admin:attempts_assignment_changelist"))
    assert [row.waiting_count for row in assigned.context["cl"].result_list] == [1]
