"""What is said of a text in a line, and of a ledger in words."""

import pytest

from quizzes.presentation.excerpts import EXCERPT, excerpt


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            "<p>Under <em>model parallelism</em>, every device</p>",
            "Under model parallelism, every device",
        ),
        ("Device (<em>device</em>)", "Device (device)"),
        ('Use <code class="x">tf.data</code>.', "Use tf.data."),
        ("<p>One.</p><p>Two &amp; three<br>four</p>", "One. Two & three four"),
        ("<sample>a</sample>b", "a b"),
    ],
)
def test_an_excerpt_parts_blocks_but_not_words_and_their_signs(html, expected):
    assert excerpt(html) == expected


def test_a_long_excerpt_ends_in_an_ellipsis():
    assert excerpt("x" * (EXCERPT + 1)) == "x" * EXCERPT + "…"
