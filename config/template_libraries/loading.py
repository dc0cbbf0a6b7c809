"""`{% extends %}` and `{% include %}`: what a template names is looked for once. ADR 79."""

from typing import Any

from django.template import Context, Engine, Library, Node, NodeList, Template
from django.template.base import Parser, Token
from django.template.loader_tags import (
    ExtendsNode,
    IncludeNode,
    construct_relative_path,
    do_extends,
    do_include,
)
from django.utils.safestring import SafeString

register = Library()


class RememberedNodes(NodeList):
    """The nodes of a template that others extend: where its blocks are, is looked for once."""

    def __init__(self, nodes: NodeList) -> None:
        super().__init__(nodes)
        self.contains_nontext = nodes.contains_nontext
        self._by_type: dict[type[Node], list[Node]] = {}

    def get_nodes_by_type(self, nodetype: type[Node]) -> list[Any]:
        """Return the nodes of a type; the same list each time."""
        if nodetype not in self._by_type:
            self._by_type[nodetype] = super().get_nodes_by_type(nodetype)
        return self._by_type[nodetype]


class RememberingExtendsNode(ExtendsNode):
    """Django's own, which walks through all nodes of the other template for each page."""

    def get_parent(self, context: Context) -> Template:
        """Return the template that is extended."""
        parent: Any = super().get_parent(context)
        if type(parent.nodelist) is NodeList:
            parent.nodelist = RememberedNodes(parent.nodelist)
        return parent  # type: ignore[no-any-return]  # a template, which its stubs call otherwise


class LiteralIncludeNode(IncludeNode):
    """`{% include "…" %}` of a name that stands in the template."""

    def __init__(self, node: Any) -> None:
        """Take what Django's own node has."""
        super().__init__(node.template, extra_context=node.extra_context)
        self._templates: dict[Engine, Template] = {}

    def render(self, context: Context) -> SafeString:
        """Return the other template with the context of this one; debugging, it is read anew."""
        engine = context.template.engine  # type: ignore[union-attr]  # there while it is rendered
        if engine.debug:
            return super().render(context)
        template = self._templates.get(engine)
        if template is None:
            beside: Any = self.origin.template_name
            name = construct_relative_path(beside, self.template.var)
            template = self._templates[engine] = engine.get_template(name)
        extra: Any = self.extra_context
        with context.push(**{name: value.resolve(context) for name, value in extra.items()}):
            return template.render(context)


@register.tag("extends")
def parse_extends(parser: Parser, token: Token) -> Node:
    """Parse as Django does."""
    node: Any = do_extends(parser, token)
    return RememberingExtendsNode(node.nodelist, node.parent_name)


@register.tag("include")
def parse_include(parser: Parser, token: Token) -> Node:
    """Parse as Django does; a name of the template itself becomes a literal node."""
    node: Any = do_include(parser, token)
    is_literal = not (node.template.is_var or node.template.filters or node.isolated_context)
    return LiteralIncludeNode(node) if is_literal else node
