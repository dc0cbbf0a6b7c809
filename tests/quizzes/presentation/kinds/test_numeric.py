"""Numbers on pages: typed in the language of the page, and shown in that of the reader."""

import json
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from django.http import QueryDict
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation

from grading.kinds import KINDS
from quizzes.attempts import services
from quizzes.lib import clock
from quizzes.presentation import number_questions
from quizzes.presentation.kinds import numeric
from tests.factories import create_bank, create_quiz
from tests.question_factory import document, public_version, publish_document, samples
from tests.users import logged_in_client

SAMPLES = {sample.name: sample for sample in samples() if sample.kind == "numeric"}
PLAIN = SAMPLES["pi, to two decimals"]
UNIT = SAMPLES["the speed of light"]
EURO = SAMPLES["a price"]


@pytest.fixture(autouse=True)
def _english():
    with translation.override("en"):
        yield


def kept(typed: str, language: str, sample: Any = PLAIN, **context: str) -> Any:
    raw = {"typed": typed, "language": language, **context}
    return KINDS["numeric"].parse(sample.content, raw)


def marked(sample: Any, typed: str) -> Any:
    answer = kept(typed, "en", sample)
    return KINDS["numeric"].score(sample.content, sample.key, answer, "accepted_answers")


def posted(**fields: str) -> QueryDict:
    form = QueryDict(mutable=True)
    form.update({f"q-2-{name}": value for name, value in fields.items()})
    return form


def looked_back(sample: Any, answer: Any, outcome: str = "hidden", **revealed: Any) -> Any:
    item = SimpleNamespace(
        answer=answer,
        outcome=outcome,
        solution=None,
        feedback={},
        feedback_language="en",
        ledger=(),
        public_version=public_version(sample),
    )
    item.__dict__.update(revealed)
    return item


def row(item: Any, language: str = "en") -> Any:
    [piece] = numeric.build_review(item, language).fragments["rows"]
    return piece.row


def test_what_is_typed_is_read_in_the_language_of_the_page():
    sent = numeric.parse_form(posted(typed="1.234", language="en", was="", page="es"), 2)
    assert sent == {"typed": "1.234", "language": "es"}


def test_what_nobody_touched_stays_in_the_language_it_was_typed_in():
    sent = numeric.parse_form(posted(typed="1.234", language="en", was="1.234", page="es"), 2)
    assert sent == {"typed": "1.234", "language": "en"}


def test_an_empty_field_is_no_answer():
    sent = numeric.parse_form(posted(typed=" ", language="en", was="5", page="en"), 2)
    assert KINDS["numeric"].parse(PLAIN.content, sent) is None


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_field_without_an_answer_is_in_the_language_of_the_page(language):
    with translation.override(language):
        assert numeric.placeholder_values(None) == {
            "typed": "",
            "language": language,
            "interpretation": "",
        }


def test_a_field_holds_what_was_typed_and_in_which_language():
    assert numeric.placeholder_values(kept("3,14", "es")) == {
        "typed": "3,14",
        "language": "es",
        "interpretation": "",
    }


@pytest.mark.parametrize(
    ("typed", "typed_in", "page", "message"),
    [
        ("1.234", "es", "es", "1234"),
        ("1.234", "es", "en", "1234"),
        ("1.234", "en", "es", "1,234, with decimals"),
        ("1,234", "es", "en", "1.234, with decimals"),
    ],
)
def test_what_could_be_two_numbers_says_which_it_was_read_as(typed, typed_in, page, message):
    unconfirmed = kept(typed, typed_in)
    assert numeric.interpretation(unconfirmed, page) == "Can be read in two ways"
    separator = "decimal" if "decimals" in message else "thousands"
    confirmed = kept(typed, typed_in, separator=separator)
    assert numeric.interpretation(confirmed, page) == f"Read as {message}"
    counted = {**unconfirmed, "read_by": "score"}
    sentence = f"Read as {message}; which of the two was not said"
    assert numeric.interpretation(counted, page) == sentence


def test_the_field_says_how_its_number_was_read():
    values = numeric.placeholder_values(kept("1,234", "en", separator="thousands"))
    assert values["interpretation"] == "Read as 1234"


@pytest.fixture
def save(users, transactional_db):
    question = publish_document(create_bank(users), "price", document(EURO))
    quiz_ = create_quiz(users, [question])
    attempt = services.start(quiz=quiz_.uuid, learner=users.learner, now=clock.now())
    client = logged_in_client(users.learner)

    def saved(typed: str | None, **fields: Any) -> Any:
        context = {"language": "en", "separator": "thousands"}
        answer = {"typed": typed, **context} if typed else None
        save_body = {"slot": 0, "answer": answer, "idempotency_key": str(uuid4()), **fields}
        url = reverse("save", args=[attempt.uuid])
        sent = client.post(url, json.dumps({"saves": [save_body]}), content_type="application/json")
        [save] = sent.json()["saves"]
        return save

    return saved


