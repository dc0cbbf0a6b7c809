"""Questions for round trips through formats of plain text, where each sign may mean something."""

from dataclasses import replace
from fractions import Fraction

from hypothesis import strategies as st

from quizzes.formats.builders import (
    Accepted,
    Head,
    Number,
    Option,
    SourceChoice,
    build_choice,
    build_essay,
    build_flashcard,
    build_matching,
    build_numeric,
    build_short_text,
    build_strict_comparison,
    build_true_false,
)
from quizzes.formats.contract import ImportStatus, ParsedFile, ParsedQuestion, SourceItem
from quizzes.lib.markup.escape import escape_markdown

SIGNS = "ab1é ~=#{}:\\%[].,;\t\"'`*_$<>&|@/-+()!"
PARTS = st.sampled_from([Fraction(1, 2), Fraction(1, 3), Fraction(3, 20), Fraction(1, 7)])
NO_TAGS, NOTHING = st.just(()), st.just("")


def filled(text: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return text.map(str.strip).filter(bool)


markdown = filled(st.text(SIGNS + "\n", max_size=30)).filter(lambda text: "->" not in text)
"""Any Markdown at all, several lines of it, too."""
line = filled(st.text(SIGNS, max_size=20)).filter(lambda text: "->" not in text)
"""The same on one line."""
words = filled(st.text("abcé 12", max_size=12)).map(lambda text: " ".join(text.split()))
"""Words that are no markup in anything."""
plain = filled(st.text(SIGNS.replace("\t", ""), max_size=20)).filter(lambda t: "->" not in t)
escapes = plain.map(escape_markdown)
"""Markdown that shows plain words."""
maybe = st.one_of(NOTHING, markdown)
names = st.from_regex(r"[a-z]{1,8}(-[a-z0-9]{1,4})?", fullmatch=True)
decimals = st.decimals(-999, 999, places=2).map(str)


def heads(prompts=markdown, explanations=maybe, tags=NO_TAGS) -> st.SearchStrategy[Head]:
    return st.builds(
        Head, st.just(1), names, st.just("en"), prompts, explanation=explanations, tags=tags
    )


def options(texts=markdown, feedback=maybe) -> st.SearchStrategy[Option]:
    return st.builds(Option, texts, feedback=feedback)


HEADS, OPTIONS = heads(), options()


@st.composite
def single_choices(draw, head=HEADS, option=OPTIONS, most=5) -> ParsedQuestion:
    drawn = draw(st.lists(option, min_size=2, max_size=most))
    right = draw(st.integers(0, len(drawn) - 1))
    options = [replace(option, right=at == right) for at, option in enumerate(drawn)]
    return build_choice(draw(head), SourceChoice(options, many=False))


@st.composite
def multiple_choices(draw, head=HEADS, option=OPTIONS, least=1) -> ParsedQuestion:
    drawn = draw(st.lists(option, min_size=2, max_size=5))
    right = draw(st.sets(st.integers(0, len(drawn) - 1), min_size=least))
    options = [replace(option, right=at in right) for at, option in enumerate(drawn)]
    return build_choice(draw(head), SourceChoice(options, many=True))


@st.composite
def weighted_choices(draw, head=HEADS, option=OPTIONS) -> ParsedQuestion:
    """One option earns everything, the others parts of it."""
    drawn = draw(st.lists(option, min_size=1, max_size=4))
    rest = [replace(option, right=False, weight=draw(PARTS)) for option in drawn]
    right = replace(draw(option), right=True, weight=Fraction(1))
    return build_choice(draw(head), SourceChoice([right, *rest], many=False))


def truths(head=HEADS, feedback=maybe) -> st.SearchStrategy[ParsedQuestion]:
    feedback_by_truth = st.fixed_dictionaries({True: feedback, False: feedback})
    return st.builds(build_true_false, head, right=st.booleans(), feedback=feedback_by_truth)


@st.composite
def short_texts(draw, head=HEADS, feedback=maybe) -> ParsedQuestion:
    texts = draw(st.lists(words, min_size=1, max_size=4, unique=True))
    shares = [Fraction(1), *(draw(PARTS) for _ in texts[1:])]
    accepted = [Accepted(t, c, draw(feedback)) for t, c in zip(texts, shares, strict=True)]
    return build_short_text(draw(head), accepted, **build_strict_comparison(case=False))


@st.composite
def numbers(draw, head=HEADS, feedback=maybe) -> ParsedQuestion:
    low, high = sorted(draw(st.lists(st.integers(-99, 99), min_size=2, max_size=2)))
    numbers = [
        Number(draw(decimals), feedback=draw(feedback)),
        Number(draw(decimals), "absolute", "0.5", draw(PARTS), draw(feedback)),
        Number(str(low), "range", str(high), draw(PARTS), draw(feedback)),
    ]
    return build_numeric(draw(head), numbers[: draw(st.integers(1, 3))])


@st.composite
def matchings(draw, head=HEADS, lefts=line, rights=escapes) -> ParsedQuestion:
    texts = draw(st.lists(rights, min_size=2, max_size=4, unique=True))
    pairs = [(draw(lefts), text) for text in texts]
    return build_matching(draw(head), pairs, draw(st.sampled_from([(), ("none of these",)])))


def essays(head=HEADS) -> st.SearchStrategy[ParsedQuestion]:
    return st.builds(build_essay, head)


def cards(head=HEADS, back=markdown, hint=NOTHING) -> st.SearchStrategy[ParsedQuestion]:
    return st.builds(build_flashcard, head, back, hint)


def parcels(*kinds: st.SearchStrategy[ParsedQuestion]) -> st.SearchStrategy[ParsedFile]:
    """Give parcels of these questions, each with a name of its own."""
    listed = st.lists(
        st.one_of(*kinds), min_size=1, max_size=4, unique_by=lambda question: question.name
    )
    return listed.map(parcel)


def parcel(questions: list[ParsedQuestion]) -> ParsedFile:
    items = (
        SourceItem(1, 1, question.name, question.kind, ImportStatus.IMPORTED, question)
        for question in questions
    )
    return ParsedFile(items=tuple(items))


def same(question: ParsedQuestion, *, named: bool = True) -> ParsedQuestion:
    """Give a question without its lines; without its name, where the format holds none."""
    tables = {
        name: tuple(replace(row, line=0) for row in rows) for name, rows in question.tables.items()
    }
    name = question.name if named else ""
    return replace(question, line=0, name=name, tables=tables)
