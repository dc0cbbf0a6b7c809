"""What all families share in reading the JSON of questions and of answers."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from grading.contract import InvalidAnswer, Problem
from grading.json_types import Content, Json

Parsed = TypeVar("Parsed")


def require_valid(parsed: tuple[Parsed, tuple[Problem, ...]]) -> Parsed:
    """Return what was read of content or key that have passed their check; else ValueError."""
    question, problems = parsed
    if problems:
        raise ValueError(f"unchecked content or key: {problems[0].code} at {problems[0].where}")
    return question


@dataclass(slots=True)
class RowReader:
    """Reads the rows of the tables of a question, whose ids are unique over all of them.

    What is wrong is added to `problems`; with `skip_repeated` a row whose id is taken or reserved
    is left out. `not_a_list` and `no_id` are the codes of what is no list, and of a row without id.
    """

    problems: list[Problem]
    reserved: Collection[str]
    skip_repeated: bool = False
    not_a_list: str = "rows_are_no_list"
    no_id: str = "row_without_id"
    seen_ids: set[str] = field(default_factory=set)

    def read(self, listed: Json, table: str) -> Iterator[tuple[str, Mapping[str, Json]]]:
        """Yield the id and the fields of each row of a table."""
        if not isinstance(listed, list | tuple):
            self.problems.append(Problem(table, self.not_a_list, {}))
            return
        for position, entry in enumerate(listed):
            row = entry if isinstance(entry, dict) else {}
            id_ = row.get("id")
            if not isinstance(id_, str) or not id_:
                self.problems.append(Problem(table, self.no_id, {"position": position}))
            elif self._is_new(id_, table) or not self.skip_repeated:
                self.seen_ids.add(id_)
                yield id_, row

    def _is_new(self, id_: str, table: str) -> bool:
        codes = (("duplicate_id", self.seen_ids), ("reserved_id", self.reserved))
        clashes = [Problem(f"{table}.{id_}", code, {}) for code, ids in codes if id_ in ids]
        self.problems.extend(clashes)
        return not clashes


def read_flag(
    source: Content, field: str, where: str, problems: list[Problem], *, default: bool
) -> bool:
    """Return a field that is true or false; anything else is a problem."""
    flag = source.get(field, default)
    if isinstance(flag, bool):
        return flag
    problems.append(Problem(where, "not_true_or_false", {"field": field}))
    return default


def read_object(raw: Json, names: Collection[str]) -> Mapping[str, Json] | InvalidAnswer | None:
    """Return the fields of a raw answer, of which there may be these; None for no answer."""
    if raw is None:
        return None
    if not isinstance(raw, dict):
        return InvalidAnswer("not_an_object", {"where": "answer"})
    if not raw.keys() <= set(names):
        return InvalidAnswer("unknown_field", {"where": "answer"})
    return raw


def list_no_parts(content: Content) -> tuple[tuple[str, bool], ...]:
    """Return nothing: a question of this kind has no parts to put in an order."""
    return ()


def refuse_order(order: Collection[str]) -> None:
    """Refuse an order of a question that has no parts: ValueError."""
    if order:
        raise ValueError("there are no parts to order")
