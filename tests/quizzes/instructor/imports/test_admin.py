"""Imports in the admin: a file is sent, shown beside its lines, chosen from, brought in."""

import re
from html import unescape
from pathlib import Path

import pytest
from django.conf import settings as site
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from quizzes.bank.models import Bank, Media, Question
from quizzes.formats.parsing.packages import write_zip
from quizzes.imports import import_reading, jobs, tasks
from quizzes.imports.models import ImportJob, State
from quizzes.imports.sandbox import reading_process
from tests.factories import NOW, share_with_everyone
from tests.media_files import png
from tests.quizzes.formats.test_ochenta import GOOD
from tests.quizzes.imports.import_jobs import refuse_as_ambiguous
from tests.quizzes.imports.sandbox.servers import all_turns_taken
from tests.users import Users, logged_in_client

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("store")]

SEEDS = Path(site.ROOT).parent / "shared" / "seeds"
ADD = "/admin/imports/importjob/add/"


@pytest.fixture
def author(users: Users) -> Client:
    return logged_in_client(users.instructor)


def send(client: Client, into: Bank, data: str = GOOD, name: str = "rivers.yaml", **more: str):
    file = SimpleUploadedFile(name, data.encode())
    return client.post(ADD, {"bank": into.pk, "file": file, **more})


def read(response) -> str:
    return unescape(response.content.decode())


def page(job: ImportJob, name: str = "change") -> str:
    return f"/admin/imports/importjob/{job.pk}/{name}/"


def commit(client: Client, job: ImportJob, *numbers: int):
    response = client.get(page(job))
    return client.post(
        page(job, "commit"), {"item": numbers, "digest": response.context["digest"]}, follow=True
    )


def test_a_file_is_sent_shown_chosen_and_reported(author, into, users):
    assert "Import a file" in read(author.get(ADD))
    response = send(author, into)
    job = ImportJob.objects.get()
    assert (response.status_code, response["Location"]) == (302, page(job))
    assert job.by == users.instructor
    text = read(author.get(page(job)))
    for words in ("1 item in the file:", "1 new", "- name: danube", "Where?", "¿Dónde?", "checked"):
        assert words in text
    assert not Question.objects.exists()
    done = read(commit(author, job, 0))
    assert Question.objects.get().current is not None
    for words in ("1 question was chosen.", "danube", "published", "done"):
        assert words in done


def test_what_is_not_ticked_is_not_brought_in(author, into):
    send(author, into)
    commit(author, ImportJob.objects.get())
    assert not Question.objects.exists()


@pytest.mark.parametrize(
    ("language", "lines", "head"),
    [
        (
            "en",
            ["new, published", "not imported: not selected", "not read"],
            "Imported: 1 (1 new). Not imported: 2 (1 not selected, 1 not read).",
        ),
        (
            "es",
            ["nueva, publicada", "no importada: no seleccionada", "no leída"],
            "Importadas: 1 (nueva: 1). No importadas: 2 (no seleccionada: 1, no leída: 1).",
        ),
    ],
)
def test_what_was_not_selected_reads_so_and_the_counts_add_up(
    author, into, users, language, lines, head
):
    type(users.instructor).objects.update(language=language)
    send(author, into, f"{aiken('Q0', 'Q1')}Q2\nA. a\nB. b\n", "mixed.txt")
    done = " ".join(read(commit(author, ImportJob.objects.get(), 0)).split())
    results = re.findall(r"</th> <td> ([^<]*?) (?=<)", done)
    assert results == lines
    assert head in done


def test_a_changed_file_shows_what_differs_from_the_bank(author, into):
    send(author, into)
    commit(author, ImportJob.objects.get(), 0)
    send(author, into, GOOD.replace("Where?", "And now?"))
    text = read(author.get(page(ImportJob.objects.latest("pk"))))
    assert "1 changed" in text
    assert "<del>Where?</del>" in text
    assert "<ins>And now?</ins>" in text


