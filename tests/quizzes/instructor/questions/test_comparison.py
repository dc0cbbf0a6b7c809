"""The authoring page shows what its key accepts and refuses, while it is written."""

import pytest
from django.urls import reverse

from quizzes.bank.models import Draft
from quizzes.document import QuestionDocument
from quizzes.instructor.questions.comparison_examples import build_comparison
from tests.browser_forms import form_values
from tests.factories import create_bank, create_question
from tests.grading.cloze.questions import CONTENT, KEY
from tests.short_text_factory import create_short_text, short_text_document
from tests.users import logged_in_client

NEW = "/admin/bank/question/add/examples/"


@pytest.fixture
def author(users):
    return logged_in_client(users.instructor)


@pytest.fixture
def question(users):
    return create_short_text(create_bank(users))


def examples_of(client, question, **changes):
    data = form_values(client.get(change(question)), "q-kind") | changes
    return client.post(reverse("admin:bank_question_examples", args=[question.pk]), data)


def change(question):
    return reverse("admin:bank_question_change", args=[question.pk])


def texts(response, verdict):
    _, _, rest = response.content.decode().partition(f"is-{verdict}")
    listed, _, _ = rest.partition("</ul>")
    return {part.partition("</code>")[0] for part in listed.split("<code>")[1:]}


@pytest.mark.django_db
def test_the_page_shows_examples_of_the_saved_draft(author, question):
    response = author.get(change(question))
    assert {"Paris", "PARIS", "Paris."} <= texts(response, "accepted")
    assert "Accents count; capitals do not" in response.content.decode()


@pytest.mark.django_db
def test_examples_follow_what_is_typed_and_nothing_is_saved(author, question):
    before = Draft.objects.get(question=question)
    changes = {"accepted-0-field_text": "a != b", "q-field_sort": "code", "try": "a = b"}
    response = examples_of(author, question, **changes)
    assert {"a != b", " a != b "} <= texts(response, "accepted")
    assert {"A != B", "a  != b"} & texts(response, "refused")
    assert "refused</span>" in response.content.decode()
    changed = examples_of(
        author, question, **(changes | {"q-field_case": "ignored", "try": "A != B"})
    )
    assert "A != B" in texts(changed, "accepted")
    assert "accepted</span>" in changed.content.decode()
    after = Draft.objects.get(question=question)
    assert (after.revision, after.data) == (before.revision, before.data)


@pytest.mark.django_db
def test_what_is_typed_is_shown_and_never_run(author, question):
    response = examples_of(author, question, **{"accepted-0-field_text": "<script>", "try": "<b>"})
    page = response.content.decode()
    assert "&lt;script&gt;" in page
    assert "&lt;b&gt;" in page
    assert "<script>" not in page


@pytest.mark.django_db
def test_a_new_question_has_examples_before_it_has_a_name(author, users):
    create_bank(users)
    data = form_values(author.get("/admin/bank/question/add/?kind=short_text"), "q-kind")
    response = author.post(NEW, data | {"accepted-0-field_text": "Perú"})
    assert "PERÚ" in texts(response, "accepted")
    assert "Peru" in texts(response, "refused")
    empty = author.post(NEW, data)
    assert "Write an accepted answer to see examples." in empty.content.decode()


@pytest.mark.django_db
def test_a_question_without_typed_answers_has_none(author, users):
    question = create_question(create_bank(users), "choice")
    assert b"data-comparison" not in author.get(change(question)).content
    assert examples_of(author, question).status_code == 422


@pytest.mark.django_db
def test_only_who_may_see_a_question_may_ask_of_it(users, author, question):
    address = reverse("admin:bank_question_examples", args=[question.pk])
    assert author.get(address).status_code == 405
    for person in (users.learner, users.stranger):
        assert logged_in_client(person).post(address, {}).status_code in {302, 403, 404}
        assert logged_in_client(person).post(NEW, {}).status_code in {302, 403, 404}


def test_each_typed_gap_has_examples_of_its_own():
    document = QuestionDocument(
        kind="cloze", scoring_method="per_gap", content=CONTENT, key=KEY, words={}, feedback={}
    )
    view = build_comparison(document, {"try-river": "ebro", "try-pi": "3", "try": "x"})
    assert view is not None
    (group,) = view.groups
    assert (group.placeholder, group.attempt) == ("2", True)


def test_each_gap_is_tried_by_itself_and_compared_by_its_own_sort():
    gaps = [
        {"id": sort, "placeholder": sort, "kind": "short_text", "sort": sort}
        for sort in ("words", "code", "exact_text")
    ]
    rows = [{"id": f"a{gap['id']}", "gap": gap["id"], "text": " F(x)"} for gap in gaps]
    document = QuestionDocument(
        kind="cloze",
        scoring_method="per_gap",
        content={"gaps": gaps, "options": []},
        key={"accepted": rows},
    )
    view = build_comparison(document, dict.fromkeys((f"try-{gap['id']}" for gap in gaps), "f(x)"))
    assert view is not None
    assert [group.attempt for group in view.groups] == [True, False, False]
    assert len({group.sentence for group in view.groups}) == 3
    again = build_comparison(document, {"try-exact_text": " F(x)", "try-code": "F(x) "})
    assert again is not None
    assert [group.attempt for group in again.groups] == [None, True, True]
    exact = again.groups[2]
    assert exact.tried == "␣F(x)"
    assert "␣F(x)" in [example.text for example in exact.accepted]
    assert "␣␣F(x)␣" in [example.text for example in exact.refused]


def test_the_gaps_that_are_typed_have_examples_however_many_others_come_first():
    gaps = [{"id": f"g{n}", "placeholder": str(n), "kind": "numeric"} for n in range(30)]
    gaps.append({"id": "last", "placeholder": "last", "kind": "short_text"})
    rows = [{"id": "a", "gap": "last", "text": "x"}]
    document = QuestionDocument(
        kind="cloze", scoring_method="", content={"gaps": gaps}, key={"accepted": rows}
    )
    view = build_comparison(document)
    assert view is not None
    assert [group.placeholder for group in view.groups] == ["last"]


def test_a_key_that_cannot_be_read_yet_has_no_examples():
    for text in ("", "(a"):
        document = short_text_document([(text, (1, 1))])
        rows = document.key["accepted"]
        assert isinstance(rows, list)
        broken = [{**row, "pattern": text == "(a"} for row in rows if isinstance(row, dict)]
        view = build_comparison(
            QuestionDocument(kind="short_text", scoring_method="", key={"accepted": [*broken]})
        )
        assert view is not None
        assert view.groups == ()
