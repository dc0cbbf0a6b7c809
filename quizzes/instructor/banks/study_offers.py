"""The page on which the cards of a bank are offered for study: to whom they are, and a form."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.access import groups_taught
from accounts.models import Group, User
from quizzes.bank.models import Bank
from quizzes.instructor.permissions import current_user
from quizzes.instructor.theme import select
from quizzes.lib import clock
from quizzes.study.models import StudyOffer
from quizzes.study.offers import count_cards, count_learners, offer_deck, withdraw_deck

EVERYONE = "everyone"


class StudyOfferForm(forms.Form):
    """To whom the cards are to be offered: a class that one teaches, or everyone."""

    audience = forms.ChoiceField(label=gettext_lazy("Offer the cards to"), widget=select)

    def __init__(self, *arguments: Any, author: User, **options: Any) -> None:
        super().__init__(*arguments, **options)
        groups = groups_taught(author).filter(archived_at=None).order_by("name")
        self.groups = {str(group.pk): group for group in groups}
        self.fields["audience"].choices = [  # type: ignore[attr-defined]  # a ChoiceField
            *((pk, str(group)) for pk, group in self.groups.items()),
            (EVERYONE, _("everyone who is signed in")),
        ]

    @property
    def group(self) -> Group | None:
        """The class that was chosen; None: everyone."""
        return self.groups.get(self.cleaned_data["audience"])


def show_study_offers(admin: Any, request: HttpRequest, bank: Bank) -> HttpResponse:
    """Show to whom the cards of a bank are offered; on POST offer them, or take an offer back."""
    author = current_user(request)
    may_edit = admin.has_change_permission(request, bank)
    posted = request.POST if request.method == "POST" else None
    form = StudyOfferForm(posted, author=author)
    if request.method == "POST":
        if not may_edit:
            raise PermissionDenied
        if "remove" in request.POST:
            offer = _find_offer(bank, request.POST["remove"])
            withdraw_deck(bank=bank, group=offer.group, by=author)
            messages.success(request, _("The cards are no longer offered to them."))
            return redirect("admin:bank_bank_study", bank.pk)
        if form.is_valid():
            offer_deck(bank=bank, group=form.group, by=author, now=clock.now())
            messages.success(request, _("The cards are offered."))
            return redirect("admin:bank_bank_study", bank.pk)
    context = {
        "original": bank,
        "may_edit": may_edit,
        "form": form,
        "offers": _list_offers(bank),
        "cards": count_cards(bank),
        "learners": count_learners(bank),
    }
    response: HttpResponse = admin.render_page(
        request,
        "bank/bank/study",
        context,
        title=_("Study of %(bank)s") % {"bank": bank},
        page_name=_("Study"),
        status=422 if form.is_bound else 200,
    )
    return response


def _list_offers(bank: Bank) -> list[tuple[StudyOffer, str, str]]:
    """Return the offers of a bank, each with its audience, and since when it is."""
    return [
        (
            offer,
            str(offer.group or _("everyone who is signed in")),
            date_format(timezone.localtime(offer.created_at), "SHORT_DATE_FORMAT"),
        )
        for offer in bank.study_offers.select_related("group")
    ]


def _find_offer(bank: Bank, written: str) -> StudyOffer:
    try:
        return bank.study_offers.select_related("group").get(uuid=UUID(written))
    except (StudyOffer.DoesNotExist, ValueError) as error:
        raise Http404 from error
