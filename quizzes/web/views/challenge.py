"""The page on which a learner says what is wrong with a question, and reads the answer to it."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from quizzes.attempts.models import State
from quizzes.challenges.models import ChallengeReason, ChallengeVerdict
from quizzes.challenges.selectors import find_own_challenge, list_options
from quizzes.challenges.services import MAX_COMMENT, challenge_question
from quizzes.lib import clock
from quizzes.lib.errors import Conflict, Invalid, NotFound
from quizzes.presentation.excerpts import excerpt
from quizzes.presentation.messages.challenges import describe_challenge_error
from quizzes.results.attempt_report import AttemptReport, QuestionReport
from quizzes.results.selectors import load_report
from quizzes.web.decorators import current_user, login_required_page


class ChallengeForm(forms.Form):
    """What is wrong, with which option, and why."""

    reason = forms.ChoiceField(
        label=_("What is wrong?"), choices=[("", _("Choose…")), *ChallengeReason.choices]
    )
    option = forms.ChoiceField(label=_("Which option is it about?"), required=False)
    comment = forms.CharField(
        label=_("Why?"),
        max_length=MAX_COMMENT,
        help_text=_(
            "Your instructor reads this with your answer. A source helps: a page, a rule, a link."
        ),
        widget=forms.Textarea(attrs={"rows": 6}),
    )

    def __init__(self, *args: Any, question: QuestionReport, language: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        options = list_options(question.public_version)
        if not options:
            del self.fields["option"]
            return
        texts = question.public_version.words(language).parts
        field: Any = self.fields["option"]
        field.choices = [("", gettext("The whole question"))] + [
            (option, excerpt(texts.get(option, "")))
            for option in _in_shown_order(question, options)
        ]


@dataclass(frozen=True, slots=True)
class ChallengedQuestionView:
    """The question on the page."""

    number: int
    prompt_html: SafeString
    lang: str


@login_required_page
@require_http_methods(["GET", "HEAD", "POST"])
def challenge(request: HttpRequest, attempt: UUID, number: int) -> HttpResponse:
    """Show the form, or what was said and answered; on POST keep what the learner says."""
    learner, lang = current_user(request), request.LANGUAGE_CODE
    report, question = _load_question(request, attempt, number)
    slot = question.slot
    form = ChallengeForm(request.POST or None, question=question, language=lang)
    error = ""
    if request.method == "POST" and form.is_valid():
        chosen = form.cleaned_data.get("option") or None
        try:
            challenge_question(
                attempt=attempt,
                slot=slot,
                learner=learner,
                reason=form.cleaned_data["reason"],
                comment=form.cleaned_data["comment"],
                option=UUID(chosen) if chosen else None,
                language=lang,
                now=clock.now(),
            )
        except (Conflict, Invalid) as refused:
            error = describe_challenge_error(refused)
        else:
            messages.success(request, gettext("Your challenge has reached your instructor."))
            return redirect("challenge", attempt, number)
    visible = report.summary.visibility
    existing = find_own_challenge(attempt=attempt, slot=slot, learner=learner, visible=visible)
    texts = question.public_version.words(lang)
    context = {
        "attempt_id": attempt,
        "question": ChallengedQuestionView(
            number,
            mark_safe(texts.prompt),  # noqa: S308  rendered by quizzes.lib.markup
            texts.language,
        ),
        "form": form,
        "error": error,
        "challenge": existing,
        "option_text": _name_option(question, existing.option, lang) if existing else "",
        "reason_text": ChallengeReason(existing.reason).label if existing else "",
        "verdict_text": ChallengeVerdict(existing.verdict).label if existing else "",
    }
    status = (409 if error else 422) if request.method == "POST" else 200
    return render(request, "quizzes/pages/challenge.html", context, status=status)


def _load_question(
    request: HttpRequest, attempt: UUID, number: int
) -> tuple[AttemptReport, QuestionReport]:
    """Return one's own graded attempt and its question of this number; else NotFound."""
    viewer = current_user(request)
    report = load_report(
        attempt=attempt, viewer=viewer, language=request.LANGUAGE_CODE, now=clock.now()
    )
    if report.summary.learner != viewer.uuid or report.summary.state != State.GRADED:
        raise NotFound
    question = next((row for row in report.questions if row.slot == number - 1), None)
    if question is None:
        raise NotFound
    return report, question


def _in_shown_order(question: QuestionReport, options: list[str]) -> list[str]:
    """Return the options as the learner saw them."""
    in_order = [option for option in map(str, question.manifest_slot.order) if option in options]
    return in_order if len(in_order) == len(options) else options


def _name_option(question: QuestionReport, option: UUID | None, language: str) -> str:
    if option is None:
        return ""
    return excerpt(question.public_version.words(language).parts.get(str(option), ""))
