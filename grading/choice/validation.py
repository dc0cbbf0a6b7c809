"""What keeps a question with options from being published, each problem at its field."""

from collections.abc import Iterator

from grading.choice.structure import ChoiceContent, ChoiceKey, parse_content, parse_key
from grading.contract import Problem, check_scoring_method
from grading.json_types import Content, Key
from grading.partial_credit import OPTION_WEIGHTS

MINIMUM = 2


def validate(
    content: Content, key: Key, method: str, *, methods: tuple[str, ...], many: bool
) -> tuple[Problem, ...]:
    """Return all problems; `many` tells whether more than one option may be right."""
    question, of_content = parse_content(content)
    solution, of_key = parse_key(key)
    return (
        *of_content,
        *_count(question),
        *of_key,
        *_right(question, solution, many=many),
        *check_scoring_method(method, methods),
        *_weights(question, solution, method),
    )


def _count(question: ChoiceContent) -> Iterator[Problem]:
    count = len(question.options)
    if count < MINIMUM:
        yield Problem("options", "too_few_options", {"minimum": MINIMUM, "found": count})


def _right(question: ChoiceContent, solution: ChoiceKey, *, many: bool) -> Iterator[Problem]:
    for id_ in sorted(solution.right - set(question.ids)):
        yield Problem("key", "unknown_option", {"option": id_})
    if not solution.right and not question.none_apply:
        yield Problem("key", "nothing_right", {})
    if len(solution.right) > 1 and not many:
        yield Problem("key", "too_many_right", {"maximum": 1, "found": len(solution.right)})


def _weights(question: ChoiceContent, solution: ChoiceKey, method: str) -> Iterator[Problem]:
    if method != OPTION_WEIGHTS:
        if solution.weights:
            yield Problem("scoring_method", "weights_unused", {"scoring_method": method})
        return
    for id_ in sorted(solution.weights.keys() - set(question.ids)):
        yield Problem("key", "unknown_option", {"option": id_})
    for id_ in question.ids:
        yield from _weight(id_, solution)
    yield from _reach(solution)


def _weight(id_: str, solution: ChoiceKey) -> Iterator[Problem]:
    weight = solution.weights.get(id_)
    if weight is None:
        yield Problem(f"options.{id_}", "weight_missing", {})
    elif not -1 <= weight <= 1:
        yield Problem(f"options.{id_}", "weight_out_of_range", {})
    elif weight < 0 and id_ in solution.right:
        yield Problem(f"options.{id_}", "right_option_costs", {})
    elif weight == 1 and id_ not in solution.right:
        yield Problem(f"options.{id_}", "wrong_option_earns_all", {})


def _reach(solution: ChoiceKey) -> Iterator[Problem]:
    """Check that the model answer earns everything."""
    reached = sum(solution.weights.get(id_, 0) for id_ in solution.right)
    if solution.right and reached < 1:
        yield Problem("key", "full_credit_out_of_reach", {})
