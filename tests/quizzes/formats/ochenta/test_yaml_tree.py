"""Reading YAML as a tree: lines are known, and files made to hurt are refused."""

import pytest

from quizzes.formats.ochenta.yaml_tree import BIGGEST, ErrorCollector, UnreadableYaml, parse_yaml


def refused(data: bytes):
    with pytest.raises(UnreadableYaml) as caught:
        parse_yaml(data, ErrorCollector())
    return caught.value.error


def test_every_node_knows_its_line_and_place():
    tree = parse_yaml(b"a: 1\nb:\n  - x\n  - y\n", ErrorCollector())
    assert tree.fields is not None
    second = tree.fields["b"].items
    assert second is not None
    assert (second[1].line, second[1].where, second[1].text) == (4, "b[2]", "y")


@pytest.mark.parametrize("word", ["no", "1e3", "true", "0x1f", "2026-11-21", "~"])
def test_words_stay_what_was_written(word):
    tree = parse_yaml(f"a: {word}".encode(), ErrorCollector())
    assert tree.fields is not None
    assert tree.fields["a"].text == word


def test_a_field_that_stands_twice_is_a_trouble():
    errors = ErrorCollector()
    parse_yaml(b"a: 1\nb: 2\na: 3\n", errors)
    assert [(t.line, t.code) for t in errors.errors] == [(3, "duplicate_field")]


@pytest.mark.parametrize(
    ("data", "code", "line"),
    [
        (b"", "empty", 1),
        (b"# only a remark\n", "empty", 1),
        (b"a: b: c\n", "not_yaml", 1),
        (b"ok: 1\nbad: [1, 2\n", "not_yaml", 3),
        (b"ok: 1\n\xff\xfe", "not_utf8", 2),
        (b"a: &x [1]\nb: *x\n", "anchor", 1),
        (b"a: 1\nb: \x07\n", "not_yaml", 1),
        (b"a: 1\n---\nb: 2\n", "not_yaml", 2),
    ],
)
def test_what_is_no_plain_yaml_is_refused_by_line(data, code, line):
    trouble = refused(data)
    assert (trouble.code, trouble.line) == (code, line)


@pytest.mark.parametrize("trap", [b"[" * 20_000, b"a:\n" + b"- " * 20_000, b"{a: " * 5_000])
def test_a_file_nested_too_deeply_is_refused(trap):
    assert refused(trap).code == "too_deep"


def test_a_bomb_of_anchors_is_refused_before_it_unfolds():
    bomb = "a: &a [x]\n" + "".join(f"b{n}: &b{n} [{', '.join(['*a'] * 9)}]\n" for n in range(30))
    assert refused(bomb.encode()).code == "anchor"


def test_a_file_over_the_bound_is_refused():
    assert refused(b"a" * (BIGGEST + 1)).code == "too_big"
