"""Bodies with files: none is read that is larger than its form may take."""

import io

import pytest
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadedfile import SimpleUploadedFile, TemporaryUploadedFile
from django.test import Client, RequestFactory

from quizzes.lib import upload_handlers


@pytest.fixture(autouse=True)
def _small(settings, tmp_path):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10_000
    settings.MEDIA_MAX_BYTES = {"image": 1000, "audio": 2000, "video": 100_000}
    settings.MEDIA_ROOT = tmp_path


def sent(size: int):
    return RequestFactory().post("/", {"file": SimpleUploadedFile("a.png", b"x" * size)})


class Untouchable(io.BytesIO):
    """A body that nobody may read."""

    def read(self, *_):
        raise AssertionError("read")

    readline = readinto = read


def claimed(length: str):
    request = RequestFactory().post("/", content_type="multipart/form-data; boundary=x")
    request.META["CONTENT_LENGTH"] = length
    request._stream = Untouchable()
    return request


def test_a_form_that_takes_no_files_may_be_as_large_as_any_other():
    assert sent(5000).FILES["file"].size == 5000
    with pytest.raises(RequestDataTooBig):
        assert sent(20_000).FILES


def test_what_is_too_large_by_its_length_is_not_read():
    with pytest.raises(RequestDataTooBig):
        assert claimed("99999999999").POST
    request = claimed("99999999999")
    upload_handlers.allow_uploads(request)
    with pytest.raises(RequestDataTooBig):
        assert request.POST


def test_a_form_that_takes_files_writes_them_to_the_disk(tmp_path):
    request = sent(90_000)
    upload_handlers.allow_uploads(request)
    file = request.FILES["file"]
    assert isinstance(file, TemporaryUploadedFile)
    assert file.size == 90_000
    assert file.temporary_file_path().startswith(str(tmp_path / "incoming"))
    file.close()


@pytest.mark.parametrize(
    ("length", "too_large"),
    [
        *(("", False), ("0", False), ("100000", False), ("165536", False), ("165537", True)),
        *(("9" * 30, True), ("-1", True), ("nonsense", True)),
    ],
)
def test_the_length_is_judged_by_the_head_alone(length, too_large):
    assert upload_handlers.is_too_large(claimed(length)) == too_large


@pytest.mark.django_db
def test_nobody_fills_the_disk_through_the_sign_in_page():
    file = SimpleUploadedFile("a.png", b"x" * 20_000)
    strict = Client(enforce_csrf_checks=True)
    strict.get("/accounts/login/")
    assert strict.post("/accounts/login/", {"file": file}).status_code == 413