def test_a_save_is_told_how_its_number_was_read(save):
    assert save("1,234 €")["interpretation"] == "Read as 1234 €"
    assert save("1,234 'a'")["interpretation"] == "Read as 1234 'a'"


@pytest.mark.parametrize("typed", ["1234 €", "1.234e3 €", None])
def test_a_save_that_leaves_no_doubt_is_told_nothing_of_it(save, typed):
    save("1,234 €")
    assert not save(typed)["interpretation"]


def test_a_save_over_another_is_told_how_the_one_that_stands_was_read(save):
    save("1,234 €")
    text = save("7 €", base_revision=0)
    assert (text["status"], text["interpretation"]) == ("conflict", "Read as 1234 €")


def test_the_hint_stands_in_an_element_that_scripts_renew():
    placeholders = dict.fromkeys(("unit", "page", "longest", "typed", "language"), "")
    form = {
        **placeholders,
        "interpretation": "Read as 1234",
        "ask": number_questions.placeholders(),
    }
    question = {"slot": "0", "invalid": "false", "flag": "", "form": form}
    html = render_to_string("quizzes/kinds/numeric/form.html", {"question": question})
    assert '<strong data-read-as aria-live="polite">Read as 1234</strong>' in html


def test_what_cannot_be_read_is_put_back_to_be_corrected():
    typed_values = numeric.placeholder_values({"typed": '"five"', "language": "es"})
    assert typed_values == {"typed": "&quot;five&quot;", "language": "es", "interpretation": ""}


@pytest.mark.parametrize(
    ("sample", "message"),
    [(PLAIN, "without a unit"), (EURO, "not needed"), (UNIT, "unit after the")],
)
def test_the_field_says_whether_a_unit_is_wanted(sample, message):
    assert message in str(numeric.template_context(public_version(sample), "en")["unit"])


def test_an_answer_is_said_as_it_was_typed():
    assert numeric.answer_text(public_version(PLAIN), kept("3,14", "es"), "en") == "3,14"


def test_a_review_tells_no_more_than_the_report():
    review_row = row(looked_back(PLAIN, kept("3,14", "es")))
    assert (review_row.answer, review_row.state, review_row.expected) == ("3,14", "", None)
    assert review_row.feedback_html is None
    assert review_row.earned is None


def test_a_review_tells_how_a_number_was_read():
    answer = kept("3.142", "es", separator="thousands")
    review_row = row(looked_back(PLAIN, answer, "incorrect"), "es")
    assert (review_row.answer, review_row.state) == ("3.142 (read as 3142)", "wrong")
    unsaid = row(looked_back(PLAIN, kept("3.142", "es")), "es")
    assert unsaid.answer == "3.142 (can be read in two ways)"


def test_what_was_typed_is_drawn_without_spaces_of_ours():
    review_row = row(looked_back(PLAIN, kept("3.14", "en")))
    html = render_to_string("partials/review_answer.html", {"row": review_row})
    assert '<div class="pick-text given" lang="en">3.14</div>' in html


@pytest.mark.parametrize(
    ("sample", "language", "written"),
    [
        (PLAIN, "en", "3.14159"),
        (PLAIN, "es", "3,14159"),
        (UNIT, "es", "299792458 m/s"),
        (EURO, "en", "1234 €"),
        (SAMPLES["a third"], "es", "1/3"),
    ],
)
def test_the_model_answer_is_written_as_its_reader_writes(sample, language, written):
    solution = KINDS["numeric"].correct_answer(sample.content, sample.key)
    assert row(looked_back(sample, None, solution=solution), language).expected == written


def test_all_that_is_said_of_number_and_unit_stands_together():
    remarks = {"otherwise": "<p>No.</p>", "no_unit": "<p>Which unit?</p>"}
    review_row = row(looked_back(UNIT, kept("5", "en", UNIT), "incorrect", feedback=remarks))
    assert review_row.feedback_html == "<p>No.</p><p>Which unit?</p>"


def test_the_ledger_is_told_in_words():
    score = marked(UNIT, "3.00e8")
    rows = numeric.ledger_rows(looked_back(UNIT, None, ledger=score.ledger), "en")
    assert [(line.text, line.earned) for line in rows] == [
        ("The number by itself: This number is accepted", "+1"),
        ("The unit is missing", "−1/2"),
    ]


def test_a_line_is_told_by_its_reason_alone_where_its_row_is_secret():
    score = marked(PLAIN, "3")
    [line] = numeric.ledger_rows(looked_back(PLAIN, None, ledger=score.ledger), "en")
    assert (line.text, line.earned) == ("Accepted for part of the points", "+1/2")
