"""Marking in the admin: the queue, piles, answers without names, and two blind to each other."""

import re

import pytest
from django.test import Client

from accounts.models import Membership, Role
from quizzes.attempts.models import Attempt
from quizzes.results import services
from quizzes.results.models import PersonMark
from quizzes.results.selectors import report
from quizzes.results.waiting import answers, queue, token_of
from tests.content import NOW, bank, question, quiz
from tests.essays import TEXT, by_hand, essay, hand_in, levels
from tests.people import person, signed_in
from tests.taking import say, start

pytestmark = pytest.mark.django_db

QUEUE = "/admin/results/personmark/"
ALL = {"level-idea": "idea-2", "level-form": "form-1", "comment": "Well said"}


@pytest.fixture
def author(cast) -> Client:
    return signed_in(cast.instructor)


@pytest.fixture
def colleague(cast):
    made = person("colleague")
    Membership.objects.create(group=cast.group, user=made, role=Role.INSTRUCTOR)
    return made


@pytest.fixture
def asked(cast):
    return essay(bank(cast), minimum_words=5, maximum_words=8)


@pytest.fixture
def of(cast, asked):
    return quiz(cast, [asked], points=5)


@pytest.fixture
def written(cast, of) -> Attempt:
    return hand_in(of, cast.learner)


def pile_of(attempt: Attempt) -> str:
    return f"{QUEUE}{attempt.quiz.uuid}/{attempt.manifest['slots'][0]['question']}/"


def page_of(attempt: Attempt) -> str:
    return f"{pile_of(attempt)}{token_of(attempt.uuid)}/"


