"""A file of Open edX as a parcel: each problem is found, parted into its questions, judged."""

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial

from quizzes.formats.contract import Note, ParsedFile, SourceItem
from quizzes.formats.olx.problem import Part, Problem, taken_apart
from quizzes.formats.olx.responses import BUILDERS, RULES, Response
from quizzes.formats.parsing.contents import PackageDocument
from quizzes.formats.parsing.package_reader import PackageReader
from quizzes.formats.parsing.percentages import fraction
from quizzes.formats.parsing.source_items import LOST, Origin, build_item
from quizzes.formats.parsing.xhtml import read_text
from quizzes.formats.parsing.xml import XmlNode, read_root_name

REVIEW = LOST | frozenset(
    "answer_unknown element_unknown key_unknown "
    "number_unreadable option_empty options_missing pattern_elsewhere prompt_missing "
    "several_right_options too_few_options weight_unreadable".split()
)
"""What a person must look at; any other note is of something that was mended."""
_OTHERS = frozenset(
    "openassessment drag-and-drop-v2 poll survey word_cloud lti_consumer lti crowdsourcehinter "
    "problem-builder randomize done".split()
)
"""What else learners answer there, and is no question here."""
_STRUCTURE = frozenset(
    {"course", "chapter", "sequential", "vertical", "library", "library_content"}
)
At = tuple[PackageDocument, PackageReader]
"""The document that an item stands in, and the file that this is of."""
_HEADS = frozenset({"course", "library"})
_ENOUGH = 50_000
"""Characters that tell a language."""
_POINTER = re.compile(rb"\burl_name\s*=")


def is_ours(data: bytes) -> bool:
    """Tell a file of Open edX by its first element."""
    root = read_root_name(data)
    if root in _STRUCTURE:
        return _POINTER.search(data[:100_000]) is not None or root == "library"
    return root == "problem" or root in _OTHERS


def parcel(data: bytes, language: str) -> ParsedFile:
    """Read all documents of a file; the course says its language, else its words tell."""
    reader = PackageReader(language)
    said, text = _speech(data)
    spoken = reader.choose_language(said, text, 1, "") if text else language
    for root, document in reader.iterate_documents(data, is_ours):
        if root.tag in _HEADS:
            reader.title = reader.title or root.get("display_name", "")
        for node in root.iter() if root.tag in _STRUCTURE else [root]:
            if isinstance(node, XmlNode):
                read = partial(_found, node, document, reader, spoken)
                reader.add_items(read, node, document)
    made = reader.build_file()
    return replace(made, metadata=replace(made.metadata, language=spoken))


def _speech(data: bytes) -> tuple[str, str]:
    """Give the language that a course says, and the first words of its documents."""
    said, texts, count = "", list[str](), 0
    for root, _ in PackageReader("").iterate_documents(data, is_ours):
        if root.tag in _HEADS:
            said = said or root.get("language", "")
        if count < _ENOUGH:
            texts.append(read_text(root))
            count += len(texts[-1])
    return said, " ".join(texts).strip()


def _found(
    node: XmlNode, document: PackageDocument, reader: PackageReader, spoken: str
) -> Iterator[SourceItem]:
    if node.tag in _OTHERS:
        note = Note("kind_unknown", node.line, f"{node.tag}: {read_text(node)}"[:200])
        yield _refused(node, node, (document, reader), node.tag, note)
    elif node.tag == "problem" and (len(node) or (node.text or "").strip()):
        problem = Problem(node, spoken, document.media)
        yield from _problem(problem, document, reader)


def _problem(
    problem: Problem, document: PackageDocument, reader: PackageReader
) -> Iterator[SourceItem]:
    node = problem.node
    parts = taken_apart(problem)
    script = _script(node)
    if script is not None or not parts:
        code = "description_only" if script is None else "marked_by_rule"
        quote = read_text(node) if script is None else script
        kind = "script" if script is not None else "description"
        yield _refused(node, node, (document, reader), kind, Note(code, node.line, quote[:200]))
        return
    for part in parts:
        yield _part(part, problem, document, reader, len(parts))


def _script(node: XmlNode) -> str | None:
    """Give the program that makes or marks the problem; None if there is none."""
    for child in node.iter():
        if child.tag == "script" and "javascript" not in child.get("type", "") and read_text(child):
            return "".join(child.itertext()).strip()
    return None


def _part(
    part: Part, problem: Problem, document: PackageDocument, reader: PackageReader, parts: int
) -> SourceItem:
    kind = part.node.tag
    rule = RULES.get(kind) or (None if kind in BUILDERS else "kind_unknown")
    if rule or "$" in part.node.get("answer", ""):
        quote = f"{kind}: {' '.join(part.node.attrib.values())} {read_text(part.node)}"
        note = Note(rule or "marked_by_rule", part.node.line, quote[:200])
        return _refused(part.node, problem.node, (document, reader), kind, note)
    head = part.head(reader.names)
    response = Response(part.node, problem, replace(head, tags=document.tags))
    question = BUILDERS[kind](response)
    if parts > 1:
        problem.note("responses_parted", part.node.line, problem.node.get("display_name", ""))
    if not head.prompt:
        problem.note("prompt_missing", part.node.line, read_text(part.node))
    notes = problem.told()
    line, last = (problem.node if parts == 1 else part.node).line, part.node.end_line
    last = problem.node.end_line if parts == 1 else last
    points = _points(problem.node, parts)
    place = Origin(line, last, document.member)
    return build_item(place.with_name(head.name, points=points), question, notes, review=REVIEW)


def _points(node: XmlNode, parts: int) -> Fraction | None:
    weight = fraction(node.get("weight", ""))
    return None if weight is None else weight / parts


def _refused(node: XmlNode, named: XmlNode, at: At, kind: str, note: Note) -> SourceItem:
    """Tell what became no question; `named` is the element that has its name."""
    document, reader = at
    display, url = named.get("display_name", ""), named.get("url_name", "")
    called = reader.names.name(display, url, kind)
    place = Origin(node.line, node.end_line, document.member)
    return build_item(place.with_name(called, kind), None, [note])
