"""Files made to hurt, through the upload page: refused with a sentence, or clean."""

import time
import zipfile
from base64 import b64encode
from html import unescape
from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from quizzes.bank.models import Bank, Media, Question
from quizzes.imports import jobs
from quizzes.imports.models import ImportJob, State
from tests.factories import NOW
from tests.quizzes.imports.import_jobs import create_ready_job
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db

ADD = "/admin/imports/importjob/add/"
QUIZ = """<quiz><question type="multichoice"><name><text>one</text></name>
<questiontext format="html"><text><![CDATA[{prompt}]]></text>{file}</questiontext>
<single>true</single><answer fraction="100"><text>Danube</text></answer>
<answer fraction="0"><text>Rhine</text></answer></question></quiz>"""
DRAWING = (
    b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script>'
    b'<a href="javascript:alert(3)"><circle r="4"/></a></svg>'
)
ENTITIES = (
    '<!DOCTYPE quiz [<!ENTITY a "aaaaaaaaaa">'
    + "".join(
        f'<!ENTITY {new} "{f"&{old};" * 10}">' for old, new in zip("abcdef", "bcdefg", strict=True)
    )
    + "]><quiz><question type='essay'><name><text>&g;</text></name></question></quiz>"
)


@pytest.fixture(autouse=True)
def _store(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"


def packed(*members: tuple[str, bytes], deflated: bool = False) -> bytes:
    stream = BytesIO()
    how = zipfile.ZIP_DEFLATED if deflated else zipfile.ZIP_STORED
    with zipfile.ZipFile(stream, "w", how) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return stream.getvalue()


def nested(depth: int) -> bytes:
    data = packed(("quiz.xml", b"<questestinterop/>"))
    for _ in range(depth):
        data = packed(("inner.zip", data))
    return data


def item(title: str = "one") -> bytes:
    return f'<questestinterop><item ident="{title}" title="{title}"/></questestinterop>'.encode()


HOSTILE = {
    "a path that leads out": packed(("../../evil.xml", item())),
    "a path from the root": packed(("/etc/evil.xml", item())),
    "a bomb": packed(("quiz.xml", b"<questestinterop>" + b" " * 60_000_000), deflated=True),
    "too many files": packed(*((f"{n}.xml", b"") for n in range(6000))),
    "packages in packages": nested(40),
    "entities": ENTITIES.encode(),
    "deep nesting": b"<quiz>" + b"<question>" * 50_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_was_made_to_hurt_is_refused_with_a_sentence_and_leaves_nothing(
    name, into, users, tmp_path
):
    ending = "zip" if HOSTILE[name].startswith(b"PK") else "xml"
    file = SimpleUploadedFile(f"a.{ending}", HOSTILE[name])
    client = logged_in_client(users.instructor)
    begun = time.process_time()
    response = client.post(ADD, {"bank": into.pk, "file": file})
    took = time.process_time() - begun
    if response.status_code == 302:  # it was saved, and could not be read
        response = client.get(response["Location"])
        assert ImportJob.objects.get().state == State.FAILED, name
    else:
        assert response.status_code == 422, name
    assert "Nothing was imported:" in unescape(response.content.decode())
    assert took < 2
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def brought(into: Bank, data: str) -> Question:
    job = create_ready_job(into, data, "a.xml", "en")
    jobs.confirm_selection(job=job, selected={0}, by=None)
    jobs.run(pk=job.pk, now=NOW)
    return Question.objects.select_related("draft", "bank").get()


def test_a_drawing_with_a_program_in_it_is_not_kept_and_its_question_waits(into):
    markup = '<file name="a.svg" encoding="base64">{}</file>'
    data = markup.format(b64encode(DRAWING).decode())
    prompt = 'Which? <img src="@@PLUGINFILE@@/a.svg" alt="A river">'
    question = brought(into, QUIZ.format(prompt=prompt, file=data))
    assert question.current is None
    assert not Media.objects.exists()


def test_an_address_elsewhere_is_not_asked_and_is_told(into):
    """Unit tests have no network: to ask would fail here."""
    named = '<!DOCTYPE quiz SYSTEM "http://192.0.2.1/x.dtd">'
    question = brought(into, named + QUIZ.format(prompt="Which?", file=""))
    assert question.current is not None
    codes = [note["code"] for note in ImportJob.objects.get().report["ignored_lines"]]
    assert "document_type_ignored" in codes


def test_ids_owners_and_roles_of_a_file_count_nothing(into, users):
    """What a file says of them is not even read: the bank and the person are those of the page."""
    data = QUIZ.format(prompt="Which?", file="").replace(
        '<question type="multichoice">',
        f'<question type="multichoice" id="1" owner="{users.administrator.email}" role="admin">'
        f"<id>1</id><owner>{users.administrator.email}</owner><bank>another</bank>",
    )
    question = brought(into, data)
    assert question.bank == into
    assert question.draft.updated_by is None
    assert Bank.objects.count() == 1
