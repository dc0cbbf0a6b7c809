"""The checks of a bank as a page: rules with counts, then the findings, question by question."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.bank.checks import AverageScore, CheckedFinding, CheckReport, load_report
from quizzes.bank.models import Bank
from quizzes.bank.waivers import revoke_waiver, waive
from quizzes.instructor.banks.finding_rows import build_question_findings, group_by_question
from quizzes.instructor.banks.rule_rows import count_questions, group_by_rule
from quizzes.instructor.permissions import current_user
from quizzes.lib.errors import Conflict, Invalid
from quizzes.presentation.messages.findings import SEVERITY_LABELS, TOPIC_LABELS
from quizzes.presentation.messages.problems import describe_rule

PAGE_SIZE = 25
"""Questions on a page."""
FILTERS = ("severity", "topic", "code")
BY_QUESTION, WAIVED = "question", "waived"
"""What is listed where no rule is chosen: `?by=`; without it the rules themselves."""
FINDING_PARTS = ("question", "code", "about", "digest")


@dataclass(frozen=True, slots=True)
class FilterChoice:
    """A value to filter by, its label, and how many findings have it."""

    value: str
    label: Promise | str
    count: int
    is_selected: bool


def show_checks(admin: Any, request: HttpRequest, bank: Bank) -> HttpResponse:
    """Show the rules that the bank breaks, or the findings that were asked for."""
    record(AuditCode.KEYS_VIEWED, about=bank, once=True)
    report = load_report(bank)
    filters = {name: request.GET.get(name, "") for name in FILTERS}
    by = request.GET.get("by", "")
    is_list = any(filters.values()) or by in {BY_QUESTION, WAIVED}
    context = {
        "original": bank,
        "may_edit": admin.has_change_permission(request, bank),
        "report": report,
        "question_count": count_questions(report.open),
        "scores": tuple(_list_scores(report)),
        "view": (by if by == WAIVED else BY_QUESTION) if is_list else "rule",
        **(_list_findings(request, report, filters, by) if is_list else _list_rules(report)),
    }
    title = _("Checks of %(bank)s") % {"bank": bank}
    response: HttpResponse = admin.render_page(
        request, "bank/bank/checks", context, title=title, page_name=_("Checks")
    )
    return response


def _list_rules(report: CheckReport) -> dict[str, Any]:
    return {"rules": group_by_rule(report.open)}


def _list_findings(
    request: HttpRequest, report: CheckReport, filters: dict[str, str], by: str
) -> dict[str, Any]:
    """Return a page of findings, question by question, with the filters that chose them."""
    listed = report.waived if by == WAIVED else report.open
    groups = group_by_question(checked for checked in listed if _matches(checked, filters))
    page = Paginator(groups, PAGE_SIZE).get_page(request.GET.get("page"))
    severities = Counter(str(checked.finding.severity) for checked in listed)
    topics = Counter(str(checked.finding.topic) for checked in listed)
    query = {"by": by, **filters}
    return {
        "rule": describe_rule(filters["code"]) if filters["code"] else "",
        "total": len(listed),
        "severities": tuple(_list_choices(SEVERITY_LABELS, severities, filters["severity"])),
        "topics": tuple(_list_choices(TOPIC_LABELS, topics, filters["topic"])),
        "by": by,
        "is_filtered": any(filters.values()),
        "filter_query": urlencode({name: value for name, value in query.items() if value}),
        "current_query": request.GET.urlencode(),
        "page": page,
        "groups": [build_question_findings(findings) for findings in page],
    }


def update_waiver(admin: Any, request: HttpRequest, bank: Bank) -> HttpResponse:
    """Waive a finding, or revoke that; return to the page as it was filtered."""
    if not admin.has_change_permission(request, bank):
        raise PermissionDenied
    revoke = "revoke" in request.POST
    parts = request.POST.get("revoke" if revoke else "waive", "").split(":")
    if len(parts) != len(FINDING_PARTS):
        raise Http404
    sent = dict(zip(FINDING_PARTS, parts, strict=True))
    pk = sent.pop("question")
    question = bank.questions.filter(pk=pk).first() if pk.isdecimal() else None
    if question is None:
        raise Http404
    author = current_user(request)
    try:
        if revoke:
            revoke_waiver(question=question, **sent, by=author)
        else:
            waive(question=question, **sent, by=author)
    except (Conflict, Invalid):
        messages.error(request, _("The question was changed meanwhile; look at it once more."))
    else:
        decision = "waiver revoked" if revoke else "waived"
        admin.log_change(request, question, f"{sent['code']} {decision}")
    query = f"?{encoded}" if (encoded := request.GET.urlencode()) else ""
    return redirect(f"{reverse('admin:bank_bank_checks', args=[bank.pk])}{query}")


def _matches(checked: CheckedFinding, filters: dict[str, str]) -> bool:
    finding = checked.finding
    values = {"severity": finding.severity, "topic": finding.topic, "code": finding.code}
    return all(filters[name] in {"", value} for name, value in values.items())


def _list_choices(
    labels: Mapping[Any, Promise | str], counts: Counter[str], selected: str
) -> Iterator[FilterChoice]:
    """Yield the choices that some finding has, and the one that is selected."""
    for value, label in labels.items():
        if counts[value] or value == selected:
            yield FilterChoice(value, label, counts[value], value == selected)


def _list_scores(report: CheckReport) -> Iterator[tuple[str, int, int]]:
    """Return the figures of the bank in percent, and over how many questions each is."""
    named: tuple[tuple[str, AverageScore | None], ...] = (
        (_("Choosing every option earns on average"), report.everything),
        (_("Guessing earns on average"), report.guess),
    )
    for name, score in named:
        if score is not None:
            yield name, round(score.mean * 100), score.questions
