"""Building quizzes in the admin: drafted, named what they lack, published, retired."""

import pytest

from quizzes.attempts import services as attempts
from quizzes.attempts.selectors import load_attempt_view
from quizzes.bank import services as bank_services
from quizzes.bank.models import Question
from quizzes.document import QuestionDocument
from quizzes.publishing.models import Quiz, QuizVersion, RevealMoment
from tests.browser_forms import form_values
from tests.factories import NOW, create_bank, create_question
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db

QUIZZES = "/admin/publishing/quiz/"
ADD = f"{QUIZZES}add/"


def page_of(quiz: Quiz, page: str = "change") -> str:
    return f"{QUIZZES}{quiz.pk}/{page}/"


def sent(client, address: str, **changes):
    data = form_values(client.get(address), "title_en") | changes
    return client.post(address, data)


@pytest.fixture
def author(users):
    return logged_in_client(users.instructor)


@pytest.fixture
def built(users, author, questions) -> Quiz:
    """A quiz of one fixed question and a draw, made on the page in one go."""
    for name in ("p1", "p2", "p3"):
        create_question(create_bank(users), name)
        bank_services.set_tags(question=Question.objects.get(name=name), names=["pool"], by=None)
    response = sent(
        author,
        ADD,
        slug="built",
        title_en="Built",
        title_es="Hecho",
        group=str(users.group.pk),
        **{"slots-0-question": "many (bank)", "slots-0-points": "2.5"},
        **{"slots-1-pool_bank": str(create_bank(users).pk), "slots-1-pool_tag": "pool"},
        **{"slots-1-draw": "2", "slots-1-position": "1"},
    )
    assert response.status_code == 302, response.context["errors"]
    return Quiz.objects.get(slug="built")


def test_a_quiz_is_built_in_one_go_and_published(built, author, users):
    section = built.sections.get()
    assert [str(slot.points) for slot in section.slots.all()] == ["2.5000", "1.0000"]
    assert sent(author, page_of(built), _publish="1").status_code == 302
    built.refresh_from_db()
    quiz_version = built.current
    assert quiz_version is not None
    assert (quiz_version.number, quiz_version.question_count, quiz_version.title["es"]) == (
        1,
        3,
        "Hecho",
    )
    assert quiz_version.maximum == 4.5
    assert quiz_version.published_by == users.instructor


def test_a_page_sent_back_untouched_is_no_new_quiz_version(built, author):
    sent(author, page_of(built), _publish="1")
    sent(author, page_of(built), _publish="1")
    assert QuizVersion.objects.filter(quiz=built).count() == 1


def test_what_keeps_it_from_being_published_is_said_and_the_draft_is_saved(built, author):
    answer = sent(author, page_of(built), **{"slots-1-draw": "4", "_publish": "1"})
    assert answer.status_code == 302
    page = author.get(page_of(built)).content.decode()
    assert page.count("“4 × Bank (pool)”: 4 are to be drawn, but only 3 can be.") == 2
    assert "cannot be published yet" in page
    assert not QuizVersion.objects.filter(quiz=built).exists()
    assert built.sections.get().slots.get(position=1).draw == 4


def test_the_page_totals_questions_and_points_and_says_what_passing_needs(built, author):
    totals = author.get(page_of(built)).context["totals"]
    assert totals == ("3 questions", "4.5 points", "passing needs 3.6 (80\N{NO-BREAK SPACE}%)")


def test_the_form_says_what_it_comes_to_while_it_is_filled_in_and_saves_nothing(built, author):
    data = form_values(author.get(page_of(built)), "title_en") | {
        "slots-1-draw": "3",
        "slots-1-points": "2",
        "slots-0-DELETE": "on",
        "pass_percent": "50",
        "title_en": "",
        "title_es": "",
        "closes_at_0": "2027-05-12",
        "closes_at_1": "18:00",
        "audience": "signed_in",
        "reveal_reveal_key": "after_close",
    }
    answer = author.post(page_of(built, "effects"), data)
    assert answer.context["totals"] == (
        "3 questions",
        "6 points",
        "passing needs 3 (50\N{NO-BREAK SPACE}%)",
    )
    assert (
        "Learners see after 12 May 2027, 18:00 UTC, when the last window closes: the right answers."
    ) in answer.context["reveal_sentences"]
    built.refresh_from_db()
    assert (built.pass_percent, built.closes_at, built.title["en"]) == (80, None, "Built")
    assert built.sections.get().slots.count() == 2


def test_the_form_of_a_new_quiz_says_what_it_comes_to(author, users, questions):
    data = form_values(author.get(ADD), "title_en") | {"slots-0-question": "many (bank)"}
    answer = author.post(f"{QUIZZES}effects/", data)
    assert answer.context["totals"][:2] == ("1 question", "1 point")
    assert not Quiz.objects.exists()


