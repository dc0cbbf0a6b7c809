"""How the questions of an open attempt are drawn, and how a form of answers is read."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4, uuid5
from zlib import crc32

from django.http import QueryDict
from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext

from grading.contract import Unreadable
from grading.kinds import KINDS
from quizzes.attempts.manifest import Slot
from quizzes.attempts.saving import BIGGEST_REVISION, Save
from quizzes.attempts.selectors import Head, Sheet
from quizzes.bank.selectors import Paper
from quizzes.lib.frozen_cache import FrozenCache
from quizzes.presentation.texts import excerpt
from quizzes.web import reading, words
from quizzes.web.kinds import WEB_KINDS
from quizzes.web.moulds import Mould, cast, gap

_questions: FrozenCache[tuple[UUID, str, str], Mould] = FrozenCache(5000)
_excerpts: FrozenCache[tuple[UUID, str], str] = FrozenCache(5000)
_maps: FrozenCache[tuple[str, int], Mould] = FrozenCache(200)

GAPS = (
    *("slot", "number", "points", "answered", "flagged", "flag", "revision", "drawn"),
    *("error", "invalid", "all_invalid"),
)

INVALID = 'aria-invalid="true"'


@dataclass(frozen=True, slots=True)
class Shown:
    """One question as the learner is to see it: as it stands, perhaps with what went wrong.

    `answer` is what its controls hold: what was saved last, or what could not be read. `places`
    are the parts of it that the error is about, where it is not about all.
    """

    head: Head
    answer: Mapping[str, Any] | None
    flagged: bool
    error: str = ""
    places: tuple[str, ...] = ()

    @property
    def answered(self) -> bool:
        """Whether an answer is saved."""
        return self.head.answer is not None


def draw(sheet: Sheet, language: str, questions: Sequence[Shown]) -> SafeString:
    """Render all questions of an attempt in this language."""
    cards = (
        _card(paper, slot, question, language)
        for paper, slot, question in zip(sheet.papers, sheet.manifest.slots, questions, strict=True)
    )
    return mark_safe("".join(cards))  # noqa: S308  made of templates


def sample(paper: Paper, language: str, slot: int) -> SafeString:
    """Draw one question for nobody: what an author's preview shows (settings.QUESTION_DRAWER)."""
    order = [id_ for id_, _ in KINDS[paper.kind].orderable(paper.content)]
    letters = {f"letter:{id_}": words.letter(n) for n, id_ in enumerate(order)}
    values = {"slot": str(slot), "number": "1", **letters, **WEB_KINDS[paper.kind].filled(None)}
    return _cast(paper, language, paper.scoring_method).fill(values, order)


def as_it_stands(sheet: Sheet) -> list[Shown]:
    """Show every question as it was saved last."""
    return [Shown(head, head.answer, head.flagged) for head in sheet.heads]


def _card(paper: Paper, slot: Slot, question: Shown, language: str) -> SafeString:
    values = {
        "slot": str(question.head.slot),
        "number": str(question.head.slot + 1),
        "points": words.figure(slot.points),
        "answered": _truth(question.answered),
        "flagged": _truth(question.flagged),
        "flag": "checked" if question.flagged else "",
        "revision": str(question.head.revision),
        "drawn": print_of(question.head.answer, flagged=question.head.flagged),
        "error": escape(question.error),
        "invalid": _truth(bool(question.error)),
        **{f"invalid:{place}": INVALID for place in question.places},
        "all_invalid": INVALID if question.error and not question.places else "",
        **{f"letter:{id_}": words.letter(place) for place, id_ in enumerate(slot.order)},
        **WEB_KINDS[paper.kind].filled(question.answer),
    }
    return _mould(paper, language, slot.scoring_method).fill(values, slot.order)


def _mould(paper: Paper, language: str, scoring_method: str) -> Mould:
    key = (paper.uuid, language, scoring_method)
    return _questions.get_many([key], lambda _: {key: _cast(paper, language, scoring_method)})[key]


def _cast(paper: Paper, language: str, scoring_method: str) -> Mould:
    kind, texts = WEB_KINDS[paper.kind], paper.words(language)
    question = {
        **{name: gap(name) for name in GAPS},
        "kind": paper.kind,
        "template": f"quizzes/kinds/{paper.kind}/ask.html",
        "prompt_html": texts.prompt,
        "lang": texts.language,
        "scoring_hint": words.describe_scoring_method(scoring_method)
        if kind.shows_scoring_hint
        else "",
        "graded": KINDS[paper.kind].shape.graded,
        "draws_prompt": kind.draws_prompt,
        "form": kind.form(paper, language),
    }
    return cast(render_to_string("quizzes/taking/question.html", {"question": question}))


