"""From one note to one item: its first card, as the templates of its type lay it out."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from quizzes.formats.anki import Sides, question_of, spoken, tags, words
from quizzes.formats.apkg.collection import Card, Note
from quizzes.formats.apkg.guids import called
from quizzes.formats.apkg.layouts import Layout, layout
from quizzes.formats.apkg.schemas import NoteType
from quizzes.formats.apkg.templates import rendered
from quizzes.formats.builders import Head
from quizzes.formats.contract import LONGEST_QUOTE, ParsedQuestion, SourceItem
from quizzes.formats.contract import Note as Said
from quizzes.formats.html import FindMedia, to_markdown
from quizzes.formats.parsing.naming import Names
from quizzes.formats.parsing.source_items import LOST, Origin, build_item

_GRAVE = LOST | frozenset({"back_missing", "card_by_program", "latex_as_text", "prompt_missing"})
# These say what is not taken along, and nothing of what came was mended.
_ASIDE = frozenset({"cards_left_out", "field_left_out", "layout_left_out"})
_PICTURE = "image-occlusion:"


@dataclass(slots=True)
class Reading:
    """What goes on from note to note: names that are taken, layouts that are known."""

    member: str
    language: str
    media: FindMedia
    names: Names = field(default_factory=Names)
    _layouts: dict[tuple[int, int], Layout] = field(default_factory=dict)

    def found(
        self, place: int, note: Note, type_: NoteType, cards: list[Card], above: Iterable[str]
    ) -> SourceItem:
        """Read a note, the one at this place from 1; `above` are tags that its deck gives it."""
        if not type_.fields:
            type_ = NoteType(fields=tuple(map(str, range(1, len(note.values) + 1))))
        first = min((card.template for card in cards), default=0)
        known = self._layouts.get((note.type, first))
        known = self._layouts.setdefault((note.type, first), known or layout(type_, first))
        values = dict(zip(type_.fields, note.values, strict=False))
        name = self.names.name(called(note.guid or str(note.id)))
        at = Origin(place, place, self.member)
        item = _Item(place, self, known, values, [Said(code, place) for code in known.codes])
        if known.occluded or any(_PICTURE in one for one in note.values):
            said = Said("image_occlusion", place, type_.name[:LONGEST_QUOTE])
            return build_item(at.with_name(name, type_.name), None, [said])
        item.left_out(type_, len({card.template for card in cards}))
        head = Head(place, name, self.language, "", tags=(*above, *tags(note.tags)))
        made = item.question(replace(head, tags=tuple(dict.fromkeys(head.tags))))
        return build_item(at.with_name(name), made, item.notes, review=_GRAVE, harmless=_ASIDE)


@dataclass(slots=True)
class _Item:
    place: int
    reading: Reading
    layout: Layout
    values: dict[str, str]
    notes: list[Said]

    def question(self, head: Head) -> ParsedQuestion:
        """Make the question of what its first card shows."""
        laid = self.layout
        apart = laid.fronts.union(laid.hints, laid.explaining)
        sides = Sides(
            rendered(laid.front, self.values, laid.apart),
            rendered(laid.back, self.values, apart),
            self._fields(laid.hints),
            self._fields(laid.explaining),
            laid.covers,
        )
        return question_of(head, sides, self._markdown, self._note)

    def left_out(self, type_: NoteType, cards: int) -> None:
        """Note cards and fields that a question here does not have."""
        if cards > 1 and not type_.cloze:
            self._note("cards_left_out")
        for name, text in self.values.items():
            if name not in self.layout.known and (said := words(text)):
                self._note("field_left_out", f"{name}: {said}")

    def _fields(self, names: Iterable[str]) -> str:
        texts = (self.values.get(name, "") for name in names)
        return "".join(f"<div>{text}</div>" for text in texts if text)

    def _markdown(self, html: str) -> str:
        told = list[Said]()
        text, noted = to_markdown(
            spoken(html, self.place, told), line=self.place, media=self.reading.media
        )
        if "![](media:" in text:
            told.append(Said("picture_without_words", self.place))
        self.notes += [note for note in (*told, *noted) if note not in self.notes]
        return text

    def _note(self, code: str, quote: str = "") -> None:
        self.notes.append(Said(code, self.place, " ".join(quote.split())[:LONGEST_QUOTE]))
