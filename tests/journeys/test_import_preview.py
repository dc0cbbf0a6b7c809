"""The preview of an import on a phone: long code scrolls by itself, the page does not."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from quizzes.imports.models import ImportJob
from tests.factories import create_bank
from tests.users import logged_in_client

pytestmark = pytest.mark.browser


def test_a_preview_with_long_code_is_no_wider_than_its_window(visit, users, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    code = "```python\n" + "call(argument); " * 20 + "\n```"
    text = f"Which of these runs?\n- [x] {code}\n- [ ] none\n"
    file = SimpleUploadedFile("a.md", text.encode())
    sent = {"bank": create_bank(users).pk, "file": file, "format": "checklist"}
    logged_in_client(users.instructor).post("/admin/imports/importjob/add/", sent)
    page = visit(users.instructor, 360)
    page.goto(f"/admin/imports/importjob/{ImportJob.objects.get().pk}/change/")
    assert page.locator(".import-key pre").count()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
