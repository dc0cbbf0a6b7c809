"""Writing questions in the admin: from the blank page to the history of versions."""

from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse

from quizzes.bank import services
from quizzes.bank.models import Draft, Option, Question, QuestionVersion
from quizzes.bank.selectors import PublicVersion
from quizzes.document import QuestionDocument
from quizzes.instructor.questions import preview
from tests.browser_forms import form_values
from tests.factories import create_bank, create_question, share_with_everyone
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db

BLANK = "/admin/bank/question/add/"
ADD = f"{BLANK}?kind=single_choice"
TRUTH = f"{BLANK}?kind=true_false"


def change(question: Question, page: str = "change") -> str:
    return reverse(f"admin:bank_question_{page}", args=[question.pk])


def sent(client, address: str, **changes):
    """Fill in the page as it stands, with these changes, and send it."""
    data = form_values(client.get(address), "q-kind") | changes
    data.setdefault("_save", "1")
    return client.post(address, data)


def a_row(number: int, text: str, *, right: bool = False, **more: str) -> dict[str, str]:
    prefix = f"options-{number}"
    row = {f"{prefix}-words_options_en": text, f"{prefix}-words_options_es": f"{text} (es)"}
    return row | ({f"{prefix}-field_right": "on"} if right else {}) | more


@pytest.fixture
def author(users):
    return logged_in_client(users.instructor)


@pytest.fixture
def fresh(users, author) -> Question:
    """A question of two options, written on the page, not published."""
    create_bank(users)
    response = sent(
        author,
        ADD,
        **{"q-bank": "bank", "q-name": "new", "q-kind": "single_choice"},
        **{"q-words_prompt_en": "Which?", "q-words_prompt_es": "¿Cuál?", "q-tags": "one, Two"},
        **a_row(0, "this", right=True),
        **a_row(1, "that"),
    )
    question = Question.objects.get(name="new")
    assert response.headers["Location"] == change(question)
    return question


def entries(question: Question, table: str) -> list[dict[str, Any]]:
    """The rows of a table that takers may see."""
    listed: Any = draft(question).content[table]
    return list(listed)


def draft(question: Question) -> QuestionDocument:
    return QuestionDocument.from_json(Draft.objects.get(question=question).data)


def test_a_question_is_written_from_a_blank_page(fresh, users):
    item = draft(fresh)
    assert item.kind == "single_choice"
    assert item.scoring_method == "all_or_nothing"
    assert item.words["es"]["prompt"] == "¿Cuál?"
    ids = {option.name: str(option.uuid) for option in fresh.options.all()}
    assert set(ids) == {"a", "b"}
    assert item.key == {"right": [ids["a"]]}
    assert item.words["en"]["options"] == {ids["a"]: "this", ids["b"]: "that"}
    assert sorted(fresh.tags.values_list("name", flat=True)) == ["one", "two"]
    assert fresh.draft.updated_by == users.instructor
    assert fresh.current is None


@pytest.mark.parametrize("field", ["q-words_prompt_en", "options-0-feedback_options_es"])
def test_a_text_that_no_page_could_show_is_sent_back_at_its_field(fresh, author, field):
    answer = sent(author, change(fresh), **{field: "x" * 20_001})
    assert answer.status_code == 422
    assert "has at most 20000 characters" in answer.content.decode()
    assert "x" * 20_001 in answer.content.decode()


def test_from_problems_to_publishing_to_a_second_version_and_its_history(fresh, author):
    wrong = sent(author, change(fresh), **{"options-0-field_right": "", "_publish": "1"})
    assert wrong.status_code == 302
    page = author.get(change(fresh))
    assert "No option is correct" in page.content.decode()
    assert not QuestionVersion.objects.exists()
    assert draft(fresh).key["right"] == []

    sent(
        author, change(fresh), **{"options-0-field_right": "on", "_publish": "1", "q-note": "first"}
    )
    fresh.refresh_from_db()
    assert fresh.current is not None
    assert fresh.current.number == 1
    assert fresh.current.note == "first"

    sent(author, change(fresh), **{"q-words_prompt_en": "Which one?"})
    fresh.refresh_from_db()
    assert fresh.current is not None
    assert fresh.current.number == 1, "saving a draft publishes nothing"
    assert "Draft, not published yet" in author.get(change(fresh, "history")).content.decode()

    sent(author, change(fresh), _publish="1")
    history = author.get(change(fresh, "history")).content.decode()
    assert "Version 2" in history
    assert "<del>Which?</del><ins>Which one?</ins>" in history


