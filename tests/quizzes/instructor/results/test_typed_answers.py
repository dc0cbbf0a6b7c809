"""Beside a question in the admin: what was written, to whom, and one click to accept it."""

import re

import pytest

from accounts.models import Group, Membership, Role
from quizzes.bank import services as bank_services
from quizzes.bank.models import Bank, Draft
from quizzes.results.response_analysis import load_typed_answers
from tests.factories import create_bank, create_question, create_quiz, share_with_everyone
from tests.short_text_factory import attempt_with_text, create_short_text, short_text_document
from tests.users import create_user, logged_in_client

pytestmark = pytest.mark.django_db

LIST = "/admin/results/itemresult/question/{}/"
ACCEPT = LIST + "accept/"


@pytest.fixture
def question(users):
    return create_short_text(create_bank(users))


@pytest.fixture
def of(users, question):
    quiz = create_quiz(users, [question], window_attempts=None)
    for text in ("Paris", "Pariss", "Lyon", "lyon", "in France", '<b>"&', ""):
        attempt_with_text(quiz, users.learner, text)
    return quiz


def page(user, address, status=200, language="en"):
    answer = logged_in_client(user).get(address, headers={"accept-language": language})
    assert answer.status_code == status
    return answer.content.decode()


def words(html: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def row(html: str, text: str) -> str:
    rows = (row for row in re.findall(r"<tr>.*?</tr>", html, re.DOTALL) if text in row)
    return words(next(rows))


def send(user, question, **changes):
    form = {
        "text": "Lyon",
        "credit": "1/2",
        "revision": Draft.objects.get(question=question).revision,
        **changes,
    }
    return logged_in_client(user).post(ACCEPT.format(question.pk), form, follow=True)


def accepted(question):
    return [
        answer["text"] for answer in Draft.objects.get(question=question).data["key"]["accepted"]
    ]


# --- The list --------------------------------------------------------------------------------
def test_the_list_tells_how_often_what_it_earned_and_what_becomes_of_it_now(users, question, of):
    html = page(users.instructor, LIST.format(question.pk))
    assert row(html, "Paris") == "Paris 1 1 accepted Other credit…"
    buttons = "Give full credit Other credit… Accept this answer"
    assert row(html, "Pariss") == f"Pariss 1 0 nearly accepted {buttons}"
    assert "2 spellings" in row(html, "2 spellings")
    accepted = f"in France 1 1/3 accepted for 1/3 of the points {buttons}"
    assert row(html, "in France") == accepted
    assert "7 answers from your learners" in words(html)
    assert "1 left it empty." in words(html)


def test_what_was_written_is_shown_and_does_nothing(users, question, of):
    html = page(users.instructor, LIST.format(question.pk))
    assert "&lt;b&gt;&quot;&amp;" in html
    assert "text=%3Cb%3E%22%26" in html
    assert '<b>"&' not in html


def test_the_list_says_when_nobody_wrote_anything(users, question):
    html = page(users.instructor, LIST.format(question.pk))
    assert "None of your learners has answered yet." in html


def test_answers_come_page_by_page_by_their_own_place(users, question, of, monkeypatch):
    monkeypatch.setattr("quizzes.instructor.results.typed_answers.PAGE_SIZE", 2)
    client, address, listed = logged_in_client(users.instructor), LIST.format(question.pk), []
    pages = 0
    while address:
        context = client.get(address).context
        listed += [row[0].text for row in context["rows"]]
        query = context["next_query"]
        address = f"{LIST.format(question.pk)}?{query}" if query else ""
        pages += 1
    everything = load_typed_answers(question=question, viewer=users.instructor)
    assert listed == [row.text for row in everything.rows]
    assert pages == (len(listed) + 1) // 2 > 1


@pytest.mark.parametrize("after", ["", "[", "[1]", '["1", 2, 3]', "{}", "[" * 9000])
def test_what_is_no_place_is_the_first_page(users, question, of, after):
    context = logged_in_client(users.instructor).get(LIST.format(question.pk), {"after": after})
    assert context.context["is_continued"] is False


@pytest.mark.parametrize("address", [LIST, ACCEPT + "?text=Lyon"])
@pytest.mark.parametrize("who", ["outsider", "learner", "stranger"])
def test_for_those_of_other_groups_and_for_learners_there_is_no_such_page(
    users, question, of, address, who
):
    page(getattr(users, who), address.format(question.pk), status=404)
    assert send(getattr(users, who), question).status_code == 404
    assert accepted(question) == ["Paris", "*France*"]


def test_the_nameless_are_asked_to_sign_in(client, question):
    answer = client.get(LIST.format(question.pk))
    assert answer.status_code == 302
    assert "/accounts/" in answer["Location"]


def test_of_a_shared_question_each_reads_their_own_learners_and_changes_nothing(
    users, question, of
):
    share_with_everyone(question.bank)
    html = page(users.outsider, LIST.format(question.pk))
    assert "None of your learners has answered yet." in html
    assert "Accept this answer" not in page(users.instructor, LIST.format(question.pk))
    page(users.instructor, f"{ACCEPT.format(question.pk)}?text=Lyon", status=404)
    assert send(users.instructor, question).status_code == 404
    assert "Accept this answer" in page(users.administrator, LIST.format(question.pk))


@pytest.mark.parametrize("pk", [0, 999_999])
def test_what_is_not_there_is_not_found(users, pk):
    page(users.instructor, LIST.format(pk), status=404)


def test_a_question_that_is_not_typed_has_no_such_page_and_no_link_to_it(users):
    choice = create_question(create_bank(users), "choice")
    page(users.instructor, LIST.format(choice.pk), status=404)
    assert "Typed answers" not in page(
        users.instructor, f"/admin/bank/question/{choice.pk}/history/"
    )


@pytest.mark.parametrize("name", ["change", "history", "retire"])
def test_the_pages_of_the_question_lead_to_it(users, question, name):
    html = page(users.instructor, f"/admin/bank/question/{question.pk}/{name}/")
    assert f'href="{LIST.format(question.pk)}"' in html


def test_the_list_stands_in_no_menu(users):
    assert "itemresult" not in page(users.instructor, "/admin/")


# --- Accepting -------------------------------------------------------------------------------
def test_the_step_says_what_accepting_does(users, question):
    html = page(users.instructor, f"{ACCEPT.format(question.pk)}?text=Lyon")
    assert "“Lyon” will be one of the accepted answers." in words(html)
    assert "This publishes version 2 of the question at once." in words(html)
    assert "keep the version they have" in words(html)
    assert "csrfmiddlewaretoken" in html


def test_accepting_takes_a_page_and_a_button_and_the_list_says_so(users, question, of):
    answer = send(users.instructor, question)
    html = answer.content.decode()
    assert answer.redirect_chain == [(LIST.format(question.pk), 302)]
    assert "“Lyon” is accepted from version 2 on." in html
    assert row(html, "2 spellings").endswith("0.5 of the points Give full credit Other credit…")
    assert accepted(question) == ["Paris", "*France*", "Lyon"]


def test_a_draft_with_other_changes_is_not_published_unasked(users, question):
    changed = short_text_document((("Paris", (1, 1)), ("Roma", (1, 2))))
    bank_services.save_draft(question=question, item=changed, revision=None, by=None)
    html = page(users.instructor, f"{ACCEPT.format(question.pk)}?text=Lyon")
    assert "The draft has other changes" in html
    answer = send(users.instructor, question).content.decode()
    assert "“Lyon” was added to the draft" in answer
    assert accepted(question) == ["Paris", "Roma", "Lyon"]
    assert question.versions.count() == 1


@pytest.mark.parametrize("credit", ["", "much", "2", "-1", "1/0", "1e9", "1/3/3", "9" * 50])
def test_a_part_of_the_points_that_is_none_is_named(users, question, credit):
    html = send(users.instructor, question, credit=credit).content.decode()
    assert "What it earns lies between 0 and 1." in html
    assert accepted(question) == ["Paris", "*France*"]


@pytest.mark.parametrize(
    ("credit", "expected"), [("1", [1, 1]), ("0,25", [1, 4]), (" 1/3 ", [1, 3])]
)
def test_a_part_of_the_points_is_read_as_it_is_written(users, question, credit, expected):
    send(users.instructor, question, credit=credit)
    assert Draft.objects.get(question=question).data["key"]["accepted"][-1]["credit"] == expected


def test_what_is_accepted_already_is_said(users, question):
    html = send(users.instructor, question, text="PARIS").content.decode()
    assert "It can never count: “PARIS” comes first" in words(html)


def test_a_draft_saved_in_between_is_told_and_not_overwritten(users, question):
    answer = send(users.instructor, question, revision="0")
    assert answer.status_code == 409
    assert "Somebody else saved the draft meanwhile" in answer.content.decode()
    assert send(users.instructor, question, revision="x" * 20).status_code == 409


def test_a_draft_of_another_kind_is_told(users, question):
    other = short_text_document()
    changed = type(other)(kind="flashcard", scoring_method="study")
    bank_services.save_draft(question=question, item=changed, revision=None, by=None)
    html = send(users.instructor, question).content.decode()
    assert "The draft has another kind now" in html


@pytest.mark.parametrize("text", ["", "  ", "a\0b", "x" * 600])
def test_what_could_be_no_answer_has_no_step(users, question, text):
    assert send(users.instructor, question, text=text).status_code == 404


def test_without_its_token_nothing_is_accepted(users, question):
    browser = logged_in_client(users.instructor)
    browser.handler.enforce_csrf_checks = True
    form = {"text": "Lyon", "credit": "1", "revision": "1"}
    assert browser.post(ACCEPT.format(question.pk), form).status_code == 403
    assert accepted(question) == ["Paris", "*France*"]


def test_a_colleague_of_the_same_group_may_accept_and_is_named(users, question):
    colleague = create_user("colleague")
    Membership.objects.create(group=users.group, user=colleague, role=Role.INSTRUCTOR)
    send(colleague, question)
    question.refresh_from_db()
    assert question.current.published_by == colleague


def test_one_who_only_oversees_the_learner_does_not_edit_the_bank(users, question, of):
    """The bank moves to another group: its instructors edit, ours do not even see it."""
    Bank.objects.filter(pk=question.bank_id).update(group=Group.objects.create(name="Elsewhere"))
    page(users.instructor, LIST.format(question.pk), status=404)
