"""`{% url %}`: an address without arguments, or of one id or language, is looked up once.

Django writes each address anew and compares it with its pattern: 26 times an attempt.
"""

import re
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.template import Context, Library, Node
from django.template.base import Parser, Token
from django.template.defaulttags import URLNode
from django.template.defaulttags import url as parse_django_url
from django.urls import NoReverseMatch, get_script_prefix, get_urlconf, reverse
from django.utils.html import conditional_escape

register = Library()

ID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
LANGUAGES: Final = frozenset(dict(settings.LANGUAGES))
SAMPLE: Final = str(UUID("5d3f4b5e-6a51-4cf4-9d4e-0f9e1f0c7a11"))
"""Stands for the id when an address is looked up."""


class ConstantURLNode(Node):
    """`{% url "name" %}` and `{% url "name" id %}`, also with `as`."""

    child_nodelists = ()

    def __init__(self, node: Any) -> None:
        """Take Django's node, which answers whatever is not as simple as that."""
        self._node = node
        self._name = node.view_name.var
        self._addresses: dict[Any, tuple[str, str] | None] = {}

    def render(self, context: Context) -> str:
        """Return the address, or put it into the context."""
        node, argument, sample = self._node, "", ""
        if node.args:
            argument = sample = str(node.args[0].resolve(context))
            if argument not in LANGUAGES:
                if not ID.fullmatch(argument):
                    return str(node.render(context))
                sample = SAMPLE
        key = get_urlconf(), get_script_prefix(), sample
        if key not in self._addresses:
            self._addresses[key] = self._look_up(sample)
        parts = self._addresses[key]
        if parts is None:
            return str(node.render(context))
        address = f"{parts[0]}{argument}{parts[1]}"
        if node.asvar:
            context[node.asvar] = address
            return ""
        return conditional_escape(address) if context.autoescape else address

    def _look_up(self, sample: str) -> tuple[str, str] | None:
        """Return what stands before and after the argument; None: Django finds no such address."""
        try:
            address = reverse(self._name, args=[sample] if sample else [])
        except NoReverseMatch:
            return None
        before, _, after = address.partition(sample) if sample else (address, "", "")
        return before, after


@register.tag("url")
def parse_url(parser: Parser, token: Token) -> Node:
    """Parse as Django does; what is looked up by its name alone, or with one id, is remembered."""
    node: Any = parse_django_url(parser, token)
    return ConstantURLNode(node) if _is_constant(node) else node


def _is_constant(node: URLNode) -> bool:
    expression: Any = node.view_name
    return (
        isinstance(expression.var, str)
        and not expression.filters
        # A namespace depends on the page.
        and ":" not in expression.var
        and not node.kwargs
        and len(node.args) <= 1
    )
