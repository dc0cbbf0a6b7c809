"""A form field for one text in every language, side by side, as a JSON column stores it."""

import re
from collections.abc import Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.forms.renderers import get_default_renderer
from django.template.loader import render_to_string
from django.utils.functional import Promise
from django.utils.safestring import SafeString, mark_safe

from quizzes.instructor.theme import ModelForm, text_input, textarea
from quizzes.lib.markup import MAX_CHARACTERS, plain
from quizzes.presentation.messages.problems import language_name


def language_names(*more: str) -> dict[str, str]:
    """Return the languages to write in, code → name; `more` are others that a draft already has."""
    names = dict(settings.LANGUAGES)
    return names | {code: language_name(code) for code in more if code not in names}


_GAP = re.compile(r"\[\[[a-z][\w-]*\]\]")
"""A gap of a text with gaps, as authors write it."""


def summarize(source: object, characters: int = 80) -> str:
    """Return the beginning of an author's text, without its marks, for a list."""
    text = " ".join(_GAP.sub("____", plain(str(source or ""))).split())
    return text if len(text) <= characters else text[: characters - 1].rstrip() + "…"


class ProjectTemplateWidget(forms.MultiWidget):
    """Several controls, laid out by a template of the project: Django's renderer knows none."""

    def _render(
        self, template_name: str, context: dict[str, Any], renderer: Any = None
    ) -> SafeString:
        return render_to_string(template_name, context)


class TranslatedWidget(ProjectTemplateWidget):
    """One control a language, each under its language's name."""

    template_name = "admin/widgets/translated_text.html"

    def __init__(self, control: type[forms.Widget], attrs: Mapping[str, Any]) -> None:
        controls: dict[str, forms.Widget | type[forms.Widget]] = {
            code: control(attrs={"lang": code, **attrs}) for code in language_names()
        }
        super().__init__(controls)

    def decompress(self, value: Any) -> list[str]:
        """Return the texts of a column, a language each."""
        return [str((value or {}).get(code) or "") for code in language_names()]

    subject: str | Promise = ""

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        """Label each control with its language, and say that a required text needs one of them."""
        context = super().get_context(name, value, attrs)
        hint_id = f"{context['widget']['attrs'].get('id') or name}_languages"
        context["widget"]["hint_id"] = hint_id if self.is_required else ""
        for part, label in zip(
            context["widget"]["subwidgets"], language_names().values(), strict=True
        ):
            part["label"] = label
            part["attrs"]["aria-label"] = f"{self.subject}, {label}" if self.subject else label
            if self.is_required:
                descriptions = (part["attrs"].get("aria-describedby", ""), hint_id)
                part["attrs"]["aria-describedby"] = " ".join(filter(None, descriptions))
        return context

    def _render(
        self, template_name: str, context: dict[str, Any], renderer: Any = None
    ) -> SafeString:
        renderer = renderer or get_default_renderer()
        for part in context["widget"]["subwidgets"]:
            part["html"] = mark_safe(renderer.render(part["template_name"], {"widget": part}))  # noqa: S308  escaped by Django's own template
        return super()._render(template_name, context)


class TranslatedField(forms.MultiValueField):
    """Language → text; languages without text are left out."""

    def __init__(self, *, lines: int = 1, **kwargs: Any) -> None:
        control, attrs = (text_input, {}) if lines == 1 else (textarea, {"rows": lines})
        # What is longer could not be shown, and a quiz version keeps it for ever.
        fields = [
            forms.CharField(required=False, max_length=MAX_CHARACTERS) for _ in language_names()
        ]
        super().__init__(
            fields, widget=TranslatedWidget(control, attrs), require_all_fields=False, **kwargs
        )
        self.widget.subject = self.label or ""

    def compress(self, data_list: list[str]) -> dict[str, str]:
        """Return language → text."""
        return {
            code: text.replace("\r\n", "\n")
            for code, text in zip(language_names(), data_list or (), strict=False)
            if text
        }


class TranslatedForm(ModelForm):
    """Keeps the languages of a column that the form has no control for."""

    def clean(self) -> dict[str, Any]:
        """Return the cleaned data, with the texts of other languages."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        for name, field in self.fields.items():
            if isinstance(field, TranslatedField) and name in cleaned:
                before = getattr(self.instance, name) or {}
                others = {
                    code: text for code, text in before.items() if code not in language_names()
                }
                cleaned[name] = others | cleaned[name]
        return cleaned
