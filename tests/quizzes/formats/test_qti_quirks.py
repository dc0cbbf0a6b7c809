"""Files of QTI with the quirks that there are: each item of each has its verdict and its notes."""

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import pytest

from quizzes.formats import qti2, qti3, qti12
from quizzes.formats.contract import ImportStatus, ParsedFile, SourceItem
from quizzes.formats.detection import detect_format
from quizzes.formats.parsing.packages import write_zip
from tests.grading.examples import PROJECT
from tests.quizzes.imports.questions import item

FIXTURES = PROJECT / "fixtures" / "formats"
GOOD, MENDED, LOOK, NO = (
    ImportStatus.IMPORTED,
    ImportStatus.REPAIRED,
    ImportStatus.REVIEW,
    ImportStatus.REFUSED,
)
Told = tuple[ImportStatus, str, set[str]]

FILES: list[tuple[ModuleType, str, list[Told], set[str]]] = [
    (
        qti12,
        "qti12/feedback-first.xml",
        [(MENDED, "single_choice", {"empty_option_left_out", "feedback_unlinked"})],
        set(),
    ),
    (
        qti12,
        "qti12/old-encoding.xml",
        [(GOOD, "multiple_choice", set()), (NO, "calculated_question", {"calculated"})],
        {"document_type_ignored", "bank_elsewhere", "language_unknown"},
    ),
    (
        qti12,
        "qti12/prefixed.qti",
        [
            (MENDED, "numeric", {"boundary_included"}),
            (LOOK, "single_choice", {"custom_response_processing"}),
        ],
        set(),
    ),
    (qti2, "qti2/picture.qti", [(LOOK, "single_choice", {"picture_elsewhere"})], set()),
    (qti2, "qti2/prefixed.xml", [(GOOD, "multiple_choice", set())], set()),
    (
        qti2,
        "qti2/custom-rule.xml",
        [(LOOK, "single_choice", {"custom_response_processing"})],
        set(),
    ),
    (
        qti2,
        "qti2/windows.xml",
        [(GOOD, "short_text", {"end_blanks_ignored"})],
        {"read_as_windows_1252"},
    ),
    (qti2, "qti2/assessment.xml", [], {"test_left_out"}),
    (qti3, "qti3/pairs.xml", [(GOOD, "matching", set())], set()),
    (qti3, "qti3/bands.qti", [(GOOD, "numeric", set())], set()),
    (qti3, "qti3/two-at-once.xml", [(NO, "several_interactions", {"several_interactions"})], set()),
    (qti3, "qti3/drawn.xml", [(NO, "random_variables", {"random_variables"})], set()),
]


def read(name: str) -> tuple[ModuleType, ParsedFile]:
    data = (FIXTURES / name).read_bytes()
    format_ = detect_format(data, name)
    assert isinstance(format_, ModuleType)
    return format_, format_.read(data)


def codes(item: SourceItem) -> set[str]:
    return {note.code for note in item.notes}


def said(parcel: ParsedFile) -> dict[str, Mapping[str, Any]]:
    """Give the words of the one question, and its feedback."""
    (question,) = parcel.questions
    (language,) = {language for words in question.texts.values() for language in words}
    document = item(question, language)
    return {
        "words": document.words[language],
        "feedback": document.feedback[language],
        "key": document.key,
    }


@pytest.mark.parametrize(
    ("format_", "name", "items", "noise"), FILES, ids=[file[1] for file in FILES]
)
def test_every_item_has_its_verdict_and_its_notes(format_, name, items, noise):
    detected, parcel = read(name)
    assert detected is format_
    assert parcel.errors == ()
    assert [(item.status, item.kind, codes(item)) for item in parcel.items] == items
    assert {note.code for note in parcel.ignored_lines} == noise
    assert sum(parcel.counts().values()) == len(items)


def test_every_quirk_file_is_in_the_list():
    listed = {name for _, name, _, _ in FILES}
    there = {
        str(path.relative_to(FIXTURES))
        for folder in ("qti12", "qti2", "qti3")
        for path in (FIXTURES / folder).iterdir()
    }
    assert listed == there


def test_parts_that_are_rounded_are_thirds_and_old_letters_are_kept():
    parcel = read("qti12/old-encoding.xml")[1]
    assert (parcel.metadata.title, parcel.questions[0].scoring_method) == (
        "Ríos de España",
        "right_minus_wrong",
    )
    texts = said(parcel)
    assert texts["words"]["prompt"] == "¿Qué ríos pasan por Castilla y León? «Son tres»"
    assert texts["feedback"]["options"] == {"d": "El Genil está en Andalucía."}
    assert read("qti2/prefixed.xml")[1].questions[0].scoring_method == "right_minus_wrong"


def test_what_is_said_to_words_and_to_scores_is_linked():
    texts = said(read("qti2/windows.xml")[1])
    assert texts["words"]["prompt"] == "¿Cómo se dice «year» en español?"
    assert texts["feedback"] == {"accepted": {"a": "¡Sí, año\\!"}}
    parcel = read("qti3/bands.qti")[1]
    assert [item.points for item in parcel.items] == [2]
    texts = said(parcel)
    assert texts["feedback"] == {"score_feedback": {"band-1": "Well done."}}
    assert texts["key"]["score_feedback"] == [{"id": "band-1", "from": [1, 1]}]


def member(name: str) -> bytes:
    return (FIXTURES / name).read_bytes()


def test_packages_within_packages_are_read_with_their_pictures():
    inner = write_zip(
        [("items/a.qti", member("qti2/picture.qti")), ("media/map one.png", b"png"), ("x.css", b"")]
    )
    outer = write_zip(
        [("imsmanifest.xml", b"<broken"), ("inner.zip", inner), ("__MACOSX/._a", b"")]
    )
    parcel = qti2.read(outer)
    assert [(item.archive_path, item.status) for item in parcel.items] == [
        ("inner.zip/items/a.qti", LOOK)
    ]
    assert parcel.media == {"map-one.png": b"png"}
    assert [(note.code, note.quote) for note in parcel.ignored_lines] == [
        ("member_not_read", "inner.zip/x.css")
    ]
    assert "![A map](media:map-one.png)" in str(said(parcel)["words"]["prompt"])


def test_packages_too_deep_or_unsafe_are_told_and_never_unpacked():
    archive = write_zip([("a.xml", member("qti2/prefixed.xml"))])
    deep = write_zip(
        [("three.zip", write_zip([("two.zip", archive)])), ("b.xml", member("qti2/windows.xml"))]
    )
    parcel = qti2.read(deep)
    assert len(parcel.items) == 1
    assert "package_too_deep" in {note.code for note in parcel.ignored_lines}
    for name in ("../a.xml", "/a.xml", "C:\\a.xml", "a/../../b.xml"):
        (trouble,) = qti2.read(write_zip([(name, member("qti2/prefixed.xml"))])).errors
        assert trouble.code == "package_unsafe_name"
    package = write_zip(
        [("bad.zip", write_zip([("../a.xml", b"")])), ("b.xml", member("qti2/windows.xml"))]
    )
    assert "package_unsafe_name" in {note.code for note in qti2.read(package).ignored_lines}
