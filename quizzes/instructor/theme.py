"""The classes of the admin's theme, or plain Django's (OCHENTA_ADMIN_THEME)."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.contrib import admin
from django.contrib.admin.views import main
from django.contrib.auth import forms as auth_forms
from django.utils.module_loading import import_string


def _import_themed(unfold: str, plain: Any) -> Any:
    return import_string(f"unfold.{unfold}") if settings.ADMIN_THEME == "unfold" else plain


if TYPE_CHECKING:
    ThemedSite = admin.AdminSite
    ThemedAdmin = admin.ModelAdmin[Any]
    ThemedTabular = admin.TabularInline[Any, Any]
    ThemedStacked = admin.StackedInline[Any, Any]
    ThemedChangeList = main.ChangeList
    ThemedUserCreationForm = auth_forms.AdminUserCreationForm[Any]
    ThemedUserChangeForm = auth_forms.UserChangeForm[Any]
    PasswordForm = auth_forms.AdminPasswordChangeForm[Any]
    ModelForm = forms.ModelForm[Any]
else:
    ThemedSite = _import_themed("sites.UnfoldAdminSite", admin.AdminSite)
    ThemedAdmin = _import_themed("admin.ModelAdmin", admin.ModelAdmin)
    ThemedTabular = _import_themed("admin.TabularInline", admin.TabularInline)
    ThemedStacked = _import_themed("admin.StackedInline", admin.StackedInline)
    ThemedChangeList = _import_themed("views.ChangeList", main.ChangeList)
    ThemedUserCreationForm = _import_themed(
        "forms.UserCreationForm", auth_forms.AdminUserCreationForm
    )
    ThemedUserChangeForm = _import_themed("forms.UserChangeForm", auth_forms.UserChangeForm)
    PasswordForm = _import_themed(
        "forms.AdminPasswordChangeForm", auth_forms.AdminPasswordChangeForm
    )
    ModelForm = forms.ModelForm

text_input: type[forms.Widget] = _import_themed(
    "widgets.UnfoldAdminTextInputWidget", forms.TextInput
)
switch: type[forms.Widget] = _import_themed(
    "widgets.UnfoldBooleanSwitchWidget", forms.CheckboxInput
)
textarea: type[forms.Widget] = _import_themed("widgets.UnfoldAdminTextareaWidget", forms.Textarea)
select: type[forms.Select] = _import_themed("widgets.UnfoldAdminSelectWidget", forms.Select)
