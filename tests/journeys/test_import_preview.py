"""The preview of an import on a phone: long code scrolls by itself, the page does not."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from quizzes.exchange.models import ImportJob
from tests.content import bank
from tests.people import signed_in

pytestmark = pytest.mark.browser


def test_a_preview_with_long_code_is_no_wider_than_its_window(visit, cast, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    code = "```python\n" + "call(argument); " * 20 + "\n```"
    text = f"Which of these runs?\n- [x] {code}\n- [ ] none\n"
    file = SimpleUploadedFile("a.md", text.encode())
    sent = {"bank": bank(cast).pk, "file": file, "format": "checklist"}
    signed_in(cast.instructor).post("/admin/exchange/importjob/add/", sent)
    page = visit(cast.instructor, 360)
    page.goto(f"/admin/exchange/importjob/{ImportJob.objects.get().pk}/change/")
    assert page.locator(".import-key pre").count()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
