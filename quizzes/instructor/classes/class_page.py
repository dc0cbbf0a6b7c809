"""The page of a class: who is in it, its code, its quizzes, its archive."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.classes import archive_class, change_roles, remove_people, restore_class
from accounts.invitation_acceptance import UNENDED
from accounts.invitations import send_many_again
from accounts.join_codes import create_join_code, end_join_code, find_current_code, format_code
from accounts.models import Group, Invitation, InvitationState, Membership, Role
from quizzes.attempts.models import Assignment, Attempt, State
from quizzes.instructor.permissions import current_user
from quizzes.lib import clock
from quizzes.lib.errors import NotFound, ServiceError
from quizzes.lib.number_parsing import parse_count
from quizzes.presentation.messages.sentences import describe
from quizzes.statistics.models import QuizVersionStatistics

ERRORS: Final[Mapping[str, Promise]] = {
    "class_archived": gettext_lazy("The class is archived, and so read only."),
    "class_needs_instructor": gettext_lazy("A class needs an instructor: name another one first."),
    "invitations_too_many": gettext_lazy(
        "That would be more mails than one person may have sent in a day: go on tomorrow."
    ),
    "join_code_days": gettext_lazy("A code is valid for 1 to 366 days."),
    "join_code_uses": gettext_lazy("A code lets in 1 to 10,000 people."),
}
ASKED_FIRST: Final = ("remove", "archive", "end_code")
"""What cannot be undone, or closes something: the page says first what it does to how many."""
MEMBERS_PER_PAGE: Final = 25


@dataclass(frozen=True, slots=True)
class ClassMember:
    """A row of the table: somebody in the class, or invited to it."""

    id: UUID
    name: str
    email: str
    school_id: str
    role: str
    state: str
    is_invited: bool
    is_confirmed: bool = False


def list_members(group: Group, now: datetime) -> list[ClassMember]:
    """Return who is in a class and who is invited: instructors first, then by name; two queries."""
    memberships = Membership.objects.filter(group=group).select_related("user")
    joined = [
        ClassMember(
            id=membership.user.uuid,
            name=membership.user.name,
            email=membership.user.email,
            school_id=membership.user.school_id,
            role=membership.role,
            state=_("in the class") if membership.user.is_confirmed else _("address not confirmed"),
            is_invited=False,
            is_confirmed=membership.user.is_confirmed,
        )
        for membership in memberships
    ]
    invitations = Invitation.objects.filter(UNENDED, group=group)
    invited = [
        ClassMember(
            id=invitation.uuid,
            name=invitation.name,
            email=invitation.email,
            school_id=invitation.school_id,
            role=invitation.role,
            state=_("invited")
            if invitation.state_at(now) == InvitationState.OPEN
            else _("invitation expired"),
            is_invited=True,
        )
        for invitation in invitations
    ]
    return sorted(
        [*joined, *invited],
        key=lambda member: (-Role(member.role).rank, member.name or member.email),
    )


def show_class(admin: Any, request: HttpRequest, group: Group) -> HttpResponse:
    """Show a class; on POST do what was asked, or ask first where it cannot be undone."""
    action = request.POST.get("action", "")
    if request.method != "POST":
        return _render(admin, request, group)
    if action in ASKED_FIRST and "confirmed" not in request.POST:
        return _ask(admin, request, group, action)
    act = _ACTIONS.get(action)
    if act is None:
        raise Http404
    try:
        messages.success(request, act(request, group))
    except ServiceError as error:
        if error.code not in ERRORS:
            raise Http404 from error
        messages.error(request, describe(error.code, ERRORS))
    return redirect("admin:accounts_group_class", group.pk)


def _read_people(request: HttpRequest) -> list[UUID]:
    try:
        return [UUID(text) for text in request.POST.getlist("people")]
    except ValueError as error:
        raise Http404 from error


def _change_roles(request: HttpRequest, group: Group) -> str:
    role = request.POST.get("role", "")
    if role not in Role.values:
        raise Http404
    count = change_roles(
        group=group, people=_read_people(request), role=Role(role), by=current_user(request)
    )
    text = ngettext("%(n)s person has another role.", "%(n)s people have another role.", count)
    return text % {"n": count}


def _remove(request: HttpRequest, group: Group) -> str:
    count = remove_people(
        group=group, people=_read_people(request), by=current_user(request), now=clock.now()
    )
    text = ngettext(
        "%(n)s person is no longer in the class.", "%(n)s people are no longer in the class.", count
    )
    return text % {"n": count}


def _archive(request: HttpRequest, group: Group) -> str:
    archive_class(group=group, by=current_user(request), now=clock.now())
    return _("The class is archived.")


def _restore(request: HttpRequest, group: Group) -> str:
    restore_class(group=group, by=current_user(request))
    return _("The class is no longer archived.")


def _renew_code(request: HttpRequest, group: Group) -> str:
    max_uses = parse_count(request.POST.get("max_uses", ""), maximum=10_000) or None
    create_join_code(
        group=group,
        by=current_user(request),
        now=clock.now(),
        days=parse_count(request.POST.get("days", ""), maximum=366),
        max_uses=max_uses,
    )
    return _("There is a new code.")


def _end_code(request: HttpRequest, group: Group) -> str:
    end_join_code(group=group, by=current_user(request), now=clock.now())
    return _("Nobody can join by the code any more.")


def _send_again(request: HttpRequest, group: Group) -> str:
    """Send the invitations of those chosen again; of everybody, if nobody is chosen."""
    rows = Invitation.objects.filter(UNENDED, group=group)
    if people := _read_people(request):
        rows = rows.filter(uuid__in=people)
    try:
        count = send_many_again(by=current_user(request), invitations=rows, now=clock.now())
    except NotFound:
        return _("Nobody of those chosen is invited.")
    text = ngettext(
        "%(n)s invitation is sent again, with a new link.",
        "%(n)s invitations are sent again, each with a new link.",
        count,
    )
    return text % {"n": count}


_ACTIONS: Final[Mapping[str, Callable[[HttpRequest, Group], str]]] = {
    "role": _change_roles,
    "remove": _remove,
    "archive": _archive,
    "restore": _restore,
    "send_again": _send_again,
    "renew_code": _renew_code,
    "end_code": _end_code,
}


def _ask(admin: Any, request: HttpRequest, group: Group, action: str) -> HttpResponse:
    """Say what an action does to how many, and ask."""
    people = set(_read_people(request))
    chosen = [member for member in list_members(group, clock.now()) if member.id in people]
    if action == "remove" and not chosen:
        messages.error(request, _("Choose people first."))
        return redirect("admin:accounts_group_class", group.pk)
    titles = {
        "remove": _("Take people out of %(group)s?"),
        "archive": _("Archive %(group)s?"),
        "end_code": _("End the code of %(group)s?"),
    }
    context = {
        "original": group,
        "action": action,
        "chosen": chosen,
        "effects": _describe_effects(action, group, chosen),
    }
    response: HttpResponse = admin.render_page(
        request, "accounts/group/confirm", context, title=titles[action] % {"group": group}
    )
    return response


def _list_assignments(group: Group) -> QuerySet[Assignment]:
    """Return the quizzes of a class, each with the newest `statistics` there are of it."""
    measured = QuizVersionStatistics.objects.filter(quiz_version__quiz=OuterRef("quiz"))
    newest = measured.order_by("-quiz_version__number").values("pk")[:1]
    rows = Assignment.objects.filter(group=group).select_related("quiz")
    return rows.annotate(statistics=Subquery(newest))


def _describe_effects(action: str, group: Group, chosen: Sequence[ClassMember]) -> list[str]:
    if action == "end_code":
        return [_("Nobody can join by it any more. Whoever has joined stays in the class.")]
    opened = Attempt.objects.filter(
        quiz__assignments__group=group, learner__memberships__group=group, state=State.OPEN
    )
    if action == "remove":
        joined = [member.id for member in chosen if not member.is_invited]
        count = len(joined)
        text = ngettext(
            "%(n)s person leaves the class and no longer gets its quizzes.",
            "%(n)s people leave the class and no longer get its quizzes.",
            count,
        )
        effects = [text % {"n": count}] if count else []
        if invited := len(chosen) - count:
            text = ngettext(
                "%(n)s invitation is taken back.", "%(n)s invitations are taken back.", invited
            )
            effects.append(text % {"n": invited})
        opened = opened.filter(learner__uuid__in=joined)
        effects.append(_("Their attempts and results stay."))
    else:
        count = Membership.objects.filter(group=group, role=Role.LEARNER).count()
        quizzes = Assignment.objects.filter(group=group).count()
        effects = [
            _("Quizzes that are closed for it: %(quizzes)s. Its learners: %(learners)s.")
            % {"quizzes": quizzes, "learners": count},
            _("Nobody joins or leaves; its code and open invitations end."),
            _("Results stay, and you can take the class out of the archive again."),
        ]
    if count := opened.distinct().count():
        text = ngettext(
            "%(n)s attempt is open and goes on to its end.",
            "%(n)s attempts are open and go on to their end.",
            count,
        )
        effects.append(text % {"n": count})
    return effects


def _render(admin: Any, request: HttpRequest, group: Group) -> HttpResponse:
    now = clock.now()
    join_code = find_current_code(group, now)
    members = list_members(group, now)
    search = request.GET.get("q", "").strip()
    matches = [member for member in members if _is_match(member, search)]
    context = {
        "original": group,
        "page": Paginator(matches, MEMBERS_PER_PAGE).get_page(request.GET.get("page")),
        "query": f"{urlencode({'q': search})}&" if search else "",
        "search": search,
        "has_many": len(members) > MEMBERS_PER_PAGE,
        "joined_count": sum(not member.is_invited for member in members),
        "invited_count": sum(member.is_invited for member in members),
        "roles": Role.choices,
        "assignments": _list_assignments(group),
        "join_code": join_code,
        "code_text": format_code(join_code.code) if join_code else "",
        "join_url": _build_join_url(request, join_code.code) if join_code else "",
    }
    response: HttpResponse = admin.render_page(
        request, "accounts/group/class", context, title=str(group)
    )
    return response


def _is_match(member: ClassMember, search: str) -> bool:
    """Return whether each word of a search is in a name, an e-mail or a school id."""
    text = f"{member.name} {member.email} {member.school_id}".casefold()
    return all(word in text for word in search.casefold().split())


def _build_join_url(request: HttpRequest, code: str) -> str:
    return request.build_absolute_uri(reverse("join_class", args=[format_code(code)]))
