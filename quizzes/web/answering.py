"""How answered questions are drawn, with what may be told of them.

Many learners answer the same: each piece and each question is drawn once for each way it can turn
out, and then remembered.
"""

from collections.abc import Hashable, Iterable

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from quizzes.lib.frozen_cache import FrozenCache
from quizzes.results.report import ItemReport
from quizzes.web import pages, words
from quizzes.web.kinds import WEB_KINDS
from quizzes.web.moulds import Gaps, Mould, cast
from quizzes.web.telling import safe

UNGRADED = "ungraded"
STATES = {
    "right": "right",
    "partly": "partly",
    "wrong": "wrong",
    "unanswered": "unanswered",
    "waits": "pending",
    UNGRADED: UNGRADED,
}
WHY = "why"

_pieces: FrozenCache[tuple[str, pages.Piece], str] = FrozenCache(20_000)
_cards: FrozenCache[tuple[str, pages.Answer], Mould] = FrozenCache(5000)


def draw(items: Iterable[ItemReport], lang: str) -> SafeString:
    """Draw all questions of an ended attempt in this language."""
    return mark_safe("".join(_card(item, lang) for item in items))  # noqa: S308  made of templates


def _card(item: ItemReport, lang: str) -> SafeString:
    kind = WEB_KINDS[item.plan.kind]
    review, why = kind.review(item, lang), kind.why(item, lang)
    values = {name: _drawn(pieces) for name, pieces in review.pieces.items()}
    values[WHY] = _drawn([pages.Piece("partials/ledger_line.html", line) for line in why])
    answer = _answer(item, lang, explained=bool(why), frame=review.frame)
    return _mould(answer).fill(values)


def _drawn(pieces: Iterable[pages.Piece]) -> str:
    language = get_language() or ""
    keys = [(language, piece) for piece in pieces]
    drawn = _pieces.get_many(
        [key for key in keys if key[1].kept], lambda new: {key: _draw(key[1]) for key in new}
    )
    return "".join(drawn.get(key) or _draw(key[1]) for key in keys)


def _draw(piece: pages.Piece) -> str:
    return render_to_string(piece.template, {"row": piece.row})


def _mould(answer: pages.Answer) -> Mould:
    key = (get_language() or "", answer)
    return _cards.get_many([key], lambda _: {key: _cast(answer)})[key]


def _cast(answer: pages.Answer) -> Mould:
    question = {
        **{name: getattr(answer, name) for name in pages.Answer.__slots__},
        "review_template": f"quizzes/kinds/{answer.kind}/review.html",
        "pieces": Gaps(),
    }
    return cast(render_to_string("quizzes/taking/answer.html", {"question": question}))


def _answer(item: ItemReport, lang: str, *, explained: bool, frame: Hashable) -> pages.Answer:
    kind, texts = WEB_KINDS[item.plan.kind], item.paper.words(lang)
    earned = None if item.outcome == UNGRADED else item.earned
    return pages.Answer(
        number=item.slot + 1,
        kind=item.plan.kind,
        prompt_html=mark_safe(texts.prompt),  # noqa: S308  rendered by quizzes.lib.markup
        lang=texts.language,
        points_earned=None if earned is None else words.figure(earned),
        points=words.figure(item.plan.points),
        state=STATES.get(item.outcome),
        remarks=tuple(mark_safe(html) for html in item.remarks),  # noqa: S308  the same
        explanation_html=safe(item.explanation),
        feedback_lang=item.feedback_language,
        credit=None if item.credit is None else words.share(item.credit),
        scoring_hint=words.describe_scoring_method(item.plan.scoring_method)
        if kind.shows_scoring_hint
        else "",
        explained=explained,
        draws_prompt=kind.draws_prompt,
        frame=frame,
    )
