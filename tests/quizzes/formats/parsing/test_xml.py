"""XML is read with its lines, and what is made to hurt is refused at once."""

import time

import pytest

from quizzes.formats.contract import FileError
from quizzes.formats.parsing import xml
from quizzes.formats.parsing.xml import (
    XmlNode,
    decode_xml,
    iterate_children,
    parse_xml,
    read_root_name,
)

SMALL = b"""<?xml version="1.0" encoding="UTF-8"?>
<quiz>
  <question type="essay"><name>One &amp; <b>two</b> three</name>
  </question>
  <question/>
</quiz>"""


def node(data: bytes) -> XmlNode:
    root = parse_xml(data)
    assert isinstance(root, XmlNode)
    return root


def trouble(data: bytes) -> FileError:
    root = parse_xml(data)
    assert isinstance(root, FileError)
    return root


def test_a_tree_has_texts_tails_and_lines():
    quiz = node(SMALL)
    first, second = quiz
    assert isinstance(first, XmlNode)
    assert isinstance(second, XmlNode)
    assert (first.get("type"), first.line, first.end_line, second.line) == ("essay", 3, 4, 5)
    name = first.find("name")
    assert name is not None
    assert "".join(name.itertext()) == "One & two three"
    assert (name.text, name[0].tail) == ("One & ", " three")


def test_names_of_elements_have_no_namespace_and_those_of_attributes_have():
    root = node(b'<a xmlns="urn:x" xmlns:y="urn:y"><y:b y:c="1" d="2"/></a>')
    assert (root.tag, root[0].tag, dict(root[0].attrib)) == (
        "a",
        "b",
        {"{urn:y}c": "1", "d": "2"},
    )


def test_items_come_one_by_one_with_the_same_lines():
    first, two = iterate_children(SMALL)
    assert isinstance(first, XmlNode)
    assert isinstance(two, XmlNode)
    assert [first.line, first.end_line, two.line] == [3, 4, 5]
    assert first.findtext("name") == "One & "


def test_what_was_whole_before_a_break_is_still_given():
    children = list(iterate_children(b"<quiz><question/>\n<question></quiz>"))
    assert isinstance(children[0], XmlNode)
    assert children[1] == FileError(2, "", "not_xml", "mismatched tag")


