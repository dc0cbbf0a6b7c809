"""What browsers need to open pages without a network (ADR 69)."""

import hashlib
import json
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import ManifestFilesMixin, staticfiles_storage
from django.core.files.storage import Storage
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

OFFLINE_PAGE = "offline.html"
WORKER = "service-worker.js"
STORED = frozenset({".css", ".js", ".svg", ".woff2"})
RARE = frozenset({WORKER, "ochenta-math-rare.woff2"})
"""Files that no page needs, or few: these are stored when one has asked for them."""
ICONS = (
    ("favicon.svg", "any", "image/svg+xml", "any"),
    ("icon-192.png", "192x192", "image/png", "any"),
    ("icon-512.png", "512x512", "image/png", "any"),
    ("icon-maskable-512.png", "512x512", "image/png", "maskable"),
)
"""Drawn by tools/draw_icons.py. An SVG alone is no icon to every phone."""
BACKGROUND, THEME = "#fbfafc", "#7b1d6a"
"""The paper of base.css, the colour of the logo."""


@require_safe
def service_worker(_request: HttpRequest) -> HttpResponse:
    """Return the script that the browser compares whenever a page is opened."""
    script = _build_worker(staticfiles_storage, reverse("offline"))
    response = HttpResponse(script, content_type="text/javascript; charset=utf-8")
    response.headers["Cache-Control"] = "no-cache"
    return response


@lru_cache(maxsize=4)
def _build_worker(storage: Storage, offline_page: str) -> str:
    """Return the worker behind the constants of this deploy.

    `DEPLOY` is a digest of what it stores.
    """
    folder = Path(finders.find("web") or "")
    files = sorted(path for path in folder.rglob("*") if path.suffix in STORED)
    digest = hashlib.sha256(render_to_string(OFFLINE_PAGE).encode())
    for path in files:
        digest.update(path.read_bytes())
    names = [f"web/{path.relative_to(folder)}" for path in files if path.name not in RARE]
    constants = {
        "DEPLOY": digest.hexdigest()[:16],
        "FILES": [storage.url(name) for name in names],
        "HASHED": isinstance(storage, ManifestFilesMixin),
        "OFFLINE_PAGE": offline_page,
        "STATIC": static("web/"),
    }
    lines = [f"const {name} = {json.dumps(value)};\n" for name, value in constants.items()]
    return "".join(lines) + (folder / WORKER).read_text(encoding="utf-8")


@require_safe
def manifest(_request: HttpRequest, language: str) -> HttpResponse:
    """Return how the site is called and looks once it is installed."""
    if language not in dict(settings.LANGUAGES):
        raise Http404
    home = reverse("home")
    with translation.override(language):
        description = gettext("Ochenta: quizzes that explain every point.")
    content = {
        "id": home,
        "name": "Ochenta",
        "short_name": "Ochenta",
        "description": description,
        "lang": language,
        "start_url": home,
        "scope": home,
        "display": "standalone",
        "background_color": BACKGROUND,
        "theme_color": THEME,
        "icons": [
            {"src": static(f"web/img/{name}"), "sizes": sizes, "type": kind, "purpose": purpose}
            for name, sizes, kind, purpose in ICONS
        ],
    }
    response = JsonResponse(content, content_type="application/manifest+json")
    response.headers["Cache-Control"] = f"max-age={24 * 60 * 60}"
    return response


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """Show the page that browsers store for whatever they have not stored; it is nobody's own."""
    return render(request, OFFLINE_PAGE)
