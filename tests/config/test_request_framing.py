"""Where a request ends is said once: nobody smuggles a second one past a proxy."""

import pytest
from gunicorn.config import Config
from gunicorn.http.errors import ParseException
from gunicorn.http.parser import RequestParser

HEAD = b"POST / HTTP/1.1\r\nHost: quiz.example\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"


def parse(head: bytes, body: bytes) -> bytes:
    """Return the body of a request as gunicorn reads it under our settings."""
    request = next(RequestParser(Config(), iter([head + b"\r\n" + body]), ("192.0.2.7", 1)))
    content: bytes = request.body.read()
    return content


def test_a_request_that_says_its_length_once_is_read():
    assert parse(HEAD + b"Content-Length: 3\r\n", b"abc") == b"abc"
    assert parse(HEAD + CHUNKED, b"3\r\nabc\r\n0\r\n\r\n") == b"abc"


@pytest.mark.parametrize(
    "headers",
    [
        CHUNKED + b"Content-Length: 3\r\n",
        b"Content-Length: 3\r\n" + CHUNKED,
        b"Content-Length: 3\r\nContent-Length: 4\r\n",
        b"Content-Length: +3\r\n",
        b"Content-Length: 3,3\r\n",
        b"Transfer-Encoding: chunked, identity\r\n",
        b"Transfer-Encoding: xchunked\r\n",
        b"Transfer-Encoding : chunked\r\n",
        b"Transfer-Encoding:\x0bchunked\r\n",
        b" Content-Length: 3\r\n",
        b"X: a\r\n b\r\n",
        b"X: a\x00b\r\n",
    ],
)
def test_a_request_that_says_it_twice_or_otherwise_is_refused(headers):
    with pytest.raises(ParseException):
        parse(HEAD + headers, b"3\r\nabc\r\n0\r\n\r\n")
