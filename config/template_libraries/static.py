"""The library `static`: the address of a file that the template names is worked out once."""

from django.conf import STATICFILES_STORAGE_ALIAS
from django.core.files.storage import Storage, storages
from django.template import Context, Library, Node
from django.template.base import Parser, Token
from django.templatetags import static

register = Library()
register.tags.update(static.register.tags)
register.filters.update(static.register.filters)


class ConstantStaticNode(Node):
    """`{% static "…" %}` of a path that stands in the template."""

    child_nodelists = ()

    def __init__(self, node: static.StaticNode) -> None:
        """Take Django's node, which is asked once a storage."""
        self._node = node
        self._urls: dict[Storage, str] = {}

    def render(self, context: Context) -> str:
        """Return the address; tests change the storage."""
        storage = storages[STATICFILES_STORAGE_ALIAS]
        if (url := self._urls.get(storage)) is None:
            url = self._urls[storage] = str(self._node.render(context))
        return url


@register.tag("static")
def parse_static(parser: Parser, token: Token) -> Node:
    """Parse as Django does; a path of the template itself becomes a constant node."""
    node = static.do_static(parser, token)
    is_constant = node.varname is None and not (node.path.is_var or node.path.filters)
    return ConstantStaticNode(node) if is_constant else node
