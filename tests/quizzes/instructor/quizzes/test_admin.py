"""Building quizzes in the admin: drafted, named what they lack, published, retired."""

import pytest

from accounts.models import Role
from quizzes.attempts import services as attempts
from quizzes.attempts.selectors import load_attempt_view
from quizzes.bank import services as bank_services
from quizzes.bank.models import Question, Tag
from quizzes.document import QuestionDocument
from quizzes.publishing.models import BOUNDS, Audience, Quiz, QuizVersion, RevealMoment, Section
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
    """A quiz of one fixed question and a draw; its settings are made on the page."""
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
    )
    assert response.status_code == 302, response.context["errors"]
    quiz = Quiz.objects.get(slug="built")
    assert response["Location"] == page_of(quiz, "questions")
    section = Section.objects.create(quiz=quiz)
    section.slots.create(question=Question.objects.get(name="many"), points="2.5")
    tag = Tag.objects.get(name="pool")
    section.slots.create(position=1, pool_bank=create_bank(users), pool_tag=tag, draw=2)
    return quiz


def test_a_quiz_is_published_from_its_settings(built, author, users):
    assert sent(author, page_of(built), max_attempts="1", _publish="1").status_code == 302
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
    sent(author, page_of(built), max_attempts="1", _publish="1")
    sent(author, page_of(built), _publish="1")
    assert QuizVersion.objects.filter(quiz=built).count() == 1


def test_what_keeps_it_from_being_published_is_said_and_the_draft_is_saved(built, author):
    built.sections.get().slots.filter(position=1).update(draw=4)
    answer = sent(author, page_of(built), time_limit="45", _publish="1")
    assert answer.status_code == 302
    page = author.get(page_of(built)).content.decode()
    assert page.count("“4 × Bank (pool)”: 4 are to be drawn, but only 3 can be.") == 1
    assert "cannot be published yet" in page
    assert not QuizVersion.objects.filter(quiz=built).exists()
    built.refresh_from_db()
    assert built.time_limit == 45


def test_the_form_names_a_tag_that_makes_no_enemies(built, author):
    assert sent(author, page_of(built), enemy_tags="mistyped").status_code == 302
    page = author.get(page_of(built)).content.decode()
    assert page.count("No question of this quiz is tagged mistyped") == 2  # at the field, above
    built.refresh_from_db()
    assert built.enemy_tags == "mistyped"


def test_a_tag_of_enemies_that_is_too_long_is_refused(built, author):
    answer = sent(author, page_of(built), enemy_tags="x" * 61)
    assert "A tag has at most 60 characters." in answer.content.decode()


def test_the_page_totals_questions_and_points_and_says_what_passing_needs(built, author):
    totals = author.get(page_of(built)).context["totals"]
    assert totals == ("3 questions", "4.5 points", "passing needs 3.6 (80%)")


def test_the_form_says_what_it_comes_to_while_it_is_filled_in_and_saves_nothing(built, author):
    data = form_values(author.get(page_of(built)), "title_en") | {
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
        "4.5 points",
        "passing needs 2.25 (50%)",
    )
    assert (
        "Learners see after 12 May 2027, 18:00 UTC, when the last window closes: the right answers."
    ) in answer.context["reveal_sentences"]
    built.refresh_from_db()
    assert (built.pass_percent, built.closes_at, built.title["en"]) == (80, None, "Built")


def test_the_form_of_a_new_quiz_says_what_it_comes_to(author, users, questions):
    data = form_values(author.get(ADD), "title_en") | {"reveal_reveal_key": "never"}
    answer = author.post(f"{QUIZZES}effects/", data)
    assert answer.context["totals"][:2] == ("0 questions", "0 points")
    assert "Learners never see the right answers." in answer.context["reveal_sentences"]
    assert not Quiz.objects.exists()


def test_what_a_form_comes_to_is_asked_by_its_editors_alone(built, users):
    outsider = logged_in_client(users.outsider)
    assert outsider.post(page_of(built, "effects"), {}).status_code == 404
    assert logged_in_client(users.learner).post(f"{QUIZZES}effects/", {}).status_code == 404


def test_the_page_says_what_learners_will_see_and_when(built, author):
    page = author.get(page_of(built)).content.decode()
    assert "Learners see once they have passed or given up: the right answers," in page


