"""Papers for takers and secrets for graders: read once, kept, and never mixed up."""

from dataclasses import asdict

import pytest

from quizzes.bank.models import Question
from quizzes.bank.selectors import load_keys_and_feedback, load_public_versions
from tests.factories import create_bank, create_question, option_ids, publish_change

pytestmark = pytest.mark.django_db


@pytest.fixture
def question(users) -> Question:
    return create_question(create_bank(users), "one", right="a", options="ab")


def version(question: Question):
    assert question.current is not None
    return question.current.uuid


def test_a_paper_speaks_each_language_and_falls_back_on_the_source(question):
    public_version = load_public_versions([version(question)])[version(question)]
    first = option_ids(question, "a")[0]
    assert "Question one?" in public_version.words("en").prompt
    assert public_version.words("es").parts[first] == "Opción a"
    assert public_version.words("fr").language == "en"


def test_a_paper_holds_nothing_of_key_and_feedback(question):
    text = str(asdict(load_public_versions([version(question)])[version(question)]))
    assert "'right'" not in text
    assert "Feedback" not in text
    assert "Because" not in text


def test_reading_a_paper_touches_no_secret_table(question, counted):
    version_id = version(question)
    with counted() as read:
        load_public_versions([version_id])
    assert len(read) == 2
    assert not [sql for sql in read if "versionkey" in sql or "versionfeedback" in sql]


def test_a_secret_holds_key_and_feedback_by_language(question):
    secret = load_keys_and_feedback([version(question)])[version(question)]
    first = option_ids(question, "a")[0]
    assert secret.key == {"right": [first]}
    assert secret.words("es").parts["options"][first] == "Aviso a one"
    assert "Because one" in secret.words("fr").texts["explanation"]


def test_both_are_read_once_and_kept(question, counted):
    version_id = version(question)
    load_public_versions([version_id])
    load_keys_and_feedback([version_id])
    with counted() as again:
        load_public_versions([version_id])
        load_keys_and_feedback([version_id])
    assert again == []


def test_what_does_not_exist_is_left_out(question):
    assert load_public_versions([question.uuid]) == {}
    assert load_keys_and_feedback([question.uuid]) == {}


def test_an_old_version_is_read_as_it_was(question):
    old = version(question)
    publish_change(question, key={"right": option_ids(question, "b")})
    assert load_keys_and_feedback([old])[old].key == {"right": option_ids(question, "a")}
    assert load_keys_and_feedback([version(question)])[version(question)].key == {
        "right": option_ids(question, "b")
    }


def test_many_versions_take_as_many_queries_as_one(users, counted):
    into = create_bank(users)
    version_ids = [version(create_question(into, f"q{n}")) for n in range(10)]
    with counted() as read:
        load_public_versions(version_ids)
        load_keys_and_feedback(version_ids)
    assert len(read) == 4
