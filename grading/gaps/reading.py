"""Showing gaps to a taker and reading what came back; neither has ever seen a key."""

from collections.abc import Sequence

from grading.contract import Answer, Content, Json, Presented, Unreadable
from grading.gaps.families import FAMILIES
from grading.gaps.structure import OPTIONS, SINGLE_CHOICE, Gap, gaps, rows_by_gap, rows_of


def orderable(content: Content) -> tuple[tuple[str, bool], ...]:
    """Give the ids of all options of all gaps; each gap shows its own in the order they get."""
    by_gap = rows_by_gap(content.get(OPTIONS))
    return tuple((str(row["id"]), False) for gap in gaps(content) for row in by_gap.get(gap.id, ()))


def present(kind: str, content: Content, order: Sequence[str]) -> Presented:
    """Give the gaps in the author's order, with their options as they follow in `order`."""
    if sorted(order) != sorted(id_ for id_, _ in orderable(content)):
        raise ValueError("an order names every option once")
    by_gap = rows_by_gap(content.get(OPTIONS))
    owner = {row["id"]: gap for gap, rows in by_gap.items() for row in rows}
    shown: list[Json] = []
    for gap in gaps(content):
        one: dict[str, Json] = {"id": gap.id, "kind": gap.kind}
        if gap.kind == SINGLE_CHOICE:
            one["options"] = [id_ for id_ in order if owner[id_] == gap.id]
        shown.append(one)
    return Presented(kind, {"gaps": shown})


def read(content: Content, raw: Json) -> Answer | Unreadable | None:
    """Read `{"gaps": {gap id: answer of its family}}`; no gap answered is unanswered."""
    if raw is None:
        return None
    if not isinstance(raw, dict):
        return Unreadable("not_an_object", {"where": "answer"})
    if not raw.keys() <= {"gaps"}:
        return Unreadable("unknown_field", {"where": "answer"})
    given = raw.get("gaps", {})
    if not isinstance(given, dict):
        return Unreadable("not_an_object", {"where": "gaps"})
    found = gaps(content)
    if not given.keys() <= {gap.id for gap in found}:
        return Unreadable("unknown_gap", {"where": "gaps"})
    return _answers(found, content, given)


def _answers(
    found: tuple[Gap, ...], content: Content, given: dict[str, Json]
) -> Answer | Unreadable | None:
    rows, answers = rows_of(content, {}), dict[str, Json]()
    for gap in found:
        read_ = FAMILIES[gap.kind].read(rows[gap.kind].get(gap.id, []), given.get(gap.id))
        if isinstance(read_, Unreadable):
            return _in_gap(gap.id, read_)
        if read_ is not None:
            answers[gap.id] = read_
    return {"gaps": answers} if answers else None


def _in_gap(id_: str, found: Unreadable) -> Unreadable:
    """Say in which gap; `where` leads to it from the whole answer."""
    inner = found.detail["where"]
    where = f"gaps.{id_}" if inner == "answer" else f"gaps.{id_}.{inner}"
    return Unreadable(found.code, {**found.detail, "where": where})