def test_draws_that_compete_are_named_together_once(built, author):
    second = built.sections.get().slots.get(position=1)
    second.pk = None
    second.save()
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
        ({"scoring_method": "option_weights"}, "“many” has no weights"),
    ],
)
def test_each_problem_of_the_settings_is_said_in_words(built, author, changes, message):
    assert sent(author, page_of(built), **changes).status_code == 302
    assert message in author.get(page_of(built)).content.decode()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("none", "There are no questions yet"),
        ("worthless", "are worth no points"),
        ("twice", "“many” is listed more than once."),
        ("raw", "“raw” has never been published"),
    ],
)
def test_each_problem_of_what_it_asks_is_said_in_words(built, author, users, change, message):
    raw = bank_services.add_question(
        bank=create_bank(users), name="raw", item=QuestionDocument("true_false", ""), by=None
    )
    section, many = built.sections.get(), Question.objects.get(name="many")
    {
        "none": lambda: section.slots.all().delete(),
        "worthless": lambda: section.slots.update(points=0),
        "twice": lambda: section.slots.create(question=many),
        "raw": lambda: section.slots.create(question=raw),
    }[change]()
    assert message in author.get(page_of(built)).content.decode()
    assert message in author.get(page_of(built, "questions")).content.decode()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"pass_percent": "101"}, "less than or equal to 100"),
        ({"time_limit": "0"}, "greater than or equal to 1"),
        ({"window_hours": "2147483647"}, "less than or equal to 100000"),
        ({"title_en": "", "title_es": ""}, "This field is required."),
        ({"intro_es": "x" * 20_001}, "has at most 20000 characters"),
        ({"scoring_method": "luck"}, "not one of the available choices"),
        ({"reveal_reveal_key": "at_once"}, "not one of the available choices"),
    ],
)
def test_what_makes_no_sense_is_refused_at_its_field(built, author, changes, message):
    answer = sent(author, page_of(built), **changes)
    assert answer.status_code == 200
    assert message in answer.content.decode()


@pytest.mark.parametrize("name", BOUNDS)
def test_the_browser_knows_the_bounds_of_each_number(built, author, name):
    least, most = BOUNDS[name]
    widget = author.get(page_of(built)).context["adminform"].form.fields[name].widget
    assert (widget.attrs["min"], widget.attrs["max"]) == (least, most)


def test_a_new_quiz_needs_a_title_alone_where_its_class_is_clear(author, users):
    for name in ("cells-and-genes", "cells-and-genes-2"):
        answer = sent(author, ADD, title_en="Cells and genes")
        quiz = Quiz.objects.get(slug=name)
        assert answer["Location"] == page_of(quiz, "questions")
        assert quiz.group == users.group


def test_a_title_without_latin_letters_still_makes_a_short_name(author):
    assert sent(author, ADD, title_en="細胞").status_code == 302
    assert Quiz.objects.get().slug == "quiz"


def test_a_short_name_that_is_taken_or_none_is_refused(author, a_quiz):
    for typed in (a_quiz.slug, "no name"):
        assert sent(author, ADD, title_en="X", slug=typed).status_code == 200
    assert Quiz.objects.count() == 1


def test_who_teaches_two_classes_says_of_which_the_quiz_is(author, users):
    users.other_group.memberships.create(user=users.instructor, role=Role.INSTRUCTOR)
    assert sent(author, ADD, title_en="X").status_code == 200
    assert sent(author, f"{ADD}?group={users.other_group.pk}", title_en="X").status_code == 302
    assert Quiz.objects.get().group == users.other_group


def test_a_published_quiz_without_a_class_leads_to_its_assignment(author, a_quiz):
    sentence = "No class has this quiz yet"
    pages = [page_of(a_quiz), page_of(a_quiz, "questions")]
    assert all(sentence not in author.get(page).content.decode() for page in pages)
    a_quiz.assignments.all().delete()
    link = f"assignment/add/?quiz={a_quiz.pk}&amp;group={a_quiz.group_id}"
    for page in pages:
        html = author.get(page).content.decode()
        assert sentence in html
        assert link in html
    Quiz.objects.update(audience=Audience.SIGNED_IN)
    assert all(sentence not in author.get(page).content.decode() for page in pages)


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


def test_the_reveal_policy_is_one_table(built, author):
    changes = {
        "reveal_reveal_key": RevealMoment.NEVER,
        "reveal_reveal_score": RevealMoment.AFTER_CLOSE,
    }
    sent(author, page_of(built), **changes, max_attempts="1", _publish="1")
    built.refresh_from_db()
    assert built.reveal_key == RevealMoment.NEVER
    assert built.current is not None
    assert built.current.policies["reveal"]["score"] == "after_close"


def test_open_attempts_keep_their_quiz_version_and_the_page_says_so(author, users, a_quiz):
    attempt = attempts.start(quiz=a_quiz.uuid, learner=users.learner, now=NOW)
    page = author.get(page_of(a_quiz)).content.decode()
    assert "1 attempt is open and keeps the version it started with." in page
    sent(author, page_of(a_quiz), title_en="Another title", max_attempts="1", _publish="1")
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


def test_settings_that_another_saved_meanwhile_are_named_and_not_overwritten_unseen(built, author):
    address = page_of(built)
    mine = form_values(author.get(address), "title_en") | {"title_en": "Mine"}
    sent(author, address, title_en="Theirs", max_attempts="3")
    refused = author.post(address, mine)
    page = refused.content.decode()
    assert refused.status_code == 200
    assert "Somebody else changed meanwhile: title, attempts at most." in page
    assert 'value="Mine"' in page
    built.refresh_from_db()
    assert (built.title["en"], built.max_attempts) == ("Theirs", 3)
    again = form_values(refused, "title_en")
    assert author.post(address, again).status_code == 302
    built.refresh_from_db()
    assert (built.title["en"], built.max_attempts) == ("Mine", None)


def test_settings_that_nobody_else_touched_are_saved_twice_from_one_page(built, author):
    address = page_of(built)
    first = author.get(address)
    assert author.post(address, form_values(first, "title_en")).status_code == 302
    assert author.post(address, form_values(first, "title_en")).status_code == 302
