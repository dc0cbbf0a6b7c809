"""Parcels to test with: what a format would have read."""

from dataclasses import replace

from quizzes.formats.builders import Head, Option, choice
from quizzes.formats.contract import Found, Note, Parcel, ParcelQuestion, Verdict


def asked(
    name: str = "rivers",
    language: str = "en",
    *,
    prompt: str = "",
    options: tuple[str, ...] = ("Danube", "Rhine", "Ebro"),
    right: int = 0,
    explanation: str = "",
) -> ParcelQuestion:
    """A single choice with the options in this order."""
    head = Head(1, name, language, prompt or f"Which {name}?", explanation)
    rows = [Option(text, right=number == right) for number, text in enumerate(options)]
    return choice(head, rows, many=False)


def found(question: ParcelQuestion, verdict: Verdict = Verdict.IMPORTED) -> Found:
    return Found(question.line, 4, question.name, question.kind, verdict, question)


def refused(name: str = "script") -> Found:
    note = Note("unknown_kind", 9, "a script")
    return Found(9, 12, name, "script", Verdict.REFUSED, notes=(note,))


def parcel(*every: ParcelQuestion | Found, **fields) -> Parcel:
    return Parcel(
        found=tuple(found(one) if isinstance(one, ParcelQuestion) else one for one in every),
        **fields,
    )


def without_key(question: ParcelQuestion) -> ParcelQuestion:
    """The same with no option right: its key is not known."""
    rows = tuple(
        replace(row, values={**row.values, "right": False}) for row in question.tables["options"]
    )
    return replace(question, tables={**question.tables, "options": rows})
