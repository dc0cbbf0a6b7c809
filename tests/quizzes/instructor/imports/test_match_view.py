"""Twins in the admin: shown side by side with reasons, answered, joined; and nothing in silence."""

from pathlib import Path

import pytest
from django.test import Client

from quizzes.bank.models import Bank, Question
from quizzes.document import QuestionDocument
from quizzes.imports.models import ImportJob
from tests.quizzes.instructor.imports.test_admin import commit, page, read, send
from tests.quizzes.matching.banks import seed
from tests.users import Users, logged_in_client

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("store")]

ENGLISH = """::volcano:: Which volcano erupted in 1883 and reduced global temperature? {
=Krakatoa ~Vesuvius ~Etna
}

::gas:: What does photosynthesis produce besides glucose? {
=Oxygen ~Nitrogen ~Helium
}

::gpu:: What accelerates the pipeline of data transformation on a GPU? {
=Parallelization ~Compression ~Destruction
}
"""
SPANISH = """::volcan:: ¿Qué volcán hizo erupción en 1883 y redujo la temperatura global? {
~Vesubio =Krakatoa ~Etna
}

::gases:: ¿Qué produce la fotosíntesis además de glucosa? {
~Oxígeno =Nitrógeno ~Helio
}

::acelera:: ¿Qué acelera la canalización de transformación de datos en una GPU? {
~Destrucción =Paralelización ~Compresión
}
"""


@pytest.fixture
def author(users: Users, into: Bank) -> Client:
    client = logged_in_client(users.instructor)
    bring(client, into, ENGLISH, "english.gift", "en")
    return client


def bring(client: Client, into: Bank, text: str, name: str, language: str) -> ImportJob:
    send(client, into, text, name, language=language)
    job = ImportJob.objects.latest("pk")
    commit(client, job, *range(job.total))
    return job


def spanish(client: Client, into: Bank) -> ImportJob:
    send(client, into, SPANISH, "spanish.gift", language="es")
    return ImportJob.objects.latest("pk")


def say(client: Client, job: ImportJob, **form_fields: object) -> str:
    """Press a button of the preview, with every item ticked; give the page that follows."""
    ticked = {"item": list(range(job.total)), **form_fields}
    return read(client.post(page(job, "select"), ticked, follow=True))


def item(name: str) -> QuestionDocument:
    return QuestionDocument.from_json(
        Question.objects.select_related("draft").get(name=name).draft.data
    )


def test_a_twin_is_shown_beside_the_question_of_the_bank_with_reasons(author, into):
    text = read(author.get(page(spanish(author, into))))
    assert "3 new" in text
    assert "Perhaps volcano in another language: " in text
    assert "The same numbers: 1883." in text
    assert "Kindred words: " in text
    assert 'lang="en"' in text
    assert "Which volcano erupted in 1883" in text
    assert "They differ in what is right" in text


def test_nothing_is_joined_that_nobody_confirmed(author, into):
    job = spanish(author, into)
    commit(author, job, 0, 1, 2)
    assert Question.objects.count() == 6
    assert set(item("volcano").words) == {"en"}


def test_a_confirmed_twin_is_shown_as_it_will_be_and_then_joined(author, into):
    job = spanish(author, into)
    text = say(author, job, accept_match=0)
    assert "1 another language of a question" in text
    assert "You said: it is this question in another language." in text
    commit(author, job, 0)
    assert Question.objects.count() == 3
    words = item("volcano").words
    assert words["es"]["prompt"].startswith("¿Qué volcán")
    assert {words["en"]["options"][id_]: text for id_, text in words["es"]["options"].items()} == {
        "Krakatoa": "Krakatoa",
        "Vesuvius": "Vesubio",
        "Etna": "Etna",
    }


def test_what_was_said_may_be_taken_back(author, into):
    job = spanish(author, into)
    say(author, job, accept_match=0)
    text = say(author, job, reset_match=0)
    assert "3 new" in text
    assert "You said" not in text


def test_what_is_no_twin_is_not_asked_again(author, into):
    job = spanish(author, into)
    assert "You said: it is another question." in say(author, job, reject_match=0)
    commit(author, job)
    assert Question.objects.count() == 3
    again = read(author.get(page(spanish(author, into))))
    assert "Perhaps volcano" not in again
    assert "Perhaps gas" in again


def test_all_that_are_sure_are_joined_at_once_but_where_a_key_is_at_stake(author, into):
    job = spanish(author, into)
    before = author.get(page(job))
    assert before.context["sure_matches"] == 2
    text = say(author, job, accept_sure=1)
    assert "2 another language of a question" in text
    commit(author, job, 0, 1, 2)
    assert set(Question.objects.values_list("name", flat=True)) == {
        "volcano",
        "gas",
        "gpu",
        "gases",
    }


def test_the_same_file_after_joining_says_the_same(author, into):
    job = spanish(author, into)
    for number in range(3):
        say(author, job, accept_match=number)
    commit(author, job, 0, 1, 2)
    text = read(author.get(page(spanish(author, into))))
    assert "3 the same" in text
    assert Question.objects.count() == 3


def test_a_copy_in_the_same_language_is_told_to_be_the_same_quiz(author, into):
    copied = ENGLISH.replace("::volcano:: Which", "::q1:: 1. Which")
    copied = copied.replace("::gas:: What", "::q2:: 2. What").replace("::gpu::", "::q3:: 3.")
    send(author, into, copied, "copy.gift", language="en")
    text = read(author.get(page(ImportJob.objects.latest("pk"))))
    assert "It seems to be a quiz that the bank has: 3 of 3 questions match." in text
    assert "They came with english.gift." in text
    assert "It looks like “volcano”" in text


def test_others_may_not_answer(author, into, users):
    job = spanish(author, into)
    for person in (users.outsider, users.learner, users.stranger):
        assert (
            logged_in_client(person).post(page(job, "select"), {"accept_match": 0}).status_code
            == 404
        )
    job.refresh_from_db()
    assert job.match_answers is None


def test_a_number_that_has_no_twin_answers_nothing(author, into):
    send(author, into, ENGLISH, "english.gift", language="en")
    job = ImportJob.objects.latest("pk")
    say(author, job, accept_match=0)
    job.refresh_from_db()
    assert job.match_answers is None


def file(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def test_the_documents_copied_from_pages_go_through_the_same_doors(users, into):
    english, spanish_ = seed("000"), seed("001")
    if english and spanish_:
        client = logged_in_client(users.instructor)
        bring(client, into, file(english), english.name, "")
        send(client, into, file(spanish_), spanish_.name)
        job = ImportJob.objects.latest("pk")
        text = read(client.get(page(job)))
        assert "The file does not say what is right; the bank does, and it is proposed." in text
        assert "La biblioteca entrenamiento de form" in text
        for number in range(6):
            say(client, job, accept_match=number)
        commit(client, job, *range(6))
        assert Question.objects.count() == 6
        last = QuestionDocument.from_json(
            Question.objects.select_related("draft").latest("pk").draft.data
        )
        right = last.key["right"]
        assert isinstance(right, list)
        assert [last.words[language]["options"][right[0]] for language in ("en", "es")] == [
            "GPipe",
            "Tubo G",
        ]
        # Its Spanish words break off: they wait for a person, and learners see what they saw.
        question = Question.objects.select_related("current").latest("pk")
        assert question.current is not None
        assert question.current.number == 1
