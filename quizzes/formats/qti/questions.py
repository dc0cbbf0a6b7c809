"""From items of QTI 2 and 3, single or in packages, to a parcel."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Protocol

from quizzes.formats.builders import Head, add_score_feedback, build_essay
from quizzes.formats.contract import Note, ParsedFile, ParsedQuestion, SourceItem
from quizzes.formats.parsing.contents import PackageDocument, contains_document
from quizzes.formats.parsing.package_reader import PackageReader
from quizzes.formats.parsing.percentages import snapped
from quizzes.formats.parsing.source_items import Origin, build_item
from quizzes.formats.parsing.xhtml import read_text
from quizzes.formats.parsing.xml import XmlNode, read_root_name
from quizzes.formats.qti import choice, cloze, ordering, text_entry
from quizzes.formats.qti.item import INLINE, Refused, Source, explanation, place, quoted, source
from quizzes.formats.qti.qti_versions import GAP, plain
from quizzes.formats.qti.response_declarations import default

_LANGUAGE = ("{http://www.w3.org/XML/1998/namespace}lang", "lang")
_REVIEWS = frozenset({"custom_response_processing", "key_unknown", "several_right_options"})
_STEP = Fraction(1, 1000)
_PLACE = re.compile(r"qtimark\d+qtimark")
_RIGHT = re.compile(r"(?:is_)?(?:correct|right)(?:_fb)?", re.IGNORECASE)
_WRONG = re.compile(r"(?:is_)?(?:incorrect|wrong)(?:_fb)?", re.IGNORECASE)


class Claims(Protocol):
    """Whether these bytes look like the format; by the first element, in packages of any file."""

    def __call__(self, data: bytes, filename: str) -> bool:
        """Tell; never raises."""


class Read(Protocol):
    """Reading a document or a package of items."""

    def __call__(self, data: bytes, *, language: str = "") -> ParsedFile:
        """Read; never raises for what is in it."""


_MAKERS: Mapping[str, Callable[[Source, Head], ParsedQuestion]] = {
    "choiceInteraction": lambda read, head: choice.choice_of(read, head, read.interactions[0]),
    "extendedTextInteraction": lambda _, head: build_essay(head),
    "gapMatchInteraction": lambda read, head: cloze.gap_match_of(read, head, read.interactions[0]),
    "inlineChoiceInteraction": cloze.gaps_of,
    "matchInteraction": lambda read, head: ordering.match_of(read, head, read.interactions[0]),
    "orderInteraction": lambda read, head: ordering.order_of(read, head, read.interactions[0]),
    "textEntryInteraction": lambda read, head: text_entry.entry_of(
        read, head, read.interactions[0]
    ),
}


def doors(roots: frozenset[str]) -> tuple[Claims, Read]:
    """Return `detect` and `read` of the format whose documents begin with these elements."""

    def ours(data: bytes) -> bool:
        return read_root_name(data) in roots

    def detect(data: bytes, filename: str) -> bool:
        del filename
        return contains_document(data, ours)

    def read(data: bytes, *, language: str = "") -> ParsedFile:
        reader = PackageReader(language)
        for root, document in reader.iterate_documents(data, ours):
            _add(root, document, reader)
        return reader.build_file()

    return detect, read


def _add(root: XmlNode, document: PackageDocument, reader: PackageReader) -> None:
    """Add the items of one document."""
    plain(root)
    if root.tag == "assessmentTest":
        reader.title = reader.title or root.get("title", "")
        left = Note("test_left_out", root.line, document.member[:200])
        reader.contents.ignored.append(left)
    for node in root.iter("assessmentItem"):
        if isinstance(node, XmlNode):
            reader.add_items(partial(_item, node, document, reader), node, document)


def _item(node: XmlNode, document: PackageDocument, reader: PackageReader) -> list[SourceItem]:
    name = reader.names.name(node.get("title", ""), node.get("identifier", ""))
    read = source(node, document.media)
    language_code = next((node.get(one, "") for one in _LANGUAGE if node.get(one)), "")
    body = read_text(node.find("itemBody"))
    language = reader.choose_language(language_code, body, node.line, document.member)
    built, kind = None, ""
    try:
        built = replace(_question(read, name, language), tags=document.tags)
    except Refused as refused:
        read.note(refused.code, refused.quote)
        kind = refused.code
    place, points = Origin(node.line, node.end_line, document.member), _worth(read)
    return [build_item(place.with_name(name, kind, points), built, read.notes, review=_REVIEWS)]


def _worth(read: Source) -> Fraction | None:
    """Give what the item is worth: as it says, else as its processing pays at most."""
    maximum = default(read.node, "MAXSCORE")
    if maximum is not None:
        return maximum
    total = Fraction(0)
    for award in read.scoring.awards:
        if award.how != "map":
            total = max(total, award.amount) if award.how == "value" else total + award.amount
            continue
        # A mapping of a response that the item does not declare pays nothing.
        response = read.responses.get(award.responses[0]) if award.responses else None
        if response is not None and (mapping := response.mapping) is not None:
            typed = response.base == "string"  # so the rest may be, too
            values = [*(value for _, value, _ in mapping.entries), mapping.default * typed]
            good = [value for value in values if value > 0]
            many = response.cardinality != "single"
            total += mapping.within(sum(good, Fraction(0)) if many else max(good, default=total))
    return total or None


def _question(read: Source, name: str, language: str) -> ParsedQuestion:
    maker = _maker(read)
    head = Head(
        read.node.line,
        name,
        language,
        read.markdown(read.html if maker is cloze.gaps_of else _placed(read)),
        explanation=explanation(read),
    )
    built = maker(read, head)
    return add_score_feedback(built, language, dict(_bands(read)))


def _maker(read: Source) -> Callable[[Source, Head], ParsedQuestion]:
    """Tell which of our kinds asks this; what none can ask: Refused."""
    node = read.node
    if node.get("adaptive") == "true":
        raise Refused("adaptive", quoted(read))
    if node.find("templateProcessing") is not None or node.find("templateDeclaration") is not None:
        raise Refused("random_variables", quoted(read))
    tags = [interaction.tag for interaction in read.interactions]
    if not tags:
        raise Refused("no_interaction", quoted(read))
    unknown = [tag for tag in tags if tag not in _MAKERS]
    if unknown or next(node.iter("gapImg"), None) is not None:
        raise Refused("unsupported_interaction", (unknown or ["gapImg"])[0])
    if len(tags) > 1 and not set(tags) <= INLINE:
        raise Refused("several_interactions", " ".join(tags))
    gap = GAP in read.interactions[0].get("class", "").split()
    return cloze.gaps_of if gap or len(tags) > 1 else _MAKERS[tags[0]]


def _placed(read: Source) -> str:
    """Take the place of the one interaction out, but where words stand around it."""
    block = re.sub(r"<(p|div)>\s*qtimark1qtimark\s*</\1>", "", read.html)
    return block.replace(place(1), "___") if _PLACE.search(block) else block


def _bands(read: Source) -> list[tuple[Fraction, str]]:
    """Give what is said to a right answer and to a wrong one, and to scores between them."""
    bands: dict[Fraction, list[str]] = {Fraction(1): [], Fraction(0): []}
    full = _worth(read) or Fraction(1)
    for node in read.node.iter("modalFeedback"):
        ident = node.get("identifier", "")
        text = read.text(node)
        if ident in read.taken:
            continue
        if ident in read.scoring.scores:
            begins = snapped(read.scoring.scores[ident] / full, _STEP)
            bands.setdefault(begins, []).append(text)
        elif ident in read.scoring.said:
            bands[read.scoring.said[ident]].append(text)
        elif _RIGHT.fullmatch(ident) or _WRONG.fullmatch(ident):
            bands[Fraction(bool(_RIGHT.fullmatch(ident)))].append(text)
        elif not read.scoring.echoed and ident.lower() not in {
            "general",
            "solution",
            "explanation",
        }:
            read.note("feedback_unlinked", text)
    descending = sorted(bands.items(), reverse=True)
    return [(begins, "\n\n".join(texts)) for begins, texts in descending if texts]