def test_options_keep_their_ids_over_texts_and_order(fresh, author):
    before = {option.name: option.uuid for option in fresh.options.all()}
    sent(author, change(fresh), **{"options-0-order": "2", "options-1-order": "1"})
    sent(author, change(fresh), **{"options-0-words_options_en": "rewritten"})
    assert {option.name: option.uuid for option in fresh.options.all()} == before
    assert draft(fresh).row_ids == (str(before["b"]), str(before["a"]))


def test_an_option_that_is_taken_out_leaves_the_draft_and_comes_back_as_itself(fresh, author):
    before = {option.name: str(option.uuid) for option in fresh.options.all()}
    sent(author, change(fresh), **{"options-1-DELETE": "on"})
    assert draft(fresh).row_ids == (before["a"],)
    sent(author, change(fresh), **a_row(2, "again"), **{"options-2-name": "b"})
    assert draft(fresh).row_ids == (before["a"], before["b"])


def test_new_options_get_the_next_free_letter_whatever_was_typed(fresh, author):
    sent(author, change(fresh), **a_row(2, "third"), **{"options-2-name": "a"})
    assert sorted(fresh.options.values_list("name", flat=True)) == ["a", "b", "c"]


def test_a_page_sent_back_untouched_is_no_new_version(users, author):
    question = create_question(create_bank(users), "whole")
    sent(author, change(question), _publish="1")
    question.refresh_from_db()
    assert question.versions.get().number == 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"options-0-words_options_es": ""}, "The text is missing in Español."),
        ({"options-0-feedback_options_en": "Yes."}, "Español has none yet"),
        ({"q-words_prompt_en": "Which, now?"}, "The source was changed after this translation"),
        ({"q-scoring_method": "halves"}, "This kind is not scored that way"),
        (
            {"options-0-field_weight": "1"},
            "Options have weights, but this scoring does not use them.",
        ),
        ({"options-1-field_right": "on"}, "Only one option may be correct here; 2 are marked."),
        (
            {"q-words_prompt_en": "See ![x](http://elsewhere.example/x.png)"},
            "pictures from elsewhere",
        ),
        ({"options-1-DELETE": "on"}, "There must be at least 2 options; there are 1."),
    ],
)
def test_what_is_wrong_is_kept_and_said_at_the_field(fresh, author, changes, message):
    assert sent(author, change(fresh), **changes).status_code == 302
    assert message in author.get(change(fresh)).content.decode()


def test_a_translation_is_stale_until_its_author_says_otherwise(fresh, author):
    sent(author, change(fresh), **{"q-words_prompt_en": "Which, now?"})
    assert draft(fresh).is_outdated("es")
    sent(author, change(fresh), **{"q-up_to_date_es": "on"})
    assert not draft(fresh).is_outdated("es")


def test_of_two_authors_the_second_is_shown_both_and_overwrites_nothing(fresh, author, users):
    mine = form_values(author.get(change(fresh)), "q-kind")
    other = logged_in_client(users.administrator)
    sent(other, change(fresh), **{"q-words_prompt_en": "Theirs?"})
    late = author.post(
        change(fresh), mine | {"q-words_prompt_en": "Mine?", **a_row(2, "late"), "_publish": "1"}
    )
    assert late.status_code == 409
    page = late.content.decode()
    assert "somebody else saved this draft first" in page
    assert "Administrator" in page
    assert "<del>Theirs?</del><ins>Mine?</ins>" in page
    assert "Option c: Text" in page, "new options are called as they would be"
    assert "a b<ins> c</ins>" in page
    assert draft(fresh).words["en"]["prompt"] == "Theirs?"
    assert fresh.options.count() == 2, "no option is made for a save that was refused"
    assert not QuestionVersion.objects.exists()

    author.post(change(fresh), form_values(late, "q-kind") | {"_save": "1"})
    assert draft(fresh).words["en"]["prompt"] == "Mine?"


