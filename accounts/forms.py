"""What is asked of a new person besides address and password."""

from django import forms
from django.http import HttpRequest
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from accounts.models import User


class NameForm(forms.Form):
    """Asks people for their name."""

    name = forms.CharField(
        label=_("Name"),
        max_length=150,
        required=False,
        help_text=_("As your instructor knows you. You may leave it empty."),
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )


class SignupForm(NameForm):
    """Adds a name to allauth's form (which builds upon this class)."""

    def signup(self, _request: HttpRequest, user: User) -> None:
        """Save the name, and the language the person signed up in."""
        user.name = self.cleaned_data["name"]
        user.language = translation.get_language() or ""
        user.save(update_fields=["name", "language"])
