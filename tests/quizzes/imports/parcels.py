"""Parcels to test with: what a format would have read."""

from dataclasses import replace

from quizzes.formats.builders import Head, Option, SourceChoice, build_choice
from quizzes.formats.contract import ImportStatus, Note, ParsedFile, ParsedQuestion, SourceItem


def asked(
    name: str = "rivers",
    language: str = "en",
    *,
    prompt: str = "",
    options: tuple[str, ...] = ("Danube", "Rhine", "Ebro"),
    right: int = 0,
    explanation: str = "",
) -> ParsedQuestion:
    """A single choice with the options in this order."""
    head = Head(1, name, language, prompt or f"Which {name}?", explanation)
    rows = [Option(text, right=number == right) for number, text in enumerate(options)]
    return build_choice(head, SourceChoice(rows, many=False))


def found(question: ParsedQuestion, verdict: ImportStatus = ImportStatus.IMPORTED) -> SourceItem:
    return SourceItem(question.line, 4, question.name, question.kind, verdict, question)


def refused(name: str = "script") -> SourceItem:
    note = Note("unknown_kind", 9, "a script")
    return SourceItem(9, 12, name, "script", ImportStatus.REFUSED, notes=(note,))


def parcel(*every: ParsedQuestion | SourceItem, **fields) -> ParsedFile:
    return ParsedFile(
        items=tuple(found(part) if isinstance(part, ParsedQuestion) else part for part in every),
        **fields,
    )


def without_key(question: ParsedQuestion) -> ParsedQuestion:
    """The same with no option right: its key is not known."""
    rows = tuple(
        replace(row, values={**row.values, "right": False}) for row in question.tables["options"]
    )
    return replace(question, tables={**question.tables, "options": rows})
