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


def to_json(one: PlannedItem) -> dict[str, Any]:
    """Give what a page needs of it; differences are found anew from the two states."""
    found = one.source_item
    return {
        "number": one.number,
        "action": one.action,
        "name": one.name,
        "document": one.document and one.document.to_json(),
        "before": one.before and one.before.to_json(),
        "rows": dict(one.rows),
        "tags": sorted(one.tags),
        "conflict_code": one.conflict_code,
        "match": _twin_to_json(one.match),
        "duplicate_of": _twin_to_json(one.duplicate_of),
        "duplicates_searched": one.duplicates_searched,
        "source_item": {
            "line": found.line,
            "last": found.end_line,
            "name": found.name,
            "kind": found.kind,
            "verdict": found.status,
            "notes": [note_to_json(note) for note in found.notes],
            "member": found.archive_path,
            "points": None if found.points is None else str(found.points),
        },
    }


def from_json(told: Mapping[str, Any]) -> PlannedItem:
    """Give the item back as it was planned, without the file's own question."""
    found = told["source_item"]
    return PlannedItem(
        number=told["number"],
        action=ImportAction(told["action"]),
        name=told["name"],
        document=_item(told["document"]),
        before=_item(told["before"]),
        rows=told["rows"],
        tags=frozenset(told["tags"]),
        conflict_code=told["conflict_code"],
        match=_twin(told["match"]),
        duplicate_of=_twin(told["duplicate_of"]),
        duplicates_searched=told["duplicates_searched"],
        source_item=SourceItem(
            line=found["line"],
            end_line=found["last"],
            name=found["name"],
            kind=found["kind"],
            status=ImportStatus(found["verdict"]),
            notes=tuple(note_from_json(note) for note in found["notes"]),
            archive_path=found["member"],
            points=None if found["points"] is None else Fraction(found["points"]),
        ),
    )


def _item(told: Mapping[str, Any] | None) -> QuestionDocument | None:
    return None if told is None else QuestionDocument.from_json(told)


def _twin_to_json(one: LanguageMatch | None) -> dict[str, Any] | None:
    if one is None:
        return None
    return {
        "name": one.name,
        "language": one.language,
        "confidence": one.confidence,
        "reasons": [[each.code, each.words, dict(each.detail)] for each in one.reasons],
        "rows": [[each.left, each.right, each.confidence, each.basis] for each in one.rows],
        "confirmed": one.confirmed,
        "key_change": one.key_change,
        "left_out": one.left_out,
        "document": one.document and one.document.to_json(),
    }


def _twin(told: Mapping[str, Any] | None) -> LanguageMatch | None:
    if told is None:
        return None
    return LanguageMatch(
        name=told["name"],
        language=told["language"],
        confidence=told["confidence"],
        reasons=tuple(
            Reason(code, tuple(words), detail) for code, words, detail in told["reasons"]
        ),
        rows=tuple(RowPair(*each) for each in told["rows"]),
        confirmed=told["confirmed"],
        key_change=KeyChange(told["key_change"]),
        left_out=tuple(told["left_out"]),
        document=_item(told["document"]),
    )


def note_to_json(note: Note) -> list[Any]:
    """Give a note as plain values."""
    return [note.code, note.line, note.quote, dict(note.detail)]


def note_from_json(told: list[Any]) -> Note:
    """Give the note back."""
    return Note(*told)
