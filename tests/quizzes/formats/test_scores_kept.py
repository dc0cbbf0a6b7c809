"""What a format holds scores every possible answer as before; what it does not hold, it told.

The banks of the box, and a question for each way to score that there is, are written in each
format, read back, and both tellings are marked side by side.
"""

from collections.abc import Iterator
from fractions import Fraction
from types import ModuleType

import pytest

from grading.json_types import Json
from quizzes.formats import gift, moodle, ochenta, qti2, qti3, qti12
from quizzes.formats.builders import (
    Accepted,
    Gap,
    Head,
    Number,
    Option,
    SourceChoice,
    build_choice,
    build_cloze,
    build_matching,
    build_numeric,
    build_ordering,
    build_short_text,
)
from quizzes.formats.contract import ImportStatus, ParsedFile, ParsedQuestion, SourceItem
from tests.grading.examples import PROJECT
from tests.quizzes.imports.sample_answers import answers, credit, raw

BANKS = sorted((PROJECT / "fixtures" / "banks").glob("*.yaml"))
FORMATS = [gift, moodle, qti12, qti2, qti3]
SCORING = {
    "comparison_stricter",
    "digits_left_out",
    "kind_not_held",
    "lower_bound_left_out",
    "none_apply_left_out",
    "number_rounded",
    "pattern_left_out",
    "rows_left_out",
    "scoring_method_left_out",
    "setting_left_out",
    "share_not_offered",
    "tolerance_left_out",
    "wildcard_left_out",
}
"""The losses that tell of other scores."""
HALF, THIRD, NOTHING, ALL = Fraction(1, 2), Fraction(1, 3), Fraction(0), Fraction(1)
TOLD = {
    ("gift", "en"): (21, 31),
    ("gift", "es"): (2, 21),
    ("moodle-xml", "en"): (20, 19),
    ("moodle-xml", "es"): (2, 19),
    ("qti-1.2", "en"): (19, 19),
    ("qti-1.2", "es"): (4, 19),
    ("qti-2", "en"): (18, 19),
    ("qti-2", "es"): (4, 19),
    ("qti-3", "en"): (18, 19),
    ("qti-3", "es"): (4, 19),
}
"""How many score otherwise, and how many have no place at all: these shall not grow."""
COUNTS = {"spaces": "counted", "punctuation": "counted", "typography": "counted"}


def head(name: str, prompt: str = "Which?") -> Head:
    return Head(1, name, "en", prompt)


def options(*weights: Fraction | None, right: int = 1) -> list[Option]:
    return [
        Option(f"option {at}", right=at < right, weight=weight) for at, weight in enumerate(weights)
    ]


