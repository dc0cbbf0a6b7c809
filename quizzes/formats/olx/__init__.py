"""OLX, the XML of Open edX: exported courses and libraries (.tar.gz, .zip), and single problems.

Problems that a program or a formula marks are refused: nothing of a file is ever run.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from quizzes.formats.builders import Head
from quizzes.formats.contract import Note, ParsedFile, ParsedQuestion, SourceItem
from quizzes.formats.olx import choice_response, string_response
from quizzes.formats.olx.olx_problem import OlxResponse, split_problem
from quizzes.formats.parsing.contents import PackageDocument, contains_document
from quizzes.formats.parsing.naming import Names
from quizzes.formats.parsing.package_reader import PackageReader
from quizzes.formats.parsing.packages import is_tarball
from quizzes.formats.parsing.percentages import parse_decimal
from quizzes.formats.parsing.source_items import Origin, build_item
from quizzes.formats.parsing.xhtml import read_text
from quizzes.formats.parsing.xml import XmlNode, read_root_name

name = "olx"
extensions = ("gz", "tgz", "zip", "xml", "olx")

_BUILDERS: Mapping[str, Callable[[OlxResponse, Head], ParsedQuestion]] = {
    "multiplechoiceresponse": choice_response.read_single_choice,
    "truefalseresponse": choice_response.read_multiple_choice,
    "choiceresponse": choice_response.read_multiple_choice,
    "optionresponse": choice_response.read_dropdown,
    "stringresponse": string_response.read_short_text,
    "numericalresponse": string_response.read_numeric,
}
_MARKED_BY_RULE = frozenset(
    "customresponse coderesponse externalresponse formularesponse schematicresponse "
    "symbolicresponse javascriptresponse jsmeresponse chemicalresponse".split()
)
"""Responses that a program or a formula marks."""
_OTHER_BLOCKS = frozenset(
    "openassessment drag-and-drop-v2 poll survey word_cloud lti_consumer lti crowdsourcehinter "
    "problem-builder randomize done".split()
)
"""What else learners answer there, and is no question here."""
_STRUCTURE = frozenset(
    {"course", "chapter", "sequential", "vertical", "library", "library_content"}
)
_TITLED = frozenset({"course", "library"})
_ENOUGH_TEXT = 50_000
"""Characters that show a language."""
_POINTER = re.compile(rb"\burl_name\s*=")


def detect(data: bytes, filename: str) -> bool:
    """Return whether the first element, in a package that of any file in it, is of OLX."""
    if not filename.lower().endswith(extensions):
        return False
    return is_tarball(data) or contains_document(data, _is_olx)


def _is_olx(data: bytes) -> bool:
    root = read_root_name(data)
    if root in _STRUCTURE:
        return _POINTER.search(data[:100_000]) is not None or root == "library"
    return root == "problem" or root in _OTHER_BLOCKS


def read(data: bytes, *, language: str = "") -> ParsedFile:
    """Return a problem, or all problems of a course or library."""
    reader = PackageReader(language)
    declared, text = _read_language_and_text(data)
    language = reader.choose_language(declared, text, 1, "") if text else language
    for root, document in reader.iterate_documents(data, _is_olx):
        if root.tag in _TITLED:
            reader.title = reader.title or root.get("display_name", "")
        blocks = _BlockReader(document, reader.names, language)
        for node in root.iter() if root.tag in _STRUCTURE else [root]:
            if isinstance(node, XmlNode):
                reader.add_items(partial(blocks.read_block, node), node, document)
    parsed_file = reader.build_file()
    return replace(parsed_file, metadata=replace(parsed_file.metadata, language=language))


def _read_language_and_text(data: bytes) -> tuple[str, str]:
    """Return the language that a course declares, and the beginning of its text."""
    language, texts, length = "", list[str](), 0
    for root, _ in PackageReader("").iterate_documents(data, _is_olx):
        if root.tag in _TITLED:
            language = language or root.get("language", "")
        if length < _ENOUGH_TEXT:
            texts.append(read_text(root))
            length += len(texts[-1])
    return language, " ".join(texts).strip()


@dataclass(frozen=True, slots=True)
class _BlockReader:
    """Reads the blocks of one document."""

    document: PackageDocument
    names: Names
    language: str

    def read_block(self, node: XmlNode) -> Iterator[SourceItem]:
        """Yield an item for each response of a problem, and the refusal of any other block."""
        if node.tag in _OTHER_BLOCKS:
            yield self._refuse(
                node, node, node.tag, "kind_unknown", f"{node.tag}: {read_text(node)}"
            )
        if node.tag != "problem" or not (len(node) or (node.text or "").strip()):
            return
        responses = split_problem(node, self.document.media)
        script = _find_script(node)
        if script is not None:
            yield self._refuse(node, node, "script", "marked_by_rule", script)
        elif not responses:
            yield self._refuse(node, node, "description", "description_only", read_text(node))
        else:
            for response in responses:
                yield self._read_response(response, len(responses))

    def _read_response(self, response: OlxResponse, count: int) -> SourceItem:
        node, problem = response.node, response.problem
        if node.tag not in _BUILDERS or "$" in node.get("answer", ""):
            is_known = node.tag in _BUILDERS or node.tag in _MARKED_BY_RULE
            code = "marked_by_rule" if is_known else "kind_unknown"
            quote = f"{node.tag}: {' '.join(node.attrib.values())} {read_text(node)}"
            return self._refuse(node, problem, node.tag, code, quote)
        head = response.read_head(self.names, self.language, self.document.tags)
        question = _BUILDERS[node.tag](response, head)
        if count > 1:
            response.note("responses_parted", problem.get("display_name", ""))
        if not head.prompt:
            response.note("prompt_missing", read_text(node))
        weight = parse_decimal(problem.get("weight", ""))
        lines = node if count > 1 else problem
        origin = Origin(
            lines.line,
            lines.end_line,
            self.document.member,
            head.name,
            points=None if weight is None else weight / count,
        )
        return build_item(origin, question, response.notes)

    def _refuse(
        self, node: XmlNode, named: XmlNode, kind: str, code: str, quote: str
    ) -> SourceItem:
        """Return the refusal of an element; `named` is the element with its name."""
        name = self.names.assign(named.get("display_name", ""), named.get("url_name", ""), kind)
        origin = Origin(node.line, node.end_line, self.document.member, name, kind)
        return build_item(origin, None, [Note(code, node.line, quote[:200])])


def _find_script(node: XmlNode) -> str | None:
    """Return the program that makes or marks the problem; None if there is none."""
    for script in node.iter("script"):
        if "javascript" not in script.get("type", "") and read_text(script):
            return "".join(script.itertext()).strip()
    return None
