"""A statement that is true or false: two options, each with its value, always in one order."""

from collections.abc import Iterator, Sequence

from grading.choice import checking, marking, reading
from grading.choice.shape import TRUTH
from grading.choice.structure import Structure, read_content, structure
from grading.contract import Answer, Content, Json, Key, Presented, Problem, Unreadable
from grading.partial import ALL_OR_NOTHING

name = "true_false"
scoring_methods: tuple[str, ...] = (ALL_OR_NOTHING,)
shape = TRUTH

mark = marking.mark
solution = marking.model_answer


def check(content: Content, key: Key, scoring_method: str) -> tuple[Problem, ...]:
    """Check the draft against the rules of questions with options and of this kind."""
    general = checking.check(
        content, key, scoring_method, scoring_methods=scoring_methods, many=False
    )
    return (*general, *_own(read_content(content)[0]))


def orderable(content: Content) -> tuple[tuple[str, bool], ...]:
    """Return both ids, each in its place: true and false never change sides."""
    return tuple((id_, True) for id_ in structure(content).ids)


def present(content: Content, order: Sequence[str]) -> Presented:
    """Return both options in the order asked for, and which of them means true."""
    presented = reading.present(name, content, order, many=False)
    values: dict[str, Json] = {option.id: option.value for option in structure(content).options}
    return Presented(name, {**presented.parts, "values": values})


def read(content: Content, raw: Json) -> Answer | Unreadable | None:
    """Read the chosen id."""
    return reading.read(content, raw, many=False)


def _own(question: Structure) -> Iterator[Problem]:
    if sorted(str(option.value) for option in question.options) != ["False", "True"]:
        yield Problem("options", "not_true_and_false", {})
    if question.none_apply:
        yield Problem("none_apply", "none_apply_not_possible", {})
