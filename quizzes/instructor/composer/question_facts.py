"""What the composer shows of a question: its prompt, its languages, where it is from, its state."""

from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.utils.translation import get_language

from quizzes.bank.models import Question
from quizzes.instructor.questions.draft_status import STATES, compute_state, load_draft_statuses
from quizzes.instructor.translated_field import language_names, summarize
from quizzes.lib.translated_texts import choose_text
from quizzes.presentation.messages.kinds import kind_label


@dataclass(frozen=True, slots=True)
class LanguageFact:
    """A language, and whether the question has a prompt in it."""

    code: str
    name: str
    is_present: bool


@dataclass(frozen=True, slots=True)
class QuestionFacts:
    """A question in a list. Of one that is not `is_visible` nothing but its name is shown."""

    question: Question
    is_visible: bool
    prompt: str = ""
    language: str = ""
    languages: tuple[LanguageFact, ...] = ()
    tags: tuple[str, ...] = ()
    kind: str = ""
    state: str = ""
    state_label: str = ""
    is_outdated: bool = False


def load_question_facts(
    questions: QuerySet[Question], visible: QuerySet[Question]
) -> dict[int, QuestionFacts]:
    """Return the facts of these questions by primary key, in their order; at most six queries."""
    annotations: dict[str, Any] = {
        f"prompt_{code}": KeyTextTransform(
            "prompt", KeyTransform(code, KeyTransform("words", "draft__data"))
        )
        for code in language_names()
    }
    rows = list(
        questions.annotate(**annotations)
        .select_related("bank", "current")
        .defer("current__content")
        .prefetch_related("tags")
    )
    pks = [row.pk for row in rows]
    readable = set(visible.filter(pk__in=pks).values_list("pk", flat=True))
    statuses = load_draft_statuses(pks)
    return {
        row.pk: _describe(row, statuses.get(row.pk))
        if row.pk in readable
        else QuestionFacts(row, is_visible=False)
        for row in rows
    }


def _describe(question: Any, status: Any) -> QuestionFacts:
    prompts = {code: getattr(question, f"prompt_{code}") or "" for code in language_names()}
    source = status.source_language if status else question.bank.source_language
    text, language = choose_text(prompts, get_language() or source, source)
    state = compute_state(question, status)
    return QuestionFacts(
        question=question,
        is_visible=True,
        prompt=summarize(text, 140),
        language=language,
        languages=tuple(
            LanguageFact(code, name, bool(prompts[code].strip()))
            for code, name in language_names().items()
        ),
        tags=tuple(tag.name for tag in question.tags.all()),
        kind=str(kind_label(question.kind)),
        state=state,
        state_label=str(STATES[state]),
        is_outdated=bool(status and status.is_outdated),
    )
