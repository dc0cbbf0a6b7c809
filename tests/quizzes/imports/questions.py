"""Questions of every kind, made by chance, for round trips through formats."""

from collections.abc import Sequence
from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from quizzes.document import QuestionDocument
from quizzes.formats.builders import (
    Accepted,
    Gap,
    Head,
    Number,
    Option,
    SourceChoice,
    add_score_feedback,
    build_choice,
    build_cloze,
    build_essay,
    build_flashcard,
    build_matching,
    build_numeric,
    build_ordering,
    build_short_text,
    build_true_false,
)
from quizzes.formats.contract import ImportStatus, ParsedFile, ParsedQuestion, SourceItem
from quizzes.formats.document_mapping import build_document

WORDS = (
    "river **Duero** `a < b` $x^2$ 3,5 año ¿qué? R&D 100% \\*star\\* #1 {brace} a~b \\~\\~ == //"
    " 'quoted' \"twice\" C:\\dir \\$5 end\\\\ [link](https://a.b/c) !no &amp; 50:50 %5% -1 (a) 中文"
).split(" ")
BLOCKS = (
    "```python\nif a:\n    b = {1: 2}\n```",
    "- one\n- two",
    "| a | b |\n| --- | --- |\n| 1 | 2 |",
)
PLAIN = "iron ferrum a*b A-b über it's x=1 50% {a} ~b #c C:\\\\d \\*".split()

lines = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)
texts = st.lists(st.one_of(lines, st.sampled_from(BLOCKS)), min_size=1, max_size=3).map("\n\n".join)
maybe = st.one_of(st.just(""), lines)
plain = st.lists(st.sampled_from(PLAIN), min_size=1, max_size=3).map(" ".join)
NO_TAGS, NOTHING = st.just(()), st.just("")
slugs = st.from_regex(r"[a-z]{1,8}(-[a-z0-9]{1,5})?", fullmatch=True)


@st.composite
def heads(draw: DrawFn, language: str = "en") -> Head:
    return Head(
        1,
        draw(slugs),
        language,
        draw(texts),
        draw(st.one_of(st.just(""), texts)),
        tuple(dict.fromkeys(draw(st.lists(slugs, max_size=2)))),
    )


def some(strategy: SearchStrategy[str], least: int, most: int = 5) -> SearchStrategy[list[str]]:
    return st.lists(strategy, min_size=least, max_size=most, unique=True)


@st.composite
def banded(draw: DrawFn, strategy: SearchStrategy[ParsedQuestion], begins: Sequence[Fraction]):
    question = draw(strategy)
    bands = {begin: text for begin in begins if (text := draw(maybe))}
    return add_score_feedback(question, "en", bands)


@st.composite
def singles(draw: DrawFn) -> ParsedQuestion:
    words = draw(some(lines, 2))
    at = draw(st.integers(0, len(words) - 1))
    options = [Option(text, right=n == at, feedback=draw(maybe)) for n, text in enumerate(words)]
    return build_choice(
        draw(heads()), SourceChoice(options, many=False, shuffle=draw(st.booleans()))
    )


@st.composite
def multiples(draw: DrawFn, weights: Sequence[Fraction] = ()) -> ParsedQuestion:
    """With weights, those of wrong options are drawn among them."""
    words = draw(some(lines, 2, 6))
    right = draw(st.integers(1, len(words)).filter(lambda n: n not in {7, 8}))
    options = [
        Option(
            text,
            right=n < right,
            weight=(Fraction(1, right) if n < right else -draw(st.sampled_from(weights)))
            if weights
            else None,
            feedback=draw(maybe),
        )
        for n, text in enumerate(words)
    ]
    return build_choice(draw(heads()), SourceChoice(draw(st.permutations(options)), many=True))


@st.composite
def truths(draw: DrawFn) -> ParsedQuestion:
    feedback = {True: draw(maybe), False: draw(maybe)}
    return build_true_false(draw(heads()), right=draw(st.booleans()), feedback=feedback)


@st.composite
def accepted(draw: DrawFn, typed: SearchStrategy[str] = plain) -> list[Accepted]:
    words = draw(st.lists(typed, min_size=1, max_size=3, unique_by=lambda word: word.casefold()))
    first, *others = (word for word in words)
    shares = st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(1, 3), Fraction(0)])
    rest = [Accepted(f"{text} {n}", draw(shares), draw(maybe)) for n, text in enumerate(others)]
    return [Accepted(f"{first} full", feedback=draw(maybe)), *rest]


