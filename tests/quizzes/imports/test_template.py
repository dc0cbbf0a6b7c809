"""The sheet to begin with is had in the admin and by command, and goes in as it came out."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from quizzes.formats.detection import detect_format
from quizzes.imports.models import ImportJob
from tests.factories import create_bank
from tests.users import Users, logged_in_client

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("store")]


def address(ending: str) -> str:
    return reverse(f"admin:imports_importjob_{ending}")


@pytest.mark.parametrize(
    ("ending", "type_"),
    [
        ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        ("csv", "text/csv; charset=utf-8"),
    ],
)
def test_authors_download_it_and_send_it_back(users: Users, ending, type_):
    into = create_bank(users)
    author = logged_in_client(users.instructor)
    page = author.get(reverse("admin:imports_importjob_add"))
    assert address(ending) in page.content.decode()
    response = author.get(address(ending))
    assert response["Content-Type"] == type_
    assert response["Content-Disposition"] == f'attachment; filename="questions.{ending}"'
    file = SimpleUploadedFile(f"questions.{ending}", response.content)
    sent = author.post(reverse("admin:imports_importjob_add"), {"bank": into.pk, "file": file})
    html = author.get(sent["Location"]).content.decode()
    assert "3 items in the file" in html
    assert ImportJob.objects.get().format == ending


def test_its_headings_are_in_the_language_of_the_page(users: Users):
    create_bank(users)
    author = logged_in_client(users.instructor)
    response = author.get(address("csv"), headers={"accept-language": "es"})
    assert response.content.decode("utf-8-sig").startswith("tipo;pregunta (es)")
    assert "preguntas.csv" in response["Content-Disposition"]


def test_others_do_not_get_it(users: Users):
    assert Client().get(address("csv")).status_code == 302
    assert logged_in_client(users.learner).get(address("csv")).status_code == 404


@pytest.mark.parametrize("name", ["questions.xlsx", "questions.CSV"])
def test_a_command_writes_it(tmp_path: Path, name):
    path, out = tmp_path / name, StringIO()
    call_command("sheet_template", str(path), "--language", "es", stdout=out)
    assert out.getvalue() == f"{path}: written\n"
    detected = detect_format(path.read_bytes(), name)
    assert detected
    assert len(detected.read(path.read_bytes()).items) == 3


def test_a_command_says_why_it_wrote_nothing(tmp_path: Path):
    with pytest.raises(CommandError, match=r"ends in \.xlsx or \.csv"):
        call_command("sheet_template", str(tmp_path / "questions.ods"))
    with pytest.raises(CommandError, match="No such file"):
        call_command("sheet_template", str(tmp_path / "none" / "questions.csv"))