def others() -> Iterator[ParsedQuestion]:
    """Give a question for each scoring method and setting that the banks of the box do not use."""
    plain, two = options(None, None, None, None), options(None, None, None, None, right=2)
    for scoring_method in (
        "all_or_nothing",
        "right_minus_wrong",
        "each_option",
        "coverage",
        "halves",
    ):
        yield build_choice(
            head(f"several-{scoring_method}".replace("_", "-")),
            SourceChoice(
                two,
                many=True,
                scoring_method=scoring_method,
            ),
        )
    yield build_choice(
        head("several-minus-missed"), SourceChoice(two, many=True, scoring_method="minus_missed")
    )
    yield build_choice(head("one-plainly"), SourceChoice(plain, many=False))
    yield build_choice(
        head("one-weighed"), SourceChoice(options(ALL, THIRD, -HALF, NOTHING), many=False)
    )
    weights = options(HALF, Fraction(3, 4), -THIRD, NOTHING, right=2)
    yield build_choice(head("several-weighed"), SourceChoice(weights, many=True))
    yield build_choice(
        head("odd-shares"),
        SourceChoice(options(Fraction(7, 13), Fraction(6, 13), right=2), many=True),
    )
    nothing = [Option("a"), Option("b")]
    yield build_choice(head("nothing-right"), SourceChoice(nothing, many=True, none_apply=True))
    for scoring_method in ("right_minus_wrong", "all_or_nothing"):
        name = f"none-offered-{scoring_method}".replace("_", "-")
        yield build_choice(
            head(name), SourceChoice(two, many=True, none_apply=True, scoring_method=scoring_method)
        )
    yield build_choice(head("one-or-none"), SourceChoice(plain, many=False, none_apply=True))
    words = [Accepted("Fe"), Accepted("año 1", HALF), Accepted("a\\*b", NOTHING)]
    yield build_short_text(head("words-loosely"), words)
    yield build_short_text(head("words-exactly"), words, case="counted", **COUNTS)
    yield build_short_text(head("words-any-case"), words, **COUNTS)
    yield build_short_text(
        head("words-and-stars"), [Accepted("Fe"), Accepted("iron*", HALF)], **COUNTS
    )
    yield build_short_text(
        head("words-by-pattern"), [Accepted("Fe"), Accepted("iron+", pattern=True)], **COUNTS
    )
    for tolerance, margin in (
        ("exact", ""),
        ("absolute", "0.05"),
        ("relative", "0.1"),
        ("digits", "3"),
        ("range", "3"),
    ):
        yield build_numeric(head(f"number-{tolerance}"), [Number("2.5", tolerance, margin)])
    shares = [Number("2"), Number("2", "absolute", "0.5", HALF), Number("5", credit=THIRD)]
    yield build_numeric(head("number-by-shares"), shares)
    yield build_numeric(head("number-broken"), [Number("1/3", "absolute", "1/7")])
    yield build_numeric(
        head("number-unit"), [Number("2")], unit="optional", units={"m": "1", "cm": "1/100"}
    )
    pairs = [("a", "1"), ("b", "2"), ("c", "1")]
    for scoring_method in ("per_pair", "all_or_nothing", "right_minus_wrong"):
        yield build_matching(
            head(f"pairs-{scoring_method}".replace("_", "-")),
            pairs,
            ["3"],
            scoring_method=scoring_method,
        )
    for scoring_method in (
        "exact_place",
        "all_or_nothing",
        "adjacent_pairs",
        "longest_run",
        "absolute_position",
    ):
        yield build_ordering(
            head(f"order-{scoring_method}".replace("_", "-")),
            list("abcd"),
            scoring_method=scoring_method,
        )
    gaps = [
        Gap("1", options=options(None, None), points=3),
        Gap("two", accepted=[Accepted("Fe"), Accepted("iron", HALF)], comparison=COUNTS),
        Gap("three", numbers=[Number("5", "absolute", "1"), Number("7", credit=THIRD)], points=2),
    ]
    prompt = "a [[1]] b [[two]] c [[three]]"
    for scoring_method in ("per_gap", "all_or_nothing"):
        name = f"gaps-{scoring_method}".replace("_", "-")
        yield build_cloze(head(name, prompt), gaps, scoring_method=scoring_method)
    bounded: dict[str, Json] = {"lower_bound": [-1, 2]}
    source = SourceChoice(options(ALL, THIRD, -HALF, -ALL), many=False, other_fields=bounded)
    yield build_choice(head("one-that-costs"), source)
    yield build_choice(
        head("several-that-cost"),
        SourceChoice(two, many=True, scoring_method="right_minus_wrong", other_fields=bounded),
    )
    source = SourceChoice(weights, many=True, other_fields={"lower_bound": [-1, 4]})
    yield build_choice(head("several-weighed-that-cost"), source)
    yield build_matching(
        head("pairs-that-cost"),
        pairs,
        ["3"],
        scoring_method="right_minus_wrong",
        lower_bound=[-1, 2],
    )
    menus = [
        Gap("1", options=options(ALL, HALF, -HALF), points=2),
        Gap("2", options=options(None, None)),
    ]
    yield build_cloze(head("gaps-that-cost", "a [[1]] b [[2]]"), menus, lower_bound=[-1, 2])
    yield build_cloze(head("gaps-that-cost-each-other", "a [[1]] b [[2]]"), menus)
    yield build_cloze(
        head("gaps-all-chosen", "a [[1]] b [[2]]"),
        [Gap("1", options=options(None, None)), Gap("2", options=options(None, None))],
        scoring_method="all_or_nothing",
    )


def banks(language: str) -> Iterator[ParsedFile]:
    for path in BANKS:
        yield ochenta.read(path.read_bytes())
    if language == "en":
        parsed_file = (
            SourceItem(1, 1, question.name, question.kind, ImportStatus.IMPORTED, question)
            for question in others()
        )
        yield ParsedFile(items=tuple(parsed_file))


def differing(format_: ModuleType, language: str) -> dict[str, set[str]]:
    """Give the questions that score any answer otherwise, with all that the format told of each."""
    differences: dict[str, set[str]] = {}
    for parcel in banks(language):
        written = format_.write(parcel, language=language)
        back = {
            question.name: question
            for question in format_.read(written.data, language=language).questions
        }
        for question in parcel.questions:
            if not same(question, back.get(question.name), language):
                codes = {
                    warning.code
                    for warning in written.warnings
                    if warning.question == question.name
                }
                differences[question.name] = codes
    return differences


def same(question: ParsedQuestion, other: ParsedQuestion | None, language: str) -> bool:
    if other is None or other.kind != question.kind:
        return False
    return all(
        credit(question, raw(question, answer, language))
        == credit(other, raw(other, answer, language))
        for answer in answers(question, language)
    )


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("format_", FORMATS, ids=lambda format_: format_.name)
def test_what_scores_otherwise_was_told(format_, language):
    differences = differing(format_, language)
    untold = {name: codes for name, codes in differences.items() if not codes & SCORING}
    assert untold == {}
    cards = sum(codes == {"kind_not_held"} for codes in differences.values())
    assert (len(differences) - cards, cards) == TOLD[format_.name, language]
