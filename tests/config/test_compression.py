"""What is text goes out compressed; what must stay as it is does."""

import gzip

import pytest
from django.http import HttpResponse, StreamingHttpResponse

from config.compression import CompressionMiddleware

TEXT = "<p>Which of these hold?</p>" * 100


def compress(rf, response, accepted="gzip, br"):
    return CompressionMiddleware(lambda _request: response)(
        rf.get("/", headers={"Accept-Encoding": accepted})
    )


@pytest.mark.parametrize(
    "content_type",
    ["text/html; charset=utf-8", "text/css", "text/csv", "application/json", "image/svg+xml"],
)
def test_text_is_compressed(rf, content_type):
    response = compress(rf, HttpResponse(TEXT, content_type=content_type))
    assert response["Content-Encoding"] == "gzip"
    assert gzip.decompress(response.content).decode() == TEXT
    assert len(response.content) < len(TEXT) / 5


def test_the_size_of_a_page_does_not_tell_what_is_in_it(rf):
    sizes = {len(compress(rf, HttpResponse(TEXT)).content) for _try in range(50)}
    assert len(sizes) > 10


def test_a_stream_is_compressed(rf):
    response = compress(rf, StreamingHttpResponse(iter([b"a,b\n"] * 100), content_type="text/csv"))
    assert gzip.decompress(b"".join(response)) == b"a,b\n" * 100


@pytest.mark.parametrize(
    "content_type", ["image/png", "audio/mpeg", "application/zip", "font/woff2"]
)
def test_what_is_compressed_already_is_left_alone(rf, content_type):
    response = compress(rf, HttpResponse(TEXT, content_type=content_type))
    assert not response.has_header("Content-Encoding")


def test_a_file_that_is_sent_in_parts_is_left_alone(rf):
    response = HttpResponse(TEXT, content_type="text/plain", headers={"Accept-Ranges": "bytes"})
    assert not compress(rf, response).has_header("Content-Encoding")


def test_json_keeps_its_strong_etag(rf):
    response = HttpResponse(TEXT, content_type="application/json", headers={"ETag": '"1"'})
    assert compress(rf, response)["ETag"] == '"1"'
    assert not response.has_header("Content-Encoding")


def test_a_browser_that_takes_no_compression_gets_none(rf):
    response = compress(rf, HttpResponse(TEXT), accepted="identity")
    assert response.content.decode() == TEXT


@pytest.mark.django_db
def test_pages_and_static_files_of_the_embedded_site_are_compressed(client):
    for path in ("/accounts/login/", "/static/web/css/base.css"):
        response = client.get(path, headers={"Accept-Encoding": "gzip"})
        assert response["Content-Encoding"] == "gzip", path
        b"".join(response)
