"""A statement that is true or false: two options, each with its value, always in one order."""

from collections.abc import Iterator, Sequence

from grading.choice import checking, marking, reading
from grading.choice.shape import TRUTH
from grading.choice.structure import Structure, read_content, structure
from grading.contract import InvalidAnswer, Problem, PublicQuestion
from grading.json_types import Answer, Content, Json, Key
from grading.partial import ALL_OR_NOTHING

name = "true_false"
scoring_methods: tuple[str, ...] = (ALL_OR_NOTHING,)
schema = TRUTH

score = marking.mark
correct_answer = marking.model_answer


def validate(content: Content, key: Key, method: str) -> tuple[Problem, ...]:
    """Check the draft against the rules of questions with options and of this kind."""
    general = checking.check(content, key, method, methods=scoring_methods, many=False)
    return (*general, *_own(read_content(content)[0]))


def shufflable_ids(content: Content) -> tuple[tuple[str, bool], ...]:
    """Return both ids, each in its place: true and false never change sides."""
    return tuple((id_, True) for id_ in structure(content).ids)


def public_view(content: Content, order: Sequence[str]) -> PublicQuestion:
    """Return both options in the order asked for, and which of them means true."""
    presented = reading.present(name, content, order, many=False)
    values: dict[str, Json] = {option.id: option.value for option in structure(content).options}
    return PublicQuestion(name, {**presented.parts, "values": values})


def parse(content: Content, raw: Json) -> Answer | InvalidAnswer | None:
    """Read the chosen id."""
    return reading.read(content, raw, many=False)


def _own(question: Structure) -> Iterator[Problem]:
    if sorted(str(option.value) for option in question.options) != ["False", "True"]:
        yield Problem("options", "not_true_and_false", {})
    if question.none_apply:
        yield Problem("none_apply", "none_apply_not_possible", {})
