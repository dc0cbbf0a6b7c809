"""The library `i18n`: a text of the template itself is looked up once a language."""

from typing import Any

from django.template import Context, Library, Node
from django.template.base import FilterExpression, Parser, Token
from django.templatetags import i18n
from django.utils.translation import get_language

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
