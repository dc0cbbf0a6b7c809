"""Challenges of questions: which wait, and all of one question beside its statistics."""

from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from accounts.access import UserOrAnonymous
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.bank.models import Question
from quizzes.challenges.models import Challenge, ChallengeVerdict
from quizzes.challenges.selectors import list_challenged_questions, list_overseen_challenges
from quizzes.challenges.services import MAX_COMMENT, answer_challenges
from quizzes.instructor.admin_base import ModelAdmin
from quizzes.instructor.challenges import question_page
from quizzes.instructor.permissions import current_user
from quizzes.lib import clock
from quizzes.lib.errors import Invalid, NotFound
from quizzes.presentation.messages.challenges import describe_challenge_error


@admin.register(Challenge)
class ChallengeAdmin(ModelAdmin):
    """What learners say against questions, of the attempts that one oversees."""

    key_pages = frozenset({"challenges_question"})
    assistants_too = True

    def visible_to(self, person: UserOrAnonymous, /) -> QuerySet[Challenge]:
        """Return the challenges of attempts that this person oversees."""
        return list_overseen_challenges(person)

    def get_urls(self) -> list[URLPattern]:
        """Add the page of a question."""
        view = self.admin_site.admin_view(self.question_view)
        return [
            path("questions/<uuid:question>/", view, name="challenges_question"),
            *super().get_urls(),
        ]

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the questions with challenges in the place of Django's list."""
        rows = list_challenged_questions(current_user(request))
        prompts = question_page.load_prompts([row.version for row in rows], get_language() or "en")
        context = {"rows": [(row, prompts[row.version]) for row in rows]}
        return self.render_page(request, "challenges/queue", context, title=_("Challenges"))

    def question_view(self, request: HttpRequest, question: UUID) -> HttpResponse:
        """Show the challenges of a question; answer those that were ticked on POST."""
        person = current_user(request)
        challenges = list(
            list_overseen_challenges(person)
            .filter(version__question__uuid=question)
            .select_related("version", "quiz", "learner", "attempt", "answered_by")
            .order_by("verdict", "created_at", "pk")[: question_page.MAX_CHALLENGES]
        )
        if not challenges:
            raise Http404
        challenged = Question.objects.select_related("bank").get(uuid=question)
        record(AuditCode.KEYS_VIEWED, about=challenged, group=challenged.bank.group_id, once=True)
        error = ""
        if request.method == "POST":
            error = _save_answer(request)
            if not error:
                return redirect("admin:challenges_question", question)
        context = {
            **question_page.build_context(challenged, challenges, person, get_language() or "en"),
            "verdicts": [ChallengeVerdict.ACCEPTED, ChallengeVerdict.DECLINED],
            "max_length": MAX_COMMENT,
            "error": error,
            "answer": request.POST.get("answer", ""),
            "verdict": request.POST.get("verdict", ""),
        }
        title = _("Challenges of %(question)s") % {"question": challenged}
        status = 422 if error else 200
        return self.render_page(request, "challenges/question", context, title=title, status=status)


def _save_answer(request: HttpRequest) -> str:
    """Answer the ticked challenges; return what is wrong, "" if nothing is."""
    try:
        chosen = {UUID(text) for text in request.POST.getlist("challenge")}
    except ValueError:
        raise Http404 from None
    if not chosen:
        return _("Tick the challenges that you answer.")
    try:
        answered = answer_challenges(
            challenges=chosen,
            by=current_user(request),
            verdict=request.POST.get("verdict", ""),
            answer=request.POST.get("answer", ""),
            safe_before_key="safe_before_key" in request.POST,
            now=clock.now(),
        )
    except NotFound:
        raise Http404 from None
    except Invalid as invalid:
        return describe_challenge_error(invalid)
    sentence = ngettext(
        "%(count)s challenge is answered.", "%(count)s challenges are answered.", len(answered)
    )
    messages.success(request, sentence % {"count": len(answered)})
    return ""