def test_a_name_that_is_taken_is_said_at_the_name(fresh, author):
    response = sent(author, TRUTH, **{"q-bank": "bank", "q-name": "new"})
    assert response.status_code == 422
    assert "There is a question of this name in the bank." in response.content.decode()
    assert Question.objects.filter(name="new").count() == 1


def test_what_cannot_be_kept_at_all_leaves_nothing_behind(fresh, author):
    response = sent(author, change(fresh), **{"q-kind": "riddle", "q-words_prompt_en": "Lost?"})
    assert response.status_code == 422
    assert draft(fresh).words["en"]["prompt"] == "Which?"
    assert "Lost?" in response.content.decode()


@pytest.mark.parametrize("sent_id", ["no id", "the other question's"])
def test_an_option_of_another_question_is_refused(fresh, author, users, sent_id):
    other = create_question(create_bank(users), "other")
    ids = {"the other question's": str(other.options.get(name="a").uuid)}
    response = sent(author, change(fresh), **{"options-0-id": ids.get(sent_id, sent_id)})
    assert response.status_code == 400
    assert Option.objects.filter(question=fresh).count() == 2


def test_a_foreign_bank_cannot_be_written_into(users, author):
    services.update_or_create_bank(
        slug="theirs", group=users.other_group, fields={"title": {"en": "T"}}, by=None
    )
    services.update_or_create_bank(
        slug="shared", group=None, fields={"title": {"en": "S"}}, by=None
    )
    create_bank(users)
    for slug in ("theirs", "shared"):
        response = sent(author, TRUTH, **{"q-bank": slug, "q-name": "x"})
        assert response.status_code == 422
    assert not Question.objects.exists()


def test_a_shared_question_is_read_but_not_changed(users, author):
    shared = services.update_or_create_bank(
        slug="shared", group=None, fields={"title": {"en": "S"}}, by=None
    )
    share_with_everyone(shared)
    question = create_question(shared, "theirs")
    page = author.get(change(question))
    assert page.status_code == 200
    assert "disabled" in page.content.decode()
    data = form_values(page, "q-kind") | {"q-words_prompt_en": "Mine now?", "_save": "1"}
    assert author.post(change(question), data).status_code == 403
    assert author.post(change(question, "retire")).status_code == 403
    assert draft(question).words["en"]["prompt"] == "Question theirs?"
    assert author.get(change(question, "preview")).status_code == 200


def test_the_preview_is_the_paper_of_the_draft_in_each_language(fresh, author):
    page = author.get(change(fresh, "preview")).content.decode()
    for text in ("Which?", "¿Cuál?", "this", "this (es)"):
        assert text in page
    above, _, answered = page.partition("With the key")
    assert "Correct" not in above
    assert "Correct" in answered


def render(public_version: PublicVersion, language: str, slot: int, **_of_answer: object) -> str:
    """Render a question in one language, and fail in the other."""
    if language == "es":
        raise KeyError("an incomplete draft")
    return f"<b>form {slot}: {public_version.words(language).prompt}</b>"


def test_the_preview_lists_what_cannot_be_rendered(fresh, author, monkeypatch):
    monkeypatch.setattr(preview, "preview_question", render)
    above, _, _ = author.get(change(fresh, "preview")).content.decode().partition("With the key")
    assert "<b>form 0: <p>Which?</p>" in above
    assert "this (es)" in above