def test_a_bank_that_changed_between_preview_and_import_is_shown_once_more(author, into):
    send(author, into)
    job = ImportJob.objects.get()
    response = author.post(page(job, "commit"), {"item": [0], "digest": "another"})
    assert response.status_code == 409
    assert "Check the plan again" in read(response)
    assert not Question.objects.exists()


def test_a_file_of_several_formats_is_asked_about_and_need_not_be_chosen_again(
    author, into, users, monkeypatch
):
    monkeypatch.setattr(reading_process, "detect_and_read", refuse_as_ambiguous)
    response = send(author, into)
    job = ImportJob.objects.get()
    assert (response.status_code, response["Location"]) == (302, page(job))
    text = read(author.get(page(job)))
    assert "you need not choose the file again" in text
    assert 'type="file"' not in text
    assert re.findall(r'type="radio" name="format" value="([^"]+)"', text) == [
        "gift",
        "ochenta-bank/1",
    ]
    cells = [re.sub(r"\s+", " ", cell).strip() for cell in re.findall(r"<td>([^<]*)</td>", text)]
    assert cells == ["12 of 14", "Essay", "3 of 40", "1 of 1", "", "0 of 40"]
    refused = author.post(page(job, "format"))
    assert (refused.status_code, "This field is required." in read(refused)) == (422, True)
    assert author.post(page(job, "format"), {"format": "aiken"}).status_code == 422
    assert logged_in_client(users.outsider).post(page(job, "format")).status_code == 404
    chosen = author.post(page(job, "format"), {"format": "ochenta-bank/1"}, follow=True)
    assert "1 item in the file:" in read(chosen)
    again = author.post(page(job, "format"), {"format": "gift"}, follow=True)
    assert "1 item in the file:" in read(again)


TWO_COLUMNS = "river\trío\nhouse\tcasa\nsun\tsol\n"


@pytest.mark.parametrize(
    ("language", "labels", "count"),
    [
        ("en", ["Flashcard", "Short text"], "3 items in the file:"),
        ("es", ["Tarjeta", "Texto corto"], "3 elementos en el archivo:"),
    ],
)
def test_two_columns_are_asked_about_on_the_page(author, into, users, language, labels, count):
    type(users.instructor).objects.update(language=language)
    send(author, into, TWO_COLUMNS, "words.tsv")
    job = ImportJob.objects.get()
    text = read(author.get(page(job)))
    assert re.findall(r'type="radio" name="format" value="([^"]+)"', text) == ["anki-tsv", "csv"]
    assert re.findall(r"<td>([^<\d]+)</td>", text) == labels
    chosen = author.post(page(job, "format"), {"format": "anki-tsv"}, follow=True)
    assert count in read(chosen)
    job.refresh_from_db()
    assert job.report["status_counts"]["imported"] == 3


@pytest.mark.parametrize(
    ("data", "message"),
    [("plain words", "no file of a format that is known"), ("", "empty")],
)
def test_a_file_of_no_known_format_is_refused_with_the_form(author, into, data, message):
    response = send(author, into, data)
    assert response.status_code == 422
    assert message in read(response)
    assert not ImportJob.objects.exists()


def test_a_file_with_errors_fails_and_names_the_lines(author, into):
    response = send(author, into, GOOD.replace("source: own\n", ""))
    text = " ".join(read(author.get(response["Location"])).split())
    for words in ("Nothing was imported:", "Line 1: the field 'source' is missing"):
        assert words in text
    assert f'href="{ADD}?bank={into.pk}"' in text
    assert ImportJob.objects.get().state == State.FAILED


def test_the_page_speaks_spanish(author, into, users):
    users.instructor.language = "es"
    users.instructor.save()
    assert "Importar un archivo" in read(author.get(ADD))
    send(author, into)
    text = " ".join(read(author.get(page(ImportJob.objects.get()))).split())
    for words in (
        "1 elemento en el archivo:",
        "0 corregidos",
        "Junto a lo que tiene el banco: nueva: 1.",
    ):
        assert words in text


