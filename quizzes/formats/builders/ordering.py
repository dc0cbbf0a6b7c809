"""Questions that are answered by pairing and by putting in order."""

from collections.abc import Sequence

from grading.json_types import Json
from quizzes.formats.builders.question_head import Head, build_question
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.parsing.naming import list_letters


def build_matching(
    head: Head,
    pairs: Sequence[tuple[str, str]],
    distractors: Sequence[str] = (),
    *,
    points: Sequence[int] = (),
    scoring_method: str = "",
    **fields: Json,
) -> ParsedQuestion:
    """Build pairs (left, right); the same right twice is one right for several lefts.

    A left whose right is not known ("") goes with none. `points` is what each pair counts beside
    the others; (): all count the same.
    """
    weights = list[dict[str, Json]]({"points": n} for n in points) or [{}] * len(pairs)
    texts = dict.fromkeys(filter(None, [*(right for _, right in pairs), *distractors]))
    names = {text: f"right-{number}" for number, text in enumerate(texts, start=1)}
    rights = [
        head.build_row("matching", name, {}, {("rights", False): text})
        for text, name in names.items()
    ]
    lefts = [
        head.build_row(
            "matching",
            f"left-{number}",
            {**({"goes_with": names[right]} if right else {}), **weight},
            {("lefts", False): left},
        )
        for number, ((left, right), weight) in enumerate(zip(pairs, weights, strict=True), start=1)
    ]
    tables = {"rights": rights, "lefts": lefts}
    fields.setdefault("shuffle", True)
    return build_question(head, "matching", scoring_method, tables, fields)


def build_ordering(
    head: Head, items: Sequence[str], *, scoring_method: str = "", **fields: Json
) -> ParsedQuestion:
    """Build an order; the items come in the right one. `fields` are its costs."""
    rows = [
        head.build_row("ordering", name, {}, {("items", False): text})
        for text, name in zip(items, list_letters(), strict=False)
    ]
    return build_question(head, "ordering", scoring_method, {"items": rows}, fields)
