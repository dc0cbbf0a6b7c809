"""A planned item as plain values, to be kept between the plan and the choice, and back. Pure."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from quizzes.document import QuestionDocument
from quizzes.formats.contract import ImportStatus, Note, SourceItem
from quizzes.imports.import_plan.values import ImportAction, PlannedItem
from quizzes.matching import Reason, RowPair
from quizzes.matching.key_changes import KeyChange
from quizzes.matching.language_match import LanguageMatch


def to_json(planned: PlannedItem) -> dict[str, Any]:
    """Give what a page needs of it; differences are found anew from the two states."""
    source_item = planned.source_item
    return {
        "number": planned.number,
        "action": planned.action,
        "name": planned.name,
        "document": planned.document and planned.document.to_json(),
        "before": planned.before and planned.before.to_json(),
        "rows": dict(planned.rows),
        "tags": sorted(planned.tags),
        "conflict_code": planned.conflict_code,
        "match": _twin_to_json(planned.match),
        "duplicate_of": _twin_to_json(planned.duplicate_of),
        "duplicates_searched": planned.duplicates_searched,
        "source_item": {
            "line": source_item.line,
            "last": source_item.end_line,
            "name": source_item.name,
            "kind": source_item.kind,
            "verdict": source_item.status,
            "notes": [note_to_json(note) for note in source_item.notes],
            "member": source_item.archive_path,
            "points": None if source_item.points is None else str(source_item.points),
        },
    }


def from_json(stored: Mapping[str, Any]) -> PlannedItem:
    """Give the item back as it was planned, without the file's own question."""
    source_item = stored["source_item"]
    return PlannedItem(
        number=stored["number"],
        action=ImportAction(stored["action"]),
        name=stored["name"],
        document=_item(stored["document"]),
        before=_item(stored["before"]),
        rows=stored["rows"],
        tags=frozenset(stored["tags"]),
        conflict_code=stored["conflict_code"],
        match=_twin(stored["match"]),
        duplicate_of=_twin(stored["duplicate_of"]),
        duplicates_searched=stored["duplicates_searched"],
        source_item=SourceItem(
            line=source_item["line"],
            end_line=source_item["last"],
            name=source_item["name"],
            kind=source_item["kind"],
            status=ImportStatus(source_item["verdict"]),
            notes=tuple(note_from_json(note) for note in source_item["notes"]),
            archive_path=source_item["member"],
            points=None if source_item["points"] is None else Fraction(source_item["points"]),
        ),
    )


def _item(stored: Mapping[str, Any] | None) -> QuestionDocument | None:
    return None if stored is None else QuestionDocument.from_json(stored)


def _twin_to_json(match: LanguageMatch | None) -> dict[str, Any] | None:
    if match is None:
        return None
    return {
        "name": match.name,
        "language": match.language,
        "confidence": match.confidence,
        "reasons": [[each.code, each.words, dict(each.detail)] for each in match.reasons],
        "rows": [[each.left, each.right, each.confidence, each.basis] for each in match.rows],
        "confirmed": match.confirmed,
        "key_change": match.key_change,
        "left_out": match.left_out,
        "document": match.document and match.document.to_json(),
    }


def _twin(stored: Mapping[str, Any] | None) -> LanguageMatch | None:
    if stored is None:
        return None
    return LanguageMatch(
        name=stored["name"],
        language=stored["language"],
        confidence=stored["confidence"],
        reasons=tuple(
            Reason(code, tuple(words), detail) for code, words, detail in stored["reasons"]
        ),
        rows=tuple(RowPair(*each) for each in stored["rows"]),
        confirmed=stored["confirmed"],
        key_change=KeyChange(stored["key_change"]),
        left_out=tuple(stored["left_out"]),
        document=_item(stored["document"]),
    )


def note_to_json(note: Note) -> list[Any]:
    """Give a note as plain values."""
    return [note.code, note.line, note.quote, dict(note.detail)]


def note_from_json(stored: list[Any]) -> Note:
    """Give the note back."""
    return Note(*stored)
