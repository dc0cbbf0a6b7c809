"""Accepting an answer that learners wrote: a new draft and, where that is safe, a new version.

What was graded stays as it is; to mark it anew is for a regrade.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from itertools import count

from django.db import transaction

from accounts.models import User
from grading.json_types import Json, ratio_to_json
from grading.schema import QuestionRow
from grading.short_text.row_matching import find_match
from grading.short_text.schema import ACCEPTED
from grading.short_text.structure import MAX_DENOMINATOR, load_folding, load_rows
from grading.short_text.wildcard import escape_wildcards
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.bank import services
from quizzes.bank.access import check_editor
from quizzes.bank.models import Draft, Question, QuestionVersion
from quizzes.document import QuestionDocument
from quizzes.lib.errors import Invalid

TABLE = ACCEPTED.name


@dataclass(frozen=True, slots=True)
class AcceptedAnswerStatus:
    """The draft that an answer would go into: its revision, and whether it is what is published."""

    revision: int
    published: bool


def load_accepted_answer_status(question: Question) -> AcceptedAnswerStatus:
    """Return how the draft stands now."""
    draft = Draft.objects.get(question=question)
    return AcceptedAnswerStatus(
        draft.revision, _is_published(question, QuestionDocument.from_json(draft.data))
    )


@transaction.atomic
def add_accepted_answer(  # noqa: PLR0913  what is accepted, and who says so, when and on top of what
    *, question: Question, text: str, credit: Fraction, by: User, revision: int, now: datetime
) -> QuestionVersion | None:
    """Add an answer to the accepted ones, before the first that would match it too.

    If the draft is as published, the next version is published at once; else None: the answer is
    in the draft, beside what else was changed there. May not edit: NotFound. Another save came
    between: Conflict. Problems: Invalid, with all of them; nothing is kept.
    """
    check_editor(by, question.bank)
    # The draft before the question, as whoever writes on the authoring page locks them.
    draft = Draft.objects.select_for_update().get(question=question)
    question = Question.objects.get(pk=question.pk)
    document = QuestionDocument.from_json(draft.data)
    if ACCEPTED not in document.schema.tables:
        raise Invalid("not_typed")
    if not 0 <= credit <= 1 or credit.denominator > MAX_DENOMINATOR:
        raise Invalid("accepted_credit_out_of_range")
    at_once = _is_published(question, document)
    has_wildcards = load_folding(document.content).wildcards
    literal = escape_wildcards(text) if has_wildcards else text
    extended = _insert_row(document, _make_row(question, literal, credit, by), text)
    problems = services.save_draft(question=question, item=extended, revision=revision, by=by)
    group = question.bank.group_id
    record(AuditCode.ANSWER_ACCEPTED, about=question, group=group, by=by, after={"credit": credit})
    if not at_once:
        return None
    if problems:
        raise Invalid("draft_has_problems", problems=problems)
    return services.publish(question=question, by=by, now=now, note=_format_note(text))


def _is_published(question: Question, document: QuestionDocument) -> bool:
    return question.current is not None and question.current.digest == document.digest()


def _make_row(question: Question, text: str, credit: Fraction, by: User) -> QuestionRow:
    """Return a row for the text under the next free name."""
    names = set(question.options.values_list("name", flat=True))
    name = next(name for n in count(1) if (name := f"a{n}") not in names)
    id_ = services.option_ids(question=question, names=[name], by=by)[name]
    values: Mapping[str, Json] = {"text": text, "credit": ratio_to_json(credit)}
    return QuestionRow(id_, {**values, "pattern": False})


def _insert_row(document: QuestionDocument, row: QuestionRow, text: str) -> QuestionDocument:
    question_data = document.question_data
    rows = list(question_data.tables[TABLE])
    rows.insert(_find_place(document, text, len(rows)), row)
    content, key = document.schema.dump(
        replace(question_data, tables={**question_data.tables, TABLE: rows})
    )
    return replace(document, content=content, key=key)


def _find_place(document: QuestionDocument, text: str, last: int) -> int:
    """Return the index of the first answer that matches the text, else the last one."""
    try:
        accepted, counts = load_rows(document.key.get(TABLE, [])), load_folding(document.content)
    except ValueError:
        return last
    match = find_match(accepted, counts, text)
    return last if match is None else accepted.index(match)


def _format_note(text: str) -> str:
    return f"+ “{text}”"[:300]
