"""How answered questions are drawn, with what may be told of them.

Many learners answer the same: each row, line and question is drawn once for each way it can turn
out, and then remembered.
"""

from collections.abc import Hashable, Iterable

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from quizzes.lib.memory import Memory
from quizzes.results.report import ItemReport
from quizzes.web import pages, words
from quizzes.web.kinds import WEB_KINDS
from quizzes.web.moulds import Mould, cast, gap

STATES = {
    "right": "right",
    "partly": "partly",
    "wrong": "wrong",
    "unanswered": "unanswered",
    "waits": "pending",
}

_pieces: Memory[tuple[str, str, Hashable], str] = Memory(20_000)
_cards: Memory[tuple[str, pages.Answer], Mould] = Memory(5000)


def draw(items: Iterable[ItemReport], lang: str) -> SafeString:
    """Draw all questions of an ended attempt in this language."""
    return mark_safe("".join(_card(item, lang) for item in items))  # noqa: S308  made of templates


def _card(item: ItemReport, lang: str) -> SafeString:
    kind = WEB_KINDS[item.plan.kind]
    why = kind.why(item, lang)
    values = {
        "options": _pieces_of("partials/review_option.html", "option", kind.review(item, lang)),
        "why": _pieces_of("partials/ledger_line.html", "line", why),
    }
    return _mould(_answer(item, lang, explained=bool(why))).fill(values)


def _pieces_of(template: str, name: str, things: Iterable[Hashable]) -> str:
    language = get_language() or ""
    keys = [(language, template, thing) for thing in things]
    drawn = _pieces.get_many(
        keys, lambda new: {key: render_to_string(template, {name: key[2]}) for key in new}
    )
    return "".join(drawn[key] for key in keys)


def _mould(answer: pages.Answer) -> Mould:
    key = (get_language() or "", answer)
    return _cards.get_many([key], lambda _: {key: _cast(answer)})[key]


def _cast(answer: pages.Answer) -> Mould:
    question = {
        **{name: getattr(answer, name) for name in pages.Answer.__slots__},
        "review_template": f"quizzes/kinds/{answer.kind}/review.html",
        "options_html": gap("options"),
        "why_html": gap("why"),
    }
    return cast(render_to_string("quizzes/taking/answer.html", {"question": question}))


def _answer(item: ItemReport, lang: str, *, explained: bool) -> pages.Answer:
    kind, said = WEB_KINDS[item.plan.kind], item.paper.words(lang)
    return pages.Answer(
        number=item.slot + 1,
        kind=item.plan.kind,
        prompt_html=mark_safe(said.prompt),  # noqa: S308  rendered by quizzes.lib.markup
        lang=said.language,
        points_earned=None if item.earned is None else words.figure(item.earned),
        points=words.figure(item.plan.points),
        state=STATES.get(item.outcome),
        explanation_html=mark_safe(item.explanation) if item.explanation else None,  # noqa: S308  the same
        explanation_lang=item.feedback_language,
        credit=None if item.credit is None else words.share(item.credit),
        scheme_sentence=words.scheme(item.plan.scheme) if kind.says_scheme else "",
        explained=explained,
    )
