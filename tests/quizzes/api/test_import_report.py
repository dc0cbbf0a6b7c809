"""Reports of imports: every item with its lines and sentences, in pages, in either language."""

import pytest
import time_machine
from django.core.cache import cache

from quizzes.bank.models import Question
from quizzes.lib import clock
from tests.quizzes.api.import_helpers import GIFT, commit, gift, report, sent
from tests.quizzes.api.programs import Program, program

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("store")]
MIXED = f"{GIFT}::odd::No answers here {{=a ~\n\n"


@pytest.fixture(autouse=True)
def _no_history():
    cache.clear()


@pytest.fixture
def author(users) -> Program:
    return program(users.instructor, "authoring")


def test_each_item_tells_its_lines_its_verdict_and_what_would_be_done(author, into):
    job = sent(author, into, MIXED, "a.gift")
    body = report(author, job)
    assert (body["state"], body["committed"], body["errors"], body["next"]) == (
        "ready",
        False,
        [],
        None,
    )
    river = body["items"][0]
    assert (river["number"], river["name"], river["kind"]) == (0, "river", "single_choice")
    assert (river["status"], river["action"], river["selected"], river["published"]) == (
        "imported",
        "new",
        True,
        True,
    )
    assert river["line"] == 1 <= river["end_line"]
    assert (river["archive_path"], river["question"], river["problems"]) == ("", None, [])
    assert len(body["items"]) == job["progress"]["total"]


def test_what_was_not_selected_is_no_result_and_the_counts_add_up(author, into):
    job = sent(author, into, f"{MIXED}{gift(1)}", "a.gift")
    assert [item["result"] for item in report(author, job)["items"]] == [None, None, None]
    assert job["action_counts"]["not_selected"] == 0
    done = commit(author, job, items=[0]).json()
    assert [item["result"] for item in report(author, done)["items"]] == [
        "new",
        "refused",
        "not_selected",
    ]
    counts = {name: n for name, n in done["action_counts"].items() if n}
    assert counts == {"new": 1, "refused": 1, "not_selected": 1}


def test_notes_are_sentences_in_the_language_asked_for_with_the_files_own_words(author, into):
    job = sent(author, into, MIXED, "a.gift")
    english = report(author, job, lang="en")["items"][1]["notes"]
    spanish = report(author, job, lang="es")["items"][1]["notes"]
    assert english
    assert [note["code"] for note in english] == [note["code"] for note in spanish]
    assert all(a["message"] != b["message"] for a, b in zip(english, spanish, strict=True))
    path = f"/api/v1/imports/{job['id']}/report"
    by_header = author.client.get(path, headers={"Accept-Language": "es"}).json()
    assert by_header["items"][1]["notes"] == spanish
    assert {"line", "code", "message", "quote"} == set(english[0])


def test_once_it_is_done_the_report_names_the_questions_that_were_written(author, into):
    job = sent(author, into, gift(2), "a.gift")
    commit(author, job, items=[1])
    body = report(author, job)
    assert body["committed"]
    assert [(item["selected"], item["published"]) for item in body["items"]] == [
        (False, False),
        (True, True),
    ]
    question = Question.objects.get()
    assert [item["question"] for item in body["items"]] == [None, str(question.uuid)]
    again = report(author, sent(author, into, gift(2), "a.gift"))
    assert [(item["action"], item["question"]) for item in again["items"]] == [
        ("new", None),
        ("same", str(question.uuid)),
    ]


def test_a_question_made_later_under_the_name_is_not_taken_for_the_items(author, into):
    first = sent(author, into, gift(1), "a.gift")
    commit(author, first, items=[])
    commit(author, sent(author, into, gift(1), "a.gift"))
    assert Question.objects.count() == 1
    assert report(author, first)["items"][0]["question"] is None


def test_lines_of_no_item_are_told_on_the_first_page(author, into):
    cards = "#separator:tab\n#html:true\n1\t2\n3\t4\n"
    job = sent(author, into, cards, "a.txt", format="anki-tsv")
    first = report(author, job, limit=1, lang="en")
    (note,) = first["ignored_lines"]
    assert (note["code"], note["line"]) == ("language_unknown", 1)
    assert note["message"] == "The language is not told; English was taken."
    assert author.client.get(first["next"]).json()["ignored_lines"] == []


