"""A quiz from nothing to published and out of use again, over REST."""

import pytest

from quizzes.bank import services as bank_services
from quizzes.document import QuestionDocument
from quizzes.publishing.models import Quiz
from tests.factories import create_quiz
from tests.quizzes.api.programs import program
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def author(users):
    return program(users.instructor, "authoring")


@pytest.fixture
def draft(users, author):
    """The answer to making a quiz."""
    return author.post("quizzes", {"title": {"en": "Cells"}, "class_id": str(users.group.uuid)})


def test_a_quiz_is_made_composed_published_and_retired(users, author, draft, questions):
    assert draft.status_code == 201
    created = draft.json()
    assert (created["slug"], created["class_id"]) == ("cells", str(users.group.uuid))
    assert (created["pass_percent"], created["quiz_version"]) == ("80.0000", None)
    address = f"quizzes/{created['id']}"
    assert draft["Location"] == f"/api/v1/{address}/settings"
    refused = author.post(f"{address}/publication")
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["code"] == "no_questions"
    slots = [{"question": str(question.uuid)} for question in questions]
    composed = author.post(f"{address}/composition", {"sections": [{"slots": slots}]})
    assert composed.status_code == 200
    decided = {"accepted_attempt": 2}
    published = author.post(f"{address}/publication", decided)
    assert published.json()["quiz_version"]["number"] == 1
    assert author.post(f"{address}/publication").json() == published.json()
    assert author.delete(f"{address}/publication").status_code == 204
    assert author.get(f"{address}/settings").json()["retired_at"] is not None


def test_a_pass_that_is_certain_by_memorising_is_decided_on_before_publishing(
    users, author, a_quiz
):
    Quiz.objects.filter(pk=a_quiz.pk).update(intro={"en": "New"}, reveal_key="after_submit")
    address = f"quizzes/{a_quiz.uuid}"
    refused = author.post(f"{address}/publication", {"accepted_attempt": 3})
    assert refused.status_code == 409
    refusal = refused.json()
    assert (refusal["code"], refusal["attempt"], refusal["passing"], refusal["disclosure"]) == (
        "memorised_pass_certain",
        2,
        "1.000",
        "key",
    )
    assert "100% pass attempt 2" in refusal["detail"]
    later, fewer = refusal["remedies"]
    assert fewer["settings"] == {"max_attempts": 1}
    assert len(later["passing"]) == 5
    assert max(map(float, later["passing"])) < 0.5
    assert author.post(f"{address}/settings", later["settings"]).status_code == 200
    published = author.post(f"{address}/publication")
    assert published.json()["quiz_version"]["number"] == 2


def list_errors(refused):
    return sorted((error["where"], error["code"]) for error in refused.json()["errors"])


def test_every_problem_of_a_draft_is_named_at_its_place_in_the_composition(
    users, author, draft, questions, into
):
    address = f"quizzes/{draft.json()['id']}"
    twice, bank = {"question": str(questions[0].uuid)}, {"bank": str(into.uuid), "draw": 9}
    unpublished = bank_services.add_question(
        bank=into, name="unpublished", item=QuestionDocument("single_choice", ""), by=None
    )
    never = {"question": str(unpublished.uuid)}
    author.post(f"{address}/settings", {"enemy_tags": "none"})
    sections = [{"slots": []}, {"slots": [twice, bank]}, {"slots": [never, twice, never]}]
    composed = author.post(f"{address}/composition", {"sections": sections})
    assert composed.status_code == 200
    refused = author.post(f"{address}/publication")
    assert refused.status_code == 422
    assert list_errors(refused) == [
        ("enemy_tags", "enemy_tag_unused"),
        ("sections.1.slots.0", "question_twice"),
        ("sections.1.slots.1", "pool_too_small"),
        ("sections.2.slots.0", "question_not_published"),
        ("sections.2.slots.0", "question_twice"),
        ("sections.2.slots.1", "question_twice"),
        ("sections.2.slots.2", "question_not_published"),
        ("sections.2.slots.2", "question_twice"),
    ]
    quiz = Quiz.objects.get(uuid=draft.json()["id"])
    page = logged_in_client(users.instructor).get(f"/admin/publishing/quiz/{quiz.pk}/questions/")
    sentences = [error["detail"] for error in refused.json()["errors"]]
    assert set(page.context["composition"].problems) == set(sentences)
    author.post(f"{address}/composition", {"sections": []})
    assert ("sections", "no_questions") in list_errors(author.post(f"{address}/publication"))


def test_what_is_not_named_stays_and_every_setting_of_the_page_is_there(author, draft):
    address = f"quizzes/{draft.json()['id']}/settings"
    changes = {
        "time_limit": 30,
        "closes_at": "2031-05-12T20:00:00+02:00",
        "title": {"en": "Cells", "es": "Células"},
        "reveal_key": "after_close",
        "pass_percent": "75.5",
        "one_device": True,
    }
    changed = author.post(address, changes).json()
    assert changed == {
        **draft.json(),
        **changes,
        "closes_at": "2031-05-12T18:00:00.000000Z",
        "pass_percent": "75.5000",
    }
    assert author.get(address).json() == changed
    settings = {
        field.name
        for field in Quiz._meta.concrete_fields
        if field.editable and not field.primary_key and field.name != "group"
    }
    assert settings < changed.keys()


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"time_limit": 0}, "time_limit"),
        ({"time_limit": "30"}, "time_limit"),
        ({"pass_percent": "101"}, "pass_percent"),
        ({"one_device": "yes"}, "one_device"),
        ({"reveal_key": "soon"}, "reveal_key"),
        ({"title": {}}, "title"),
        ({"title": {"english": "Cells"}}, "title"),
        ({"lock_questions": True}, "body"),
        ({"opens_at": "2031-05-12T18:00:00Z", "closes_at": "2030-05-12T18:00:00Z"}, "body"),
        ({"slug": "taken"}, "slug"),
        ({"retired_at": None}, "retired_at"),
    ],
)
def test_what_the_page_refuses_is_refused_with_its_place(
    users, author, draft, questions, changes, where
):
    create_quiz(users, questions, slug="taken")
    address = f"quizzes/{draft.json()['id']}/settings"
    refused = author.post(address, changes)
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["where"] == where
    assert author.get(address).json() == draft.json()


def test_only_who_teaches_makes_a_quiz_and_only_for_a_class_of_theirs(users, author, draft):
    posted = {"title": {"en": "More"}, "class_id": str(users.other_group.uuid)}
    assert author.post("quizzes", posted).status_code == 404
    without = author.post("quizzes", {"title": {"en": "More"}})
    assert (without.status_code, without.json()["errors"][0]["code"]) == (422, "class_required")
    for person in (users.learner, users.outsider):
        stranger, address = program(person, "authoring"), f"quizzes/{draft.json()['id']}"
        assert stranger.get(f"{address}/settings").status_code == 404
        assert stranger.post(f"{address}/publication").status_code == 404
        assert stranger.delete(f"{address}/publication").status_code == 404
    assert Quiz.objects.count() == 1


def test_a_setting_that_another_author_changed_meanwhile_stays(users, author, draft):
    address = f"quizzes/{draft.json()['id']}/settings"
    other = program(users.administrator, "authoring")
    changed = other.post(address, {"time_limit": 30}, **{"If-Match": draft["ETag"]})
    assert changed.status_code == 200
    refused = author.post(address, {"time_limit": 20}, **{"If-Match": draft["ETag"]})
    assert refused.status_code == 412
    assert author.get(address).json()["time_limit"] == 30
