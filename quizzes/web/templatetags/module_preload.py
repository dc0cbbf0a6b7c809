"""Links that let a browser fetch a script's modules at once, not one level of imports at a time.

Their priority is low: measured on a slow line, they would else come before the style sheets, and
the page would be painted 1.6 s later (bench/README.md).
"""

import re
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath

from django import template
from django.conf import STATICFILES_STORAGE_ALIAS
from django.contrib.staticfiles import finders
from django.core.files.storage import Storage, storages
from django.templatetags.static import static
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

register = template.Library()

IMPORT = re.compile(r"""^(?:import|export)\b[^;"]*"(\.{1,2}/[^"]+)";""", re.MULTILINE)


@register.simple_tag
def module_preload(*paths: str) -> SafeString:
    """Return `<link rel="modulepreload">` for these modules and all that they import."""
    return _render_links(paths, storages[STATICFILES_STORAGE_ALIAS])


@cache
def _render_links(paths: tuple[str, ...], _storage: Storage) -> SafeString:
    """Return the links; their addresses are those of the storage, which tests change."""
    modules = dict.fromkeys(module for path in paths for module in find_modules(path))
    links = ((static(module),) for module in modules)
    return format_html_join("\n", '<link rel="modulepreload" href="{}" fetchpriority="low">', links)


@cache
def find_modules(path: str) -> tuple[str, ...]:
    """Return a module's path below `static/` and those of all that it imports, each once.

    A path that does not exist: FileNotFoundError.
    """
    modules, pending = {path: None}, [path]
    while pending:
        module = pending.pop(0)
        for name in IMPORT.findall(_read(module)):
            imported = normpath(join(dirname(module), name))
            if imported not in modules:
                modules[imported] = None
                pending.append(imported)
    return tuple(modules)


def _read(path: str) -> str:
    file = finders.find(path)
    if file is None:
        raise FileNotFoundError(path)
    return Path(file).read_text(encoding="utf-8")