def test_what_a_form_comes_to_is_asked_by_its_editors_alone(built, users):
    outsider = logged_in_client(users.outsider)
    assert outsider.post(page_of(built, "effects"), {}).status_code == 404
    assert logged_in_client(users.learner).post(f"{QUIZZES}effects/", {}).status_code == 404


def test_the_page_says_what_learners_will_see_and_when(built, author):
    page = author.get(page_of(built)).content.decode()
    assert "Learners see once they have passed: the right answers, the explanations." in page


def test_each_draw_says_what_it_takes_and_what_the_rest_of_the_quiz_leaves_it(built, author):
    page = author.get(page_of(built)).content.decode()
    assert "draws 2 of the 3 tagged pool" in page
    assert "remain for it" not in page
    third = {"slots-2-pool_bank": str(built.sections.get().slots.get(position=1).pool_bank_id)}
    sent(author, page_of(built), **third, **{"slots-0-question": "p1 (bank)"})
    page = author.get(page_of(built)).content.decode()
    assert "draws 2 of the 3 tagged pool; 2 remain for it beside the rest of the quiz" in page
    assert "draws 1 of 6; 3 remain for it beside the rest of the quiz" in page


def test_draws_that_compete_are_named_together_once(built, author):
    bank = built.sections.get().slots.get(position=1).pool_bank_id
    third = {"slots-2-pool_bank": str(bank), "slots-2-pool_tag": "pool", "slots-2-draw": "2"}
    sent(author, page_of(built), **third)
    page = author.get(page_of(built))
    assert [str(problem) for problem in page.context["problems"]] == [
        (
            "“2 × Bank (pool)”, “2 × Bank (pool)” draw from the same questions: 4 together, but"
            " only 3 can be drawn. Questions that stand fixed elsewhere in the quiz do not count."
        )
    ]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"title_en": ""}, "The title is missing in the source language, English."),
        ({"slots-0-DELETE": "on", "slots-1-DELETE": "on"}, "There are no questions yet"),
        ({"slots-0-points": "0", "slots-1-points": "0"}, "are worth no points"),
        ({"slots-2-question": "many (bank)"}, "“many” is listed more than once."),
        ({"slots-2-question": "raw (bank)"}, "“raw” has never been published"),
        ({"scoring_method": "option_weights"}, "“many” has no weights"),
    ],
)
def test_each_problem_is_said_in_words(built, author, users, changes, message):
    bank_services.add_question(
        bank=create_bank(users), name="raw", item=QuestionDocument("true_false", ""), by=None
    )
    assert sent(author, page_of(built), **changes).status_code == 302
    assert message in author.get(page_of(built)).content.decode()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"slots-0-question": "nowhere (bank)"}, "There is no such question in your banks."),
        ({"slots-0-question": "secret (theirs)"}, "There is no such question in your banks."),
        ({"slots-0-question": ""}, "Name either a question or a bank to draw from."),
        ({"slots-1-question": "single"}, "Name either a question or a bank to draw from."),
        ({"slots-1-draw": "0"}, "greater than or equal to 1"),
        ({"pass_percent": "101"}, "less than or equal to 100"),
        ({"time_limit": "0"}, "greater than or equal to 1"),
        ({"window_hours": "2147483647"}, "less than or equal to 100000"),
        ({"title_en": "", "title_es": ""}, "This field is required."),
        ({"intro_es": "x" * 20_001}, "has at most 20000 characters"),
        ({"scoring_method": "luck"}, "not one of the available choices"),
        ({"reveal_reveal_key": "at_once"}, "not one of the available choices"),
    ],
)
def test_what_makes_no_sense_is_refused_at_its_field(built, author, users, changes, message):
    theirs = bank_services.update_or_create_bank(
        slug="theirs", group=users.other_group, fields={"title": {"en": "T"}}, by=None
    )
    create_question(theirs, "secret")
    answer = sent(author, page_of(built), **changes)
    assert answer.status_code == 200
    assert message in answer.content.decode()
    assert built.sections.get().slots.count() == 2


def test_a_foreign_bank_cannot_be_drawn_from(built, author, users):
    theirs = bank_services.update_or_create_bank(
        slug="theirs", group=users.other_group, fields={"title": {"en": "T"}}, by=None
    )
    answer = sent(author, page_of(built), **{"slots-1-pool_bank": str(theirs.pk)})
    assert answer.status_code == 200
    assert built.sections.get().slots.get(position=1).pool_bank != theirs


