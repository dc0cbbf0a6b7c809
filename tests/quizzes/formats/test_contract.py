"""What a file came to: every item has one verdict, and the counts add up."""

from quizzes.formats.contract import Found, Parcel, ParcelQuestion, ParcelRow, Verdict


def found(verdict: Verdict, question: ParcelQuestion | None = None) -> Found:
    return Found(1, 2, "q", "short_text", verdict, question)


def test_the_counts_add_up_to_what_the_file_holds():
    verdicts = (Verdict.IMPORTED, Verdict.REVIEW, Verdict.REVIEW, Verdict.REFUSED)
    parcel = Parcel(found=tuple(found(verdict) for verdict in verdicts))
    assert parcel.counts() == {"imported": 1, "repaired": 0, "needs_review": 2, "refused": 1}
    assert sum(parcel.counts().values()) == len(parcel.found)


def test_the_questions_are_those_of_the_items_that_came_to_one():
    question = ParcelQuestion(1, "q", "short_text", "accepted_answers")
    parcel = Parcel(found=(found(Verdict.REFUSED), found(Verdict.REVIEW, question)))
    assert parcel.questions == (question,)


def test_the_rows_of_a_question_are_those_of_all_its_tables():
    one, two = ParcelRow(1, "a"), ParcelRow(2, "b")
    question = ParcelQuestion(1, "q", "", "", tables={"options": (one,), "bands": (two,)})
    assert question.rows == (one, two)