def test_the_preview_shows_what_is_not_saved_and_saves_nothing(fresh, author):
    data = form_values(author.get(change(fresh)), "q-kind")
    data |= {"q-words_prompt_en": "Not saved?", **a_row(2, "an option to be")}
    page = author.post(change(fresh, "preview"), data).content.decode()
    assert "Not saved?" in page
    assert "an option to be" in page
    assert draft(fresh).words["en"]["prompt"] == "Which?"
    assert fresh.options.count() == 2


def test_a_preview_of_broken_words_runs_nothing(fresh, author):
    sent(author, change(fresh), **{"q-words_prompt_en": "<script>alert(1)</script> **Which?**"})
    for page in ("preview", "change", "history"):
        assert "<script>alert" not in author.get(change(fresh, page)).content.decode()


def test_retiring_says_what_it_does_and_is_undone_by_publishing(users, author, a_quiz, questions):
    page = author.get(change(questions[0], "retire")).content.decode()
    assert "It is used in the draft of 1 quiz." in page
    author.post(change(questions[0], "retire"))
    questions[0].refresh_from_db()
    assert questions[0].retired_at is not None
    sent(author, change(questions[0]), _publish="1")
    questions[0].refresh_from_db()
    assert questions[0].retired_at is None


def test_the_history_asks_the_same_number_of_times_however_long_it_is(fresh, author, counted):
    sent(author, change(fresh), _publish="1")
    with counted() as few:
        author.get(change(fresh, "history"))
    for n in range(4):
        sent(author, change(fresh), **{"q-words_prompt_en": f"Which {n}?", "_publish": "1"})
    with counted() as many:
        author.get(change(fresh, "history"))
    assert len(many) == len(few)


def test_one_without_a_bank_of_their_own_is_offered_no_blank_page(users):
    client = logged_in_client(users.outsider)
    assert client.get(ADD).status_code == 403
    assert client.post(ADD, {"q-name": "x"}).status_code == 403


def test_a_new_question_begins_with_its_kind(users, author):
    create_bank(users)
    page = author.get(f"{BLANK}?bank=bank").content.decode()
    assert "What kind of question?" in page
    assert "?kind=ordering&amp;bank=bank" in page
    assert author.get(f"{BLANK}?kind=riddle").content.decode().count("?kind=ordering") == 1


def test_another_kind_is_another_page_with_what_both_have_and_nothing_is_saved(users, author):
    create_bank(users)
    data = form_values(author.get(ADD), "q-kind") | a_row(1, "this", right=True) | a_row(2, "that")
    data |= {"q-words_prompt_en": "Which?", "q-tags": "one", "q-kind": "multiple_choice"}
    data |= {"q-feedback_explanation_es": "Porque sí", "options-2-name": "other"}
    data |= {"combination_feedback-0-field_chosen": [data["options-1-id"]], "_kind": "1"}
    data |= {
        "combination_feedback-0-feedback_combination_feedback_en": "Both!",
        "q-field_shuffle": "",
    }
    page = author.post(ADD, data)
    assert page.status_code == 200
    turned = form_values(page, "q-kind")
    assert not Question.objects.exists()
    assert (turned["q-rendered_kind"], turned["q-kind"]) == ("multiple_choice", "multiple_choice")
    assert turned["q-words_prompt_en"] == "Which?"
    assert turned["q-feedback_explanation_es"] == "Porque sí"
    assert turned["options-0-words_options_en"] == "this"
    assert turned["options-0-field_right"] == "on"
    assert turned["options-1-name"] == "other"
    assert turned["options-0-id"] == data["options-1-id"]
    assert turned["combination_feedback-0-field_chosen"] == data["options-1-id"]
    assert turned["q-tags"] == "one"
    assert "q-field_shuffle" not in turned

    author.post(ADD, turned | {"q-bank": "bank", "q-name": "new", "_save": "1"})
    question = Question.objects.get(name="new")
    ids = {option.name: str(option.uuid) for option in question.options.all()}
    assert draft(question).kind == "multiple_choice"
    combinations: Any = draft(question).key["combination_feedback"]
    assert [combination["chosen"] for combination in combinations] == [[ids["a"]]]