def test_lines_that_were_not_read_are_told_of_an_item_and_of_the_file(author, into):
    item = (
        "<assessmentItem identifier='a' xmlns='http://www.imsglobal.org/xsd/imsqti_v2p1'>"
        "<responseDeclaration identifier='R' cardinality='single' baseType='string'/>"
        "<itemBody><p>Tell of it</p><extendedTextInteraction responseIdentifier='R'/></itemBody>"
        "\n<responseProcessing>who?</responseProcessing></assessmentItem>"
    )
    (source_item,) = report(author, sent(author, into, item, "a.xml"), lang="en")["items"]
    assert (source_item["status"], source_item["selected"]) == ("needs_review", False)
    (note,) = source_item["remainder"]
    assert (note["line"], note["quote"]) == (2, "who?")
    assert note["message"] == "A line is not part of any text of the question."
    text = "1. Which?\n*a) one\nb) two\n\nCOMMENT\nfor nobody\nEND_COMMENT\n"
    first = report(author, sent(author, into, text, "a.txt", format="text2qti"))
    assert [(note["line"], note["quote"]) for note in first["remainder"]] == [(6, "for nobody")]


def test_the_question_that_an_item_may_be_is_told_with_its_reasons(author, into):
    template = "::river::Which river of the list is the longest, in 2024? {=%s ~%s ~%s}\n"
    english = template % ("Volga 3531 km", "Danube 2850 km", "Rhine 1233 km")
    spanish = template.replace("Which river of the list is the longest, in", "¿Qué río es, en") % (
        "Volga 3531 km",
        "Danubio 2850 km",
        "Rin 1233 km",
    )
    commit(author, sent(author, into, english, "a.gift", language="en"))
    job = sent(author, into, spanish.replace("::river::", "::rio::"), "b.gift", language="es")
    (item,) = report(author, job, lang="en")["items"]
    assert (item["action"], item["duplicate_of"]) == ("new", None)
    twin = item["language_match"]
    assert (twin["question"], twin["language"], twin["confirmed"]) == ("river", "es", False)
    assert 0 < twin["percent"] <= 100
    assert "The same numbers: " in " ".join(reason["message"] for reason in twin["reasons"])


def test_a_failed_import_tells_its_troubles_and_no_items(author, into):
    body = report(author, sent(author, into, "format: ochenta-bank/1\nbank: x\n"))
    assert (body["state"], body["items"], body["committed"]) == ("failed", [], False)
    assert body["errors"]


def test_items_are_narrowed_by_plan_and_verdict(author, into):
    commit(author, sent(author, into, gift(1), "a.gift"))
    job = sent(author, into, gift(3), "a.gift")
    assert [item["number"] for item in report(author, job, action="new")["items"]] == [1, 2]
    assert [item["number"] for item in report(author, job, action="same")["items"]] == [0]
    assert report(author, job, status="refused")["items"] == []
    assert author.get(f"imports/{job['id']}/report", action="old").status_code == 422


@pytest.mark.parametrize("cursor", ["nonsense", "WyJ4Il0", "WzEsMl0", "W10"])
def test_a_cursor_of_another_list_is_refused(author, into, cursor):
    job = sent(author, into)
    answer = author.get(f"imports/{job['id']}/report", cursor=cursor)
    assert (answer.status_code, answer.json()["errors"][0]["where"]) == (422, "cursor")


def test_three_thousand_items_come_in_pages_each_of_a_few_queries(author, into, counted):
    job = sent(author, into, gift(3000), "a.gift")
    assert job["progress"]["total"] == 3000
    path, numbers = f"/api/v1/imports/{job['id']}/report?limit=200", []
    # Once a minute the use of the token is written down: one query more, on a slow machine.
    with time_machine.travel(clock.now(), tick=False):
        while path:
            with counted() as queries:
                body = author.client.get(path).json()
            assert len(queries) <= 5
            numbers += [item["number"] for item in body["items"]]
            path = body["next"]
    assert numbers == list(range(3000))


@pytest.mark.parametrize("who", ["learner", "other_learner", "outsider", "stranger"])
def test_no_key_is_told_to_those_who_may_not_author(author, into, users, who):
    job = sent(author, into)
    other = program(getattr(users, who))
    assert other.get(f"imports/{job['id']}/report").status_code == 404
    assert other.get(f"imports/{job['id']}").status_code == 404
    assert commit(other, job).status_code == 404
    assert other.post(f"imports/{job['id']}/cancel").status_code == 404
    assert author.get(f"imports/{job['id']}").json()["state"] == "ready"


def test_grade_pass_mark_and_points_of_a_copied_page_are_told_exactly(author, into):
    copied = "TO PASS 80% or higher\nGRADE 100%\n1. Longest?\n2 / 2 points\n☒ Nile\n☐ Rhine\n"
    body = report(author, sent(author, into, copied, "a.txt", format="transcript"))
    assert body["file_metadata"]["grade"] == {"numerator": 1, "denominator": 1, "decimal": "1"}
    assert body["file_metadata"]["pass_threshold"] == {
        "numerator": 4,
        "denominator": 5,
        "decimal": "0.8",
    }
    assert body["items"][0]["points"] == {"numerator": 2, "denominator": 1, "decimal": "2"}
    plain = report(author, sent(author, into, MIXED, "a.gift"))
    assert plain["file_metadata"]["grade"] is plain["items"][0]["points"] is None
