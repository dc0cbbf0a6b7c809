"""The token of a form: Django's own format, masked in one step instead of 64 (ADR 79).

Django draws each letter of a mask by itself and looks each up in the alphabet. What checks a token
is Django's, and so is what makes the secret.
"""

import os
from functools import partial
from operator import add
from typing import Any, Final

from django.http import HttpRequest
from django.middleware.csrf import CSRF_ALLOWED_CHARS, CSRF_SECRET_LENGTH, get_token
from django.utils.functional import SimpleLazyObject
from django.utils.safestring import SafeString, mark_safe

ALPHABET: Final = CSRF_ALLOWED_CHARS.encode()
SIZE: Final = len(ALPHABET)
EVEN: Final = 256 - 256 % SIZE
"""Bytes below it stand for each letter equally often; those from it on are drawn anew."""
LETTERS: Final = (ALPHABET * 5)[:256]
"""For each byte its letter, also for the sum of two places in the alphabet."""
PLACES: Final = bytes(max(0, ALPHABET.find(byte)) for byte in range(256))
"""For the byte of each letter its place in the alphabet."""
UNEVEN: Final = bytes(range(EVEN, 256))


def add_csrf_token(request: HttpRequest) -> dict[str, Any]:
    """Return what templates know as `csrf_token`, instead of Django's."""
    return {"csrf_token": SimpleLazyObject(partial(make_token, request))}


def make_token(request: HttpRequest) -> SafeString:
    """Return a token of this request and have its cookie sent, as Django's `get_token` does."""
    secret = request.META.get("CSRF_COOKIE")
    if secret is None:
        return mark_safe(get_token(request))  # noqa: S308  letters and digits
    request.META["CSRF_COOKIE_NEEDS_UPDATE"] = True
    return mark_safe(mask_secret(secret))  # noqa: S308  letters and digits


def mask_secret(secret: str) -> str:
    """Return a random mask of 32 letters, and the secret shifted by it letter by letter."""
    mask = b""
    while len(mask) < CSRF_SECRET_LENGTH:
        mask += os.urandom(2 * CSRF_SECRET_LENGTH).translate(LETTERS, UNEVEN)
    mask = mask[:CSRF_SECRET_LENGTH]
    places = map(add, secret.encode().translate(PLACES), mask.translate(PLACES))
    return (mask + bytes(places).translate(LETTERS)).decode()