def test_a_kind_changed_without_the_button_is_asked_about_before_it_is_saved(fresh, author):
    page = sent(author, change(fresh), **{"q-kind": "ordering"})
    assert page.status_code == 200
    assert "nothing is saved yet" in page.content.decode()
    assert draft(fresh).kind == "single_choice"
    author.post(change(fresh), form_values(page, "q-kind") | {"_save": "1"})
    assert draft(fresh).kind == "ordering"
    assert draft(fresh).words["en"] == {"prompt": "Which?"}


def test_true_and_false_are_there_and_stay_there(users, author):
    create_bank(users)
    page = author.get(TRUTH).content.decode()
    assert "options-0-DELETE" not in page
    assert "Add an option" not in page
    rows = a_row(0, "so it is", right=True) | a_row(1, "no")
    order = {"options-0-order": "2", "options-1-order": "1"}
    sent(author, TRUTH, **{"q-bank": "bank", "q-name": "new"}, **rows, **order)
    question = Question.objects.get(name="new")
    names = dict(Option.objects.values_list("name", "uuid"))
    assert entries(question, "options") == [
        {"id": str(names["false"]), "pinned": False, "value": False},
        {"id": str(names["true"]), "pinned": False, "value": True},
    ]


def test_a_gap_without_a_mark_is_marked_by_its_key(users, author):
    create_bank(users)
    rows = {
        "gaps-0-name": "town",
        "gaps-1-field_placeholder": "The River",
        "gaps-2-field_points": "3",
    }
    sent(author, f"{BLANK}?kind=cloze", **{"q-bank": "bank", "q-name": "new"}, **rows)
    question = Question.objects.get(name="new")
    marks = [row["placeholder"] for row in entries(question, "gaps")]
    assert marks == ["town", "The River", "a"]
    assert set(question.options.values_list("name", flat=True)) == {"town", "the-river", "a"}


def test_what_names_a_row_that_is_taken_out_is_shown_and_named(users, author):
    create_bank(users)
    rows = {"rights-0-words_rights_en": "Dog", "lefts-0-words_lefts_en": "barks"}
    rows |= {"rights-0-id": (dog := str(uuid4())), "lefts-0-field_goes_with": dog}
    sent(author, f"{BLANK}?kind=matching", **{"q-bank": "bank", "q-name": "new"}, **rows)
    question = Question.objects.get(name="new")
    ids = {option.name: str(option.uuid) for option in question.options.all()}
    assert draft(question).key["pairs"] == {ids["l1"]: ids["a"]}
    assert ids["a"] == dog, "a row keeps the id that it got on the page"
    sent(author, change(question), **{"rights-0-DELETE": "on"})
    assert draft(question).key["pairs"] == {ids["l1"]: ids["a"]}
    page = author.get(change(question))
    assert form_values(page, "q-kind")["lefts-0-field_goes_with"] == ids["a"]


def test_a_draft_of_a_kind_that_is_no_more_can_be_turned(fresh, author):
    Draft.objects.filter(question=fresh).update(data={**fresh.draft.data, "kind": "riddle"})
    page = author.get(change(fresh))
    assert "Choose a kind of question." in page.content.decode()
    turned = author.post(
        change(fresh), form_values(page, "q-kind") | {"q-kind": "single_choice", "_kind": "1"}
    )
    assert form_values(turned, "q-kind")["q-words_prompt_en"] == "Which?"


def test_a_tag_that_is_too_long_is_refused_with_a_sentence(fresh, author):
    response = sent(author, change(fresh), **{"q-tags": "x" * 61})
    assert response.status_code == 422
    assert "A tag has at most 60 characters." in response.content.decode()


def test_an_ordering_says_that_its_rows_stand_in_the_right_order(users, author):
    create_bank(users)
    assert (
        "Put them in the right order here" in author.get(f"{BLANK}?kind=ordering").content.decode()
    )
    assert "The order here" not in author.get(ADD).content.decode()
