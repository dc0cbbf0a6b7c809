"""The style sheets of what is only in some questions; a page fetches those that it needs."""

from collections.abc import Iterator
from functools import cache, lru_cache

from django import template
from django.conf import STATICFILES_STORAGE_ALIAS
from django.contrib.staticfiles import finders
from django.core.files.storage import Storage, storages
from django.templatetags.static import static
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from grading.kinds import KINDS

register = template.Library()

CODE, FORMULAS_AND_TABLES = ("<code",), ("<math", "<table", "tex-error")


@register.simple_tag
def question_styles(html: str = "") -> SafeString:
    """Return the links to the style sheets of these questions, or to all of them without any."""
    paths = (path for path, signs in _sheets() if not html or any(sign in html for sign in signs))
    return _render_links(tuple(paths), storages[STATICFILES_STORAGE_ALIAS])


@lru_cache(256)
def _render_links(paths: tuple[str, ...], _storage: Storage) -> SafeString:
    """Return the links; their addresses are those of the storage, which tests change."""
    links = ((static(path),) for path in paths)
    return format_html_join("\n", '<link rel="stylesheet" href="{}">', links)


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
