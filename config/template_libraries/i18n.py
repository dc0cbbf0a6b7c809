"""The library `i18n`: a text of the template itself is looked up once a language.

So is a `{% blocktranslate %}` without plural, whose values are filled in each time.
"""

from typing import Any

from django.template import Context, Library, Node
from django.template.base import FilterExpression, Parser, Token, render_value_in_context
from django.templatetags import i18n
from django.utils.translation import get_language, gettext

register = Library()
register.tags.update(i18n.register.tags)
register.filters.update(i18n.register.filters)


class ConstantTranslateNode(Node):
    """`{% translate "…" %}` of a text that stands in the template."""

    child_nodelists = ()

    def __init__(self, node: i18n.TranslateNode) -> None:
        """Take Django's node, which is asked once a language."""
        self._node = node
        self._texts: dict[str | None, str] = {}

    def render(self, context: Context) -> str:
        """Return the text in the language of the request."""
        language = get_language()
        if (text := self._texts.get(language)) is None:
            text = self._texts[language] = str(self._node.render(context))
        return text


class RememberedBlockTranslateNode(Node):
    """`{% blocktranslate %}` without plural, context and `as`: its words are looked up once."""

    child_nodelists = ()

    def __init__(self, node: i18n.BlockTranslateNode) -> None:
        """Take Django's node, which answers where a value or a place for it is missing."""
        self._node: Any = node
        self._message, self._names = self._node.render_token_list(self._node.singular)
        self._texts: dict[str | None, str] = {}

    def render(self, context: Context) -> str:
        """Return the text in the language of the request, with the values of this page."""
        language = get_language()
        if (text := self._texts.get(language)) is None:
            text = self._texts[language] = gettext(self._message)
        try:
            return text % {name: self._render_value(name, context) for name in self._names}
        except (KeyError, ValueError):
            return str(self._node.render(context))

    def _render_value(self, name: str, context: Context) -> str:
        expression = self._node.extra_context.get(name)
        value = context[name] if expression is None else expression.resolve(context)
        return render_value_in_context(value, context)


@register.tag("blocktranslate")
@register.tag("blocktrans")
def block_translate(parser: Parser, token: Token) -> Node:
    """Parse as Django does."""
    node: Any = i18n.do_block_translate(parser, token)
    is_simple = not (node.plural or node.message_context or node.asvar)
    return RememberedBlockTranslateNode(node) if is_simple else node


@register.tag("translate")
@register.tag("trans")
def translate(parser: Parser, token: Token) -> Node:
    """Parse as Django does; what depends on the language alone becomes a constant node."""
    node = i18n.do_translate(parser, token)
    return ConstantTranslateNode(node) if _is_constant(node) else node


def _is_constant(node: Any) -> bool:
    return (
        not node.noop
        and node.asvar is None
        and node.filter_expression.var.literal is not None
        and not node.filter_expression.filters
        and _is_literal(node.message_context)
    )


def _is_literal(expression: FilterExpression | None) -> bool:
    return expression is None or not (expression.is_var or expression.filters)
