"""Typed answers: alike together, counted, seen by those who teach them; and accepted."""

from dataclasses import replace
from fractions import Fraction

import pytest

from quizzes.bank import services as bank_services
from quizzes.bank.models import Draft, VersionKey
from quizzes.document import QuestionDocument
from quizzes.lib.errors import Conflict, Invalid, NotFound
from quizzes.results import services
from quizzes.results.add_accepted_answer import add_accepted_answer, load_accepted_answer_status
from quizzes.results.models import Grading
from quizzes.results.response_analysis import has_typed_answers, load_newest_key, load_typed_answers
from tests.factories import NOW, create_bank, create_question, create_quiz
from tests.short_text_factory import attempt_with_text, create_short_text, short_text_document
from tests.users import create_user

pytestmark = pytest.mark.django_db

ALL = ("Paris", " PARIS! ", "paris", "Pariss", "in France", "Lyon", "")


@pytest.fixture
def question(users):
    return create_short_text(create_bank(users))


@pytest.fixture
def of(users, question):
    return create_quiz(users, [question], window_attempts=None)


@pytest.fixture
def answered(users, of):
    return [attempt_with_text(of, users.learner, text) for text in ALL]


def listed(question, viewer):
    return {
        row.text: (row.count, row.earned, row.credit, row.near)
        for row in load_typed_answers(question=question, viewer=viewer).rows
    }


def accepting(question, by, text="Lutetia", credit=Fraction(1), **changes):
    revision = changes.pop("revision", load_accepted_answer_status(question).revision)
    return add_accepted_answer(
        question=question, text=text, credit=credit, by=by, revision=revision, now=NOW
    )


def texts(question):
    return [row.get("text") for row in Draft.objects.get(question=question).data["key"]["accepted"]]


# --- What was written ------------------------------------------------------------------------
def test_answers_that_are_alike_are_one_line_with_what_they_earned(users, question, answered):
    full_credit, third, nothing = Fraction(1), Fraction(1, 3), Fraction(0)
    typed = load_typed_answers(question=question, viewer=users.instructor)
    assert listed(question, users.instructor) == {
        typed.rows[0].text: (3, (full_credit,), full_credit, False),
        "Pariss": (1, (nothing,), nothing, True),
        "in France": (1, (third,), third, False),
        "Lyon": (1, (nothing,), nothing, False),
    }
    assert set(typed.rows[0].spellings) == {"Paris", "PARIS!", "paris"}
    assert (typed.total, typed.unanswered, typed.more) == (7, 1, False)


def test_the_most_frequent_stands_first_and_shows_its_most_frequent_spelling(users, question, of):
    for text in ("Lyon", "lyon", "lyon", "Nice"):
        attempt_with_text(of, users.learner, text)
    rows = load_typed_answers(question=question, viewer=users.instructor).rows
    assert [(row.text, row.count) for row in rows] == [("lyon", 3), ("Nice", 1)]
    assert rows[0].spellings == ("lyon", "Lyon")


def test_the_question_itself_says_what_is_alike(users):
    strict = create_short_text(create_bank(users), case="counted")
    of = create_quiz(users, [strict], window_attempts=None)
    for text in ("Paris", "paris"):
        attempt_with_text(of, users.learner, text)
    assert listed(strict, users.instructor) == {
        "Paris": (1, (Fraction(1),), Fraction(1), False),
        "paris": (1, (Fraction(0),), Fraction(0), True),
    }


def test_each_sees_those_they_oversee_alone(users, question, answered):
    everybody = load_typed_answers(question=question, viewer=users.administrator)
    assert everybody.total == 7
    for viewer in (users.outsider, users.learner, users.stranger):
        assert load_typed_answers(question=question, viewer=viewer).total == 0


def test_an_attempt_that_is_void_is_left_out(users, question, answered):
    services.void(attempt=answered[5].uuid, by=users.instructor, reason="No.", now=NOW)
    assert "Lyon" not in listed(question, users.instructor)


def test_every_version_of_the_question_is_read_and_held_against_the_newest(
    users, question, answered
):
    accepting(question, users.instructor, "Lyon", Fraction(1, 2))
    question.refresh_from_db()
    assert listed(question, users.instructor)["Lyon"] == (1, (Fraction(0),), Fraction(1, 2), False)


def test_the_list_takes_two_queries_however_much_was_written(
    users, question, answered, django_assert_max_num_queries
):
    with django_assert_max_num_queries(4):  # the viewer's role and the key of the version beside
        load_typed_answers(question=question, viewer=users.instructor)


