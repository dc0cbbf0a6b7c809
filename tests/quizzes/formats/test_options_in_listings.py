"""Options at the end of the listing that is asked about, and remarks in comments of HTML."""

import pytest

from quizzes.formats.contract import ImportStatus, SourceItem
from quizzes.imports.parse import parse_upload
from tests.quizzes.formats.text_items import (
    get_text,
    list_options,
    list_options_with_feedback,
    list_texts,
)

CLEAN = {ImportStatus.IMPORTED, ImportStatus.REPAIRED}
OPTIONS = "A) one\nB) two\nC) both\n"


def read(text: str) -> tuple[SourceItem, ...]:
    return parse_upload(text.encode(), "quiz.md", language="en").items


@pytest.mark.parametrize("fence", ["```", "```java", "~~~"])
@pytest.mark.parametrize("key", ["**Correct Answer**: B) two", "Answer: B", "**Answer:** B"])
@pytest.mark.parametrize("listing", ["int x = 2;\n\nStatement 1: x = 3;\n\n", ""])
def test_lettered_options_at_the_end_of_a_listing(fence, key, listing):
    marks = fence[:3]
    block = (
        f"Which statement compiles?\n\n{fence}\n{listing}{OPTIONS}{marks}\n\n{key}\n\nIt is so.\n"
    )
    items = read(f"## Question 1\n\n{block}\n## Question 2\n\n{block}")
    expected = [("one", False), ("two", True), ("both", False)]
    assert [list_options(item) for item in items] == [expected] * 2
    assert all(item.status in CLEAN and not item.remainder for item in items)
    assert ("Statement 1" in get_text(items[0])) == bool(listing)
    assert get_text(items[0]).count(marks) in ({2} if listing else {0})


def test_letters_in_a_listing_that_nothing_answers_stay_in_it():
    text = f"### Which is right?\n\n```\nx\n\n{OPTIONS}```\n\n- [x] the first\n- [ ] the second\n"
    (item,) = read(text)
    assert "B) two" in get_text(item)
    assert [text for text, _ in list_options(item)] == ["the first", "the second"]


@pytest.mark.parametrize("word", ["feedback", "Explicación", "Why"])
def test_a_remark_in_a_comment_behind_an_option_is_its_feedback(word):
    text = (
        f"### Which river is long?\n\n- [ ] Tinto\n- [x] B) Nile <!-- {word}: It has 6650 km. -->\n"
    )
    (item,) = read(f"{text}- [ ] Odra\n")
    assert list_options_with_feedback(item)[1] == ("B) Nile", True, "It has 6650 km.")
    assert not any("<!--" in words for words in list_texts(item.question))
    assert (item.status in CLEAN, item.remainder) == (True, ())