def text(client: Client, address: str, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status
    return answer.content.decode()


def total(attempt: Attempt):
    score = report(
        attempt=attempt.uuid, viewer=attempt.learner, language="en", now=NOW
    ).summary.score
    assert score is not None
    return score.total


# --- The queue -------------------------------------------------------------------------------
def test_the_queue_counts_what_waits_by_quiz_and_question(cast, author, asked, of, written):
    hand_in(of, cast.other_learner)
    hand_in(quiz(cast, [asked], slug="second"), cast.learner)
    piles = queue(cast.instructor)
    assert [(pile.quiz == of.uuid, pile.to_mark) for pile in piles] == [(True, 2), (False, 1)]
    page = text(author, QUEUE)
    assert page.count("Write why.") == 2
    assert pile_of(written) in page


def test_an_empty_queue_says_so(author, of):
    assert "Nothing waits to be marked" in text(author, QUEUE)


def test_what_is_unanswered_marked_open_or_void_does_not_wait(cast, author, of, written):
    hand_in(of, cast.other_learner, text="")
    start(of, cast.administrator)
    by_hand(written, cast.instructor)
    assert queue(cast.instructor) == []
    again = hand_in(of, cast.learner)
    assert [pile.to_mark for pile in queue(cast.instructor)] == [1]
    services.void(attempt=again.uuid, by=cast.instructor, reason="fire", now=NOW)
    assert queue(cast.instructor) == []


def test_the_menu_leads_to_the_queue(author):
    assert QUEUE in text(author, "/admin/")


@pytest.mark.parametrize("who", ["learner", "other_learner", "stranger"])
def test_those_who_teach_nobody_find_nothing(cast, written, who):
    client = signed_in(getattr(cast, who))
    for address in (QUEUE, pile_of(written), page_of(written)):
        text(client, address, 404)
        assert client.post(address, ALL).status_code == 404
    assert not PersonMark.objects.exists()


def test_an_instructor_of_another_group_finds_nothing(cast, written):
    client = signed_in(cast.outsider)
    assert "Nothing waits" in text(client, QUEUE)
    for address in (pile_of(written), page_of(written)):
        text(client, address, 404)
        assert client.post(address, ALL).status_code == 404
    assert not PersonMark.objects.exists()


def test_the_nameless_are_asked_to_sign_in(written):
    assert Client().get(page_of(written)).status_code == 302


def test_an_administrator_marks_too(cast, written):
    client = signed_in(cast.administrator)
    assert client.post(page_of(written), ALL).status_code == 302
    assert total(written) == 5


def test_ones_own_attempt_is_not_there(cast, author, of):
    mine = hand_in(of, cast.instructor)
    assert queue(cast.instructor) == []
    text(author, page_of(mine), 404)


def test_an_answer_that_is_not_there_is_not_found(author, written):
    text(author, f"{pile_of(written)}{'0' * 24}/", 404)


# --- One answer ------------------------------------------------------------------------------
def test_an_answer_is_shown_with_question_length_and_rubric_but_not_with_its_author(
    cast, author, written
):
    page = text(author, page_of(written))
    for said in ("Write why.", TEXT, '<b class="figures">9</b>', "more words than asked for"):
        assert said in page
    for said in ("Criterion idea", "Level idea-2", "4 points", "1 point", "Save and next"):
        assert said in page
    written.learner.refresh_from_db()
    for secret in (
        written.learner.name,
        written.learner.email,
        str(written.learner.uuid),
        str(written.uuid),
    ):
        assert secret not in page
        assert secret not in text(author, pile_of(written))


def test_the_name_of_an_answer_is_the_same_always_and_sorts_it(cast, author, of, written):
    hand_in(of, cast.other_learner)
    [question] = {slot["question"] for slot in written.manifest["slots"]}
    listed = answers(marker=cast.instructor, quiz=of.uuid, question=question)
    assert [one.token for one in listed] == sorted(one.token for one in listed)
    mine = next(one for one in listed if one.attempt == written.uuid)
    assert re.fullmatch("[0-9A-F]{6}", mine.name)
    assert f"<h2>Answer {mine.name}</h2>" in text(author, page_of(written))
    by_hand(written, cast.instructor)
    assert f"Answer {mine.name}" in text(author, page_of(written))


@pytest.mark.parametrize("evil", ["<script>alert(1)</script>", "</div><img src=x onerror=a()>"])
def test_a_text_is_shown_as_it_was_typed_and_never_runs(cast, author, of, evil):
    attempt = hand_in(of, cast.learner, text=f"one\n  two {evil}")
    by_hand(attempt, cast.instructor, comment=evil)
    page = text(author, page_of(attempt))
    assert evil not in page
    assert "one\n  two &lt;" in page


def test_saving_marks_it_and_goes_on_to_the_next_until_none_is_left(cast, author, of, written):
    other = hand_in(of, cast.other_learner)
    first, second = sorted((written, other), key=lambda one: token_of(one.uuid))
    assert author.get(pile_of(written)).context["next"] == page_of(first)
    assert author.post(page_of(first), ALL).url == page_of(second)
    assert author.post(page_of(second), {**ALL, "stay": "1"}).url == page_of(second)
    last = author.post(page_of(second), ALL, follow=True)
    assert last.redirect_chain[-1][0] == pile_of(written)
    said = last.content.decode()
    assert "nothing left for you to mark" in said
    assert f"The mark of answer {token_of(second.uuid)[:6].upper()} is saved." in said
    assert (total(first), total(second)) == (5, 5)


def test_what_is_missing_is_said_where_it_is_missing_and_nothing_is_lost(author, written):
    answer = author.post(page_of(written), {"level-form": "form-1", "comment": "So far"})
    page = answer.content.decode()
    assert answer.status_code == 200
    assert page.count("Choose a level.") == 1
    assert "So far" in page
    assert re.search(r'value="form-1"\s+required\s+checked', page)
    assert not PersonMark.objects.exists()


def test_a_mark_of_ones_own_is_filled_in_and_may_be_given_anew(cast, author, written):
    by_hand(written, cast.instructor, levels(1, 0), comment="Hm")
    page = text(author, page_of(written))
    assert re.search(r'value="idea-1"\s+required\s+checked', page)
    assert "Hm" in page
    assert "Settle it" not in page
    author.post(page_of(written), ALL)
    assert total(written) == 5
    assert set(PersonMark.objects.values_list("purpose", flat=True)) == {"first"}


@pytest.mark.parametrize("seen", ["", "x", "²", "9" * 5000])
def test_settling_without_knowing_what_stands_is_refused(author, cast, twice, colleague, seen):
    by_hand(twice, cast.instructor, levels(2, 1))
    by_hand(twice, colleague, levels(0, 0))
    answer = author.post(page_of(twice), {**ALL, "final": "1", "seen": seen})
    assert answer.status_code == 409
    assert total(twice) == 0


@pytest.mark.parametrize(
    ("typed", "earned"),
    [("2", 2), ("2.5", "5/2"), ("2,5", "5/2"), ("7/3", "7/3"), ("2 1/3", "7/3")],
)
def test_points_are_given_where_there_is_no_rubric(cast, author, typed, earned):
    attempt = hand_in(quiz(cast, [essay(bank(cast), criteria={})], points=5), cast.learner)
    assert "from 0 to 5" in text(author, page_of(attempt))
    assert author.post(page_of(attempt), {"points": typed}).status_code == 302
    assert str(total(attempt)) == str(earned)


@pytest.mark.parametrize(
    "typed",
    ["", "six", "5.01", "-1", "2 -1/3", "1_0", "1e9", "1/0", "nan", "9" * 50, "1/99999999999"],
)
def test_points_that_make_no_sense_are_refused_with_a_word(cast, author, typed):
    attempt = hand_in(quiz(cast, [essay(bank(cast), criteria={})], points=5), cast.learner)
    answer = author.post(page_of(attempt), {"points": typed})
    assert answer.status_code == 200
    said = answer.content.decode()
    assert "Write a number from 0 to 5" in said or "fewer digits" in said
    assert not PersonMark.objects.exists()


# --- Two markers -----------------------------------------------------------------------------
@pytest.fixture
def twice(cast) -> Attempt:
    return hand_in(quiz(cast, [essay(bank(cast), markers=2)], points=5), cast.learner)


def test_the_second_marker_sees_nothing_of_the_first(cast, twice, colleague):
    by_hand(twice, cast.instructor, levels(0, 0), comment="Poor")
    client = signed_in(colleague)
    for address in (QUEUE, pile_of(twice), page_of(twice)):
        page = text(client, address)
        assert "Poor" not in page
        assert "Instructor" not in page
        assert "Marks so far" not in page
    assert [pile.to_mark for pile in queue(colleague)] == [1]
    [pile] = queue(cast.instructor)
    assert (pile.to_mark, pile.elsewhere) == (0, 1)


def test_marks_that_differ_stand_side_by_side_and_are_settled(cast, author, twice, colleague):
    by_hand(twice, cast.instructor, levels(2, 1), comment="Splendid")
    by_hand(twice, colleague, levels(0, 0), comment="Poor")
    assert [pile.differing for pile in queue(cast.instructor)] == [1]
    page = text(author, page_of(twice))
    for said in ("Splendid", "Poor", "Colleague", "Your mark", "5 / 5", "0 / 5", "Settle it"):
        assert said in page
    seen = re.search(r'name="seen" value="(\d+)"', page)
    assert seen
    sent = {"level-idea": "idea-1", "level-form": "form-1", "final": "1", "seen": seen[1]}
    assert author.post(page_of(twice), sent).url == pile_of(twice)
    assert total(twice) == 3
    assert queue(cast.instructor) == []


def test_settling_over_a_mark_one_has_not_seen_is_refused_and_shows_it(
    cast, author, twice, colleague
):
    by_hand(twice, cast.instructor, levels(2, 1))
    by_hand(twice, colleague, levels(0, 0))
    by_hand(twice, colleague, levels(1, 0), comment="On second thoughts")
    answer = author.post(page_of(twice), {**ALL, "final": "1", "seen": "2"})
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "marked again in the meantime" in page
    assert "On second thoughts" in page
    assert total(twice) == 0


def test_a_colleague_who_was_faster_is_not_overwritten(cast, author, written, colleague):
    by_hand(written, colleague, levels(0, 0), comment="Poor")
    answer = author.post(page_of(written), ALL)
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "Somebody else has marked this answer" in page
    assert "Poor" in page
    assert 'name="final" value="1"' in page
    assert "Well said" in page
    assert total(written) == 0


# --- Languages and cost ----------------------------------------------------------------------
def test_the_pages_speak_the_language_of_their_reader(author, written):
    author.cookies["language"] = "es"
    assert "Escribe why." in text(author, QUEUE)
    page = text(author, page_of(written))
    assert "Criterio idea" in page
    assert "Nivel idea-2" in page


def test_the_queue_and_an_answer_cost_little_however_much_waits(cast, author, of, counted):
    into = bank(cast, "more")
    one = hand_in(of, cast.learner)
    for _ in range(2):
        text(author, QUEUE)
        text(author, page_of(one))
    with counted() as few:
        text(author, QUEUE)
    with counted() as marking:
        text(author, page_of(one))
    assert len(few) <= 8, few
    assert len(marking) <= 10, marking
    hand_in(of, cast.other_learner)
    for n in range(4):
        hand_in(quiz(cast, [essay(into, f"more-{n}")], slug=f"more-{n}"), cast.learner)
    text(author, QUEUE)
    with counted() as many:
        text(author, QUEUE)
    with counted() as marking_many:
        text(author, page_of(one))
    assert len(many) == len(few)
    assert len(marking_many) == len(marking)


def test_choices_beside_essays_are_none_of_the_queues_business(cast, asked):
    into = bank(cast, "more")
    mixed = quiz(cast, [question(into, "one", right="b", kind="single_choice"), asked], slug="mix")
    attempt = start(mixed, cast.learner)
    say(attempt, 0, "b")
    hand_in(mixed, cast.learner, slot=1)
    assert [pile.to_mark for pile in queue(cast.instructor)] == [1]
