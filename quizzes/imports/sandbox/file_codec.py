"""A file that was read, as frames and back; each part is checked on its way back. Pure.

The process that reads files is not trusted: nothing that it sends is run, and what is not as the
types of `contract` say raises ValueError.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, Final

from grading.schema import Text
from quizzes.formats.contract import (
    FieldTexts,
    FileError,
    FileMetadata,
    ImportStatus,
    Note,
    ParsedFile,
    ParsedQuestion,
    ParsedRow,
    ScoreComparison,
    ScoreDifference,
    SourceItem,
)
from quizzes.imports.sandbox.frames import (
    FrameBuffer,
    decode_json,
    encode_frame,
    encode_json_frame,
)

_SEPARATOR = b"\0"


@dataclass(frozen=True, slots=True)
class FileReading:
    """A parsed file, and for each of its items the lines that it was read from."""

    parsed_file: ParsedFile
    excerpts: tuple[str, ...] = ()


def encode_reading(parsed_file: ParsedFile, excerpts: Iterable[str]) -> Iterator[bytes]:
    """Yield the frames of a file, the one that says that it is complete at the end."""
    for item, excerpt in zip(parsed_file.items, excerpts, strict=True):
        yield encode_json_frame("item", [_encode_item(item), excerpt])
    for name, data in parsed_file.media.items():
        yield encode_frame("media", name.encode(errors="surrogatepass") + _SEPARATOR + data)
    metadata = parsed_file.metadata
    rest = {
        "slug": parsed_file.slug,
        "fields": parsed_file.fields,
        "errors": [[error.line, error.where, error.code, error.message]
                   for error in parsed_file.errors],
        "metadata": [metadata.title, metadata.language, _encode_ratio(metadata.grade),
                     _encode_ratio(metadata.pass_threshold)],
        "ignored_lines": [_encode_note(note) for note in parsed_file.ignored_lines],
        "remainder": [_encode_note(note) for note in parsed_file.remainder],
    }  # fmt: skip
    yield encode_json_frame("file", rest)


def decode_reading(data: bytes) -> FileReading:
    """Return the file that was encoded; ValueError where it is incomplete, or no such file."""
    items, excerpts, media = [], [], {}
    rest: Mapping[str, Any] | None = None
    buffer = FrameBuffer()
    try:
        for kind, body in buffer.feed(data):
            if kind == "item":
                item, excerpt = decode_json(body)
                items.append(_decode_item(item))
                excerpts.append(_text(excerpt))
            elif kind == "media":
                name, _, content = body.partition(_SEPARATOR)
                media[name.decode(errors="surrogatepass")] = content
            elif kind == "file":
                rest = decode_json(body)
        if rest is None or not buffer.is_empty:
            raise ValueError("the file is not complete")
        return FileReading(_decode_file(rest, tuple(items), media), tuple(excerpts))
    except (TypeError, KeyError, IndexError, AttributeError, ZeroDivisionError) as error:
        raise ValueError("this is no file as readers return it") from error


def _decode_file(
    rest: Mapping[str, Any], items: tuple[SourceItem, ...], media: Mapping[str, bytes]
) -> ParsedFile:
    title, language, grade, pass_threshold = rest["metadata"]
    return ParsedFile(
        slug=_text(rest["slug"]),
        fields=_mapping(rest["fields"]),
        items=items,
        errors=tuple(
            FileError(_number(line), _text(where), _text(code), _text(message))
            for line, where, code, message in rest["errors"]
        ),
        metadata=FileMetadata(
            _text(title), _text(language), _decode_ratio(grade), _decode_ratio(pass_threshold)
        ),
        media=media,
        ignored_lines=_decode_notes(rest["ignored_lines"]),
        remainder=_decode_notes(rest["remainder"]),
    )


def _encode_item(item: SourceItem) -> dict[str, Any]:
    encoded = {field.name: getattr(item, field.name) for field in fields(item)}
    encoded["points"] = _encode_ratio(item.points)
    encoded["notes"] = [_encode_note(note) for note in item.notes]
    encoded["keys"] = [_encode_note(note) for note in item.keys]
    encoded["remainder"] = [_encode_note(note) for note in item.remainder]
    encoded["comparison"] = item.comparison and _encode_comparison(item.comparison)
    encoded["question"] = item.question and _encode_question(item.question)
    return encoded


def _decode_item(encoded: Mapping[str, Any]) -> SourceItem:
    # A field of the class without a line in _ITEM_FIELDS raises: nothing is lost unseen.
    return SourceItem(
        **{
            field.name: _ITEM_FIELDS[field.name](encoded[field.name])
            for field in fields(SourceItem)
        }
    )


def _encode_comparison(comparison: ScoreComparison) -> dict[str, Any]:
    encoded = {field.name: getattr(comparison, field.name) for field in fields(comparison)}
    encoded["differences"] = [
        [difference.answer, _encode_ratio(difference.in_file), _encode_ratio(difference.here)]
        for difference in comparison.differences
    ]
    return encoded


def _decode_comparison(encoded: Mapping[str, Any] | None) -> ScoreComparison | None:
    if encoded is None:
        return None
    return ScoreComparison(
        **{
            field.name: _COMPARISON_FIELDS[field.name](encoded[field.name])
            for field in fields(ScoreComparison)
        }
    )


def _decode_differences(encoded: Iterable[Any]) -> tuple[ScoreDifference, ...]:
    return tuple(
        ScoreDifference(
            tuple(map(_text, answer)),
            Fraction(*map(_number, in_file)),
            Fraction(*map(_number, here)),
        )
        for answer, in_file, here in encoded
    )


def _encode_question(question: ParsedQuestion) -> dict[str, Any]:
    encoded = {field.name: getattr(question, field.name) for field in fields(question)}
    encoded["texts"] = _encode_texts(question.texts)
    encoded["tables"] = {
        name: [[row.line, row.name, row.values, _encode_texts(row.texts)] for row in rows]
        for name, rows in question.tables.items()
    }
    return encoded


def _decode_question(encoded: Mapping[str, Any] | None) -> ParsedQuestion | None:
    if encoded is None:
        return None
    return ParsedQuestion(
        **{
            field.name: _QUESTION_FIELDS[field.name](encoded[field.name])
            for field in fields(ParsedQuestion)
        }
    )


def _decode_tables(encoded: Mapping[str, Any]) -> Mapping[str, tuple[ParsedRow, ...]]:
    return {
        name: tuple(
            ParsedRow(_number(line), _text(row), _mapping(values), _decode_texts(texts))
            for line, row, values, texts in rows
        )
        for name, rows in encoded.items()
    }


def _encode_texts(texts: FieldTexts) -> list[Any]:
    return [[text.name, text.required, text.is_feedback, words] for text, words in texts.items()]


def _decode_texts(encoded: Iterable[Any]) -> FieldTexts:
    return {
        Text(_text(name), required is True, is_feedback is True): {
            language: _text(text) for language, text in words.items()
        }
        for name, required, is_feedback, words in encoded
    }


def _decode_notes(encoded: Iterable[Any]) -> tuple[Note, ...]:
    return tuple(map(_decode_note, encoded))


def _encode_note(note: Note) -> list[Any]:
    return [note.code, note.line, note.quote, note.detail]


def _decode_note(encoded: Iterable[Any]) -> Note:
    code, line, quote, detail = encoded
    if not all(isinstance(part, str | int) for part in _mapping(detail).values()):
        raise ValueError("a note says something else than words and numbers")
    return Note(_text(code), _number(line), _text(quote), detail)


def _encode_ratio(ratio: Fraction | None) -> list[int] | None:
    return None if ratio is None else [ratio.numerator, ratio.denominator]


def _decode_ratio(encoded: list[Any] | None) -> Fraction | None:
    return None if encoded is None else Fraction(*map(_number, encoded))


def _text(part: Any) -> str:
    if not isinstance(part, str):
        raise TypeError("not a text")
    return part


def _number(part: Any) -> int:
    if not isinstance(part, int) or isinstance(part, bool):
        raise TypeError("not a whole number")
    return part


def _mapping(part: Any) -> Mapping[str, Any]:
    if not isinstance(part, dict):
        raise TypeError("not a mapping")
    return part


def _flag(part: Any) -> bool:
    if not isinstance(part, bool):
        raise TypeError("neither true nor false")
    return part


def _texts(parts: Iterable[Any]) -> tuple[str, ...]:
    return tuple(map(_text, parts))


_ITEM_FIELDS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "line": _number,
    "end_line": _number,
    "name": _text,
    "kind": _text,
    "status": ImportStatus,
    "question": _decode_question,
    "notes": _decode_notes,
    "archive_path": _text,
    "points": _decode_ratio,
    "is_damaged": _flag,
    "keys": _decode_notes,
    "remainder": _decode_notes,
    "comparison": _decode_comparison,
}
_COMPARISON_FIELDS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "compared": _number,
    "reason": _text,
    "quote": _text,
    "differences": _decode_differences,
    "is_told": _flag,
}
_QUESTION_FIELDS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "line": _number,
    "name": _text,
    "kind": _text,
    "scoring_method": _text,
    "tags": _texts,
    "fields": _mapping,
    "texts": _decode_texts,
    "tables": _decode_tables,
}
