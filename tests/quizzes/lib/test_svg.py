"""Drawings (SVG): what acts or fetches is refused by name and line, the rest is written anew."""

import io
import time
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.lib.filetypes import AUDIO, IMAGE, VIDEO, FileType, UnsupportedFile, detect
from tests.media_files import svg

MAX_BYTES = {IMAGE: 5_000_000, AUDIO: 1, VIDEO: 1}
XHTML = "http://www.w3.org/1999/xhtml"


def told(data: bytes) -> FileType:
    return detect(io.BytesIO(data), MAX_BYTES)


def cleaned(inside: str, more: str = "") -> str:
    return (told(svg(inside, more)).cleaned or b"").decode()


def refusal(data: bytes) -> UnsupportedFile:
    with pytest.raises(UnsupportedFile) as caught:
        told(data)
    return caught.value


@pytest.mark.parametrize(
    ("inside", "code"),
    [
        ("<script>alert(1)</script>", "drawing_element"),
        ('<script href="//evil/x.js"/>', "drawing_element"),
        ("<foreignObject><b>x</b></foreignObject>", "drawing_element"),
        (f'<foreignObject><body xmlns="{XHTML}"/></foreignObject>', "drawing_element"),
        (f'<b xmlns="{XHTML}" onclick="x()">x</b>', "drawing_element"),
        ('<b xmlns="">x</b>', "drawing_element"),
        ('<image href="//evil/x.png"/>', "drawing_element"),
        ('<feImage href="//evil/x.png"/>', "drawing_element"),
        ('<a href="javascript:alert(1)"><text>x</text></a>', "drawing_element"),
        ('<animate attributeName="href" to="javascript:alert(1)"/>', "drawing_element"),
        ('<set attributeName="onclick" to="alert(1)"/>', "drawing_element"),
        ('<handler type="text/ecmascript">x</handler>', "drawing_element"),
        ('<rect onclick="alert(1)"/>', "drawing_attribute"),
        ('<rect ONLOAD="alert(1)"/>', "drawing_attribute"),
        ('<use href="//evil/x.svg#a"/>', "drawing_fetches"),
        ('<use xlink:href="https://evil/x.svg#a"/>', "drawing_fetches"),
        ('<use href="data:image/svg+xml,x#a"/>', "drawing_fetches"),
        ('<use href="#%61"/>', "drawing_fetches"),
        ('<linearGradient href="javascript:alert(1)"/>', "drawing_fetches"),
        ('<rect fill="url(//evil/x)"/>', "drawing_fetches"),
        ("<rect fill=\"url( 'https://evil/x#a' )\"/>", "drawing_fetches"),
        ('<rect style="fill:url(https://evil/x)"/>', "drawing_fetches"),
        ('<rect style="fill:u\\72l(https://evil/x)"/>', "drawing_fetches"),
        ('<rect style="fill:urlurl(#a)(https://evil/x)"/>', "drawing_fetches"),
        ('<rect style="behavior:x"/>', "drawing_fetches"),
        ('<rect style="background:image-set(&quot;//evil&quot; 1x)"/>', "drawing_fetches"),
        ('<rect style="width:expression(alert(1))"/>', "drawing_fetches"),
        ('<style>@import "//evil/x.css";</style>', "drawing_fetches"),
        ("<style>rect{fill:url(//evil/x)}</style>", "drawing_fetches"),
        ("<style>a{b:</style><style>url(//evil)}</style>", "drawing_fetches"),
        ("<style>&lt;script></style>", "drawing_fetches"),
        ("<style>x{-moz-binding:y}</style>", "drawing_fetches"),
        ("<?xml-stylesheet href='//evil/x.css'?>", "drawing_instructs"),
        ("<rect>", "drawing_unreadable"),
        ("&undefined;", "drawing_unreadable"),
    ],
)
def test_what_could_act_or_fetch_is_refused_with_its_line(inside, code):
    reason = refusal(svg("\n\n" + inside))
    assert reason.code == code
    assert reason.detail["line"] == 3


def test_an_event_on_the_drawing_itself_is_refused():
    assert refusal(svg(more='onload="alert(1)"')).detail == {"line": 1, "name": "onload"}


@pytest.mark.parametrize(
    "declaration",
    [
        "<!DOCTYPE svg>",
        '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://evil/svg11.dtd">',
        '<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>',
        '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE svg [<!ATTLIST rect onload CDATA "alert(1)">]>',
    ],
)
def test_declarations_and_entities_are_refused_before_they_are_read(declaration):
    assert refusal(declaration.encode() + svg("<text>&x;</text>")).code == "drawing_declares"


@pytest.mark.parametrize(
    "data",
    [
        b"<!DOCTYPE html><svg/>",
        b"<html><svg/></html>",
        b"<rss/>",
        b'<x xmlns="http://www.w3.org/2000/svg"/>',
    ],
)
def test_what_is_no_drawing_is_not_taken_for_one(data):
    assert refusal(data).code == "unknown_type"


def test_a_drawing_that_names_no_namespace_would_not_be_shown():
    assert refusal(b"<svg/>").code == "drawing_nameless"


@pytest.mark.parametrize(
    "data",
    [
        b'<?xml version="1.0" encoding="klingon"?>' + svg(),
        b"<svg",
        svg()[:-3],
        svg() + b"<script/>",
        svg().replace(b"rect", b"re\xffct"),
        b"<",
    ],
)
def test_what_is_not_well_formed_is_refused(data):
    assert refusal(data).code == "drawing_unreadable"


