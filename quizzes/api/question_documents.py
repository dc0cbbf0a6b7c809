"""The question document as JSON: what a draft or a published version is, with its key."""

from collections.abc import Iterable, Mapping
from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from grading.contract import Problem
from grading.kinds import KINDS
from quizzes.api.fields import StrictCharField, StrictSerializer
from quizzes.api.problems import build_refusal
from quizzes.bank.row_ids import are_free_row_ids
from quizzes.bank.row_names import LONGEST_ROW_NAME, name_new_rows
from quizzes.document import QuestionDocument
from quizzes.document.value_types import find_type_problems
from quizzes.formats.parsing.reading_limits import READING_LIMITS
from quizzes.lib.errors import Invalid
from quizzes.presentation.messages.problems import describe_problem

TEXTS_HELP = "language → part → text, or part → id of a row → text"


class QuestionDocumentSerializer(serializers.Serializer[Any]):
    """A whole question: what is asked, its key, its texts and its feedback in every language."""

    kind = serializers.CharField()
    scoring_method = serializers.CharField(allow_blank=True)
    source_language = serializers.CharField()
    content = serializers.DictField(help_text="what is the same in every language")
    key = serializers.DictField(help_text="what is right")
    words = serializers.DictField(child=serializers.DictField(), help_text=TEXTS_HELP)
    feedback = serializers.DictField(child=serializers.DictField(), help_text=TEXTS_HELP)


class QuestionDocumentRequest(StrictSerializer):
    """A whole question, in the place of the one that is there.

    Each row (an option, a pair, an accepted answer) has an id: of a row that the question has or
    had, or a new UUID.
    """

    kind = serializers.ChoiceField(list(KINDS))
    scoring_method = StrictCharField(max_length=30, required=False, allow_blank=True, default="")
    source_language = StrictCharField(max_length=5, required=False, default="en")
    content = serializers.DictField(required=False, default=dict)
    key = serializers.DictField(required=False, default=dict)
    words = serializers.DictField(
        child=serializers.DictField(), required=False, default=dict, help_text=TEXTS_HELP
    )
    feedback = serializers.DictField(
        child=serializers.DictField(), required=False, default=dict, help_text=TEXTS_HELP
    )


class QuestionRequest(StrictSerializer):
    """A question as its author writes it."""

    document = QuestionDocumentRequest()
    rows = serializers.DictField(
        child=serializers.SlugField(max_length=LONGEST_ROW_NAME),
        required=False,
        default=dict,
        help_text="id of a new row → its short name; without it the next one that is free",
    )


def build_question_refusal(problems: Iterable[Problem], *, below: str = "") -> ValidationError:
    """Return the refusal of a question: each problem at its place, in words."""
    described = (
        (problem.where, problem.code, describe_problem(problem.code, problem.detail))
        for problem in problems
    )
    return build_refusal(described, below=below)


def read_document(posted: Mapping[str, Any]) -> QuestionDocument:
    """Return a document that was posted; what no question of its kind can hold: ValidationError.

    More rows than are read of a file: Invalid.
    """
    document = QuestionDocument(**posted)
    problems = tuple(find_type_problems(document))
    if problems:
        raise build_question_refusal(problems, below="document")
    if len(document.row_ids) > READING_LIMITS.options:
        raise Invalid("too_many_rows", where="document", maximum=READING_LIMITS.options)
    return document


def name_rows_of(
    document: QuestionDocument, existing: Mapping[str, str], posted: Mapping[str, str]
) -> dict[str, str]:
    """Return id → name of the rows that are new; `existing` are those that the question ever had.

    An id that is twice there, no UUID or another question's, or a name that is not free: Invalid.
    """
    ids = document.row_ids
    if len(set(ids)) < len(ids):
        raise Invalid("row_repeated", where="document")
    new = {id_ for id_ in ids if id_ not in existing}
    if not are_free_row_ids(new):
        raise Invalid("row_unknown", where="document")
    chosen = {id_: name for id_, name in posted.items() if existing.get(id_) != name}
    if (
        chosen.keys() - new
        or len(set(chosen.values())) < len(chosen)
        or set(chosen.values()) & set(existing.values())
    ):
        raise Invalid("row_name_taken", where="rows")
    return name_new_rows(document, existing, chosen)
