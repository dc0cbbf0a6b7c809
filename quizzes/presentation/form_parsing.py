"""How a posted form of answers is parsed into saves, and what of it cannot be read."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4, uuid5
from zlib import crc32

from django.http import QueryDict

from grading.contract import InvalidAnswer
from quizzes.attempts.responses import MAX_REVISION, ResponseInput
from quizzes.attempts.selectors import AttemptView
from quizzes.lib.number_parsing import parse_count
from quizzes.presentation.kinds import PRESENTED_KINDS
from quizzes.presentation.lenient_parsing import parse_leniently


@dataclass(frozen=True, slots=True)
class RejectedAnswer:
    """An answer that cannot be read whole: as sent, whether flagged, and what is wrong with it."""

    raw: Mapping[str, Any] | None
    flagged: bool
    problems: tuple[InvalidAnswer, ...]


@dataclass(frozen=True, slots=True)
class ParsedForm:
    """What a posted form of answers comes to: saves of what was touched, and what is wrong.

    `answers` is what each touched question was answered with and whether it was flagged, to show
    it again. An answer that is readable in part is saved as far as it is, and stands among the
    errors, too.
    """

    saves: list[ResponseInput]
    answers: dict[int, tuple[Mapping[str, Any] | None, bool]]
    errors: dict[int, RejectedAnswer]


def parse_attempt_form(posted: QueryDict, attempt_view: AttemptView) -> ParsedForm:
    """Return the answers of the questions that the form has and that were changed in it."""
    form = ParsedForm([], {}, {})
    posted = with_plain_line_ends(posted)
    seed = _parse_seed(posted.get("idempotency_key", ""))
    for slot, public_version in enumerate(attempt_view.public_versions):
        if f"r-{slot}" not in posted:
            continue
        raw = PRESENTED_KINDS[public_version.kind].parse_form(posted, slot)
        answer, problems = parse_leniently(public_version, raw)
        flagged = bool(posted.get(f"f-{slot}"))
        if problems:
            raw_answer = raw if isinstance(raw, Mapping) else None
            form.errors[slot] = RejectedAnswer(raw_answer, flagged, problems)
        if problems and answer is None:
            continue
        if posted.get(f"d-{slot}") != form_fingerprint(answer, flagged=flagged):
            form.answers[slot] = (answer, flagged)
            base = posted.get(f"r-{slot}", "")
            form.saves.append(_build_save(slot, answer, seed, flagged, base))
    return form


def form_fingerprint(answer: Mapping[str, Any] | None, *, flagged: bool) -> str:
    """Return a short checksum of what a question shows, to see later whether it was changed."""
    return f"{crc32(_serialize(answer, flagged).encode()):08x}"


def _serialize(answer: Mapping[str, Any] | None, flagged: bool) -> str:
    return json.dumps([answer, flagged], sort_keys=True, separators=(",", ":"))


def with_plain_line_ends(posted: QueryDict) -> QueryDict:
    """Return a form whose lines end as scripts send them: browsers post CR LF."""
    plain = QueryDict(mutable=True)
    for name, values in posted.lists():
        plain.setlist(name, [str(value).replace("\r\n", "\n") for value in values])
    return plain


def _build_save(
    slot: int, answer: dict[str, Any] | None, seed: UUID, flagged: bool, base: str
) -> ResponseInput:
    """Return a save whose id is derived from form and content: sent again, it is the same save."""
    revision = parse_count(base, maximum=MAX_REVISION)  # an old one is at most a conflict
    content = f"{slot}/{revision}/{_serialize(answer, flagged)}"
    return ResponseInput(
        slot=slot,
        raw=answer,
        idempotency_key=uuid5(seed, content),
        base_revision=revision,
        flagged=flagged,
    )


def _parse_seed(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        return uuid4()
