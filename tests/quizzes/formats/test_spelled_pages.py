"""Pages in spellings of their own: a margin, boxes with an "O", options that are signs, LaTeX."""

import pytest

from quizzes.formats.contract import ImportStatus
from quizzes.imports.parse import parse_upload
from tests.quizzes.formats.text_items import list_options


def read(text: str):
    return parse_upload(text.encode(), "a.md").items


def test_a_page_that_is_indented_as_a_whole_is_read_without_its_margin():
    text = """# Rivers
  1. Which river is long?
   - [ ] A. Nalón
   - [ ] B. Tajo

  <details>
    <summary>Reveal the correct answer</summary>

     > **Correct Answer:** B. Tajo
  </details>

  2. Which river is short?
   - [ ] A. Nalón
   - [ ] B. Tajo

  <details>
    <summary>Reveal the correct answer</summary>

     > **Correct Answer:** A. Nalón
  </details>
"""
    assert [list_options(item) for item in read(text)] == [
        [("Nalón", False), ("Tajo", True)],
        [("Nalón", True), ("Tajo", False)],
    ]


@pytest.mark.parametrize("sign", ["O", "o"])
def test_a_round_box_with_an_o_is_ticked_beside_empty_ones(sign):
    text = f"### Q1: Which river is long?\\n\\n- ( ) Nalón\\n- ({sign}) Tajo\\n- ( ) Nervión\\n"
    (item,) = read(text.replace("\\n", "\n"))
    assert list_options(item) == [("Nalón", False), ("Tajo", True), ("Nervión", False)]


def test_options_that_a_solution_repeats_with_ticks_may_differ_in_one_text():
    text = """### Question 1

Which river is long?

- ( ) The Nalón
- ( ) A Tajo
- ( ) The Nervión

<div slot="answer">

- ( ) The Nalón
- (X) Tajo
- ( ) The Nervión

It reaches Lisbon.

</div>
"""
    (item,) = read(text)
    assert item.status is ImportStatus.IMPORTED
    assert list_options(item) == [("The Nalón", False), ("A Tajo", True), ("The Nervión", False)]


def test_options_that_differ_in_two_texts_are_for_a_person():
    text = """### Question 1

Which river is long?

- ( ) The Nalón
- ( ) A Tajo
- ( ) The Nervión

<details>

- ( ) Nalón
- (X) Tajo
- ( ) The Nervión

</details>
"""
    assert {item.status for item in read(text)} == {ImportStatus.REVIEW}


def test_options_may_be_boxes_or_signs_themselves():
    text = """#### 1. Which is a box with a tick?
1. [ ] [ ] done
2. [ ] - [x] done
3. [ ] * [ ] done
answer: 2

#### 2. Which sign begins a heading?
1. [ ] *
2. [ ] #
3. [ ] @
answer: 2
"""
    first, second = read(text)
    assert [is_right for _, is_right in list_options(first)] == [False, True, False]
    assert list_options(second) == [("*", False), ("#", True), ("@", False)]


LATEX = r"""Which river is long?

\begin{enumerate}[(A)]
\item Nalón
\item Tajo
\item Nervión
\end{enumerate}

\medskip

**Correct Answer: (B)**

**Explanation:** It reaches Lisbon.
"""
NESTED = r"""\begin{enumerate}
\item Which river is long?
  \begin{enumerate}
    \item Nalón
    \item Tajo
    \item Nervión
  \end{enumerate}
Answer: B
\end{enumerate}
"""
EXAM = r"""\begin{questions}
\question[2] Which river is long?
\begin{choices}
\choice Nalón
\CorrectChoice Tajo
\choice Nervión
\end{choices}
\end{questions}
"""


@pytest.mark.parametrize("text", [LATEX, NESTED, EXAM])
def test_lists_of_latex_are_options(text):
    (item,) = read(text)
    assert item.status is ImportStatus.IMPORTED
    assert list_options(item) == [("Nalón", False), ("Tajo", True), ("Nervión", False)]


def test_commands_outside_of_lists_stay_as_they_are():
    text = "\\item Tajo\n\n### Which river is long?\n\n- [x] \\item\n- [ ] \\choice Tajo\n"
    (item,) = read(text)
    assert [text for text, _ in list_options(item)] == ["\\item", "\\choice Tajo"]
