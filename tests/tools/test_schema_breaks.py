"""Breaks of the API's schema: each kind is seen and named by its place; additions break nobody."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from tools.schema_breaks import find_breaks

Change = Callable[[dict[str, Any]], Any]


def schema() -> dict[str, Any]:
    """Return a small API: a list of cats, and a way to add one."""
    cat = {
        "type": "object",
        "required": ["id", "colour"],
        "properties": {
            "id": {"type": "string", "format": "uuid"},
            "colour": {"$ref": "#/components/schemas/Colour"},
            "owner": {"oneOf": [{"$ref": "#/components/schemas/Owner"}, {"type": "null"}]},
            "lives": {"type": "integer"},
            "nicknames": {"type": "array", "items": {"type": "string"}},
        },
    }
    request = {
        "type": "object",
        "required": ["name"],
        "properties": {
            "name": {"type": "string", "maxLength": 20},
            "colour": {"$ref": "#/components/schemas/Colour"},
            "lives": {"type": ["integer", "null"], "minimum": 1},
            "tag": {"type": "string"},
        },
    }
    answer = {"200": {"content": {"application/json": {"schema": {"$ref": ref("Cat")}}}}}
    return {
        "paths": {
            "/cats": {
                "get": {
                    "parameters": [{"in": "query", "name": "page", "schema": {"type": "string"}}],
                    "responses": copy.deepcopy(answer),
                },
                "post": {
                    "requestBody": {
                        "content": {"application/json": {"schema": {"$ref": ref("CatRequest")}}}
                    },
                    "responses": copy.deepcopy(answer),
                },
            },
            "/dogs": {"get": {"responses": {"404": {}}}},
        },
        "components": {
            "schemas": {
                "Cat": cat,
                "CatRequest": request,
                "Colour": {"type": "string", "enum": ["black", "white"]},
                "Owner": {"type": "object", "properties": {"name": {"type": "string"}}},
            }
        },
    }


def ref(name: str) -> str:
    return f"#/components/schemas/{name}"


def breaks(change: Change) -> list[str]:
    """Return what the change breaks."""
    new = schema()
    change(new)
    return find_breaks(schema(), new)


def component(new: dict[str, Any], name: str) -> dict[str, Any]:
    return new["components"]["schemas"][name]  # type: ignore[no-any-return]  # JSON


def field(new: dict[str, Any], path: str) -> dict[str, Any]:
    name, _, key = path.partition(".")
    return component(new, name)["properties"][key]  # type: ignore[no-any-return]  # JSON


def operation(new: dict[str, Any], method: str) -> dict[str, Any]:
    return new["paths"]["/cats"][method]  # type: ignore[no-any-return]  # JSON


PAGE = "GET /cats query page"
BREAKS: list[tuple[str, Change, list[str]]] = [
    ("path", lambda new: new["paths"].pop("/dogs"), ["path removed: /dogs"]),
    ("method", lambda new: new["paths"]["/cats"].pop("post"), ["method removed: POST /cats"]),
    (
        "parameter",
        lambda new: operation(new, "get")["parameters"].clear(),
        [f"parameter removed: {PAGE}"],
    ),
    (
        "parameter that must be",
        lambda new: operation(new, "get")["parameters"][0].update(required=True),
        [f"parameter now required: {PAGE}"],
    ),
    (
        "new parameter that must be",
        lambda new: operation(new, "get")["parameters"].append(
            {"in": "query", "name": "size", "required": True, "schema": {"type": "integer"}}
        ),
        ["required parameter added: GET /cats query size"],
    ),
    (
        "type of a parameter",
        lambda new: operation(new, "get")["parameters"][0].update(schema={"type": "integer"}),
        [f"type narrowed: request {PAGE} no longer takes string"],
    ),
    (
        "body that must be",
        lambda new: operation(new, "post")["requestBody"].update(required=True),
        ["body now required: POST /cats"],
    ),
    (
        "media type",
        lambda new: operation(new, "post")["requestBody"]["content"].clear(),
        ["media type removed: request POST /cats application/json"],
    ),
    (
        "status",
        lambda new: operation(new, "get").update(responses={"201": {}}),
        ["response status removed: GET /cats 200"],
    ),
    (
        "response field",
        lambda new: component(new, "Cat")["properties"].pop("lives"),
        ["field removed: response Cat.lives"],
    ),
    (
        "field of a component within",
        lambda new: component(new, "Owner")["properties"].clear(),
        ["field removed: response Owner.name"],
    ),
    (
        "response field that may lack",
        lambda new: component(new, "Cat").update(required=["id"]),
        ["field now optional: response Cat.colour"],
    ),
    (
        "request field",
        lambda new: component(new, "CatRequest")["properties"].pop("tag"),
        ["field removed: request CatRequest.tag"],
    ),
    (
        "request field that must be",
        lambda new: component(new, "CatRequest")["required"].append("tag"),
        ["field now required: request CatRequest.tag"],
    ),
    (
        "new request field that must be",
        lambda new: component(new, "CatRequest").update(
            required=["name", "age"],
            properties={**component(new, "CatRequest")["properties"], "age": {"type": "integer"}},
        ),
        ["required field added: request CatRequest.age"],
    ),
    (
        "no other fields",
        lambda new: component(new, "CatRequest").update(additionalProperties=False),
        ["type narrowed: request CatRequest takes no other fields"],
    ),
    (
        "enum value, sent and received",
        lambda new: component(new, "Colour").update(enum=["black"]),
        [
            "enum value removed: request Colour white",
            "enum value removed: response Colour white",
        ],
    ),
    (
        "text that becomes an enum",
        lambda new: field(new, "CatRequest.tag").update(enum=["a"]),
        ["type narrowed: request CatRequest.tag takes listed values alone"],
    ),
    (
        "enum that becomes a text",
        lambda new: component(new, "Colour").pop("enum"),
        ["type widened: response Colour may be any value"],
    ),
    (
        "null that is taken no more",
        lambda new: field(new, "CatRequest.lives").update(type="integer"),
        ["type narrowed: request CatRequest.lives no longer takes null"],
    ),
    (
        "null that may come",
        lambda new: field(new, "Cat.lives").update(type=["integer", "null"]),
        ["type widened: response Cat.lives may be null"],
    ),
    (
        "other type",
        lambda new: field(new, "Cat.lives").update(type="string"),
        ["type widened: response Cat.lives may be string"],
    ),
    (
        "other type within a list",
        lambda new: field(new, "Cat.nicknames")["items"].update(type="integer"),
        ["type widened: response Cat.nicknames[] may be integer"],
    ),
    (
        "format received",
        lambda new: field(new, "Cat.id").pop("format"),
        ["format changed: response Cat.id"],
    ),
    (
        "format sent",
        lambda new: field(new, "CatRequest.tag").update(format="uuid"),
        ["format changed: request CatRequest.tag"],
    ),
    (
        "upper bound",
        lambda new: field(new, "CatRequest.name").update(maxLength=10),
        ["type narrowed: request CatRequest.name maxLength 10"],
    ),
    (
        "lower bound",
        lambda new: field(new, "CatRequest.lives").update(minimum=2),
        ["type narrowed: request CatRequest.lives minimum 2"],
    ),
    (
        "one of two things",
        lambda new: field(new, "Cat.owner")["oneOf"].append({"type": "object", "title": "other"}),
        ["type changed: response Cat.owner"],
    ),
]


@pytest.mark.parametrize(
    ("change", "expected"), [row[1:] for row in BREAKS], ids=[r[0] for r in BREAKS]
)
def test_each_kind_of_break_is_named_with_its_place(change: Change, expected: list[str]):
    assert breaks(change) == expected


ADDITIONS: list[tuple[str, Change]] = [
    ("path", lambda new: new["paths"].update({"/mice": {"get": {"responses": {}}}})),
    ("method", lambda new: new["paths"]["/dogs"].update(post={"responses": {}})),
    (
        "parameter",
        lambda new: operation(new, "get")["parameters"].append(
            {"in": "query", "name": "size", "schema": {"type": "integer"}}
        ),
    ),
    ("response field", lambda new: component(new, "Cat")["properties"].update(age={})),
    ("request field", lambda new: component(new, "CatRequest")["properties"].update(age={})),
    ("field that need not be sent", lambda new: component(new, "CatRequest").pop("required")),
    ("field that always comes", lambda new: component(new, "Cat")["required"].append("lives")),
    ("enum value", lambda new: component(new, "Colour")["enum"].append("red")),
    (
        "null that is taken",
        lambda new: field(new, "CatRequest.tag").update(type=["string", "null"]),
    ),
    ("null that comes no more", lambda new: field(new, "Cat.owner")["oneOf"].pop()),
    ("longer text", lambda new: field(new, "CatRequest.name").update(maxLength=30)),
    ("refusal", lambda new: operation(new, "get")["responses"].update({"404": {}})),
    ("words", lambda new: component(new, "Cat").update(description="A cat.")),
]


@pytest.mark.parametrize("change", [row[1] for row in ADDITIONS], ids=[row[0] for row in ADDITIONS])
def test_an_addition_breaks_nobody(change: Change):
    assert breaks(change) == []


def test_a_schema_that_refers_to_itself_is_compared_to_its_end():
    old = schema()
    old["components"]["schemas"]["Owner"]["properties"]["cat"] = {"$ref": ref("Cat")}
    assert find_breaks(old, json.loads(json.dumps(old))) == []
