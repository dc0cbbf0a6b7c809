"""What a file came to: every item has one verdict, and the counts add up."""

from quizzes.formats.contract import ImportStatus, ParsedFile, ParsedQuestion, ParsedRow, SourceItem


def found(verdict: ImportStatus, question: ParsedQuestion | None = None) -> SourceItem:
    return SourceItem(1, 2, "q", "short_text", verdict, question)


def test_the_counts_add_up_to_what_the_file_holds():
    verdicts = (
        ImportStatus.IMPORTED,
        ImportStatus.REVIEW,
        ImportStatus.REVIEW,
        ImportStatus.REFUSED,
    )
    parcel = ParsedFile(items=tuple(found(verdict) for verdict in verdicts))
    assert parcel.counts() == {"imported": 1, "repaired": 0, "needs_review": 2, "refused": 1}
    assert sum(parcel.counts().values()) == len(parcel.items)


def test_the_questions_are_those_of_the_items_that_came_to_one():
    question = ParsedQuestion(1, "q", "short_text", "accepted_answers")
    parcel = ParsedFile(items=(found(ImportStatus.REFUSED), found(ImportStatus.REVIEW, question)))
    assert parcel.questions == (question,)


def test_the_rows_of_a_question_are_those_of_all_its_tables():
    first, two = ParsedRow(1, "a"), ParsedRow(2, "b")
    question = ParsedQuestion(
        1, "q", "", "", tables={"options": (first,), "score_feedback": (two,)}
    )
    assert question.rows == (first, two)
