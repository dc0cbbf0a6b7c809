"""What a new question begins with: of true or false, its two options with their words."""

from typing import Final
from uuid import uuid4

from django.utils import translation
from django.utils.translation import pgettext

from quizzes.document import QuestionDocument
from quizzes.instructor.translated_field import language_names

TRUE_FALSE: Final = "true_false"


def begin_document(kind: str) -> QuestionDocument:
    """Return an empty document of a kind; true or false is known before anything is written."""
    if kind != TRUE_FALSE:
        return QuestionDocument.from_json({"kind": kind})
    rows = {True: str(uuid4()), False: str(uuid4())}
    return QuestionDocument.from_json(
        {
            "kind": kind,
            "content": {"options": [{"id": id_, "value": value} for value, id_ in rows.items()]},
            "words": {code: {"options": _name_options(code, rows)} for code in language_names()},
        }
    )


def _name_options(language: str, rows: dict[bool, str]) -> dict[str, str]:
    with translation.override(language):
        return {
            rows[True]: pgettext("option", "True"),
            rows[False]: pgettext("option", "False"),
        }
