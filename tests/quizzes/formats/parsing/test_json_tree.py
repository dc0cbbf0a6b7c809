"""JSON is read as values that know their lines; what is made to hurt ends where it begins."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.formats.contract import FileError
from quizzes.formats.parsing.json_tree import BIGGEST, JsonNode, parse

TEXT = b"""{
  "title": "R\\u00edo \\ud83d\\ude00",
  "list": [1, -2.5e1,
    {"deep": true, "none": null}],
  "empty": {}
}
"""


def read(data: bytes) -> JsonNode:
    parsed = parse(data)
    assert isinstance(parsed, JsonNode)
    return parsed


def plain(value: JsonNode) -> object:
    """Give what the library would have given."""
    if value.fields:
        return {name: plain(node) for name, node in value.fields.items()}
    return [plain(item) for item in value.items] if value.items else value.plain


def test_values_know_their_lines_and_places():
    root = read(TEXT)
    assert (root.line, root.last, root.where) == (1, 6, "")
    deep = root.get("list").items[2].get("deep")
    assert (deep.line, deep.where) == (4, "list[2].deep")
    assert (root.get("list").line, root.get("list").last) == (3, 4)


def test_values_are_given_as_what_was_asked_for_or_as_nothing():
    root = read(TEXT)
    assert root.get("title").text() == "Río 😀"
    assert root.get("list").text() == ""
    assert [item.number() for item in root.get("list").items] == [1, -25.0, None]
    assert read(b"1e999").number() is None
    assert read(b"true").number() is None
    assert read(b"true").flag(default=False)
    assert root.get("title").flag(default=True)
    missing = root.get("list", "no", "more")
    assert (missing.plain, missing.where) == (None, "list.no.more")


def test_walking_meets_everything_in_order():
    places = [node.where for node in read(TEXT).walk()]
    assert places == [
        "",
        "title",
        "list",
        "list[0]",
        "list[1]",
        "list[2]",
        "list[2].deep",
        "list[2].none",
        "empty",
    ]


FILLED = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text('ab\\"/é\n\t😀'),
    lambda inner: (
        st.lists(inner, min_size=1, max_size=3)
        | st.dictionaries(st.text("ab. "), inner, min_size=1, max_size=3)
    ),
    max_leaves=8,
)


@given(FILLED, st.sampled_from([None, 2]), st.booleans())
def test_it_reads_what_the_library_writes(value, indent, ascii_only):
    written = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert plain(read(written.encode())) == value


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"{", b"[1,]", b"[1 2]", b'{"a"}', b"{1:2}", b'"\\x"', b"[1]x", b"[01]", b"nul"),
        *(b'{"a":}', b'"a\nb"', b"]", b'{"a":1,}', b"{[1]:2}", b"NaN", b"[1][2]"),
        *(b"[" * 100_000, b'"' + b"\\" * 100_000, b"9" * 100_000),
    ],
)
def test_what_is_no_json_is_a_trouble(data):
    began = time.process_time()
    parsed = parse(data)
    assert isinstance(parsed, FileError)
    assert parsed.code == "not_json"
    assert time.process_time() - began < 1


def test_a_trouble_names_its_line():
    parsed = parse(b'{\n"a": 1,\n"b" 2}')
    assert isinstance(parsed, FileError)
    assert parsed.line == 3


def test_what_is_too_much_is_a_trouble():
    many = parse(b"[" + b"1," * 60_001 + b"1]")
    assert isinstance(many, FileError)
    assert many.code == "not_json"
    long = parse(b" " * (BIGGEST + 1))
    assert isinstance(long, FileError)
    assert long.code == "too_big"


def test_what_no_text_can_hold_is_taken_out():
    assert read(b'"a\\u0000\\ud83db\\r\\n"').text() == "ab\n"
