"""A statement that is true or false: two options, each with its value, always in one order."""

from collections.abc import Iterator, Sequence

from grading.choice import parsing, scoring, validation
from grading.choice.schema import TRUTH
from grading.choice.structure import ChoiceContent, load_content, parse_content
from grading.contract import InvalidAnswer, Problem, PublicQuestion
from grading.json_types import Answer, Content, Json, Key
from grading.partial_credit import ALL_OR_NOTHING, OPTION_WEIGHTS

name = "true_false"
scoring_methods: tuple[str, ...] = (ALL_OR_NOTHING, OPTION_WEIGHTS)
schema = TRUTH

score = scoring.score
correct_answer = scoring.correct_answer


def validate(content: Content, key: Key, method: str) -> tuple[Problem, ...]:
    """Check the draft against the rules of questions with options and of this kind."""
    general = validation.validate(content, key, method, methods=scoring_methods, many=False)
    return (*general, *_own(parse_content(content)[0]))


def shufflable_ids(content: Content) -> tuple[tuple[str, bool], ...]:
    """Return both ids, each in its place: true and false never change sides."""
    return tuple((id_, True) for id_ in load_content(content).ids)


def public_view(content: Content, order: Sequence[str]) -> PublicQuestion:
    """Return both options in the order asked for, and which of them means true."""
    presented = parsing.public_view(name, content, order, many=False)
    values: dict[str, Json] = {option.id: option.value for option in load_content(content).options}
    return PublicQuestion(name, {**presented.parts, "values": values})


def parse(content: Content, raw: Json) -> Answer | InvalidAnswer | None:
    """Read the chosen id."""
    return parsing.parse(content, raw, many=False)


def _own(question: ChoiceContent) -> Iterator[Problem]:
    if sorted(str(option.value) for option in question.options) != ["False", "True"]:
        yield Problem("options", "not_true_and_false", {})
    if question.none_apply:
        yield Problem("none_apply", "none_apply_not_possible", {})
