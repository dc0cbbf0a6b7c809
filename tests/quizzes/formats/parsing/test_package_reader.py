"""Documents are gathered one by one: what is wrong with one is told, and the others are read."""

from quizzes.formats import qti2, qti12
from quizzes.formats.contract import ImportStatus
from quizzes.formats.parsing.packages import write_zip
from quizzes.presentation.messages.import_notes import NOTES
from tests.quizzes.formats.qti.documents import choice, declared, document
from tests.quizzes.formats.qti12 import documents

GOOD = document(declared("A"), choice("A", "B"))
OLD = documents.document(documents.item(documents.lid("r", documents.label("A", "one"))))


def test_a_broken_document_of_a_package_is_refused_and_the_others_are_read():
    data = write_zip([("a.xml", GOOD), ("b.xml", b"<assessmentItem>\n<broken"), ("c.xml", GOOD)])
    parcel = qti2.read(data, language="en")
    assert parcel.errors == ()
    assert [item.status == ImportStatus.REFUSED for item in parcel.items] == [False, True, False]
    broken = parcel.items[1]
    assert (broken.archive_path, broken.kind, broken.line) == ("b.xml", "not_xml", 2)
    assert {"not_xml", "too_deep", "too_big", "doctype"} <= NOTES.keys()


def test_a_broken_document_by_itself_keeps_the_file_out():
    (trouble,) = qti2.read(b"<assessmentItem>").errors
    assert trouble.code == "not_xml"
    assert qti2.read(b"<assessmentItem>").items == ()


def test_what_was_mended_in_a_document_is_told_with_its_member():
    typed = b'<!DOCTYPE questestinterop SYSTEM "ims_qtiasiv1p2.dtd">\n' + OLD
    old = OLD.replace(b"What is it?", "¿Qué año?".encode("cp1252"))
    parcel = qti12.read(write_zip([("a.xml", typed), ("b.xml", old)]), language="es")
    assert [(ignored_line.code, ignored_line.quote) for ignored_line in parcel.ignored_lines] == [
        ("document_type_ignored", '<!DOCTYPE questestinterop SYSTEM "ims_qtiasiv1p2.dtd">'),
        ("read_as_windows_1252", "b.xml"),
    ]
    assert len(parcel.questions) == 2
    assert [item.line for item in parcel.items] == [2, 1]