@pytest.mark.parametrize(
    ("data", "code", "line"),
    [
        (b"", "not_xml", 1),
        (b"words", "not_xml", 1),
        (b"<a>\n<b></a>", "not_xml", 2),
        (b"<a>&nothing;</a>", "not_xml", 1),
        (b"<?xml version='1.0'?>\n<!DOCTYPE a [\n]>\n<a/>", "doctype", 2),
        (b'<!DOCTYPE a SYSTEM "a.dtd"><a>&nbsp;</a>', "not_xml", 1),
        (b'<!DOCTYPE a><!DOCTYPE a SYSTEM "b"><a/>', "doctype", 1),
        (b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>', "doctype", 1),
        (b'<!DOCTYPE a SYSTEM "a.dtd" [<!ENTITY b "c">]><a/>', "doctype", 1),
        (b"<a>" * 101 + b"</a>" * 101, "too_deep", 1),
        (b"<a " + b" ".join(b'n%d=""' % n for n in range(201)) + b"/>", "too_deep", 1),
    ],
)
def test_what_is_no_xml_or_made_to_hurt_is_a_trouble_with_its_line(data, code, line):
    error = trouble(data)
    assert (error.code, error.line) == (code, line)


@pytest.mark.parametrize(
    "named",
    [
        "<!DOCTYPE a>",
        '<!DOCTYPE a SYSTEM "http://nobody.invalid/a.dtd">',
        "<!-- words\n --><!DOCTYPE a PUBLIC '-//b//c' 'a.dtd' >",
    ],
)
def test_a_document_type_that_is_only_named_is_not_looked_for(named):
    data = f"<?xml version='1.0'?>\n{named}\n<a>one\n<b/></a>".encode()
    (inner,) = node(data)
    assert isinstance(inner, XmlNode)
    assert inner.line == 4 + named.count("\n")
    (note,) = decode_xml(data)[1]
    assert (note.code, note.line) == ("document_type_ignored", 2 + named.count("\n"))
    assert note.quote.startswith("<!DOCTYPE a")


def test_a_document_type_without_an_end_is_looked_for_in_moments():
    begun = time.process_time()
    assert trouble(b"<!DOCTYPE a SYSTEM '" + b"<!-- " * 200_000).code == "not_xml"
    assert trouble(b"<!DOCTYPE " + b"a" * 1_000_000).code == "not_xml"
    assert trouble(b"<!-- a -->" * 100_000 + b"<!DOCTYPE a").code == "not_xml"
    assert time.process_time() - begun < 3


def test_a_bomb_of_entities_ends_before_it_unfolds():
    levels = b"".join(b'<!ENTITY e%d "%s">' % (n, b"&e%d;" % (n - 1) * 10) for n in range(1, 12))
    begun = time.process_time()
    assert trouble(b'<!DOCTYPE a [<!ENTITY e0 "x">' + levels + b"]><a>&e11;</a>").code == "doctype"
    assert time.process_time() - begun < 1


def test_too_many_elements_end_it(monkeypatch):
    monkeypatch.setattr(xml, "MAX_ELEMENTS", 5)
    assert trouble(b"<a>" + b"<b/>" * 9 + b"</a>").code == "too_deep"
    assert len(list(iterate_children(b"<a>" + b"<b/>" * 9 + b"</a>"))) == 9


def test_a_file_too_big_is_not_read(monkeypatch):
    monkeypatch.setattr(xml, "MAX_CHARACTERS", 5)
    assert trouble(b"<a>   </a>").code == "too_big"


@pytest.mark.parametrize(
    ("data", "codes"),
    [
        ("<a>año</a>".encode(), []),
        ("\ufeff<?xml version='1.0'?><a>año</a>".encode(), []),
        ("<?xml version='1.0' encoding='UTF-16'?><a>año</a>".encode("utf-16"), []),
        ("<?xml version='1.0' encoding='iso-8859-1'?><a>año</a>".encode("latin-1"), []),
        ("<?xml version='1.0' encoding='UTF-8'?><a>año</a>".encode("cp1252"), ["1252"]),
        ("<?xml version='1.0' encoding='nobody-knows'?><a>año</a>".encode(), []),
        ("<?xml version='1.0' encoding='us-ascii'?><a>año</a>".encode(), []),
    ],
)
def test_every_common_encoding_is_read(data, codes):
    assert node(data).text == "año"
    assert [note.code[-4:] for note in decode_xml(data)[1]] == codes


def test_what_xml_forbids_is_taken_out_and_told():
    assert node(b"<a>o\x00n\x0be</a>").text == "one"
    assert [note.code for note in decode_xml(b"<a>\x0b</a>")[1]] == ["control_characters_removed"]


def test_the_root_tells_what_a_file_is():
    assert read_root_name(SMALL) == "quiz"
    assert read_root_name(b"<?xml version='1.0'?><!-- <quiz> --><x:item xmlns:x='u'>") == "item"
    assert read_root_name(b"<!-- licence -->\n" * 500 + b"<quiz/>") == "quiz"
    assert read_root_name(b"<!DOCTYPE a [<!ENTITY b 'c'>]><a/>") == "a"
    assert read_root_name(b"\x00PK no") == read_root_name(b"<!--" * 9000) == ""


def test_a_big_file_is_read_in_moments():
    data = b"<quiz>" + b"<question><name>one</name></question>" * 50_000 + b"</quiz>"
    begun = time.process_time()
    assert sum(isinstance(child, XmlNode) for child in iterate_children(data)) == 50_000
    assert time.process_time() - begun < 5
