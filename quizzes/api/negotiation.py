"""JSON in and JSON out, whatever a browser would prefer."""

import codecs
import json
import re
from collections.abc import Mapping
from math import isfinite
from typing import IO, Any, Final, NoReturn

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

MAX_DEPTH: Final = 100
"""How deep lists and objects may lie within each other; what copies them calls itself for each."""
ZERO = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")


class StrictJSONParser(BaseParser):
    """Reads JSON, strictly: UTF-8, no NaN, finite numbers, and no depths that nothing can store."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return what was sent; if it is no JSON: ParseError."""
        try:
            return _read(codecs.decode(stream.read(), "utf-8"))
        except (ValueError, RecursionError) as error:
            raise ParseError(_("The body is not JSON.")) from error


def _read(text: str) -> Any:
    parsed = json.loads(text, parse_constant=_refuse, parse_float=_read_float)
    if text.count("[") + text.count("{") > MAX_DEPTH:
        _check_depth(parsed)
    if "\\u" in text:
        _storable(text, parsed)
    return parsed


def _storable(text: str, parsed: Any) -> None:
    """Refuse what no database keeps: halves of characters, and the character zero."""
    json.dumps(parsed, ensure_ascii=False).encode("utf-8")
    if ZERO.search(text):
        raise ValueError("the character zero")


def _read_float(text: str) -> float:
    """Return a number; one too large for a float would be stored as no JSON."""
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"{text[:20]} is too large")
    return number


def _check_depth(parsed: Any) -> None:
    level = [parsed]
    for _depth in range(MAX_DEPTH + 1):
        level = [
            part
            for holder in level
            if isinstance(holder, (list, dict))
            for part in (holder.values() if isinstance(holder, dict) else holder)
        ]
        if not level:
            return
    raise ValueError("too deep")


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


class JSONOnlyNegotiation(BaseContentNegotiation):
    """Each address answers in its one form; nobody gets 406 for a browser's habits."""

    def select_parser(self, request: Request, parsers: Any) -> BaseParser | None:
        """Return the parser of the media type that was sent; None becomes 415."""
        kind = (request.content_type or "").partition(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == kind), None)

    def select_renderer(
        self,
        request: Request,
        renderers: Any,
        format_suffix: str | None = None,
    ) -> tuple[BaseRenderer, str]:
        """Return the only one."""
        return renderers[0], renderers[0].media_type
