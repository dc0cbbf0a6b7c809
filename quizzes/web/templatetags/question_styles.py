"""The style sheets of what is only in some questions; a page fetches those that it needs."""

from collections.abc import Iterator
from functools import cache

from django import template
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from grading.kinds import KINDS

register = template.Library()

CODE, FORMULAS_AND_TABLES = ("<code",), ("<math", "<table", "tex-error")


@register.simple_tag
def question_styles(html: str = "") -> SafeString:
    """Return the links to the style sheets of these questions, or to all of them without any."""
    return format_html_join(
        "\n",
        '<link rel="stylesheet" href="{}">',
        ((static(path),) for path, signs in _sheets() if not html or any(s in html for s in signs)),
    )


@cache
def _sheets() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return each style sheet with what is in the HTML that needs it."""
    return (
        *_kind_sheets(),
        ("web/css/code.css", CODE),
        ("web/css/math.css", FORMULAS_AND_TABLES),
    )


def _kind_sheets() -> Iterator[tuple[str, tuple[str, ...]]]:
    for kind in sorted(KINDS):
        path = f"web/css/kinds/{kind}.css"
        if finders.find(path):
            yield path, (f'data-kind="{kind}"',)