def test_a_language_of_a_file_is_called_by_its_name(author, into):
    send(
        author,
        into,
        "Welcher Fluss ist der längste? {=Die Donau ~Der Rhein}",
        "a.gift",
        language="",
    )
    job = ImportJob.objects.get()
    ImportJob.objects.update(
        report={**job.report, "file_metadata": {**job.report["file_metadata"], "language": "de"}}
    )
    assert "· German" in read(author.get(page(job)))


def test_only_those_who_may_change_the_bank_send_see_choose_or_cancel(author, into, users):
    send(author, into)
    job = ImportJob.objects.get()
    for person in (users.outsider, users.learner, users.stranger):
        client = logged_in_client(person)
        assert client.get(page(job)).status_code == 404
        for name in ("commit", "cancel"):
            assert client.post(page(job, name), {"item": 0}).status_code == 404
        assert send(client, into).status_code in {403, 404, 422}
    assert Client().get(page(job)).status_code == 302
    assert logged_in_client(users.administrator).get(page(job)).status_code == 200
    job.refresh_from_db()
    assert (job.state, ImportJob.objects.count()) == (State.READY, 1)


def test_an_import_is_cancelled_and_then_over(author, into):
    send(author, into)
    job = ImportJob.objects.get()
    text = read(author.post(page(job, "cancel"), follow=True))
    assert "cancelled" in text
    author.post(page(job, "commit"), {"item": 0})
    assert not Question.objects.exists()


def test_an_import_that_takes_long_shows_its_progress(author, into, monkeypatch):
    send(author, into)
    job = ImportJob.objects.get()
    sent: list[int] = []
    monkeypatch.setattr(tasks, "WAIT", 0)
    monkeypatch.setattr(tasks, "start", lambda task, pk: sent.append(pk))
    text = read(commit(author, job, 0))
    assert sent == [job.pk]
    assert "0 of 1 items" in text
    jobs.run(pk=job.pk, now=NOW)
    assert "published" in read(author.get(page(job)))


def test_a_file_sent_from_elsewhere_is_refused(users, into):
    client = Client(enforce_csrf_checks=True)
    client.force_login(users.instructor)
    assert send(client, into).status_code == 403
    assert not ImportJob.objects.exists()


def test_the_list_shows_the_imports_of_ones_own_banks(author, into, users):
    send(author, into)
    assert "rivers.yaml" in read(author.get("/admin/imports/importjob/"))
    assert "rivers.yaml" not in read(
        logged_in_client(users.outsider).get("/admin/imports/importjob/")
    )


def test_while_too_many_files_are_read_the_page_says_so_and_keeps_nothing(author, into):
    with all_turns_taken():
        response = send(author, into)
    assert response.status_code == 503
    assert "Other files are being read at the moment." in read(response)
    assert f'value="{into.pk}" selected' in read(response)
    assert not ImportJob.objects.exists()


def test_the_page_of_a_bank_leads_to_the_upload_with_the_bank_chosen(author, into):
    text = read(author.get(f"/admin/bank/bank/{into.pk}/change/"))
    assert f'href="{ADD}?bank={into.pk}"' in text
    assert f'value="{into.pk}" selected' in read(author.get(f"{ADD}?bank={into.pk}"))


def test_the_page_of_somebody_elses_bank_leads_nowhere(into, users):
    share_with_everyone(into)
    text = read(logged_in_client(users.outsider).get(f"/admin/bank/bank/{into.pk}/change/"))
    assert ADD not in text


