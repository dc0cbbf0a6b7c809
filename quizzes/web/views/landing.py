"""The first page of a stranger: what this is, and a question that is answered by one tap."""

from typing import Any

from allauth.decorators import rate_limit
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import SafeString

from quizzes.lib.errors import Invalid
from quizzes.practice.sample_question import SampleQuestion, check_sample_answer
from quizzes.presentation.review_rendering import render_single_review
from quizzes.web.view_models import SampleOption, SampleQuestionView


@rate_limit(action="sample_question")  # type: ignore[untyped-decorator]  # allauth has no types
def landing(request: HttpRequest, sample: SampleQuestion) -> HttpResponse:
    """Return the page of a stranger, with the review of what they answered."""
    lang = request.LANGUAGE_CODE
    context: dict[str, Any] = {"question": _build_question(sample, lang), "review_html": ""}
    if request.method == "POST":
        raw = {"chosen": request.POST.getlist("chosen")[:1]}
        try:
            report = check_sample_answer(sample, raw=raw, language=lang)
        except Invalid:
            return redirect("home")
        context["review_html"] = render_single_review(report, lang)
        context["outcome"] = report.outcome
    return render(request, "quizzes/pages/landing.html", context)


def _build_question(sample: SampleQuestion, lang: str) -> SampleQuestionView:
    texts = sample.public_version.words(lang)
    return SampleQuestionView(
        lang=texts.language,
        prompt_html=SafeString(texts.prompt),
        options=[
            SampleOption(str(option), SafeString(texts.parts.get(str(option), "")))
            for option in sample.slot.order
        ],
    )
