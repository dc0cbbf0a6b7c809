"""How answered questions are rendered, with what may be shown of them.

Many learners answer the same: each fragment and each question is rendered once for each way it can
turn out, and then remembered.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import replace

from django.template.loader import render_to_string
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from quizzes.lib.frozen_cache import FrozenCache, IdentityCache
from quizzes.presentation.formatting import format_fraction, format_points
from quizzes.presentation.fragments import (
    CachedFragment,
    Placeholders,
    compile_fragment,
    placeholder,
)
from quizzes.presentation.kinds import PRESENTED_KINDS
from quizzes.presentation.ledger_messages import safe_html
from quizzes.presentation.scoring_hint import describe_scoring
from quizzes.presentation.view_models import ANSWER_STATES, Fragment, ReviewedQuestion
from quizzes.results.attempt_report import QuestionReport

UNGRADED = "ungraded"
STATES = {
    **ANSWER_STATES,
    "unanswered": "unanswered",
    "needs_grading": "pending",
    UNGRADED: UNGRADED,
}
LEDGER = "ledger"
COMMENTS = "comments"
CHALLENGE = "challenge"
URL = "url"

_fragments: FrozenCache[tuple[str, Fragment], str] = FrozenCache(20_000)
_questions: FrozenCache[tuple[str, ReviewedQuestion], CachedFragment] = FrozenCache(5000)
_items: IdentityCache[CachedFragment] = IdentityCache(5000)
_links: FrozenCache[str, CachedFragment] = FrozenCache(10)


def render_review(
    items: Iterable[QuestionReport], lang: str, challenge_url: Callable[[int], str] | None = None
) -> SafeString:
    """Return all questions of an ended attempt in this language, as HTML.

    `challenge_url`: where its learner challenges the question of a number; nobody else does.
    """
    link = None if challenge_url is None else _load_challenge_link()
    return mark_safe(  # noqa: S308  made of templates
        "".join(
            _load_item(item, lang).render(
                {CHALLENGE: link.render({URL: conditional_escape(challenge_url(item.slot + 1))})}
                if link and challenge_url
                else {}
            )
            for item in items
        )
    )


def render_single_review(item: QuestionReport, lang: str) -> SafeString:
    """Return a question that is asked by itself, as HTML: without a number, and without points."""
    return _render_item(item, lang, {}, is_alone=True)


def _load_item(item: QuestionReport, lang: str) -> CachedFragment:
    """Return one question as HTML, where only the link to challenge it is still to be filled in."""
    return _items.get(
        item,
        f"{get_language()} {lang}",
        lambda: compile_fragment(_render_item(item, lang, {CHALLENGE: placeholder(CHALLENGE)})),
    )


def _load_challenge_link() -> CachedFragment:
    """Return the link to challenge a question, where its address is still to be filled in."""
    language = get_language() or ""
    row = Fragment("partials/challenge_link.html", placeholder(URL))
    return _links.get_many([language], lambda _: {language: compile_fragment(_render(row))})[
        language
    ]


def _render_item(
    item: QuestionReport, lang: str, more: Mapping[str, str], *, is_alone: bool = False
) -> SafeString:
    kind = PRESENTED_KINDS[item.manifest_slot.kind]
    content, ledger = kind.build_review(item, lang), kind.ledger_rows(item, lang)
    values = {name: _render_all(fragments) for name, fragments in content.fragments.items()}
    values.update(more)
    values[LEDGER] = _render_all([Fragment("partials/ledger_line.html", row) for row in ledger])
    values[COMMENTS] = "".join(
        _render(Fragment("partials/answer_comment.html", comment, cached=False))
        for comment in item.comments
    )
    question = _build_question(item, lang, explained=bool(ledger), frame=content.frame)
    if is_alone:
        question = replace(question, number=0, points_earned=None)
    return _load_fragment(question).render(values)


def _render_all(fragments: Iterable[Fragment]) -> str:
    language = get_language() or ""
    keys = [(language, fragment) for fragment in fragments]
    rendered = _fragments.get_many(
        [key for key in keys if key[1].cached],
        lambda missing: {key: _render(key[1]) for key in missing},
    )
    return "".join(rendered.get(key) or _render(key[1]) for key in keys)


def _render(fragment: Fragment) -> str:
    return render_to_string(fragment.template, {"row": fragment.row})


def _load_fragment(question: ReviewedQuestion) -> CachedFragment:
    key = (get_language() or "", question)
    return _questions.get_many([key], lambda _: {key: _compile_question(question)})[key]


def _compile_question(question: ReviewedQuestion) -> CachedFragment:
    context = {
        **{name: getattr(question, name) for name in ReviewedQuestion.__slots__},
        "review_template": f"quizzes/kinds/{question.kind}/review.html",
        "fragments": Placeholders(),
    }
    return compile_fragment(render_to_string("quizzes/review_question.html", {"question": context}))


def _build_question(
    item: QuestionReport, lang: str, *, explained: bool, frame: Hashable
) -> ReviewedQuestion:
    kind, texts = PRESENTED_KINDS[item.manifest_slot.kind], item.public_version.words(lang)
    earned = None if item.outcome == UNGRADED else item.earned
    return ReviewedQuestion(
        number=item.slot + 1,
        kind=item.manifest_slot.kind,
        prompt_html=mark_safe(texts.prompt),  # noqa: S308  rendered by quizzes.lib.markup
        lang=texts.language,
        points_earned=None if earned is None else format_points(earned),
        points=format_points(item.manifest_slot.points),
        is_bonus=item.is_bonus,
        state=STATES.get(item.outcome),
        remarks=tuple(mark_safe(html) for html in item.remarks),  # noqa: S308  the same
        explanation_html=safe_html(item.explanation),
        hints=tuple(mark_safe(html) for html in item.hints),  # noqa: S308  the same
        reading_link_html=safe_html(item.reading_link),
        feedback_lang=item.feedback_language,
        credit=None if item.credit is None else format_fraction(item.credit),
        scoring_hint=describe_scoring(
            item.manifest_slot.kind, item.manifest_slot.scoring_method, item.public_version.content
        ),
        explained=explained,
        renders_prompt=kind.renders_prompt,
        frame=frame,
    )
