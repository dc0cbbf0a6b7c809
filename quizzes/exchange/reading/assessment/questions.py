"""From items of QTI 2 and 3, single or in packages, to a parcel."""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction

from quizzes.exchange.contract import About, Found, Note, Parcel, ParcelQuestion, Trouble, Verdict
from quizzes.exchange.reading.assessment import chosen, filled
from quizzes.exchange.reading.assessment.declared import default
from quizzes.exchange.reading.assessment.dialect import plain
from quizzes.exchange.reading.assessment.source import (
    INLINE,
    Refused,
    Source,
    explanation,
    place,
    quoted,
    source,
)
from quizzes.exchange.reading.building import Head, essay, with_bands
from quizzes.exchange.reading.contents import Contents, Document
from quizzes.exchange.reading.languages import detect
from quizzes.exchange.reading.naming import Names
from quizzes.exchange.reading.xhtml import words
from quizzes.exchange.reading.xml import Node, parse

_LANGUAGE = ("{http://www.w3.org/XML/1998/namespace}lang", "lang")
_REVIEWS = {"custom_response_processing", "key_unknown", "several_right_in_single"}
_PLACE = re.compile(r"qtimark\d+qtimark")
_RIGHT = re.compile(r"(?:is_)?(?:correct|right)(?:_fb)?", re.IGNORECASE)
_WRONG = re.compile(r"(?:is_)?(?:incorrect|wrong)(?:_fb)?", re.IGNORECASE)

_MAKERS: Mapping[str, Callable[[Source, Head], ParcelQuestion]] = {
    "choiceInteraction": lambda read, head: chosen.choice_of(read, head, read.interactions[0]),
    "extendedTextInteraction": lambda _, head: essay(head),
    "gapMatchInteraction": lambda read, head: filled.gap_match_of(read, head, read.interactions[0]),
    "inlineChoiceInteraction": filled.gaps_of,
    "matchInteraction": lambda read, head: chosen.match_of(read, head, read.interactions[0]),
    "orderInteraction": lambda read, head: chosen.order_of(read, head, read.interactions[0]),
    "textEntryInteraction": lambda read, head: filled.entry_of(read, head, read.interactions[0]),
}


def parcel(data: bytes, wanted: Callable[[bytes], bool], language: str) -> Parcel:
    """Read a document or a package of items."""
    reading = _Reading(language)
    for document in reading.contents.documents(data, wanted):
        reading.add(document)
    return reading.parcel()


class _Reading:
    def __init__(self, language: str) -> None:
        self.contents = Contents()
        self._names = Names()
        self._language = language
        self._title = ""
        self._found: list[Found] = []

    def add(self, document: Document) -> None:
        """Read one document; what is no XML is a trouble."""
        root = parse(document.data)
        if isinstance(root, Trouble):
            self.contents.troubles.append(root)
            return
        plain(root)
        if root.tag == "assessmentTest":
            self._title = self._title or root.get("title", "")
            self.contents.noise.append(Note("test_left_out", root.line, document.member[:200]))
        for one in root.iter("assessmentItem"):
            if isinstance(one, Node):
                self._found.append(self._item(one, document))

    def _item(self, node: Node, document: Document) -> Found:
        name = self._names.name(node.get("title", ""), node.get("identifier", ""))
        read = source(node, document.media)
        said = next((node.get(one, "") for one in _LANGUAGE if node.get(one)), "")
        language = self._language or said[:2].lower() or detect(words(node.find("itemBody")))
        if not language:
            self.contents.noise.append(Note("language_unknown", node.line, document.member[:200]))
        try:
            built = _question(read, name, language or "en")
        except Refused as refused:
            read.note(refused.code, refused.quote)
            return _found(read, document, name, refused.code, None)
        return _found(read, document, name, built.kind, built)

    def parcel(self) -> Parcel:
        """Give all that was read."""
        contents = self.contents
        return Parcel(
            found=tuple(self._found),
            troubles=tuple(contents.troubles),
            about=About(title=self._title, language=self._language),
            media=contents.media,
            noise=tuple(contents.noise),
        )


