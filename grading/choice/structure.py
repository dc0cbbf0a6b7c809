"""The content and key of a question with options, read from JSON together with what is wrong."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from grading.contract import ZERO, Problem
from grading.json_types import Content, Json, Key, ratio_from_json
from grading.lower_bound import read_lower_bound
from grading.parsing import RowReader, read_flag, require_valid

NONE_APPLY = "none_apply"
RULE_PARTS = (
    "all_or_nothing",
    "start",
    "first_error",
    "second_error",
    "too_many_errors",
    "floor",
    "ceiling",
)
"""Names of the ledger's lines for rules; with `none_apply`, what no option may be called."""


@dataclass(frozen=True, slots=True)
class ChoiceOption:
    """One choice; `value` is what it stands for in true or false, else None."""

    id: str
    pinned: bool
    value: bool | None


@dataclass(frozen=True, slots=True)
class ChoiceContent:
    """The options in the author's order, and whether 'none of these' is offered beside them.

    `lower_bound` is the least that an answer may earn.
    """

    options: tuple[ChoiceOption, ...]
    none_apply: bool
    shuffle: bool
    lower_bound: Fraction = ZERO

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids in the author's order."""
        return tuple(option.id for option in self.options)


@dataclass(frozen=True, slots=True)
class ChoiceKey:
    """What is right, and the weights of options where the author set any."""

    right: frozenset[str]
    weights: dict[str, Fraction]


def load_content(content: Content) -> ChoiceContent:
    """Read content that has passed its check; else ValueError."""
    return require_valid(parse_content(content))


def load_key(key: Key) -> ChoiceKey:
    """Read a key that has passed its check; else ValueError."""
    return require_valid(parse_key(key))


def parse_content(content: Content) -> tuple[ChoiceContent, tuple[Problem, ...]]:
    """Read what can be read, and name what cannot."""
    problems: list[Problem] = []
    options = tuple(_options(content.get("options"), problems))
    none_apply = read_flag(content, NONE_APPLY, NONE_APPLY, problems, default=False)
    shuffle = read_flag(content, "shuffle", "shuffle", problems, default=True)
    lower_bound = read_lower_bound(content, problems)
    return ChoiceContent(options, none_apply, shuffle, lower_bound), tuple(problems)


def _options(listed: Json, problems: list[Problem]) -> Iterator[ChoiceOption]:
    reserved = (NONE_APPLY, *RULE_PARTS)
    rows = RowReader(problems, reserved, not_a_list="not_a_list", no_id="option_without_id")
    for id_, fields in rows.read(listed, "options"):
        pinned = read_flag(fields, "pinned", f"options.{id_}", problems, default=False)
        value = fields.get("value")
        yield ChoiceOption(id_, pinned, value if isinstance(value, bool) else None)


def parse_key(key: Key) -> tuple[ChoiceKey, tuple[Problem, ...]]:
    """Read what can be read, and name what cannot."""
    problems: list[Problem] = []
    right = frozenset(_right(key.get("right"), problems))
    weights = dict(_weights(key.get("weights", {}), problems))
    return ChoiceKey(right, weights), tuple(problems)


def _right(listed: Json, problems: list[Problem]) -> Iterator[str]:
    if not isinstance(listed, list):
        problems.append(Problem("key", "right_is_no_list", {}))
        return
    for position, id_ in enumerate(listed):
        if isinstance(id_, str):
            yield id_
        else:
            problems.append(Problem("key", "right_is_no_id", {"position": position}))


def _weights(weights: Json, problems: list[Problem]) -> Iterator[tuple[str, Fraction]]:
    if not isinstance(weights, dict):
        problems.append(Problem("key", "weights_are_no_object", {}))
        return
    for id_, weight in weights.items():
        try:
            yield id_, ratio_from_json(weight)
        except ValueError:
            problems.append(Problem(f"options.{id_}", "weight_is_no_ratio", {}))
