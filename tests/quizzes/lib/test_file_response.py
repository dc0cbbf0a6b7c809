"""A file as an answer: whole, a part, or why not."""

from pathlib import Path

import pytest
from django.test import RequestFactory

from quizzes.lib.file_response import RangeNotSatisfiable, parse_range, ranged_file_response

BODY = bytes(range(200))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "kept"
    path.write_bytes(BODY)
    return path


@pytest.mark.parametrize(
    ("header", "part"),
    [
        ("", None),
        ("bytes=0-9", (0, 10)),
        ("bytes=10-", (10, 200)),
        ("bytes=-5", (195, 200)),
        ("bytes=-500", (0, 200)),
        ("bytes=190-999", (190, 200)),
        ("bytes= 3 - 4", (3, 5)),
        ("bytes=199-199", (199, 200)),
        ("bytes=9-3", None),
        ("bytes=-", None),
        ("bytes=1-2,5-6", None),
        ("items=0-9", None),
        ("bytes=a-b", None),
        ("bytes=" + "9" * 40 + "-", None),
    ],
)
def test_a_part_is_read_as_http_says(header, part):
    assert parse_range(header, 200) == part


@pytest.mark.parametrize("header", ["bytes=200-", "bytes=999-1000", "bytes=-0"])
def test_a_part_beyond_the_end_cannot_be_given(header):
    with pytest.raises(RangeNotSatisfiable):
        parse_range(header, 200)


def answer(path: Path, method: str = "get", **headers: str):
    request = getattr(RequestFactory(), method)("/", headers=headers)
    return ranged_file_response(request, path.open("rb"), "id.mp3", "audio/mpeg")


def let_go(response) -> None:
    """Close the file, but not, as `close` would, the database."""
    for closer in response._resource_closers:
        closer()


def read(response) -> bytes:
    content = b"".join(response) if response.streaming else response.content
    let_go(response)
    return content


def test_the_whole_file_comes_with_what_a_browser_must_know(path):
    response = answer(path)
    assert (response.status_code, read(response)) == (200, BODY)
    assert {name: response[name] for name in response.headers} == {
        "Content-Type": "audio/mpeg",
        "Content-Length": "200",
        "Content-Disposition": 'inline; filename="id.mp3"',
        "Accept-Ranges": "bytes",
        "X-Content-Type-Options": "nosniff",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cache-Control": "no-store, private",
    }


def test_a_part_says_which_it_is(path):
    response = answer(path, Range="bytes=100-149")
    assert (response.status_code, read(response)) == (206, BODY[100:150])
    assert response["Content-Range"] == "bytes 100-149/200"
    assert response["Content-Length"] == "50"


def test_a_part_beyond_the_end_is_refused_with_the_length(path):
    response = answer(path, Range="bytes=200-")
    assert (response.status_code, response["Content-Range"]) == (416, "bytes */200")


def test_a_part_of_a_file_that_may_have_changed_is_all_of_it(path):
    response = answer(path, Range="bytes=0-9", **{"If-Range": '"etag"'})
    assert (response.status_code, read(response)) == (200, BODY)


def tagged(path: Path, **headers: str):
    request = RequestFactory().get("/", headers=headers)
    return ranged_file_response(request, path.open("rb"), "id.mp3", "audio/mpeg", "ab12")


def test_who_has_the_file_is_sent_none_of_it(path):
    response = tagged(path)
    assert (response.status_code, response["ETag"], read(response)) == (200, '"ab12"', BODY)
    for etags in ('"ab12"', '"x", W/"ab12"', "*"):
        response = tagged(path, **{"If-None-Match": etags, "Range": "bytes=0-9"})
        assert (response.status_code, response.content, response["ETag"]) == (304, b"", '"ab12"')
    response = tagged(path, **{"If-None-Match": '"x"'})
    assert (response.status_code, read(response)) == (200, BODY)


@pytest.mark.parametrize(("if_range", "status"), [('"ab12"', 206), ('"x"', 200), ('W/"ab12"', 200)])
def test_a_part_of_the_file_that_one_has_a_part_of(path, if_range, status):
    response = tagged(path, **{"Range": "bytes=0-9", "If-Range": if_range})
    assert (response.status_code, read(response)) == (status, BODY[:10] if status == 206 else BODY)


def test_head_says_the_same_without_the_bytes(path):
    response = answer(path, "head")
    assert (response.content, response["Content-Length"]) == (b"", "200")


def test_a_large_part_comes_in_pieces_and_lets_go_of_the_file(tmp_path):
    path = tmp_path / "large"
    path.write_bytes(b"x" * 600_000)
    response = answer(path, Range="bytes=1-")
    pieces = list(response)
    assert len(pieces) == 3
    assert sum(map(len, pieces)) == 599_999
    let_go(response)


def test_a_drawing_may_do_nothing_when_it_is_opened(path):
    request = RequestFactory().get("/")
    response = ranged_file_response(request, path.open("rb"), "id.svg", "image/svg+xml")
    policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    assert response["Content-Security-Policy"] == policy
    let_go(response)