def excerpt_of(paper: Paper, language: str) -> str:
    """Return the beginning of a question's prompt, without its markup."""
    key = (paper.uuid, language)
    excerpts = _excerpts.get_many([key], lambda _: {key: excerpt(paper.words(language).prompt)})
    return excerpts[key]


def in_words(paper: Paper, answer: Mapping[str, Any] | None) -> str:
    """Return an answer as text, in the language of the page."""
    if answer is None:
        return gettext("no answer")
    return WEB_KINDS[paper.kind].in_words(paper, answer, get_language() or "")


def draw_map(questions: Sequence[Shown]) -> SafeString:
    """Render the map of questions: a link each, its state in words too."""
    key = (get_language() or "", len(questions))
    mould = _maps.get_many([key], lambda _: {key: _cast_map(len(questions))})[key]
    state_words = {True: gettext("answered"), False: gettext("not answered")}
    flagged = f", {gettext('flagged')}"
    values: dict[str, str] = {}
    for number, question in enumerate(questions):
        values[f"answered:{number}"] = _truth(question.answered)
        values[f"flagged:{number}"] = _truth(question.flagged)
        values[f"words:{number}"] = state_words[question.answered] + (
            flagged if question.flagged else ""
        )
    return mould.fill(values)


def _cast_map(count: int) -> Mould:
    places = [
        {
            "slot": slot,
            "number": slot + 1,
            "answered": gap(f"answered:{slot}"),
            "flagged": gap(f"flagged:{slot}"),
            "words": gap(f"words:{slot}"),
        }
        for slot in range(count)
    ]
    return cast(render_to_string("partials/question_map.html", {"questions": places}))


def _truth(value: bool) -> str:
    return "true" if value else "false"


def print_of(answer: Mapping[str, Any] | None, *, flagged: bool) -> str:
    """Return a short checksum of what a question shows, to see later whether it was changed."""
    return f"{crc32(_serialize(answer, flagged).encode()):08x}"


def _serialize(answer: Mapping[str, Any] | None, flagged: bool) -> str:
    return json.dumps([answer, flagged], sort_keys=True, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Unread:
    """An answer that cannot be read whole: as sent, whether flagged, and what is wrong with it."""

    raw: Mapping[str, Any] | None
    flagged: bool
    wrong: tuple[Unreadable, ...]


@dataclass(frozen=True, slots=True)
class Form:
    """What a posted form of answers comes to: saves of what was touched, and what is wrong.

    `chosen` is what each touched question was answered with, for drawing it again. An answer that
    is readable in part is saved as far as it is, and stands among the errors, too.
    """

    saves: list[Save]
    chosen: dict[int, tuple[Mapping[str, Any] | None, bool]]
    errors: dict[int, Unread]


def read_form(posted: QueryDict, sheet: Sheet) -> Form:
    """Return the answers of the questions that the form has and that were changed in it."""
    form = Form([], {}, {})
    posted = _as_scripts_send(posted)
    seed = _seed(posted.get("op", ""))
    for slot, paper in enumerate(sheet.papers):
        if f"r-{slot}" not in posted:
            continue
        raw = WEB_KINDS[paper.kind].read(posted, slot)
        answer, wrong = reading.read(paper, raw)
        flagged = bool(posted.get(f"f-{slot}"))
        if wrong:
            raw_answer = raw if isinstance(raw, Mapping) else None
            form.errors[slot] = Unread(raw_answer, flagged, wrong)
        if wrong and answer is None:
            continue
        if posted.get(f"d-{slot}") != print_of(answer, flagged=flagged):
            form.chosen[slot] = (answer, flagged)
            form.saves.append(_save(slot, answer, seed, flagged, posted.get(f"r-{slot}", "")))
    return form


def _as_scripts_send(posted: QueryDict) -> QueryDict:
    """End lines as scripts do: browsers post CR LF, and one text would be two answers."""
    plain = QueryDict(mutable=True)
    for name, values in posted.lists():
        plain.setlist(name, [str(value).replace("\r\n", "\n") for value in values])
    return plain


def _save(slot: int, answer: dict[str, Any] | None, seed: UUID, flagged: bool, base: str) -> Save:
    """Return a save whose id is derived from form and content: sent again, it is the same save."""
    revision = _revision(base)
    operation = f"{slot}/{revision}/{_serialize(answer, flagged)}"
    return Save(
        slot=slot, raw=answer, operation=uuid5(seed, operation), base=revision, flagged=flagged
    )


def _revision(text: str) -> int:
    """Return a revision; what is no number is an old one, and so at most a conflict."""
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(BIGGEST_REVISION))
    return min(int(text), BIGGEST_REVISION) if is_number else 0


def _seed(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        return uuid4()
