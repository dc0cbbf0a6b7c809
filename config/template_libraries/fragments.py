"""`{% fragment %}`: a part of a page that is rendered once, and `{% slot %}`: what differs in it.

`{% fragment signed_in=account %}…{% slot %}{{ account.name }}{% endslot %}…{% endfragment %}`.
Between the tags only the names of the fragment exist, each as true or false: nothing of a person or
a request can get into what is remembered, and there are never more variants of it than yeses and
noes, languages and storages of static files. What a slot holds is rendered in the page's own
context, each time. ADR 79.
"""

import re
from contextvars import ContextVar
from typing import Any, Final

from django.conf import STATICFILES_STORAGE_ALIAS
from django.core.files.storage import storages
from django.template import Context, Library, Node, TemplateSyntaxError
from django.template.base import FilterExpression, NodeList, Parser, Token, token_kwargs
from django.template.loader_tags import BlockNode
from django.urls import get_script_prefix, get_urlconf
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

register = Library()

MARK: Final = re.compile("\x00([0-9]+)\x00")
"""Where a slot was, while its fragment is rendered to be remembered."""
MOST: Final = 64
"""Variants of a fragment that are remembered, should there ever be so many."""

_slots: ContextVar[list[NodeList] | None] = ContextVar("slots", default=None)


class SlotNode(Node):
    """What differs from page to page; outside of a fragment it is as if the tag were not there."""

    child_nodelists = ("nodelist",)

    def __init__(self, nodelist: NodeList) -> None:
        self.nodelist = nodelist

    def render(self, context: Context) -> SafeString:
        """Return what is in the slot, or a mark where it goes."""
        slots = _slots.get()
        if slots is None:
            return self.nodelist.render(context)
        slots.append(self.nodelist)
        return mark_safe(f"\x00{len(slots) - 1}\x00")  # noqa: S308  a number


class FragmentNode(Node):
    """A part of a page, remembered as text with places for its slots."""

    child_nodelists = ("nodelist",)

    def __init__(self, flags: dict[str, FilterExpression], nodelist: NodeList) -> None:
        self._flags = flags
        self.nodelist = nodelist
        self._remembered: dict[Any, list[str | NodeList]] = {}

    def render(self, context: Context) -> SafeString:
        """Return the fragment with the slots of this page."""
        flags = tuple(
            bool(flag.resolve(context, ignore_failures=True)) for flag in self._flags.values()
        )
        storage = storages[STATICFILES_STORAGE_ALIAS]
        key = (flags, get_language(), storage, get_urlconf(), get_script_prefix())
        parts = self._remembered.get(key)
        if parts is None:
            if len(self._remembered) >= MOST:
                self._remembered.clear()
            parts = self._remembered[key] = self._render_parts(context, flags)
        texts = (part if isinstance(part, str) else part.render(context) for part in parts)
        return mark_safe("".join(texts))  # noqa: S308  rendered by templates

    def _render_parts(self, context: Context, flags: tuple[bool, ...]) -> list[str | NodeList]:
        """Return texts and slots in turn; nothing of the page's context is there."""
        if _slots.get() is not None:
            raise TemplateSyntaxError("a fragment stands in another fragment, outside of its slots")
        isolated = Context(dict(zip(self._flags, flags, strict=True)))
        template: Any = context.template
        isolated.template = template
        slots: list[NodeList] = []
        token = _slots.set(slots)
        try:
            with isolated.render_context.push_state(template):
                rendered = self.nodelist.render(isolated)
        finally:
            _slots.reset(token)
        parts: list[str | NodeList] = [*MARK.split(rendered)]
        parts[1::2] = [slots[int(str(number))] for number in parts[1::2]]
        return parts


@register.tag("fragment")
def parse_fragment(parser: Parser, token: Token) -> Node:
    """Parse `{% fragment name=expression … %}`."""
    bits = token.split_contents()[1:]
    flags = token_kwargs(bits, parser)
    nodelist = parser.parse(("endfragment",))
    parser.delete_first_token()
    if bits:
        raise TemplateSyntaxError("a fragment takes name=expression alone")
    if nodelist.get_nodes_by_type(BlockNode):
        raise TemplateSyntaxError("a block cannot be replaced within a fragment")
    return FragmentNode(flags, nodelist)


@register.tag("slot")
def parse_slot(parser: Parser, _token: Token) -> Node:
    """Parse `{% slot %}`."""
    nodelist = parser.parse(("endslot",))
    parser.delete_first_token()
    return SlotNode(nodelist)
