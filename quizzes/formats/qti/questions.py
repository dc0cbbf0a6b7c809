"""Read files of QTI 2 and 3: items, tests, and packages of them."""

import re
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial

from quizzes.formats.builders import Head, add_score_feedback, build_essay
from quizzes.formats.contract import Note, ParsedFile, ParsedQuestion, SourceItem
from quizzes.formats.parsing.contents import PackageDocument, contains_document
from quizzes.formats.parsing.package_reader import PackageReader
from quizzes.formats.parsing.percentages import find_simple_fraction
from quizzes.formats.parsing.source_items import Origin
from quizzes.formats.parsing.xhtml import read_text
from quizzes.formats.parsing.xml import XmlNode, read_root_name
from quizzes.formats.qti import choice, cloze, ordering, text_entry
from quizzes.formats.qti.assessment_item import UnsupportedItem, build_source_item, build_token
from quizzes.formats.qti.item import GENERAL_FEEDBACK, INLINE, QtiItem, read_qti_item
from quizzes.formats.qti.qti_versions import GAP, spell_as_qti2
from quizzes.formats.qti.response_declarations import read_outcome_default
from quizzes.formats.qti.response_processing import read_verdict

_LANGUAGE = ("{http://www.w3.org/XML/1998/namespace}lang", "lang")
_STEP = Fraction(1, 1000)
_ONLY_TOKEN = re.compile(r"<(p|div)>\s*qtimark1qtimark\s*</\1>")
_BUILDERS: Mapping[str, Callable[[QtiItem, Head], ParsedQuestion]] = {
    "choiceInteraction": choice.read_choice,
    "extendedTextInteraction": lambda _item, head: build_essay(head),
    "gapMatchInteraction": cloze.read_gap_match,
    "inlineChoiceInteraction": cloze.read_cloze,
    "matchInteraction": ordering.read_matching,
    "orderInteraction": ordering.read_ordering,
    "textEntryInteraction": text_entry.read_text_entry,
}


def detect_qti(data: bytes, filename: str, *, roots: Container[str]) -> bool:
    """Return whether the first element, in a package that of any file in it, is one of `roots`."""
    del filename
    return contains_document(data, lambda document: read_root_name(document) in roots)


def read_qti(data: bytes, *, roots: Container[str], language: str = "") -> ParsedFile:
    """Return the items of a document or a package."""
    reader = PackageReader(language)
    documents = reader.iterate_documents(data, lambda document: read_root_name(document) in roots)
    for root, document in documents:
        spell_as_qti2(root)
        if root.tag == "assessmentTest":
            reader.title = reader.title or root.get("title", "")
            note = Note("test_left_out", root.line, document.member[:200])
            reader.contents.ignored.append(note)
        for node in root.iter("assessmentItem"):
            if isinstance(node, XmlNode):
                reader.add_items(partial(_read_item, node, document, reader), node, document)
    return reader.build_file()


def _read_item(node: XmlNode, document: PackageDocument, reader: PackageReader) -> list[SourceItem]:
    name = reader.names.assign(node.get("title", ""), node.get("identifier", ""))
    item = read_qti_item(node, document.media)
    declared = next(filter(None, map(node.get, _LANGUAGE)), "")
    text = read_text(node.find("itemBody"))
    language = reader.choose_language(declared, text, node.line, document.member)
    points = _compute_points(item)
    origin = Origin(node.line, node.end_line, document.member, name, points=points)
    head = Head(node.line, name, language, "", tags=document.tags)
    return build_source_item(item, partial(_build_question, item, head, points), origin)


def _compute_points(item: QtiItem) -> Fraction | None:
    """Return the declared maximum score, else the most points that the rules give."""
    maximum = read_outcome_default(item.node, "MAXSCORE")
    if maximum is not None:
        return maximum
    total = Fraction(0)
    for rule in item.processing.rules:
        points = item.compute_points(rule)
        total = max(total, points) if rule.basis == "value" else total + points
    return total or None


def _build_question(item: QtiItem, head: Head, points: Fraction | None) -> ParsedQuestion:
    build = _choose_builder(item)
    html = item.html
    if build not in {cloze.read_cloze, cloze.read_gap_match}:
        # The place of the only interaction matters only within a line of words.
        html = _ONLY_TOKEN.sub("", html).replace(build_token(1), "___")
    head = replace(head, prompt=item.markdown(html), explanation=item.read_explanation())
    question = build(item, head)
    return add_score_feedback(
        question, head.language, dict(_read_score_feedback(item, points or Fraction(1)))
    )


def _choose_builder(item: QtiItem) -> Callable[[QtiItem, Head], ParsedQuestion]:
    """Return the builder for the interactions, or raise UnsupportedItem."""
    node, quote = item.node, read_text(item.node.find("itemBody"))[:200]
    tags = [interaction.tag for interaction in item.interaction_nodes]
    unknown = [tag for tag in tags if tag not in _BUILDERS]
    if node.get("adaptive") == "true":
        raise UnsupportedItem("adaptive", quote)
    if node.find("templateProcessing") is not None or node.find("templateDeclaration") is not None:
        raise UnsupportedItem("random_variables", quote)
    if not tags:
        raise UnsupportedItem("no_interaction", quote)
    if unknown or next(node.iter("gapImg"), None) is not None:
        raise UnsupportedItem("unsupported_interaction", (unknown or ["gapImg"])[0])
    if len(tags) > 1 and not set(tags) <= INLINE:
        raise UnsupportedItem("several_interactions", " ".join(tags))
    is_gap = GAP in item.interaction_nodes[0].get("class", "").split()
    return cloze.read_cloze if is_gap or len(tags) > 1 else _BUILDERS[tags[0]]


def _read_score_feedback(item: QtiItem, full: Fraction) -> Iterator[tuple[Fraction, str]]:
    """Yield the feedback to scores, from the highest; feedback without a link becomes a note."""
    bands: dict[Fraction, list[str]] = {Fraction(1): [], Fraction(0): []}
    processing = item.processing
    for node in item.node.iter("modalFeedback"):
        identifier = node.get("identifier", "")
        text = item.render_text(node)
        if identifier in item.used_feedback:
            continue
        verdict = read_verdict(identifier)
        if identifier in processing.min_scores:
            begins = find_simple_fraction(processing.min_scores[identifier] / full, _STEP)
            bands.setdefault(begins, []).append(text)
        elif identifier in processing.score_feedback:
            bands[processing.score_feedback[identifier]].append(text)
        elif verdict is not None:
            bands[Fraction(verdict)].append(text)
        elif not processing.echoes_answer and identifier.lower() not in GENERAL_FEEDBACK:
            item.note("feedback_unlinked", text)
    for begins, texts in sorted(bands.items(), reverse=True):
        if texts:
            yield begins, "\n\n".join(texts)
