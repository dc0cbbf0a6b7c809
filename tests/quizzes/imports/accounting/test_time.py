"""What is made to be slow is accounted for in a time that grows with its size alone."""

import time

import pytest

from quizzes.formats import FORMATS
from quizzes.formats.letter_key.marked_options import mark_as_checklist
from quizzes.imports.accounting.remainder import list_remainder
from quizzes.imports.accounting.xml_source import iterate_xml

SIZE = 200_000


@pytest.mark.parametrize(
    "piece",
    [
        "- a\n",
        "A. a\nB. b\n",
        "Answer: ",
        "<summary>Answer</summary>\n\n",
        " ",
        "*",
        "- **a**\n- b\n\n",
    ],
)
def test_lists_are_marked_in_linear_time(piece):
    begun = time.process_time()
    mark_as_checklist(piece * (SIZE // len(piece)))
    mark_as_checklist("- a\n- b ✅" + piece.replace("\n", " ") * (SIZE // len(piece)))
    assert time.process_time() - begun < 4


@pytest.mark.parametrize(
    "piece", ["&lt;style&gt;", "&lt;!--", "&lt;a ", "&lt;summary&gt;", "<b/>", "x "]
)
def test_texts_of_xml_are_found_in_linear_time(piece):
    begun = time.process_time()
    for _, _text in iterate_xml(f"<a>{piece * (SIZE // len(piece))}</a>".encode(), frozenset()):
        pass
    assert time.process_time() - begun < 3


@pytest.mark.parametrize(
    "piece", ["<!--", "> ", "1. ", "Question ", "**", "- [ ] a\n", "Which?\n- [x] a\n"]
)
def test_a_file_is_accounted_for_in_linear_time(piece):
    data = f"Which?\n- [ ] one\n- [x] two\n{piece * (SIZE // 4 // len(piece))}".encode()
    parsed_file = FORMATS["checklist"].read(data, language="en")
    begun = time.process_time()
    list_remainder(parsed_file, data, "checklist")
    assert time.process_time() - begun < 4


@pytest.mark.parametrize(
    "between", ["// remark on the fish {n}", "$CATEGORY: course/Rivers {n}", "Fish {n} swim."]
)
def test_lines_between_items_are_accounted_for_in_linear_time(between):
    """Three thousand items took 9 to 14 s of CPU: each line was looked for in each item."""
    data = "\n\n".join(
        f"{between}\n\n::q{{n}}::Which is river {{n}}? {{{{=long ~short ~dry}}}}".format(n=n)
        for n in range(3000)
    ).encode()
    parsed_file = FORMATS["gift"].read(data, language="en")
    begun = time.process_time()
    list_remainder(parsed_file, data, "gift")
    assert time.process_time() - begun < 3
