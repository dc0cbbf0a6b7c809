"""What Django keeps by thread is kept so, without asgiref, and nothing of it is lost."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from datetime import timezone as fixed_zone

import pytest
from django.core.cache import caches
from django.db import connections
from django.urls import base as urls
from django.urls import get_script_prefix, get_urlconf
from django.utils import timezone, translation
from django.utils.translation import trans_real

from config.thread_locals import use_plain_thread_locals

ZONE = fixed_zone(timedelta(hours=-5))
REPLACED = (
    (connections, "_connections"),
    (caches, "_connections"),
    (trans_real, "_active"),
    (timezone, "_active"),
    (urls, "_prefixes"),
    (urls, "_urlconfs"),
)


@pytest.fixture(autouse=True)
def _as_before(monkeypatch):
    for owner, name in REPLACED:
        monkeypatch.setattr(owner, name, getattr(owner, name))


def _read_thread() -> tuple[object, ...]:
    zone, language = timezone.get_current_timezone_name(), translation.get_language()
    return connections["default"], zone, language, get_script_prefix(), get_urlconf()


def test_a_thread_keeps_what_it_has_and_another_begins_with_the_defaults():
    # In a thread of its own: what is left in the locals that were replaced ends with it.
    with ThreadPoolExecutor(1) as pool:
        before, after, other = pool.submit(_replace_locals).result()
    assert before[1:3] == (str(ZONE), "es")
    assert after == before
    assert other[0] is not before[0]
    assert other[1:] == ("UTC", "en", "/", None)
    assert {type(getattr(owner, name)) for owner, name in REPLACED} == {threading.local}
    assert translation.get_language() == "en"


def _replace_locals() -> tuple[tuple[object, ...], ...]:
    """Return what this thread has before and after, and what a new one begins with."""
    translation.activate("es")
    timezone.activate(ZONE)
    before = _read_thread()
    use_plain_thread_locals()
    with ThreadPoolExecutor(1) as pool:
        return before, _read_thread(), pool.submit(_read_thread).result()