def test_the_documents_of_origin_go_through_the_same_page(author, into):
    """Those beside the project, where they are; what they count is told in the formats' tests."""
    sources = [("own.yaml", GOOD.encode())]
    sources += [(path.name, path.read_bytes()) for path in sorted(SEEDS.glob("*.txt"))]
    for name, data in sources:
        send(author, into, data.decode(), name)
        job = ImportJob.objects.latest("pk")
        assert job.filename == name
        response = author.get(page(job))
        assert sum(n for _, n in response.context["counts"]) == job.total
        items = [item for item in response.context["items"] if item.selectable]
        ticked = [item.item.number for item in items if item.selected]
        # A page without its key is read, and nothing of it is ticked.
        assert ticked or all(item.item.is_damaged for item in items)
        done = commit(author, job, *(ticked or [item.item.number for item in items]))
        assert "kept as a draft" in read(done) or "published" in read(done)
        send(author, into, data.decode(), name)
        again = author.get(page(ImportJob.objects.latest("pk")))
        assert again.context["selected"] == 0, name


def aiken(*names: str) -> str:
    return "\n\n".join(f"Which {name}?\nA. Danube\nB. Rhine\nANSWER: A" for name in names)


def cards(*texts: str) -> str:
    """GIFT, whose titles are names."""
    return "\n\n".join(f"::q{n}::{text} {{=Danube ~Rhine}}" for n, text in enumerate(texts, 1))


OTHERS = {
    "en": "Questions that look like another format (GIFT) and were not read: 2, on lines 56–58.",
    "es": "Preguntas que parecen de otro formato (GIFT) y no se leyeron: 2, en las líneas 56–58.",
}


@pytest.mark.parametrize("language", OTHERS)
def test_the_preview_names_questions_of_another_format_at_its_head(author, into, users, language):
    users.instructor.language = language
    users.instructor.save()
    names = [f"river-{n:02}" for n in range(11)]
    send(author, into, aiken(*names) + "\n\n" + cards("Which sea?", "Which lake?"), "rivers.txt")
    text = read(author.get(page(ImportJob.objects.get())))
    assert OTHERS[language] in text
    assert text.index(OTHERS[language]) < text.index("river-00")


def choose(client: Client, job: ImportJob, **posted):
    return client.post(page(job, "select"), posted, follow=True)


def test_ticks_are_kept_from_page_to_page(author, into):
    send(author, into, aiken(*(f"river-{n:02}" for n in range(30))), "rivers.txt")
    job = ImportJob.objects.get()
    first = author.get(page(job))
    assert "30 items in the file: 30 as they are, 0 repaired, 0 to look at, 0 refused." in read(
        first
    )
    assert (first.context["selected"], len(first.context["items"])) == (30, 25)
    on_page = first.context["on_page"]
    second = choose(author, job, on_page=on_page, item=[0, 1, 2], view="page=2", current_view="")
    assert second.redirect_chain[-1][0].endswith("?page=2")
    assert [item.item.number for item in second.context["items"]] == list(range(25, 30))
    assert (second.context["selected"], second.context["selected_elsewhere"]) == (8, 3)
    posted = {
        "on_page": second.context["on_page"],
        "item": [29],
        "digest": second.context["digest"],
    }
    done = author.post(page(job, "commit"), posted, follow=True)
    assert "4 questions were chosen." in read(done)
    assert Question.objects.count() == 4


def test_a_sort_is_shown_and_chosen_all_at_once(author, into):
    send(author, into, cards("Which rivers?", "Which lakes?"), "a.gift")
    commit(author, ImportJob.objects.get(), 0, 1)
    send(author, into, cards("Which rivers?", "Which big lakes?", "Which seas?"), "a.gift")
    job = ImportJob.objects.latest("pk")
    response = author.get(page(job) + "?filter=changed")
    assert [item.item.name for item in response.context["items"]] == ["q2"]
    assert [(str(link.label), link.count) for link in response.context["filters"]] == [
        ("all", 3),
        ("new", 1),
        ("the same", 1),
        ("changed", 1),
    ]
    none = choose(
        author, job, on_page="1", item="1", select_none="changed", current_view="filter=changed"
    )
    assert none.redirect_chain[-1][0].endswith("?filter=changed")
    assert none.context["selected"] == 1
    every = choose(author, job, on_page="", select_all="changed", current_view="")
    assert every.context["selected"] == 2


