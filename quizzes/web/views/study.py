"""Study: decks and what is due today; one card after the other; how one wants to study."""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.http import require_http_methods

from accounts.models import User
from quizzes.attempts.selectors import CurrentResponse
from quizzes.lib import clock
from quizzes.lib.errors import Invalid, NotFound
from quizzes.lib.number_parsing import parse_count
from quizzes.lib.translated_texts import choose_text
from quizzes.notifications.models import NotificationKind
from quizzes.notifications.preferences import list_wanted_kinds
from quizzes.presentation.excerpts import excerpt
from quizzes.presentation.ledger_messages import safe_html
from quizzes.presentation.messages.study import (
    ACTIONS,
    RATINGS,
    SETTINGS_SAVED,
    describe_settings_problem,
    format_interval,
)
from quizzes.presentation.question_rendering import QuestionState, render_question
from quizzes.presentation.review_rendering import render_single_review
from quizzes.study import selectors, services
from quizzes.study.domain import replay
from quizzes.study.mistakes import sync_mistakes
from quizzes.study.models import CARD_KIND, LanguageChoice
from quizzes.study.selectors import CardView, StudyToday
from quizzes.web import view_models
from quizzes.web.decorators import current_user, login_required_page

SESSION_DEVICE: Final = "study_device"
SETTINGS: Final = ("new_per_day", "reviews_per_day", "retention", "day_starts_at", "reminder_hour")
MAX_NUMBER: Final = 1_000_000


@login_required_page
@require_http_methods(["GET", "HEAD", "POST"])
def study(request: HttpRequest) -> HttpResponse:
    """Show what is to be studied today, and the decks; or begin, add or remove a deck."""
    learner, now = current_user(request), clock.now()
    if request.method == "POST":
        action = request.POST.get("action")
        if action == "add":
            services.add_deck(learner=learner, bank=_read_uuid(request, "bank"), now=now)
        elif action == "remove":
            services.remove_deck(learner=learner, bank=_read_uuid(request, "bank"))
        elif action == "unsuspend":
            _record(request, learner, replay.UNSUSPEND)
        else:
            services.sync_decks(learner=learner, now=now)
            sync_mistakes(learner=learner, now=now)
            return redirect("study_card")
        return redirect("study")
    today = selectors.load_today(learner, now)
    lang = request.LANGUAGE_CODE
    suspended = selectors.load_card_views(
        selectors.list_suspended(learner), learner, today.settings, language=lang, now=now
    )
    context = {
        "today": today,
        "decks": [
            view_models.StudyDeckRow(
                uuid=str(row.bank),
                title=choose_text(row.title, lang, row.source_language)[0],
                lang=choose_text(row.title, lang, row.source_language)[1],
                cards=row.cards,
                seen=row.seen,
                is_studied=row.is_studied,
            )
            for row in selectors.list_decks(learner)
        ],
        "suspended": [
            view_models.SuspendedCard(
                uuid=str(view.card.uuid),
                excerpt=excerpt(view.public_version.words(view.language).prompt),
                lang=view.public_version.words(view.language).language,
                client_id=str(uuid4()),
            )
            for view in suspended
        ],
    }
    return render(request, "quizzes/pages/study.html", context)


@login_required_page
@require_http_methods(["GET", "HEAD", "POST"])
def study_card(request: HttpRequest) -> HttpResponse:
    """Show the next card, or do with it what a button says."""
    learner = current_user(request)
    if request.method == "POST":
        return _act(request, learner)
    now = clock.now()
    today = selectors.load_today(learner, now)
    chosen = request.GET.get("card")
    card = (
        selectors.find_card(learner, _parse_uuid(chosen))
        if chosen
        else selectors.find_next_card(today, learner)
    )
    context: dict[str, Any] = {"today": today, "card": None, "can_undo": selectors.has_log(learner)}
    if card is not None:
        view = selectors.load_card_view(
            card,
            learner,
            today.settings,
            language=request.LANGUAGE_CODE,
            asked_in=request.GET.get("language", ""),
            now=now,
        )
        context["card"] = build_card(view, today)
        context["question_html"], context["answer_html"] = render_sides(view)
    return render(request, "quizzes/pages/study_card.html", context)


