"""Showing gaps to a taker and reading what came back; neither has ever seen a key."""

from collections.abc import Mapping, Sequence

from grading.cloze.gap_kinds import GAP_KINDS
from grading.cloze.structure import OPTIONS, SINGLE_CHOICE, Gap, group_by_gap, load_gaps, load_rows
from grading.contract import InvalidAnswer, PublicQuestion
from grading.json_types import Answer, Content, Json
from grading.lower_bound import build_public_bound
from grading.parsing import read_object


def shufflable_ids(content: Content) -> tuple[tuple[str, bool], ...]:
    """Return the ids of all options of all gaps; each gap shows its own in the order they get."""
    by_gap = group_by_gap(content.get(OPTIONS))
    return tuple(
        (str(row["id"]), False) for gap in load_gaps(content) for row in by_gap.get(gap.id, ())
    )


def public_view(kind: str, content: Content, order: Sequence[str]) -> PublicQuestion:
    """Return the gaps in the author's order, with their options as they follow in `order`."""
    if sorted(order) != sorted(id_ for id_, _ in shufflable_ids(content)):
        raise ValueError("an order names every option once")
    by_gap = group_by_gap(content.get(OPTIONS))
    owner = {row["id"]: gap for gap, rows in by_gap.items() for row in rows}
    public_gaps: list[Json] = []
    for gap in load_gaps(content):
        public_gap: dict[str, Json] = {"id": gap.id, "kind": gap.kind}
        if gap.kind == SINGLE_CHOICE:
            public_gap["options"] = [id_ for id_ in order if owner[id_] == gap.id]
        if gap.comparison:
            public_gap["comparison"] = dict(gap.comparison)
        public_gaps.append(public_gap)
    return PublicQuestion(kind, {"gaps": public_gaps} | build_public_bound(content))


def parse(content: Content, raw: Json) -> Answer | InvalidAnswer | None:
    """Read `{"gaps": {gap id: answer of its family}}`; no gap answered is unanswered."""
    fields = read_object(raw, {"gaps"})
    if not isinstance(fields, Mapping):
        return fields
    raw_answers = fields.get("gaps", {})
    if not isinstance(raw_answers, dict):
        return InvalidAnswer("not_an_object", {"where": "gaps"})
    all_gaps = load_gaps(content)
    if not raw_answers.keys() <= {gap.id for gap in all_gaps}:
        return InvalidAnswer("unknown_gap", {"where": "gaps"})
    return _answers(all_gaps, content, raw_answers)


def _answers(
    all_gaps: tuple[Gap, ...], content: Content, raw_answers: dict[str, Json]
) -> Answer | InvalidAnswer | None:
    rows, answers = load_rows(content, {}), dict[str, Json]()
    for gap in all_gaps:
        family = GAP_KINDS[gap.kind]
        gap_content, _ = family.build_question(gap, rows[gap.kind].get(gap.id, []), {})
        answer = family.parse(gap_content, raw_answers.get(gap.id))
        if isinstance(answer, InvalidAnswer):
            return _in_gap(gap.id, answer)
        if answer is not None:
            answers[gap.id] = answer
    return {"gaps": answers} if answers else None


def _in_gap(id_: str, invalid: InvalidAnswer) -> InvalidAnswer:
    """Return the reason with the path of its gap from the whole answer in `where`."""
    inner = invalid.detail["where"]
    where = f"gaps.{id_}" if inner == "answer" else f"gaps.{id_}.{inner}"
    return InvalidAnswer(invalid.code, {**invalid.detail, "where": where})