def test_what_makes_no_sense_in_an_address_or_a_form_shows_the_beginning(author, into):
    send(author, into)
    job = ImportJob.objects.get()
    for query in ("?page=0", "?page=99", "?page=x", "?filter=none", "?filter=new&page=-1"):
        assert len(author.get(page(job) + query).context["items"]) == 1
    text = choose(
        author, job, on_page="0 7 x", item=["0", "9", "-1"], select_all="nonsense", view="//x"
    )
    assert text.context["selected"] == 1


def test_a_name_that_leads_to_another_question_is_for_a_person_to_decide(author, into):
    send(author, into, cards("Which rivers?"), "a.gift")
    commit(author, ImportJob.objects.get(), 0)
    other = "::q1::What does a mitochondrion do? {=It makes energy for cells ~It keeps all genes}"
    send(author, into, other, "a.gift")
    job = ImportJob.objects.latest("pk")
    response = author.get(page(job))
    assert response.context["selected"] == 0
    for words in ("says something else", "take it under a new name"):
        assert words in read(response)
    response = choose(author, job, on_page="0", as_new="0", current_view="")
    assert "after all" in read(response)
    (item,) = response.context["items"]
    assert (item.item.name, item.selected) == ("q1-2", True)
    response = choose(author, job, on_page="0", item="0", as_existing="0", current_view="")
    assert [(item.item.name, item.selected) for item in response.context["items"]] == [
        ("q1", False)
    ]
    choose(author, job, on_page="0", as_new="0", current_view="")
    commit(author, job, 0)
    assert set(Question.objects.values_list("name", flat=True)) == {"q1", "q1-2"}


def test_a_page_asks_for_no_more_however_many_questions_it_has(author, into):
    counts = []
    for number in (2, 60):
        send(author, into, aiken(*(f"river-{n:02}" for n in range(number))), f"{number}.txt")
        job = ImportJob.objects.latest("pk")
        author.get(page(job))
        with CaptureQueriesContext(connection) as queries:
            author.get(page(job))
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 12, counts


def test_a_question_is_drawn_as_learners_will_see_it_with_its_key_beside_its_lines(author, into):
    send(author, into, GOOD)
    text = read(author.get(page(ImportJob.objects.get())))
    assert text.count('<template shadowrootmode="open">') == 2  # a language each
    assert 'data-kind="' in text
    assert "Correct: yes" in text
    assert "<li>- name: danube</li>" in text.replace("  ", "")


def test_pictures_of_the_file_show_before_they_are_in_the_bank(author, into, users):
    data = write_zip([("quiz.xml", PICTURED.encode()), ("river.png", png())])
    file = SimpleUploadedFile("quiz.zip", data)
    author.post(ADD, {"bank": into.pk, "file": file, "format": "qti-1.2"})
    job = ImportJob.objects.get()
    text = read(author.get(page(job)))
    (address,) = set(re.findall(r'src="(/admin/imports/importjob/[^"]+\.png)"', text))
    answer = author.get(address)
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
    assert b"".join(answer.streaming_content) == png()
    assert not Media.objects.exists()
    assert author.get(address.replace(".png", ".gif")).status_code == 404
    assert logged_in_client(users.outsider).get(address).status_code == 404
    done = commit(author, job, 0)
    assert "published" in read(done)
    assert f"{Media.objects.get().uuid}.png" == address.rpartition("/")[2]
    assert author.get(address).status_code == 404