def _found(
    read: Source, document: Document, name: str, kind: str, built: ParcelQuestion | None
) -> Found:
    codes = {note.code for note in read.notes}
    verdict = Verdict.REPAIRED if codes else Verdict.IMPORTED
    if built is None:
        verdict = Verdict.REFUSED
    elif codes & _REVIEWS:
        verdict = Verdict.REVIEW
    return Found(
        read.node.line,
        read.node.last,
        name,
        kind,
        verdict,
        built,
        tuple(read.notes),
        document.member,
        _worth(read),
    )


def _worth(read: Source) -> Fraction | None:
    """Give what the item is worth: as it says, else as its processing pays at most."""
    maximum = default(read.node, "MAXSCORE")
    if maximum is not None:
        return maximum
    total = Fraction(0)
    for one in read.scoring.awards:
        if one.how != "map":
            total = max(total, one.amount) if one.how == "value" else total + one.amount
            continue
        mapping = read.responses[one.responses[0]].mapping if one.responses else None
        if mapping is not None:
            good = [value for _, value, _ in mapping.entries if value > 0]
            many = read.responses[one.responses[0]].cardinality != "single"
            total += mapping.within(sum(good, Fraction(0)) if many else max(good, default=total))
    return total or None


def _question(read: Source, name: str, language: str) -> ParcelQuestion:
    maker = _maker(read)
    head = Head(
        read.node.line,
        name,
        language,
        read.markdown(read.html if maker is filled.gaps_of else _placed(read)),
        explanation=explanation(read),
    )
    built = maker(read, head)
    return with_bands(built, language, dict(_bands(read)))


def _maker(read: Source) -> Callable[[Source, Head], ParcelQuestion]:
    """Tell which of our kinds asks this; what none can ask: Refused."""
    node = read.node
    if node.get("adaptive") == "true":
        raise Refused("adaptive", quoted(read))
    if node.find("templateProcessing") is not None or node.find("templateDeclaration") is not None:
        raise Refused("random_variables", quoted(read))
    tags = [one.tag for one in read.interactions]
    if not tags:
        raise Refused("no_interaction", quoted(read))
    unknown = [tag for tag in tags if tag not in _MAKERS]
    if unknown or next(node.iter("gapImg"), None) is not None:
        raise Refused("unsupported_interaction", (unknown or ["gapImg"])[0])
    if len(tags) > 1 and not set(tags) <= INLINE:
        raise Refused("several_interactions", " ".join(tags))
    return filled.gaps_of if len(tags) > 1 else _MAKERS[tags[0]]


def _placed(read: Source) -> str:
    """Take the place of the one interaction out, but where words stand around it."""
    block = re.sub(r"<(p|div)>\s*qtimark1qtimark\s*</\1>", "", read.html)
    return block.replace(place(1), "___") if _PLACE.search(block) else block


def _bands(read: Source) -> list[tuple[Fraction, str]]:
    """Give what is said to a right answer and to a wrong one."""
    bands: dict[Fraction, list[str]] = {Fraction(1): [], Fraction(0): []}
    for one in read.node.iter("modalFeedback"):
        ident = one.get("identifier", "")
        text = read.text(one)
        if ident in read.scoring.said:
            bands[read.scoring.said[ident]].append(text)
        elif _RIGHT.fullmatch(ident) or _WRONG.fullmatch(ident):
            bands[Fraction(bool(_RIGHT.fullmatch(ident)))].append(text)
        elif not read.scoring.echoed and ident.lower() not in {
            "general",
            "solution",
            "explanation",
        }:
            read.note("feedback_unlinked", text)
    return [(begins, "\n\n".join(texts)) for begins, texts in bands.items() if texts]
