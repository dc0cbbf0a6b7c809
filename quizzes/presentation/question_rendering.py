"""How questions are rendered as forms: those of an open attempt, or one for its author."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext

from grading.kinds import KINDS
from quizzes.attempts.manifest import Slot
from quizzes.attempts.selectors import AttemptView, CurrentResponse
from quizzes.bank.selectors import PublicVersion
from quizzes.lib.frozen_cache import FrozenCache
from quizzes.presentation.excerpts import excerpt
from quizzes.presentation.form_parsing import form_fingerprint
from quizzes.presentation.formatting import format_letter, format_points
from quizzes.presentation.fragments import CachedFragment, compile_fragment, placeholder
from quizzes.presentation.kinds import PRESENTED_KINDS
from quizzes.presentation.scoring_hint import describe_scoring

_questions: FrozenCache[tuple[UUID, str, str], CachedFragment] = FrozenCache(5000)
_excerpts: FrozenCache[tuple[UUID, str], str] = FrozenCache(5000)
_maps: FrozenCache[tuple[str, int], CachedFragment] = FrozenCache(200)

PLACEHOLDERS = (
    *("slot", "number", "points", "answered", "flagged", "flag", "revision", "fingerprint"),
    *("error", "invalid", "all_invalid"),
)

INVALID = 'aria-invalid="true"'


@dataclass(frozen=True, slots=True)
class QuestionState:
    """One question as the learner is to see it: as saved, perhaps with what went wrong.

    `answer` is what its controls hold: what was saved last, or what could not be read. `places`
    are the parts of it that the error is about, where it is not about all.
    """

    response: CurrentResponse
    answer: Mapping[str, Any] | None
    flagged: bool
    error: str = ""
    places: tuple[str, ...] = ()

    @property
    def answered(self) -> bool:
        """Whether an answer is saved."""
        return self.response.answer is not None


def saved_states(attempt_view: AttemptView) -> list[QuestionState]:
    """Return every question as it was saved last."""
    return [
        QuestionState(response, response.answer, response.flagged)
        for response in attempt_view.responses
    ]


def render_questions(
    attempt_view: AttemptView, language: str, questions: Sequence[QuestionState]
) -> SafeString:
    """Return the questions of an attempt that may be seen now, in this language, as HTML."""
    rendered = (
        render_question(
            attempt_view.public_versions[number],
            attempt_view.manifest.slots[number],
            questions[number],
            language,
        )
        for number in attempt_view.shown_slots
    )
    return mark_safe("".join(rendered))  # noqa: S308  made of templates


def render_question(
    public_version: PublicVersion, slot: Slot, question: QuestionState, language: str
) -> SafeString:
    """Return one question as the form that a learner answers it in."""
    values = {
        "slot": str(question.response.slot),
        "number": str(question.response.slot + 1),
        "points": format_points(slot.points),
        "answered": _format_boolean(question.answered),
        "flagged": _format_boolean(question.flagged),
        "flag": "checked" if question.flagged else "",
        "revision": str(question.response.revision),
        "fingerprint": form_fingerprint(
            question.response.answer, flagged=question.response.flagged
        ),
        "error": escape(question.error),
        "invalid": _format_boolean(bool(question.error)),
        **{f"invalid:{place}": INVALID for place in question.places},
        "all_invalid": INVALID if question.error and not question.places else "",
        **_letters(slot.order),
        **PRESENTED_KINDS[public_version.kind].placeholder_values(question.answer),
    }
    return _load_fragment(public_version, language, slot.scoring_method).render(values, slot.order)


def preview_question(  # noqa: PLR0913  what a preview shows of an attempt
    public_version: PublicVersion,
    language: str,
    slot: int,
    *,
    answer: Mapping[str, Any] | None = None,
    order: Sequence[str] | None = None,
    points: str = "1",
) -> SafeString:
    """Return one question as a form whose answers are not kept: what an author's preview shows.

    With an `order`, it is one question of several and has its number; else the author's order.
    """
    parts = KINDS[public_version.kind].shufflable_ids(public_version.content)
    number = 1 if order is None else slot + 1
    order = [id_ for id_, _ in parts] if order is None else order
    values = {
        "slot": str(slot),
        "number": str(number),
        "points": points,
        **_letters(order),
        **PRESENTED_KINDS[public_version.kind].placeholder_values(answer),
    }
    return _compile_question(public_version, language, public_version.scoring_method).render(
        values, order
    )


def _letters(order: Sequence[str]) -> dict[str, str]:
    return {f"letter:{id_}": format_letter(place) for place, id_ in enumerate(order)}


def _load_fragment(
    public_version: PublicVersion, language: str, scoring_method: str
) -> CachedFragment:
    key = (public_version.uuid, language, scoring_method)
    return _questions.get_many(
        [key], lambda _: {key: _compile_question(public_version, language, scoring_method)}
    )[key]


def _compile_question(
    public_version: PublicVersion, language: str, scoring_method: str
) -> CachedFragment:
    kind, texts = PRESENTED_KINDS[public_version.kind], public_version.words(language)
    question = {
        **{name: placeholder(name) for name in PLACEHOLDERS},
        "kind": public_version.kind,
        "form_template": f"quizzes/kinds/{public_version.kind}/form.html",
        "prompt_html": texts.prompt,
        "lang": texts.language,
        "scoring_hint": describe_scoring(
            public_version.kind, scoring_method, public_version.content
        ),
        "graded": KINDS[public_version.kind].schema.graded,
        "renders_prompt": kind.renders_prompt,
        "form": kind.template_context(public_version, language),
    }
    return compile_fragment(render_to_string("quizzes/question_form.html", {"question": question}))


def prompt_excerpt(public_version: PublicVersion, language: str) -> str:
    """Return the beginning of a question's prompt, without its markup."""
    key = (public_version.uuid, language)
    excerpts = _excerpts.get_many(
        [key], lambda _: {key: excerpt(public_version.words(language).prompt)}
    )
    return excerpts[key]


def render_question_map(questions: Sequence[QuestionState]) -> SafeString:
    """Return the map of questions: a link each, its state in words too."""
    key = (get_language() or "", len(questions))
    fragment = _maps.get_many([key], lambda _: {key: _compile_map(len(questions))})[key]
    state_words = {True: gettext("answered"), False: gettext("not answered")}
    flagged = f", {gettext('flagged')}"
    values: dict[str, str] = {}
    for number, question in enumerate(questions):
        values[f"answered:{number}"] = _format_boolean(question.answered)
        values[f"flagged:{number}"] = _format_boolean(question.flagged)
        values[f"words:{number}"] = state_words[question.answered] + (
            flagged if question.flagged else ""
        )
    return fragment.render(values)


def _compile_map(count: int) -> CachedFragment:
    links = [
        {
            "slot": slot,
            "number": slot + 1,
            "answered": placeholder(f"answered:{slot}"),
            "flagged": placeholder(f"flagged:{slot}"),
            "words": placeholder(f"words:{slot}"),
        }
        for slot in range(count)
    ]
    return compile_fragment(render_to_string("partials/question_map.html", {"questions": links}))


def _format_boolean(value: bool) -> str:
    return "true" if value else "false"
