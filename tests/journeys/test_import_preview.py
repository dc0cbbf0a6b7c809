"""Uploading a file: the preview at once, or the progress first; on a phone, too."""

from types import SimpleNamespace

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from kombu.exceptions import OperationalError
from playwright.sync_api import expect

from quizzes.imports import import_reading, tasks
from quizzes.imports.models import ImportJob
from quizzes.lib import clock
from tests.factories import create_bank
from tests.users import logged_in_client

pytestmark = pytest.mark.browser


def test_a_preview_with_long_code_and_formulas_is_no_wider_than_its_window(
    visit, users, settings, tmp_path
):
    settings.MEDIA_ROOT = tmp_path
    code = "```python\n" + "call(argument); " * 20 + "\n```"
    formula = "$" + "+".join(["\\frac{1}{2}"] * 60) + "$"
    text = f"Which of these runs?\n- [x] {code}\n- [ ] {formula}\n"
    file = SimpleUploadedFile("a.md", text.encode())
    sent = {"bank": create_bank(users).pk, "file": file, "format": "checklist"}
    logged_in_client(users.instructor).post("/admin/imports/importjob/add/", sent)
    page = visit(users.instructor, 360)
    page.goto(f"/admin/imports/importjob/{ImportJob.objects.get().pk}/change/")
    assert page.locator(".import-key pre").count()
    assert page.locator(".import-key math").count()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


START = tasks.start


@pytest.fixture
def upload(visit, users, settings, tmp_path):
    """Upload a file on the page, and return the page that follows."""
    settings.MEDIA_ROOT = tmp_path
    bank = create_bank(users)

    def submit():
        page = visit(users.instructor)
        page.goto(f"/admin/imports/importjob/add/?bank={bank.pk}")
        file = {"name": "a.gift", "mimeType": "text/plain", "buffer": b"::q1::Which? {=a ~b}"}
        page.locator("[name=file]").set_input_files(file)
        with page.expect_navigation():
            page.get_by_role("button", name="Show the preview").click()
        return page

    return submit


def test_a_file_that_takes_long_shows_its_progress_and_then_its_preview(upload, monkeypatch):
    monkeypatch.setattr(tasks, "WAIT", 0)
    monkeypatch.setattr(tasks, "start", lambda *_: None)
    page = upload()
    expect(page.get_by_text("The file is being read; nothing is written yet.")).to_be_visible()
    import_reading.read_and_plan(pk=ImportJob.objects.get().pk, now=clock.now())
    expect(page.get_by_text("1 item in the file:")).to_be_visible()
    expect(page.locator("[name=item]")).to_be_checked()


def test_a_file_shows_its_preview_while_the_broker_is_away(upload, monkeypatch):
    class InlineThread:
        """A thread that is done when it has started: the server's database is in memory."""

        def __init__(self, target, args, **_) -> None:
            self.start = lambda: target(*args)

    def raise_error(pk: int) -> None:
        raise OperationalError(pk)

    monkeypatch.setattr(tasks, "start", START)
    monkeypatch.setattr(tasks, "Thread", InlineThread)
    workers = SimpleNamespace(conf=SimpleNamespace(task_always_eager=False))
    monkeypatch.setattr(tasks, "current_app", workers)
    monkeypatch.setattr(tasks.read_import, "delay", raise_error)
    expect(upload().get_by_text("1 item in the file:")).to_be_visible()


ADD_FIELD = """() => {
    const row = document.createElement("div");
    row.innerHTML = "<label><input type='file' name='more' multiple></label>";
    document.querySelector("form.ask").append(row);
}"""


def test_no_file_field_of_the_admin_makes_a_script_complain(visit, users):
    """`visit` fails where a script raises; each field takes one file, then several."""
    bank, page = create_bank(users), visit(users.instructor)
    errors: list[str] = []
    page.on("console", lambda message: errors.extend([message.text] * (message.type == "error")))
    files = [{"name": f"{n}.png", "mimeType": "image/png", "buffer": b"x"} for n in range(2)]
    for address in ("imports/importjob/add/", f"bank/bank/{bank.pk}/files/"):
        page.goto(f"/admin/{address}")
        page.evaluate(ADD_FIELD)
        fields = page.locator("input[type=file]")
        expect(fields).to_have_count(2)
        for field in fields.all():
            field.set_input_files(files[:1])
            if field.evaluate("field => field.multiple"):
                field.set_input_files(files)
        assert page.evaluate("[...document.forms].every((form) => form.noValidate)")
    assert errors == []
