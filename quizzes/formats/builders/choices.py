"""Questions with options."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from grading.json_types import Json
from quizzes.formats.builders.heads import Head, question, said
from quizzes.formats.contract import ParsedQuestion, ParsedRow
from quizzes.formats.parsing.credits import ratio
from quizzes.formats.parsing.naming import letters


@dataclass(frozen=True, slots=True)
class Option:
    """One option; a weight where the file gives each option one, else None."""

    text: str
    right: bool = False
    weight: Fraction | None = None
    feedback: str = ""
    unchosen: str = ""
    pinned: bool = False
    name: str = ""
    line: int = 0


def choice(  # noqa: PLR0913  each is a thing that files say
    head: Head,
    options: Sequence[Option],
    *,
    many: bool,
    scoring_method: str = "",
    shuffle: bool = True,
    none_apply: bool = False,
    bands: Mapping[Fraction, str] | None = None,
) -> ParsedQuestion:
    """Build a single or multiple choice; by weights where no other scoring method gives them."""
    rows = [_option(head, one, name) for one, name in zip(options, letters(), strict=False)]
    kind = "multiple_choice" if many else "single_choice"
    scoring_method = scoring_method or infer_scoring_method(options, many=many)
    if scoring_method != "option_weights":
        rows = [_without(row, "weight") for row in rows]
    fields: dict[str, Json] = {"shuffle": shuffle, "none_apply": none_apply}
    return question(head, kind, scoring_method, {"options": rows, **_bands(head, bands)}, fields)


def infer_scoring_method(options: Sequence[Option], *, many: bool) -> str:
    """Give the named scoring method that pays what these weights pay, else `option_weights`."""
    right = [one for one in options if one.right]
    weights = {(one.right, one.weight) for one in options}
    if all(one.weight is None for one in options):
        return "right_minus_wrong" if many else "all_or_nothing"
    share = Fraction(1, len(right) or 1)
    if many and weights <= {(True, share), (False, -share)}:
        return "right_minus_wrong"
    if not many and weights <= {(True, Fraction(1)), (False, Fraction(0)), (False, None)}:
        return "all_or_nothing"
    return "option_weights"


def true_false(
    head: Head,
    *,
    right: bool,
    feedback: Mapping[bool, str] | None = None,
    words: tuple[str, str] | None = None,
) -> ParsedQuestion:
    """Build a statement; `feedback` by what was chosen.

    `words` are those for true and for false, by default those of the head's language.
    """
    words = words or {"es": ("Verdadero", "Falso")}.get(head.language, ("True", "False"))
    rows = [
        _option(
            head,
            Option(word, right=value == right, feedback=(feedback or {}).get(value, "")),
            str(value).lower(),
        )
        for value, word in zip((True, False), words, strict=True)
    ]
    rows = [_without(row, "weight") for row in rows]
    return question(head, "true_false", "all_or_nothing", {"options": rows}, {})


def _option(head: Head, one: Option, name: str) -> ParsedRow:
    values: dict[str, Json] = {"right": one.right, "pinned": one.pinned}
    if one.weight is not None:
        values["weight"] = ratio(one.weight)
    texts = {
        ("options", False): one.text,
        ("options", True): one.feedback,
        ("unchosen", True): one.unchosen,
    }
    words = said("multiple_choice", head.language, texts)
    return ParsedRow(one.line or head.line, one.name or name, values, words)


def _without(row: ParsedRow, value: str) -> ParsedRow:
    values = {name: held for name, held in row.values.items() if name != value}
    return ParsedRow(row.line, row.name, values, row.texts)


def _bands(head: Head, bands: Mapping[Fraction, str] | None) -> dict[str, list[ParsedRow]]:
    rows = [
        ParsedRow(
            head.line,
            f"band-{number}",
            {"from": ratio(begins)},
            said("multiple_choice", head.language, {("bands", True): text}),
        )
        for number, (begins, text) in enumerate((bands or {}).items(), start=1)
    ]
    return {"bands": rows}