def test_a_place_of_another_quiz_cannot_be_taken(built, author, a_quiz):
    foreign = a_quiz.sections.get().slots.first()
    sent(author, page_of(built), **{"slots-0-id": str(foreign.pk), "slots-0-points": "99"})
    foreign.refresh_from_db()
    assert foreign.points == 1
    assert foreign.section.quiz == a_quiz


@pytest.mark.parametrize("whose", ["other_group", "nobody"])
def test_a_quiz_is_made_for_groups_one_teaches_alone(author, users, whose):
    group = {"other_group": str(users.other_group.pk), "nobody": ""}[whose]
    answer = sent(author, ADD, slug="x", title_en="X", group=group)
    assert answer.status_code == 200
    assert not Quiz.objects.exists()


def test_a_quiz_of_everybody_is_read_but_not_changed(author, a_quiz):
    Quiz.objects.filter(pk=a_quiz.pk).update(group=None)
    page = author.get(page_of(a_quiz))
    assert page.status_code == 200
    assert "_publish" not in page.content.decode()
    assert author.post(page_of(a_quiz), {"_publish": "1"}).status_code == 403
    assert author.post(page_of(a_quiz, "retire")).status_code == 403


def test_places_go_to_the_section_of_their_number(built, author):
    sent(
        author,
        page_of(built),
        **{"slots-1-part": "2", "sections-TOTAL_FORMS": "2"},
        **{"sections-1-position": "2", "sections-1-title_en": "Second part"},
    )
    second = built.sections.get(position=2)
    assert second.title == {"en": "Second part"}
    assert second.slots.get().pool_tag is not None


def test_a_quiz_with_a_retired_question_can_still_be_changed(built, author):
    bank_services.retire(question=Question.objects.get(name="many"), by=None, now=NOW)
    assert sent(author, page_of(built), time_limit="45").status_code == 302
    built.refresh_from_db()
    assert built.time_limit == 45
    again = sent(author, page_of(built), **{"slots-2-question": "many (bank)"})
    assert "no such question" in again.content.decode()


def test_the_reveal_policy_is_one_table(built, author):
    changes = {
        "reveal_reveal_key": RevealMoment.NEVER,
        "reveal_reveal_score": RevealMoment.AFTER_CLOSE,
    }
    sent(author, page_of(built), **changes, _publish="1")
    built.refresh_from_db()
    assert built.reveal_key == RevealMoment.NEVER
    assert built.current is not None
    assert built.current.policies["reveal"]["score"] == "after_close"


def test_open_attempts_keep_their_quiz_version_and_the_page_says_so(author, users, a_quiz):
    attempt = attempts.start(quiz=a_quiz.uuid, learner=users.learner, now=NOW)
    page = author.get(page_of(a_quiz)).content.decode()
    assert "1 attempt is open and keeps the version it started with." in page
    sent(author, page_of(a_quiz), title_en="Another title", pass_percent="10", _publish="1")
    a_quiz.refresh_from_db()
    assert a_quiz.current is not None
    assert a_quiz.current.number == 2
    seen = load_attempt_view(attempt=attempt.uuid, learner=users.learner)
    assert seen.manifest.title["en"] == "A quiz"
    assert seen.manifest.threshold * 100 == 80


def test_retiring_says_what_it_does_and_is_undone_by_publishing(author, a_quiz):
    page = author.get(page_of(a_quiz, "retire")).content.decode()
    assert "Nobody can start a retired quiz." in page
    author.post(page_of(a_quiz, "retire"))
    a_quiz.refresh_from_db()
    assert a_quiz.retired_at is not None
    sent(author, page_of(a_quiz), _publish="1")
    a_quiz.refresh_from_db()
    assert a_quiz.retired_at is None


def test_a_quiz_is_never_deleted(author, a_quiz):
    assert author.post(page_of(a_quiz, "delete"), {"post": "yes"}).status_code == 409
    assert Quiz.objects.filter(pk=a_quiz.pk).exists()


def test_the_list_asks_as_often_for_many_as_for_few(author, users, a_quiz, counted):
    with counted() as few:
        author.get(QUIZZES)
    for n in range(5):
        Quiz.objects.create(slug=f"more-{n}", title={"en": "M"}, group=users.group)
    with counted() as many:
        author.get(QUIZZES)
    assert len(many) == len(few)


def test_a_quiz_of_many_questions_asks_as_often_as_one_of_few(built, author, users, counted):
    with counted() as few:
        author.get(page_of(built))
    section = built.sections.get()
    for n in range(6):
        section.slots.create(
            question=create_question(create_bank(users), f"more-{n}"), position=n + 5
        )
    with counted() as many:
        author.get(page_of(built))
    assert len(many) == len(few)
