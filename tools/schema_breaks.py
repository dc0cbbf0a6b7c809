"""Which differences between two OpenAPI schemas break a client; additions break none.

A request may not be refused that was accepted before; a response may not bring what a client could
not expect. Each break is one line that names its place, so that it can be listed with a reason.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Node = Mapping[str, Any]
METHODS = ("get", "post", "put", "patch", "delete")
COMPONENTS = "#/components/schemas/"
UPPER_BOUNDS = ("maximum", "maxLength", "maxItems")
LOWER_BOUNDS = ("minimum", "minLength", "minItems")
JSON_TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})


def find_breaks(old: Node, new: Node) -> list[str]:
    """Return what breaks a client of the old schema, in order, each once."""
    return sorted(set(_Comparison(old, new).breaks()))


@dataclass
class _Comparison:
    old: Node
    new: Node
    compared: set[tuple[str, str, str]] = field(default_factory=set)

    def breaks(self) -> Iterator[str]:
        for path, operations in self.old["paths"].items():
            if path not in self.new["paths"]:
                yield f"path removed: {path}"
                continue
            for method in METHODS:
                if method not in operations:
                    continue
                name = f"{method.upper()} {path}"
                if method not in self.new["paths"][path]:
                    yield f"method removed: {name}"
                else:
                    yield from self._operation(
                        name, operations[method], self.new["paths"][path][method]
                    )

    def _operation(self, name: str, old: Node, new: Node) -> Iterator[str]:
        yield from self._parameters(name, old.get("parameters", ()), new.get("parameters", ()))
        yield from self._body(name, old.get("requestBody", {}), new.get("requestBody", {}))
        for status, response in old["responses"].items():
            if status in new["responses"]:
                content = new["responses"][status].get("content", {})
                where = f"response {name} {status}"
                yield from self._contents(where, response.get("content", {}), content)
            elif status.startswith("2"):
                yield f"response status removed: {name} {status}"

    def _parameters(self, name: str, old: Sequence[Node], new: Sequence[Node]) -> Iterator[str]:
        before = {(parameter["in"], parameter["name"]): parameter for parameter in old}
        after = {(parameter["in"], parameter["name"]): parameter for parameter in new}
        for key, parameter in before.items():
            where = f"{name} {key[0]} {key[1]}"
            if key not in after:
                yield f"parameter removed: {where}"
                continue
            if after[key].get("required") and not parameter.get("required"):
                yield f"parameter now required: {where}"
            yield from self._schema(f"request {where}", parameter["schema"], after[key]["schema"])
        for key in after.keys() - before.keys():
            if after[key].get("required"):
                yield f"required parameter added: {name} {key[0]} {key[1]}"

    def _body(self, name: str, old: Node, new: Node) -> Iterator[str]:
        if new.get("required") and not old.get("required"):
            yield f"body now required: {name}"
        yield from self._contents(f"request {name}", old.get("content", {}), new.get("content", {}))

    def _contents(self, where: str, old: Node, new: Node) -> Iterator[str]:
        for media_type, content in old.items():
            if media_type not in new:
                yield f"media type removed: {where} {media_type}"
            else:
                yield from self._schema(where, content["schema"], new[media_type]["schema"])

    def _schema(self, where: str, old: Node, new: Node) -> Iterator[str]:
        """Compare two schemas; `where` begins with "request" or "response"."""
        yield from self._types(where, old, new)
        before, after = _choices(old, self.old), _choices(new, self.new)
        if len(before) == len(after) == 1:
            yield from self._value(where, before[0], after[0])
            return
        texts = [
            {json.dumps(_resolve(choice, document), sort_keys=True) for choice in choices}
            for choices, document in ((before, self.old), (after, self.new))
        ]
        if texts[0] - texts[1] if where.startswith("request") else texts[1] - texts[0]:
            yield f"type changed: {where}"

    def _value(self, where: str, old: Node, new: Node) -> Iterator[str]:
        """Compare all but the types; a component that stands in many places is compared once."""
        names = _component(old), _component(new)
        if names[0] and names[1]:
            direction = where.partition(" ")[0]
            if (direction, *names) in self.compared:
                return
            self.compared.add((direction, *names))
            where = f"{direction} {names[0]}"
        old, new = _resolve(old, self.old), _resolve(new, self.new)
        yield from _limits(where, old, new)
        yield from self._object(where, old, new)
        for key in ("items", "additionalProperties"):
            if isinstance(old.get(key), dict) and isinstance(new.get(key), dict):
                yield from self._schema(f"{where}[]", old[key], new[key])

    def _types(self, where: str, old: Node, new: Node) -> Iterator[str]:
        before, after = self._json_types(old, self.old), self._json_types(new, self.new)
        if where.startswith("request") and before - after:
            yield f"type narrowed: {where} no longer takes {_join(before - after)}"
        if where.startswith("response") and after - before:
            yield f"type widened: {where} may be {_join(after - before)}"

    def _json_types(self, schema: Node, document: Node) -> frozenset[str]:
        """Return the JSON types that a schema allows; integers are numbers too."""
        schema = _resolve(schema, document)
        for key in ("oneOf", "anyOf"):
            if key in schema:
                return frozenset().union(*(self._json_types(s, document) for s in schema[key]))
        if "type" not in schema:
            return JSON_TYPES
        types = {schema["type"]} if isinstance(schema["type"], str) else set(schema["type"])
        return frozenset(types | ({"integer"} if "number" in types else set()))

    def _object(self, where: str, old: Node, new: Node) -> Iterator[str]:
        before, after = old.get("properties", {}), new.get("properties", {})
        required = set(old.get("required", ())), set(new.get("required", ()))
        is_request = where.startswith("request")
        for name in before:
            if name not in after:
                yield f"field removed: {where}.{name}"
                continue
            if is_request and name in required[1] - required[0]:
                yield f"field now required: {where}.{name}"
            if not is_request and name in required[0] - required[1]:
                yield f"field now optional: {where}.{name}"
            yield from self._schema(f"{where}.{name}", before[name], after[name])
        if is_request:
            for name in sorted(required[1] - before.keys()):
                yield f"required field added: {where}.{name}"
            if new.get("additionalProperties") is False is not old.get("additionalProperties"):
                yield f"type narrowed: {where} takes no other fields"


def _limits(where: str, old: Node, new: Node) -> Iterator[str]:
    """Compare what a value may be: its enum, format, pattern and bounds."""
    if "enum" in old:
        lost = [value for value in old["enum"] if value not in new.get("enum", old["enum"])]
        if lost:
            yield f"enum value removed: {where} {_join(map(str, lost))}"
    is_request = where.startswith("request")
    if is_request and "enum" in new and "enum" not in old:
        yield f"type narrowed: {where} takes listed values alone"
    if not is_request and "enum" in old and "enum" not in new:
        yield f"type widened: {where} may be any value"
    for key in ("format", "pattern"):
        strict, loose = (new, old) if is_request else (old, new)
        if key in strict and strict[key] != loose.get(key):
            yield f"{key} changed: {where}"
    if is_request:
        yield from _bounds(where, old, new)


def _bounds(where: str, old: Node, new: Node) -> Iterator[str]:
    """Compare how large or small a value of a request may be."""
    for name, value in new.items():
        if name in UPPER_BOUNDS and value < old.get(name, float("inf")):
            yield f"type narrowed: {where} {name} {value}"
        if name in LOWER_BOUNDS and value > old.get(name, float("-inf")):
            yield f"type narrowed: {where} {name} {value}"


def _component(schema: Node) -> str:
    return str(schema.get("$ref", "")).removeprefix(COMPONENTS)


def _resolve(schema: Node, document: Node) -> Node:
    """Return the schema behind a reference, alone or as the only part of `allOf`."""
    while True:
        if "$ref" in schema:
            schema = document["components"]["schemas"][_component(schema)]
        elif len(schema.get("allOf", ())) == 1:
            schema = schema["allOf"][0]
        else:
            return schema


def _choices(schema: Node, document: Node) -> list[Node]:
    """Return the schemas of which one holds, without that of null, which is a matter of types."""
    resolved = _resolve(schema, document)
    choices = resolved.get("oneOf") or resolved.get("anyOf") or [schema]
    return [choice for choice in choices if choice.get("type") != "null"]


def _join(words: Any) -> str:
    return ", ".join(sorted(words))
