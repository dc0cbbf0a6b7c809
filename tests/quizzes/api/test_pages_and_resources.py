"""Whatever a page of the admin does, a program can do, or the manual says why it cannot."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib import admin
from django.urls import URLResolver, get_resolver, reverse

from quizzes.api.openapi import schema
from tests.grading.examples import PROJECT
from tests.users import logged_in_client

MANUAL = (PROJECT / "docs" / "api.md").read_text(encoding="utf-8")
HEADING = "## Pages and their resources"
PREFIX = "/api/v1"


def read_table() -> dict[str, str]:
    """Return page → what the manual has beside it."""
    section = MANUAL.partition(f"{HEADING}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| (.+) \|$", section, re.MULTILINE)
    return {page: cell for pages, cell in rows for page in re.findall(r"`(\w+)`", pages)}


def walk(patterns: Any) -> Iterator[str]:
    for pattern in patterns:
        if hasattr(pattern, "url_patterns"):
            yield from walk(pattern.url_patterns)
        elif pattern.name:
            yield pattern.name


def list_pages() -> set[str]:
    """Return the pages of the admin, but those by which Django would delete or tell of a row."""
    resolver = get_resolver()
    (site,) = [
        each
        for each in resolver.url_patterns
        if isinstance(each, URLResolver) and str(each.pattern) == "admin/"
    ]
    own = "bank_question_history"
    return {
        name
        for name in walk(site.url_patterns)
        if name == own or not name.endswith(("_history", "_delete"))
    }


def list_refusing() -> set[str]:
    """Return the pages that add or change rows of tables which nobody adds to or changes there."""
    names = set()
    for model in admin.site._registry:
        base = f"{model._meta.app_label}_{model._meta.model_name}"
        names |= {f"{base}_add", f"{base}_change", f"{base}_changelist"}
    return names


def read_resources(cell: str) -> set[tuple[str, str]]:
    """Return the methods and addresses that a cell names: "`GET`, `POST /a`" are two."""
    resources, methods = set(), []
    for text in re.findall(r"`([^`]+)`", cell):
        method, _, path = text.partition(" ")
        methods.append(method)
        if path:
            resources |= {(each, path) for each in methods}
            methods = []
    return resources


def test_every_page_has_a_resource_or_the_reason_why_not():
    table = read_table()
    assert set(table) <= list_pages()
    missing = list_pages() - set(table)
    assert missing <= list_refusing(), missing - list_refusing()
    for page, cell in table.items():
        assert cell.startswith("none") or read_resources(cell), page


def test_every_resource_that_is_named_is_there():
    paths = json.loads(schema())["paths"]
    operations = {
        (method.upper(), path.removeprefix(PREFIX))
        for path, methods in paths.items()
        for method in methods
    }
    for page, cell in read_table().items():
        if not cell.startswith("none"):
            assert read_resources(cell) <= operations, page


def test_a_page_that_changes_rows_is_in_the_table_by_itself():
    """Those that are left out refuse everybody: none of their tables is added to on a page."""
    table = read_table()
    for name in list_pages() - set(table):
        assert name.endswith(("_add", "_change")), name


@pytest.mark.django_db
def test_pages_that_are_left_out_add_nothing_not_even_for_administrators(users):
    client = logged_in_client(users.administrator)
    adding = [name for name in list_pages() - set(read_table()) if name.endswith("_add")]
    assert adding
    for name in adding:
        assert client.get(reverse(f"admin:{name}")).status_code in {403, 404}, name
