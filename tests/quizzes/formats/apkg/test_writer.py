"""Cards go out as a deck and come back as they were; everything else is told."""

import io
import json
import sqlite3
import zipfile
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from quizzes.formats import WRITERS, apkg
from quizzes.formats.builders import Head, build_essay, build_flashcard
from quizzes.formats.contract import ParsedFile
from quizzes.lib.html_conversion import html_to_markdown, to_html
from quizzes.presentation.messages.imports import EXPORT_WARNINGS
from tests.quizzes.imports import questions
from tests.quizzes.imports.questions import same
from tests.quizzes.imports.wordings import NOTHING, cards, heads, names, parcel, parcels, words

RIVER = build_flashcard(
    Head(1, "duero", "en", "Which **river**? ![A bend](media:a.png)", "For `a < b`", ("north",)),
    "$x^2$ ![Its call](media:b.mp3)",
    "In the north",
)
MEDIA = {"a.png": b"\x89PNG one", "b.mp3": b"ID3 two", "unused.png": b"\x89PNG three"}


def bank(*cards_, slug: str = "rivers", media=MEDIA) -> ParsedFile:
    titles = {"title": {"en": "Rivers::Spain", "es": "Ríos"}}
    return replace(parcel(list(cards_)), slug=slug, fields=titles, media=media)


def rows(data: bytes, query: str) -> list[tuple[Any, ...]]:
    link = sqlite3.connect(":memory:")
    link.deserialize(zipfile.ZipFile(io.BytesIO(data)).read("collection.anki2"))
    return link.execute(query).fetchall()


TEXTS = st.one_of(questions.texts, words).map(lambda text: html_to_markdown(to_html(text))[0])
"""Markdown as it is written here: what can be said in two ways (`_a_`, `*a*`) is said in one."""
TAGS = st.lists(names, max_size=3, unique=True).map(tuple)
CARDS = cards(heads(TEXTS, st.one_of(NOTHING, TEXTS), TAGS), TEXTS, st.one_of(NOTHING, TEXTS))


@settings(deadline=None, max_examples=40)
@given(parcels(CARDS))
def test_out_then_in_is_the_same(parcel):
    written = apkg.write(parcel, language="en")
    assert written.warnings == ()
    again = apkg.read(written.data)
    assert [item.status for item in again.items] == ["imported"] * len(parcel.items)
    assert [same(question) for question in again.questions] == [
        same(question) for question in parcel.questions
    ]


def test_files_go_along_and_come_back():
    written = apkg.write(bank(RIVER), language="en")
    assert written.warnings == ()
    again = apkg.read(written.data)
    assert set(again.media.values()) == {MEDIA["a.png"], MEDIA["b.mp3"]}
    [item] = again.items
    assert item.status == "imported"
    assert item.question is not None
    texts = {text.name: texts["en"] for text, texts in item.question.texts.items()}
    assert texts["prompt"].startswith("Which **river**? ![A bend](media:a-")
    assert texts["back"].startswith("$x^2$ ![Its call](media:b-")
    package = zipfile.ZipFile(io.BytesIO(written.data))
    assert json.loads(package.read("media")) == {"0": "a.png", "1": "b.mp3"}


def test_sounds_are_played_as_anki_plays_them():
    [[fields]] = rows(apkg.write(bank(RIVER), language="en").data, "SELECT flds FROM notes")
    assert '<span title="Its call">[sound:b.mp3]</span>' in fields
    assert '<img src="a.png" alt="A bend"' in fields
    assert r"\(x^2\)" in fields


def test_the_same_bank_gives_the_same_bytes():
    first, other = bank(RIVER), bank(RIVER, slug="lakes")
    assert apkg.write(first, language="en").data == apkg.write(first, language="en").data
    ours, theirs = (rows(apkg.write(b, language="en").data, IDS) for b in (first, other))
    assert not {*ours[0]} & {*theirs[0]}


IDS = "SELECT notes.id, notes.guid, cards.did FROM notes JOIN cards ON cards.nid = notes.id"


def test_a_deck_bears_the_title_of_its_language():
    titles = [
        json.loads(rows(apkg.write(b, language=language).data, "SELECT decks FROM col")[0][0])
        for b, language in ((bank(RIVER), "en"), (bank(RIVER), "es"), (parcel([RIVER]), "en"))
    ]
    assert [{deck["name"] for deck in decks.values()} - {"Default"} for decks in titles] == [
        {"Rivers:Spain"},
        {"Ríos"},
        {"Ochenta"},
    ]


def test_fields_are_named_in_the_language_and_known_again():
    es = build_flashcard(Head(1, "q", "es", "Río", "Porque sí"), "Duero", "Al norte")
    written = apkg.write(bank(es), language="es")
    models = json.loads(rows(written.data, "SELECT models FROM col")[0][0])
    [model] = models.values()
    names = [field["name"] for field in model["flds"]]
    assert names == ["Anverso", "Pista", "Reverso", "Explicación"]
    again = apkg.read(written.data)
    assert again.metadata.language == "es"
    assert [same(question) for question in again.questions] == [same(es)]


def test_what_does_not_go_along_is_told():
    head = Head(1, "q", "en", "What? ![x](media:gone.png)")
    for question, language, codes in (
        (build_essay(head), "en", ["kind_not_held"]),
        (build_flashcard(Head(1, "q", "en", "a"), "b"), "es", ["language_missing"]),
        (build_flashcard(head, "x"), "en", ["media_missing"]),
    ):
        losses = apkg.write(bank(question), language=language).warnings
        assert [loss.code for loss in losses] == codes
        assert {*codes} <= EXPORT_WARNINGS.keys()


def test_other_languages_are_told():
    both = replace(RIVER, texts={text: {**words, "es": "x"} for text, words in RIVER.texts.items()})
    assert [loss.code for loss in apkg.write(bank(both), language="en").warnings] == [
        "languages_left_out"
    ]


def test_a_deck_of_nothing_is_a_deck():
    assert apkg.read(apkg.write(bank(), language="en").data).items == ()
    assert "anki-apkg" in WRITERS


def test_words_for_a_picture_may_have_lines_and_signs():
    card = build_flashcard(Head(1, "q", "en", '![a\n"b" > c](media:a.png)'), "x\x1fy")
    written = apkg.write(bank(card), language="en")
    [item] = apkg.read(written.data).items
    assert item.question is not None
    texts = {text.name: texts["en"] for text, texts in item.question.texts.items()}
    assert texts["prompt"].startswith('![a "b" > c](media:a-')
    assert texts["back"] == "x\N{REPLACEMENT CHARACTER}y"