PICTURED = """<?xml version="1.0"?><questestinterop><assessment ident="a" title="Rivers">
<section ident="s"><item ident="i" title="danube"><itemmetadata><qtimetadata><qtimetadatafield>
<fieldlabel>question_type</fieldlabel><fieldentry>multiple_choice_question</fieldentry>
</qtimetadatafield></qtimetadata></itemmetadata><presentation><material>
<mattext texttype="text/html">&lt;p&gt;Which? &lt;img src="river.png"
alt="A river"/&gt;&lt;/p&gt;
</mattext></material><response_lid ident="r" rcardinality="Single"><render_choice>
<response_label ident="1"><material><mattext>Danube</mattext></material></response_label>
<response_label ident="2"><material><mattext>Rhine</mattext></material></response_label>
</render_choice></response_lid></presentation><resprocessing><outcomes><decvar maxvalue="100"
minvalue="0" varname="SCORE" vartype="Decimal"/></outcomes><respcondition continue="No">
<conditionvar><varequal respident="r">1</varequal></conditionvar><setvar action="Set"
varname="SCORE">100</setvar></respcondition></resprocessing></item></section></assessment>
</questestinterop>"""


def test_a_file_that_takes_long_shows_its_progress_and_then_the_preview(author, into, monkeypatch):
    sent: list[int] = []
    monkeypatch.setattr(tasks, "WAIT", 0)
    monkeypatch.setattr(tasks, "start", lambda task, pk: sent.append(pk))
    send(author, into)
    job = ImportJob.objects.get()
    assert sent == [job.pk]
    text = read(author.get(page(job)))
    assert "being read" in text
    assert 'http-equiv="refresh"' in text
    import_reading.read_and_plan(pk=job.pk, now=NOW)
    assert "1 item in the file:" in read(author.get(page(job)))


def test_an_import_that_failed_says_why(author, into):
    send(author, into)
    job = ImportJob.objects.get()
    ImportJob.objects.update(state=State.FAILED, report={"code": "killed"})
    text = read(author.get(page(job)))
    assert "Nothing was imported:" in text
    assert "broken off" in text


def test_a_long_report_has_pages(author, into):
    send(author, into, aiken(*(f"river-{n:03}" for n in range(201))), "rivers.txt")
    job = ImportJob.objects.get()
    jobs.confirm_selection(job=job, selected=None, by=None)
    jobs.run(pk=job.pk, now=NOW)
    first, second = author.get(page(job)), author.get(page(job) + "?page=2")
    assert (len(first.context["lines"]), len(second.context["lines"])) == (200, 1)
    assert 'rel="next"' in read(first)
    assert 'rel="prev"' in read(second)


COPIED = """✓ Congratulations! You passed!
TO PASS 80% or higher
GRADE 100%
1. Which river is the longest?
2 / 2 points
☒ Nile
☐ Rhine
✓ Correct
"""


def test_grade_pass_mark_and_points_of_a_copied_page_are_shown_before_and_after(author, into):
    send(author, into, COPIED, "page.txt", format="transcript")
    job = ImportJob.objects.get()
    text = read(author.get(page(job)))
    for words in ("Grade: 100%.", "Pass mark: 80%.", "Points: 2"):
        assert words in text
    assert "Pass mark: 80%." in read(commit(author, job, 0))


def test_of_a_file_without_grade_and_points_none_are_told(author, into):
    send(author, into)
    text = read(author.get(page(ImportJob.objects.get())))
    assert not [words for words in ("Grade:", "Pass mark:", "import-points") if words in text]


def test_formats_are_called_by_their_names_and_imports_stand_in_the_menu(author, into):
    text = read(author.get(ADD))
    assert '<option value="letter_key">letter_key' not in text
    assert re.search(r'<option value="moodle-xml">\s*Moodle XML', text)
    assert 'href="/admin/imports/importjob/"' in read(author.get("/admin/"))
    send(author, into)
    assert "· Bank file of Ochenta (YAML)" in read(author.get(page(ImportJob.objects.get())))
