"""Our own file, written: what is read back is what was written, whatever it says."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from quizzes.document import QuestionDocument
from quizzes.formats.contract import ImportStatus, ParsedFile, ParsedQuestion, SourceItem
from quizzes.formats.document_mapping import build_document
from quizzes.formats.ochenta import read, write
from tests.quizzes.imports import questions as made
from tests.quizzes.imports.parcels import asked, parcel

EVERY = st.one_of(
    made.singles(),
    made.multiples(),
    made.truths(),
    made.short_texts(),
    made.numerics(),
    made.matchings(),
    made.orderings(),
    made.clozes(),
    made.essays(),
    made.flashcards(),
)
ABOUT = {
    "title": {"en": "A: title #1", "es": "Un título"},
    "description": {},
    "source": "own",
    "licence": "CC0-1.0",
    "source_language": "en",
}


def there_and_back(*questions: ParsedQuestion) -> ParsedFile:
    written = write(parcel(*questions, slug="bank", fields=ABOUT), language="en")
    assert written.warnings == ()
    return read(written.data)


def item(question: ParsedQuestion) -> QuestionDocument:
    ids = {row.name: row.name for row in question.rows}
    return build_document(question, ids, "en")


@given(EVERY)
def test_every_question_comes_back_the_same(question):
    back = there_and_back(question)
    assert back.errors == ()
    assert back.fields == ABOUT
    (read_back,) = back.questions
    assert (item(read_back), read_back.tags) == (item(question), question.tags)


def test_texts_that_look_like_something_else_stay_texts():
    words = "no", "1e3", "~", "- one", "a: b # c", "'", '"', "{x}", "&a *b", "true", "> x", "| y"
    for text in (*words, "```\n  code\n\n    more\n```", "two  \nlines", "tab\there"):
        (question,) = there_and_back(asked(prompt=text, options=(text, "b"))).questions
        assert item(question) == item(asked(prompt=text, options=(text, "b")))


def test_a_name_that_a_file_cannot_hold_is_changed_and_told():
    written = write(parcel(replace(asked(), name="A--B"), fields=ABOUT), language="en")
    assert [loss.code for loss in written.warnings] == ["name_changed"]
    assert [question.name for question in read(written.data).questions] == ["a-b"]


def test_a_bank_without_source_and_licence_says_so():
    written = write(parcel(asked()), language="en")
    assert [loss.code for loss in written.warnings] == ["source_untold", "licence_untold"]
    assert read(written.data).errors == ()


def test_a_share_that_is_too_long_is_left_out_and_told():
    question = asked()
    first, *rest = question.tables["options"]
    long = replace(first, values={**first.values, "weight": [1, 10**9]})
    question = replace(question, tables={"options": (long, *rest)})
    written = write(parcel(question, fields=ABOUT), language="en")
    assert [loss.code for loss in written.warnings] == ["number_too_long"]


def test_what_was_refused_is_not_written():
    nothing = ParsedFile(
        items=(SourceItem(1, 1, "x", "script", ImportStatus.REFUSED),), fields=ABOUT
    )
    assert read(write(nothing, language="en").data).items == ()