@login_required_page
@require_http_methods(["GET", "HEAD", "POST"])
def study_settings(request: HttpRequest) -> HttpResponse:
    """Show how one studies, or keep what was changed."""
    learner = current_user(request)
    settings = selectors.load_settings(learner)
    typed: Mapping[str, Any] = {name: getattr(settings, name) for name in SETTINGS}
    typed = {**typed, "retention": settings.retention // 10}
    choice, errors = settings.language_choice, {}
    if request.method == "POST":
        typed = {name: request.POST.get(name, "").strip() for name in SETTINGS}
        choice = request.POST.get("language_choice", "")
        errors = _save_settings(learner, typed, choice)
        if not errors:
            messages.success(request, SETTINGS_SAVED)
            return redirect("study")
    fields = [
        view_models.StudySettingField(name, str(typed[name]), errors.get(name, ""))
        for name in SETTINGS
    ]
    context = {
        "fields": {field.name: field for field in fields},
        "choices": [(value, label, value == choice) for value, label in LanguageChoice.choices],
        "is_reminded": NotificationKind.STUDY in list_wanted_kinds(learner),
    }
    status = 422 if errors else 200
    return render(request, "quizzes/pages/study_settings.html", context, status=status)


def _save_settings(learner: User, typed: Mapping[str, str], choice: str) -> dict[str, str]:
    """Save what was typed; return by field what is wrong with it, and then nothing is saved."""
    errors: dict[str, str] = {}
    values: dict[str, Any] = {"language_choice": choice}
    for name, text in typed.items():
        number = parse_count(text, maximum=MAX_NUMBER) if text.isdecimal() else -1
        values[name] = number * 10 if name == "retention" else number
    try:
        services.save_settings(learner=learner, values=values, now=clock.now())
    except Invalid as invalid:
        detail = dict(invalid.detail)
        where = detail["where"]
        if where == "retention":
            detail |= {"first": detail["first"] // 10, "last": detail["last"] // 10}
        errors[where] = describe_settings_problem(invalid.code, detail)
    return errors


def _act(request: HttpRequest, learner: User) -> HttpResponse:
    action = request.POST.get("action", "")
    if action == replay.UNDO:
        card = services.undo_last(
            learner=learner, device=find_study_device(request), now=clock.now()
        )
        if card is None:
            return redirect("study_card")
        messages.info(request, str(ACTIONS[replay.UNDO]))
        return redirect(f"{reverse('study_card')}?card={card.uuid}")
    if action not in {replay.BURY, replay.SUSPEND}:
        action = replay.REVIEW
    _record(request, learner, action)
    return redirect("study_card")


def _record(request: HttpRequest, learner: User, action: str) -> None:
    now = clock.now()
    rating = request.POST.get("rating", "") if action == replay.REVIEW else ""
    entry = services.EntryInput(
        client_id=_read_uuid(request, "entry"),
        card=_read_uuid(request, "card"),
        action=action,
        device_at=now,
        rating=int(rating) if rating in {"1", "2", "3", "4"} else None,
        language=request.POST.get("language", "")[:5],
    )
    try:
        (outcome,) = services.record_entries(
            learner=learner, device=find_study_device(request), sent_at=now, inputs=[entry], now=now
        )
    except Invalid as invalid:
        raise NotFound from invalid
    if outcome.status == services.NOT_FOUND:
        raise NotFound
    if action != replay.REVIEW:
        messages.info(request, str(ACTIONS[action]))


def find_study_device(request: HttpRequest) -> UUID:
    """Return the id of this browser as long as it is signed in."""
    if SESSION_DEVICE not in request.session:
        request.session[SESSION_DEVICE] = str(uuid4())
    return UUID(request.session[SESSION_DEVICE])


def _read_uuid(request: HttpRequest, name: str) -> UUID:
    return _parse_uuid(request.POST.get(name, ""))


def _parse_uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError as error:
        raise Http404 from error


def build_card(view: CardView, today: StudyToday) -> view_models.StudyCardPage:
    """Return a card as its page shows it, with an id of its own for what is done with it."""
    queue, card = today.queue, view.card
    return view_models.StudyCardPage(
        uuid=str(card.uuid),
        entry=str(uuid4()),
        lang=view.public_version.words(view.language).language,
        hint_html=_find_hint(view),
        explanation_html=safe_html(view.report.explanation),
        feedback_html=safe_html(view.report.feedback.get(card.option, "")),
        feedback_lang=view.report.feedback_language,
        reading_link_html=safe_html(view.report.reading_link),
        is_whole=not card.option and view.public_version.kind != CARD_KIND,
        is_mistake=card.version_id is not None,
        is_option=bool(card.option),
        is_right=bool(card.option) and view.is_right,
        new=len(queue.new),
        learning=today.learning,
        reviews=len(queue.reviews),
        other_languages=[each for each in view.languages if each != view.language],
        ratings=[
            view_models.RatingButton(rating, str(RATINGS[rating]), format_interval(interval))
            for rating, interval in view.intervals.items()
        ],
    )


def _find_hint(view: CardView) -> SafeString | None:
    words = view.public_version.words(view.language)
    return safe_html(words.texts.get("hint", "")) if view.public_version.kind == CARD_KIND else None


def render_sides(view: CardView) -> tuple[SafeString, SafeString]:
    """Return question and answer of a card, as HTML."""
    words, report = view.public_version.words(view.language), view.report
    if view.card.option:
        return SafeString(words.prompt), SafeString(view.option_html)
    if view.public_version.kind == CARD_KIND:
        return SafeString(words.prompt), SafeString(report.feedback.get("back", ""))
    state = QuestionState(CurrentResponse(0, 0, None), None, flagged=False)
    question = render_question(view.public_version, view.slot, state, view.language)
    return question, render_single_review(report, view.language)
