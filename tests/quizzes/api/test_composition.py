"""What a quiz asks, over REST: read, replaced in one go, compared with what was read; copies."""

from uuid import uuid4

import pytest

from quizzes.bank.models import Bank
from quizzes.publishing.models import Quiz, Section, Slot
from tests.factories import create_bank, create_question
from tests.quizzes.api.programs import program

pytestmark = pytest.mark.django_db


@pytest.fixture
def author(users):
    return program(users.instructor)


def address_of(quiz: Quiz, of: str = "composition") -> str:
    return f"quizzes/{quiz.uuid}/{of}"


def list_slots(quiz: Quiz) -> list[tuple[str, str]]:
    rows = Slot.objects.filter(section__quiz=quiz).order_by("section__position", "position")
    return [(str(row), f"{row.points.normalize():f}") for row in rows]


def test_what_is_read_and_sent_back_changes_nothing(author, a_quiz):
    answer = author.get(address_of(a_quiz))
    slots = Slot.objects.filter(section__quiz=a_quiz)
    rows = set(slots.values_list("pk", "section", "question", "draw", "points"))
    again = author.post(address_of(a_quiz), answer.json(), **{"If-Match": answer["ETag"]})
    assert (again.status_code, again.json()) == (200, answer.json())
    assert again["ETag"] == answer["ETag"]
    assert set(slots.values_list("pk", "section", "question", "draw", "points")) == rows


def test_sections_questions_and_draws_are_put_in_place(author, users, a_quiz):
    fresh = create_question(create_bank(users), "fresh")
    sections = [
        {
            "title": {"en": "First", "es": "Primera"},
            "slots": [
                {"question": str(fresh.uuid), "points": "1.5"},
                {"bank": str(fresh.bank.uuid), "draw": 2},
            ],
        }
    ]
    answer = author.post(address_of(a_quiz), {"sections": sections})
    assert answer.status_code == 200
    assert [points for _, points in list_slots(a_quiz)] == ["1.5", "1"]
    assert Section.objects.get(quiz=a_quiz).title == {"en": "First", "es": "Primera"}
    slots = answer.json()["sections"][0]["slots"]
    assert slots[0]["question"] == str(fresh.uuid)
    assert (slots[1]["bank"], slots[1]["draw"]) == (str(fresh.bank.uuid), 2)


def test_questions_that_never_come_together_are_read_and_put_in_place(author, a_quiz, users):
    questions = [create_question(create_bank(users), name) for name in "abc"]
    ids = [str(question.uuid) for question in questions]
    before = author.get(address_of(a_quiz))
    assert before.json()["enemies"] == []
    posted = {**before.json(), "enemies": [ids[:2], ids[1:]]}
    answer = author.post(address_of(a_quiz), posted, **{"If-Match": before["ETag"]})
    assert answer.json()["enemies"] == [ids]
    assert answer["ETag"] != before["ETag"]
    a_quiz.refresh_from_db()
    assert a_quiz.enemies == [[question.pk for question in questions]]
    sections = {"sections": answer.json()["sections"]}
    assert author.post(address_of(a_quiz), sections).json()["enemies"] == [ids]
    assert author.post(address_of(a_quiz), {**sections, "enemies": []}).json()["enemies"] == []
    unknown = {**sections, "enemies": [[ids[0], str(uuid4())]]}
    assert author.post(address_of(a_quiz), unknown).status_code == 404


def test_who_may_name_a_question_in_a_set_may_still_not_ask_it(author, a_quiz, users):
    own, theirs = create_question(create_bank(users), "own"), create_bank(users, "theirs")
    hidden = create_question(theirs, "hidden")
    Bank.objects.filter(pk=theirs.pk).update(group=users.other_group)
    Quiz.objects.filter(pk=a_quiz.pk).update(enemies=[[own.pk, hidden.pk]])
    composition = author.get(address_of(a_quiz)).json()
    assert author.post(address_of(a_quiz), composition).status_code == 200
    sections = [{"slots": [{"question": str(hidden.uuid)}]}]
    assert author.post(address_of(a_quiz), {"sections": sections}).status_code == 404
    a_third = {"enemies": [[str(own.uuid), str(hidden.uuid)]], "sections": []}
    Quiz.objects.filter(pk=a_quiz.pk).update(enemies=[])
    assert author.post(address_of(a_quiz), a_third).status_code == 404


def test_what_somebody_else_composed_meanwhile_is_not_overwritten(author, a_quiz):
    first = author.get(address_of(a_quiz))
    author.post(address_of(a_quiz), {"sections": [{"slots": []}]})
    late = author.post(address_of(a_quiz), first.json(), **{"If-Match": first["ETag"]})
    assert (late.status_code, late.json()["code"]) == (412, "precondition_failed")
    assert list_slots(a_quiz) == []


@pytest.mark.parametrize(
    ("slot", "status"),
    [
        ({"question": str(uuid4())}, 404),
        ({"bank": str(uuid4())}, 404),
        ({}, 422),
        ({"points": "-1"}, 422),
        ({"points": "1e5"}, 422),
        ({"draw": 0}, 422),
        ({"tag": "unheard-of"}, 422),
    ],
)
def test_what_makes_no_sense_is_refused_and_nothing_is_written(author, a_quiz, slot, status):
    before = list_slots(a_quiz)
    answer = author.post(address_of(a_quiz), {"sections": [{"slots": [slot]}]})
    assert answer.status_code == status
    assert list_slots(a_quiz) == before


def test_a_quiz_is_copied_with_its_questions_under_another_name(author, a_quiz, users):
    answer = author.post(address_of(a_quiz, "copies"), {"slug": "next-term", "days": 182})
    copy = Quiz.objects.get(slug="next-term")
    assert (answer.status_code, answer.json()) == (201, {"id": str(copy.uuid), "slug": "next-term"})
    assert list_slots(copy) == list_slots(a_quiz)
    refused = author.post(address_of(a_quiz, "copies"), {"slug": a_quiz.slug})
    assert (refused.status_code, refused.json()["code"]) == (422, "slug_taken")
    other = {"slug": "theirs", "class_id": str(users.other_group.uuid)}
    assert author.post(address_of(a_quiz, "copies"), other).status_code == 404
