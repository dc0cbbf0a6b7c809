"""Files in a text: shown by their kind, told without a database, and never without words."""

from html.parser import HTMLParser
from uuid import UUID

import pytest

from quizzes.lib.filetypes import AUDIO, KINDS, VIDEO
from quizzes.lib.markup import (
    MAX_CHARACTERS,
    MediaReference,
    markup_warnings,
    media_references,
    media_warnings,
    plain,
    render,
)

FILE = UUID("0b8f2b3e-97c1-4a6e-8a7b-2f6f2d1f7f10")
CAT = f"![A *cat*](media:{FILE}.png)"


def test_a_picture_is_shown_from_its_address_with_its_words():
    assert render(CAT, inline=True) == f'<img src="/media/{FILE}.png" alt="A cat">'


@pytest.mark.parametrize("extension", sorted(KINDS))
def test_each_kind_is_shown_by_the_element_that_plays_it(extension):
    html = render(f"![Words](media:{FILE}.{extension})")
    family = KINDS[extension].family
    if family in {AUDIO, VIDEO}:
        assert f'<{family} controls="" preload="none" src="/media/{FILE}.{extension}"' in html
        assert 'aria-label="Words"' in html
        assert '<span class="media-words">Words</span>' in html
    else:
        assert html == f'<p><img src="/media/{FILE}.{extension}" alt="Words"></p>\n'


class Read(HTMLParser):
    """Gathers the elements of a fragment with the names of their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, set[str]]] = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, {name for name, _ in attrs}))


@pytest.mark.parametrize("words", ['"><script>alert(1)</script>', "' onerror='x", "<b>", '" on="'])
@pytest.mark.parametrize("extension", ["png", "mp3", "mp4"])
def test_words_cannot_leave_their_place(words, extension):
    def read(markdown: str) -> list[tuple[str, set[str]]]:
        return Read(render(f"![{markdown}](media:{FILE}.{extension})")).found

    assert read(words) == read("Words")


@pytest.mark.parametrize(
    "address",
    [
        "media:../../etc/passwd",
        f"media:{FILE}",
        f"media:{FILE}.exe",
        f"media:{FILE}.png.html",
        f"media:{FILE}.png/..",
        f"media://evil/{FILE}.png",
        "media:",
        "media:a.png",
    ],
)
def test_what_cannot_be_a_file_of_ours_is_named_and_only_its_words_are_shown(address):
    text = f"one\n\n![Words]({address})"
    assert render(text) == "<p>one</p>\n<p>Words</p>\n"
    assert [(p.code, p.line) for p in media_warnings(text)] == [("media_malformed", 3)]
    assert markup_warnings(text) == ()
    assert media_references(text) == ()


def test_references_are_told_in_order_with_their_lines():
    text = f"{CAT}\n\n- list\n- ![Say](media:{FILE}.mp3)\n\n| a |\n|---|\n| ![](media:{FILE}.gif) |"
    assert media_references(text) == (
        MediaReference(FILE, "png", "A cat", 1),
        MediaReference(FILE, "mp3", "Say", 4),
        MediaReference(FILE, "gif", "", 8),
    )


def test_the_address_itself_and_capitals_mean_the_same_file():
    for address in (f"/media/{FILE}.png", f"MEDIA:{str(FILE).upper()}.PNG"):
        text = f"![A cat]({address})"
        assert media_references(text) == (MediaReference(FILE, "png", "A cat", 1),)
        assert render(text, inline=True) == render(CAT, inline=True)


@pytest.mark.parametrize("words", ["", " ", "&nbsp;"])
@pytest.mark.parametrize("address", [f"media:{FILE}.png", f"media:{FILE}.mp3", "/static/logo.svg"])
def test_a_file_without_words_is_a_problem_with_its_line(words, address):
    warnings = media_warnings(f"one\n![{words}]({address})")
    assert [(p.code, p.line, p.detail) for p in warnings] == [("alt_missing", 2, address)]


def test_what_is_no_picture_is_no_file():
    text = f"`{CAT}`\n\n    {CAT}\n\n```\n{CAT}\n```\n\n[link](media:{FILE}.png)"
    assert media_references(text) == ()
    assert media_warnings(text) == ()
    assert "<img" not in render(text)


def test_pictures_from_elsewhere_with_words_are_left_to_the_lints():
    text = "![Words](https://evil.example/x.png)"
    assert media_warnings(text) == ()
    assert [p.code for p in markup_warnings(text)] == ["picture_not_own"]


def test_a_text_that_is_not_shown_shows_no_files():
    assert media_references(CAT + "x" * MAX_CHARACTERS) == ()
    assert media_warnings("![]()" + "x" * MAX_CHARACTERS) == ()


def test_in_plain_words_a_file_is_its_words():
    assert plain(f"Look: {CAT}.") == "Look: A cat."
