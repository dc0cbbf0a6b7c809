"""The admin's theme is one switch: the same pages stand in Django's own looks."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
ASK = (
    "import django; django.setup()\n"
    "from django.contrib import admin\n"
    "from quizzes.instructor.admin_base import ModelAdmin, TabularInline\n"
    "from quizzes.instructor.admin_site import AdminSite\n"
    "names = {base.__module__.split('.')[0] for cls in (ModelAdmin, AdminSite, TabularInline)"
    " for base in cls.__mro__}\n"
    "print('unfold' in names, type(admin.site._wrapped or admin.site).__name__,"
    " len(admin.site._registry))"
)


@pytest.mark.parametrize(("theme", "unfold"), [("unfold", "True"), ("plain", "False")])
def test_either_theme_serves_the_same_pages(theme, unfold, tmp_path):
    env = {**os.environ, "OCHENTA_ADMIN_THEME": theme, "OCHENTA_DATA_DIR": str(tmp_path)}
    code = ASK.replace("admin.site._wrapped or admin.site", "admin.site._registry and admin.site")
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**env, "DJANGO_SETTINGS_MODULE": "config.settings"},
        capture_output=True,
        text=True,
        check=True,
    )
    themed, _site, pages = done.stdout.split()
    assert themed == unfold
    assert int(pages) == 23
