"""Files are kept under names that tell their content."""

from quizzes.formats.parsing.media import store_media


def test_the_same_file_is_kept_once_and_others_apart():
    media: dict[str, bytes] = {}
    first = store_media(media, "images/Río alto.PNG", b"one")
    assert first.startswith("rio-alto-")
    assert first.endswith(".png")
    assert store_media(media, "elsewhere/Río alto.PNG", b"one") == first
    assert store_media(media, "Río alto.PNG", b"two") != first
    assert set(media.values()) == {b"one", b"two"}


def test_a_name_that_says_nothing_is_given_one():
    media: dict[str, bytes] = {}
    assert store_media(media, "河", b"x").startswith("file-")
    assert store_media(media, "河", b"x").endswith(".bin")