@st.composite
def short_texts(
    draw: DrawFn, /, typed: SearchStrategy[str] = plain, **comparison: str
) -> ParsedQuestion:
    return build_short_text(draw(heads()), draw(accepted(typed)), **comparison)


@st.composite
def numbers(draw: DrawFn) -> list[Number]:
    wholes = draw(st.lists(st.integers(1, 1000), min_size=1, max_size=3, unique=True))
    end, sign = draw(st.integers(0, 99)), draw(st.sampled_from(["", "-"]))
    values = [f"{sign}{integer}.{end:02}" for integer in wholes]  # none near another
    return [
        Number(value, "absolute", "0.25", feedback=draw(maybe))
        if draw(st.booleans())
        else Number(value, credit=Fraction(1) if n == 0 else Fraction(1, 2), feedback=draw(maybe))
        for n, value in enumerate(values)
    ]


@st.composite
def numerics(draw: DrawFn, units: Sequence[str] = ("none",)) -> ParsedQuestion:
    unit = draw(st.sampled_from(units))
    symbols = {} if unit == "none" else {"m": "1", "cm": "1/100", "km": "1000"}
    return build_numeric(draw(heads()), draw(numbers()), unit=unit, units=symbols)


@st.composite
def matchings(draw: DrawFn) -> ParsedQuestion:
    rights = draw(some(st.sampled_from("one two three four five".split()), 2, 4))
    lefts = draw(some(lines, 2, 4))
    pairs = [(left, draw(st.sampled_from(rights))) for left in lefts]
    used = {right for _, right in pairs}
    head, shuffle = draw(heads()), draw(st.booleans())
    return build_matching(
        head, pairs, [right for right in rights if right not in used], shuffle=shuffle
    )


@st.composite
def orderings(draw: DrawFn, scoring_methods: Sequence[str] = ("exact_place",)) -> ParsedQuestion:
    scoring_method = draw(st.sampled_from(scoring_methods))
    return build_ordering(draw(heads()), draw(some(lines, 2)), scoring_method=scoring_method)


@st.composite
def clozes(
    draw: DrawFn,
    /,
    typed: SearchStrategy[str] = plain,
    offered: SearchStrategy[str] = lines,
    comparisons: Sequence[dict[str, str]] = ({},),
) -> ParsedQuestion:
    """Gaps are called gap-1, gap-2 …; each where words are asked for has one of the comparisons."""
    gaps = []
    for number in range(1, draw(st.integers(1, 3)) + 1):
        mark, points = f"gap-{number}", draw(st.integers(1, 5))
        match draw(st.sampled_from(["options", "accepted", "numbers"])):
            case "options":
                words = draw(some(offered, 2, 4))
                options = [
                    Option(text, right=n == 0, feedback=draw(maybe)) for n, text in enumerate(words)
                ]
                gaps.append(Gap(mark, options=draw(st.permutations(options)), points=points))
            case "accepted":
                answers, comparison = draw(accepted(typed)), draw(st.sampled_from(comparisons))
                gaps.append(Gap(mark, accepted=answers, points=points, comparison=comparison))
            case _:
                gaps.append(Gap(mark, numbers=draw(numbers()), points=points))
    head = draw(heads())
    prompt = "\n\n".join([head.prompt, *(f"{draw(lines)} [[{gap.placeholder}]]" for gap in gaps)])
    head_without_name = Head(1, head.name, "en", prompt, head.explanation, head.tags)
    return build_cloze(head_without_name, gaps)


@st.composite
def essays(draw: DrawFn) -> ParsedQuestion:
    least = draw(st.one_of(st.none(), st.integers(1, 100)))
    most = draw(st.one_of(st.none(), st.integers(100, 1000)))
    return build_essay(draw(heads()), minimum=least, maximum=most)


@st.composite
def flashcards(draw: DrawFn) -> ParsedQuestion:
    return build_flashcard(draw(heads()), draw(lines), draw(maybe))


def parcel(*questions: ParsedQuestion) -> ParsedFile:
    """Give a parcel of these."""
    return ParsedFile(
        items=tuple(
            SourceItem(
                question.line,
                question.line,
                question.name,
                question.kind,
                ImportStatus.IMPORTED,
                question,
            )
            for question in questions
        )
    )


def item(question: ParsedQuestion, language: str = "en") -> QuestionDocument:
    """Give the item that comes of a question, its rows called by their names."""
    return build_document(question, {row.name: row.name for row in question.rows}, language)


def same(question: ParsedQuestion) -> object:
    """Give what two equal questions have in common: all but their lines."""
    return question.name, question.tags, item(question)