def test_what_is_drawn_stays():
    inside = (
        "<title>Cats &amp; dogs</title>"
        '<defs><linearGradient id="a"><stop offset="0" stop-color="red"/></linearGradient>'
        '<linearGradient id="b" xlink:href="#a"/><path id="p" d="M0 0L1 1"/></defs>'
        '<g transform="scale(2)" style="stroke-width:2;fill:url(#b)" image-rendering="auto">'
        '<use xlink:href="#p" x="1"/><text xml:space="preserve" font-family="Curly">1 &lt; 2</text>'
        '<rect fill="url(#b)" aria-label="me@home"/></g>'
    )
    written = cleaned(inside, 'width="40px" height="20"')
    assert written.startswith('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 2"')
    assert inside.replace("xlink:", "").replace("/>", "></") in written.replace("/>", "></") or [
        node.tag for node in ET.fromstring(written).iter()
    ] == [node.tag for node in ET.fromstring(svg(inside).decode()).iter()]
    for text in ("Cats &amp; dogs", "url(#b)", 'href="#p"', "1 &lt; 2", 'xml:space="preserve"'):
        assert text in written
    assert "xlink" not in written


def test_a_style_sheet_may_name_colours_and_filters_alone():
    gradient = '<linearGradient id="a"/><filter id="f"/>'
    assert "url(#a)" in cleaned(gradient + "<style>.x{fill:url(#a);filter:url(#f)}</style>")
    pattern = '<pattern id="a"><rect class="x"/></pattern>'
    assert refusal(svg(pattern + "<style>.x{fill:url(#a)}</style>")).code == "drawing_style_names"


def test_what_is_not_drawn_is_left_out():
    inside = (
        "<!-- a note --><metadata><r:RDF xmlns:r='urn:r'><script/></r:RDF></metadata>"
        '<i:view xmlns:i="urn:i" i:x="1"><i:y>words</i:y></i:view>'
        '<rect xmlns:i="urn:i" i:label="x" data-name="y" width="1"/>words'
    )
    written = cleaned(inside)
    assert written.endswith('<rect width="1"></rect>words</svg>')
    for gone in ("note", "RDF", "script", "urn:", "label", "data-name"):
        assert gone not in written


def test_a_cleaned_drawing_is_clean():
    first = told(svg('<g id="x"><use href="#y"/><rect id="y" rx="1&#10;"/></g>'))
    again = told(first.cleaned or b"")
    assert again.cleaned == first.cleaned


@pytest.mark.parametrize(
    ("more", "size"),
    [
        ("", (4, 2)),
        ('width="300" height="200"', (300, 200)),
        ('width="30.4px" height="20.6"', (30, 21)),
        ('width="100%" height="20"', (4, 2)),
        ('width="1e9" height="9"', (4, 2)),
    ],
)
def test_the_size_is_what_the_drawing_asks_for(more, size):
    detected = told(svg(more=more))
    assert (detected.width, detected.height) == size


def test_a_drawing_may_leave_its_size_open():
    detected = told(b'<svg xmlns="http://www.w3.org/2000/svg"/>')
    assert (detected.width, detected.height) == (None, None)


def thousandfold(levels: int, times: int = 10) -> str:
    lines = [
        f'<g id="n{level + 1}">' + f'<use href="#n{level}"/>' * times + "</g>"
        for level in range(levels)
    ]
    return '<g id="n0"><rect/></g>' + "".join(lines)


@pytest.mark.parametrize(
    ("inside", "code"),
    [
        (thousandfold(8), "drawing_too_complex"),
        (thousandfold(60, 2), "drawing_too_complex"),
        ('<g id="a"><use href="#a"/></g>', "drawing_circular"),
        ('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>', "drawing_circular"),
        ('<pattern id="a"><rect style="fill:url(#a)"/></pattern>', "drawing_circular"),
        ("<g>" * 70 + "</g>" * 70, "drawing_too_complex"),
        ("<rect/>" * 50_001, "drawing_too_complex"),
    ],
    ids=["thousandfold", "doubled", "itself", "each other", "pattern", "deep", "many"],
)
def test_a_drawing_that_would_never_be_done_is_refused_at_once(inside, code):
    begun = time.process_time()
    assert refusal(svg(inside)).code == code
    assert time.process_time() - begun < 2


def chain(length: int) -> str:
    return "".join(f'<linearGradient id="g{n}" href="#g{n + 1}"/>' for n in range(length))


def test_a_long_chain_of_references_is_followed_without_exhausting_anything():
    assert told(svg(chain(500))).extension == "svg"
    assert refusal(svg(chain(20_000))).code == "drawing_too_complex"


def test_three_levels_of_ten_are_an_honest_drawing():
    assert told(svg(thousandfold(3))).extension == "svg"


@given(st.text(alphabet="<>/&;#=\"' abgsvrect:!?-[]xmlnsonurl()", max_size=120))
def test_whatever_stands_inside_is_refused_or_comes_out_without_anything_active(inside):
    try:
        written = (told(svg(inside)).cleaned or b"").decode()
    except UnsupportedFile:
        return
    for element in ET.fromstring(written).iter():
        assert element.tag.startswith("{http://www.w3.org/2000/svg}")
        assert not [name for name in element.attrib if name.lower().startswith("on")]