def test_only_what_is_typed_is_listed(users, question):
    assert has_typed_answers(question)
    assert not has_typed_answers(create_question(create_bank(users), "choice"))
    fresh = bank_services.add_question(
        bank=create_bank(users), name="fresh", item=short_text_document(), by=None
    )
    assert not has_typed_answers(fresh)
    with pytest.raises(ValueError, match="never published"):
        load_newest_key(fresh)


# --- Accepting -------------------------------------------------------------------------------
def test_accepting_publishes_the_next_version_at_once(users, question):
    version = accepting(question, users.instructor, "Lutetia", Fraction(1, 2))
    assert version is not None
    assert (version.number, version.published_by) == (2, users.instructor)
    accepted = VersionKey.objects.get(version=version).key["accepted"]
    assert [(row["text"], row["credit"]) for row in accepted] == [
        ("Paris", [1, 1]),
        ("*France*", [1, 3]),
        ("Lutetia", [1, 2]),
    ]
    assert question.options.get(uuid=accepted[2]["id"]).name == "a1"


def test_what_was_graded_stays_as_it_was(users, question, answered):
    gradings = list(Grading.objects.values_list("total_numerator", "total_denominator"))
    accepting(question, users.instructor, "Lyon")
    assert list(Grading.objects.values_list("total_numerator", "total_denominator")) == gradings


def test_the_answer_stands_before_the_wildcard_that_would_take_it_away(users, question):
    accepting(question, users.instructor, "the heart of France")
    assert texts(question) == ["Paris", "the heart of France", "*France*"]


def test_stars_and_backslashes_of_an_answer_are_meant_as_they_stand(users, question):
    version = accepting(question, users.instructor, r"a*b\c")
    assert version is not None
    assert texts(question)[-1] == r"a\*b\\c"


def test_each_accepted_answer_gets_an_id_and_a_name_of_its_own(users, question):
    for text in ("Lutetia", "Lutèce sur Seine"):
        accepting(question, users.instructor, text)
        question.refresh_from_db()
    assert sorted(question.options.values_list("name", flat=True)) == ["a1", "a2"]


def test_a_draft_with_other_changes_takes_the_answer_and_is_not_published(users, question):
    changed = replace(short_text_document(), words={"en": {"prompt": "Which town?"}})
    bank_services.save_draft(question=question, item=changed, revision=None, by=None)
    assert not load_accepted_answer_status(question).published
    assert accepting(question, users.instructor) is None
    assert question.versions.count() == 1
    assert texts(question) == ["Paris", "*France*", "Lutetia"]


def test_an_unfinished_draft_takes_the_answer_at_its_end(users, question):
    changed = replace(short_text_document(), key={"accepted": [{"id": "row-0"}]})
    bank_services.save_draft(question=question, item=changed, revision=None, by=None)
    assert accepting(question, users.instructor) is None
    assert texts(question)[-1:] == ["Lutetia"]


@pytest.mark.parametrize("who", ["outsider", "learner", "stranger"])
def test_nobody_accepts_for_a_bank_that_is_not_theirs(users, question, who):
    with pytest.raises(NotFound):
        accepting(question, getattr(users, who))
    assert question.versions.count() == 1


def test_a_colleague_without_the_bank_is_nobody_either(users, question):
    with pytest.raises(NotFound):
        accepting(question, create_user("somebody"))


def test_a_draft_that_was_saved_in_between_is_not_overwritten(users, question):
    with pytest.raises(Conflict):
        accepting(
            question, users.instructor, revision=load_accepted_answer_status(question).revision - 1
        )
    assert texts(question) == ["Paris", "*France*"]
    assert not question.options.exists()


@pytest.mark.parametrize("credit", [Fraction(-1), Fraction(2), Fraction(1, 10**7)])
def test_a_credit_that_is_none_is_refused(users, question, credit):
    with pytest.raises(Invalid, match="accepted_credit_out_of_range"):
        accepting(question, users.instructor, credit=credit)


def test_what_is_accepted_already_is_refused_and_nothing_is_kept(users, question):
    with pytest.raises(Invalid) as refused:
        accepting(question, users.instructor, "PARIS")
    assert [problem.code for problem in refused.value.detail["problems"]] == ["never_reached"]
    assert texts(question) == ["Paris", "*France*"]


def test_a_draft_of_another_kind_has_nothing_to_accept(users, question):
    other = QuestionDocument(kind="multiple_choice", scoring_method="all_or_nothing")
    bank_services.save_draft(question=question, item=other, revision=None, by=None)
    with pytest.raises(Invalid, match="not_typed"):
        accepting(question, users.instructor)
