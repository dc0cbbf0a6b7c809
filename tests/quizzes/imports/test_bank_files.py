"""Loading a bank from its own file: all of it or nothing, and twice is once."""

import pytest

from quizzes.bank import services as bank_services
from quizzes.bank.models import Bank, Option, Question, QuestionVersion
from quizzes.document import QuestionDocument
from quizzes.formats.ochenta import read
from quizzes.imports.importer import import_bank_file
from quizzes.lib.errors import Invalid
from tests.factories import NOW
from tests.quizzes.formats.test_ochenta import GOOD

pytestmark = pytest.mark.django_db


def loaded(text: str = GOOD, *, overwrite: bool = False) -> dict[str, int]:
    """Load a file; return how many questions have each action."""
    _, report = import_bank_file(
        parsed_file=read(text.encode()), group=None, by=None, now=NOW, overwrite=overwrite
    )
    return {str(action): n for action, n in report.counts().items() if n}


def test_a_load_publishes_every_question_in_both_languages():
    assert loaded() == {"new": 1}
    question = Question.objects.select_related("current").get(name="danube")
    assert question.current is not None
    assert {r.language for r in question.current.translations.all()} == {"en", "es"}
    assert [tag.name for tag in question.tags.all()] == ["europe"]


def test_the_same_file_twice_changes_nothing():
    loaded()
    options = set(Option.objects.values_list("uuid", flat=True))
    draft = Question.objects.get().draft.revision
    assert loaded() == {"same": 1}
    assert QuestionVersion.objects.count() == 1
    assert set(Option.objects.values_list("uuid", flat=True)) == options
    assert Question.objects.get().draft.revision == draft


def test_a_changed_word_makes_a_new_version_with_the_same_options():
    loaded()
    options = set(Option.objects.values_list("uuid", flat=True))
    assert loaded(GOOD.replace("Here", "Right here")) == {"changed": 1}
    assert sorted(QuestionVersion.objects.values_list("number", flat=True)) == [1, 2]
    assert set(Option.objects.values_list("uuid", flat=True)) == options


def test_a_question_that_left_the_file_stays_and_is_told():
    loaded()
    question = Question.objects.get()
    assert loaded(GOOD.replace("name: danube", "name: rhine").replace("Where?", "Whither?")) == {
        "new": 1
    }
    question.refresh_from_db()
    assert (question.name, question.retired_at) == ("danube", None)


@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        ("licence: CC-BY-4.0\n", ""),  # the file is wrong
        ("        right: true\n", ""),  # the question is: nothing is right
    ],
)
def test_any_trouble_refuses_the_whole_file_and_writes_nothing(was, becomes):
    second = GOOD[GOOD.index("  - name: danube") :].replace("danube", "rhine")
    with pytest.raises(Invalid) as caught:
        loaded(GOOD + second.replace(was, becomes) if was in second else GOOD.replace(was, becomes))
    assert caught.value.code == "file_has_errors"
    assert all(error.line >= 1 for error in caught.value.detail["errors"])
    assert not Bank.objects.exists()
    assert not Question.objects.exists()


# --- Authors' work is not undone -------------------------------------------------------------
def edited(prompt: str, *, published: bool) -> Question:
    """The question as an author left it."""
    question = Question.objects.select_related("draft").get()
    item = QuestionDocument.from_json(question.draft.data)
    words = {**item.words, "en": {**item.words["en"], "prompt": prompt}}
    item = QuestionDocument.from_json({**item.to_json(), "words": words})
    bank_services.save_draft(question=question, item=item, revision=None, by=None)
    if published:
        bank_services.publish(question=question, by=None, now=NOW)
    return question


def prompt_now() -> tuple[str, str]:
    """The prompt of the draft, and of what is published."""
    question = Question.objects.select_related("draft", "current").get()
    assert question.current is not None
    published = question.current.translations.get(language="en").texts["prompt"]
    return question.draft.data["words"]["en"]["prompt"], published


def test_an_authors_draft_survives_the_same_file():
    loaded()
    edited("By an author?", published=False)
    assert loaded() == {"conflict": 1}
    assert prompt_now() == ("By an author?", "Where?")


def test_an_authors_correction_survives_the_same_file():
    loaded()
    edited("By an author?", published=True)
    assert loaded() == {"conflict": 1}
    assert prompt_now() == ("By an author?", "By an author?")
    assert QuestionVersion.objects.count() == 2


def test_where_file_and_author_both_changed_the_authors_state_stands_and_is_told():
    loaded()
    edited("By an author?", published=True)
    news = GOOD.replace("Where?", "By the file?")
    assert loaded(news) == {"conflict": 1}
    assert prompt_now() == ("By an author?", "By an author?")
    assert loaded(news, overwrite=True) == {"conflict": 1}
    assert prompt_now() == ("By the file?", "By the file?")


def test_a_bank_that_an_author_renamed_keeps_its_name():
    loaded()
    Bank.objects.update(title={"en": "Streams"})
    loaded()
    assert Bank.objects.get().title == {"en": "Streams"}
    loaded(GOOD.replace("source: own", "source: another"))
    assert Bank.objects.get().title == {"en": "Rivers", "es": "Ríos"}


def test_a_question_written_by_hand_under_the_same_name_is_not_taken_over():
    loaded()
    Question.objects.update(imported_fingerprint="")
    edited("By hand?", published=True)
    assert loaded(GOOD.replace("Where?", "By the file?")) == {"conflict": 1}


def test_an_authors_draft_that_the_file_says_too_counts_as_imported():
    loaded()
    edited("By both?", published=False)
    both = GOOD.replace("Where?", "By both?")
    assert loaded(both) == {"same": 1}
    assert prompt_now() == ("By both?", "By both?")
    assert loaded(both.replace("By both?", "By the file?")) == {"changed": 1}


def test_two_questions_with_the_same_texts_keep_their_names():
    loaded()
    second = GOOD[GOOD.index("  - name: danube") :].replace("danube", "donau")
    assert loaded(GOOD.replace("  - name: danube", f"{second}  - name: danube")) == {
        "new": 1,
        "same": 1,
    }
    assert set(Question.objects.values_list("name", flat=True)) == {"danube", "donau"}
