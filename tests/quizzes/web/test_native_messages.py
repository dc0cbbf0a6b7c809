"""Forms are checked by the server, in the language of the page: the browser's words are its own."""

import re
from html import unescape
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from tests.factories import create_bank
from tests.users import logged_in_client

TEMPLATES = sorted(Path(settings.ROOT, "templates").rglob("*.html"))
FORM = re.compile(r"<form\b(?:{%.*?%}|{{.*?}}|[^<>{])*>", re.DOTALL)


def test_no_form_lets_the_browser_check_it():
    tags = {
        (str(template), tag) for template in TEMPLATES for tag in FORM.findall(template.read_text())
    }
    assert len(tags) > 30
    checked = {
        tag for tag in tags if "novalidate" not in tag[1] and 'method="dialog"' not in tag[1]
    }
    assert checked == set()


SPANISH = re.compile("Este campo es (?:obligatorio|requerido)[.]")


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/accounts/login/", "/accounts/signup/"])
def test_what_a_visitor_leaves_empty_is_said_in_the_language_of_the_page(path):
    text = unescape(Client(headers={"accept-language": "es"}).post(path).content.decode())
    assert len(SPANISH.findall(text)) >= 2
    assert text.count('aria-invalid="true"') >= 2


@pytest.mark.django_db
def test_what_an_upload_lacks_is_said_in_the_language_of_the_page(users):
    users.instructor.language = "es"
    users.instructor.save()
    create_bank(users)
    answer = logged_in_client(users.instructor).post("/admin/imports/importjob/add/")
    text = unescape(answer.content.decode())
    assert (answer.status_code, len(SPANISH.findall(text))) == (422, 2)
    for name in ("bank", "file"):
        assert re.search(rf'name="{name}"[^>]*required[^>]*aria-invalid="true"', text), name
        assert f'id="id_{name}_error"' in text
    assert text.count('class="required-mark"') == 3  # and what the mark means
