"""Finding questions to put into a quiz: by their texts, tag, bank, kind, languages and use."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from quizzes.attempts.key_access import banks_whose_keys_are_visible_to
from quizzes.bank.models import Bank, Question, Tag
from quizzes.bank.text_search import find_questions
from quizzes.instructor.admin_base import MAX_SEARCH_LENGTH
from quizzes.instructor.composer.question_facts import QuestionFacts, load_question_facts
from quizzes.instructor.translated_field import language_names
from quizzes.lib.number_parsing import parse_count
from quizzes.presentation.messages.kinds import KIND_LABELS
from quizzes.publishing.models import Slot

PER_PAGE = 20
MOST_PAGES = 10_000
UNUSED, HERE, COMPLETE, INCOMPLETE = "unused", "here", "complete", "incomplete"
USES: Mapping[str, Promise] = {
    "": gettext_lazy("used or not"),
    UNUSED: gettext_lazy("in no quiz yet"),
    "used": gettext_lazy("in some quiz"),
    HERE: gettext_lazy("in this quiz"),
}
LANGUAGES: Mapping[str, Promise] = {
    "": gettext_lazy("in any language"),
    COMPLETE: gettext_lazy("in all languages"),
    INCOMPLETE: gettext_lazy("a language is missing"),
}


@dataclass(frozen=True, slots=True)
class PickerFilters:
    """What somebody looks for, as the form has it."""

    text: str = ""
    bank: int = 0
    tag: int = 0
    kind: str = ""
    language: str = ""
    use: str = ""
    page: int = 1


@dataclass(frozen=True, slots=True)
class PickerPage:
    """A page of the questions that match, and the lists to choose from."""

    filters: PickerFilters
    questions: Sequence[QuestionFacts]
    total: int
    page_count: int
    banks: Sequence[Bank]
    tags: Sequence[Tag]
    kinds: Mapping[str, Any]
    languages: Mapping[str, Any]
    uses: Mapping[str, Any]


def read_filters(post: QueryDict, *, page: int = 1) -> PickerFilters:
    """Return the filters of a form; what is none of ours counts as none."""

    def read_id(name: str) -> int:
        return parse_count(post.get(name, ""), maximum=2**31)

    return PickerFilters(
        text=post.get("find-text", "").replace("\0", "").strip()[:MAX_SEARCH_LENGTH],
        bank=read_id("find-bank"),
        tag=read_id("find-tag"),
        kind=post.get("find-kind", ""),
        language=post.get("find-language", ""),
        use=post.get("find-use", ""),
        page=page,
    )


def load_picker_page(
    filters: PickerFilters | None, askable: Collection[int] = (), *, person: User
) -> PickerPage:
    """Return a page of the questions that this person may use and that the filters find.

    None: the lists to choose from alone. `askable`: the questions of this quiz.
    """
    banks = list(banks_whose_keys_are_visible_to(person))
    visible = Question.objects.filter(bank__in=[bank.pk for bank in banks])
    usable = visible.none() if filters is None else visible.filter(retired_at=None)
    filters = filters or PickerFilters()
    if filters.use == HERE:
        usable = usable.filter(pk__in=askable)
    matching = filter_questions(usable, filters)
    total = matching.count()
    page_count = max(1, -(-total // PER_PAGE))
    page = min(max(filters.page, 1), page_count)
    start = (page - 1) * PER_PAGE
    pks = list(
        matching.order_by("bank__slug", "name").values_list("pk", flat=True)[
            start : start + PER_PAGE
        ]
    )
    rows = visible.filter(pk__in=pks).order_by("bank__slug", "name")
    tagged = Tag.objects.filter(questions__bank__in=[bank.pk for bank in banks])
    return PickerPage(
        filters=replace(filters, page=page),
        questions=list(load_question_facts(rows, visible).values()),
        total=total,
        page_count=page_count,
        banks=banks,
        tags=list(tagged.distinct()),
        kinds={"": _("of any kind"), **KIND_LABELS},
        languages=LANGUAGES,
        uses=USES,
    )


def filter_questions(questions: QuerySet[Question], filters: PickerFilters) -> QuerySet[Question]:
    """Return the questions that the filters find; each word of the text must be found."""
    questions = find_questions(questions, filters.text)
    if filters.bank:
        questions = questions.filter(bank=filters.bank)
    if filters.tag:
        questions = questions.filter(tags=filters.tag)
    if filters.kind:
        questions = questions.filter(kind=filters.kind)
    if filters.language in (COMPLETE, INCOMPLETE):
        complete = Q(*(_has_prompt(code) for code in language_names()))
        questions = questions.filter(complete if filters.language == COMPLETE else ~complete)
    if filters.use not in ("", HERE):
        used = Exists(Slot.objects.filter(question=OuterRef("pk")))
        questions = questions.filter(~used if filters.use == UNUSED else used)
    return questions


def _has_prompt(language: str) -> Q:
    return Q(**{f"draft__data__words__{language}__prompt__regex": r"\S"})


def list_pickable(pks: Collection[int], *, person: User) -> list[int]:
    """Return those of the questions that this person may put into a quiz, in the same order."""
    banks = banks_whose_keys_are_visible_to(person)
    rows = Question.objects.filter(pk__in=pks, bank__in=banks, retired_at=None)
    usable = set(rows.values_list("pk", flat=True))
    return [pk for pk in pks if pk in usable]
