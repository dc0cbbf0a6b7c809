"""From a parcel to a package of QTI 1.2: one document with all items, their files, a manifest."""

import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from xml.etree.ElementTree import Element

from quizzes.formats.contract import ExportResult, ExportWarning, ParsedFile, ParsedQuestion
from quizzes.formats.parsing.credits import decimal
from quizzes.formats.parsing.manifest import NAME
from quizzes.formats.parsing.packages import packed
from quizzes.formats.parsing.taking import Taking, find_refusal
from quizzes.formats.qti.packing import Member, Standard, manifest, serialised
from quizzes.formats.qti.pages.parts import made
from quizzes.formats.qti12.pages import chosen, filled
from quizzes.formats.qti12.pages.leaf import FULL, Leaf

_STANDARD = Standard(
    namespace="http://www.imsglobal.org/xsd/ims_qtiasiv1p2",
    templates="",
    manifest="http://www.imsglobal.org/xsd/imscp_v1p1",
    schema="IMS Content",
    version="1.1.3",
    resource="imsqti_xmlv1p2",
)
_SHOWN = re.compile(r"\$IMS-CC-FILEBASE\$/media/([\w.-]+)")
_CHOSEN = ("all_or_nothing", "option_weights")
_KINDS: Mapping[str, tuple[Callable[[Leaf], None], tuple[str, ...]]] = {
    "essay": (filled.essay, ("rubric",)),
    "matching": (chosen.matching, ("per_pair", "all_or_nothing")),
    "multiple_choice": (chosen.choice, (*_CHOSEN, "right_minus_wrong")),
    "numeric": (filled.numeric, ("accepted_answers",)),
    "ordering": (chosen.ordering, ("all_or_nothing",)),
    "short_text": (filled.short_text, ("accepted_answers",)),
    "single_choice": (chosen.choice, _CHOSEN),
    "true_false": (chosen.true_false, _CHOSEN),
}
_GAPS = ("per_gap", "all_or_nothing")


def write(parcel: ParsedFile, *, language: str) -> ExportResult:
    """Write a package in one language; what it cannot hold is among the losses."""
    losses: list[ExportWarning] = []
    section = made("section", ident="root_section")
    for found in parcel.items:
        if found.question is not None:
            section.extend(_item(found.question, found.points, parcel, language, losses))
    title = _title(parcel, language)
    ident = f"bank-{parcel.slug}"
    document = made("questestinterop", made("assessment", section, ident=ident, title=title))
    document.set("xmlns", _STANDARD.namespace)
    document.set("xml:lang", language)
    data = serialised(document)
    shown = tuple(sorted({*_SHOWN.findall(data.decode())} & parcel.media.keys()))
    member = Member(f"{ident}.xml", data, (), shown)
    told = manifest(parcel.slug, (title, language), [member], _STANDARD)
    files = [(f"media/{name}", parcel.media[name]) for name in shown]
    return ExportResult(packed([(NAME, told), (member.name, data), *files]), tuple(losses))


def _title(parcel: ParsedFile, language: str) -> str:
    titles = parcel.fields.get("title", {})
    return str(titles.get(language, "")) if isinstance(titles, Mapping) else ""


def _item(
    question: ParsedQuestion,
    points: Fraction | None,
    parcel: ParsedFile,
    language: str,
    losses: list[ExportWarning],
) -> Iterator[Element]:
    if refusal := find_refusal(question, {*_KINDS, "cloze"}, language):
        losses += refusal
        return
    leaf = Leaf(Taking(question, language, tags=True, files=parcel.media))
    prompt = _asked(leaf)
    leaf.general()
    scoring_methods = _GAPS if question.kind == "cloze" else _KINDS[question.kind][1]
    losses += leaf.taking.losses(*scoring_methods)
    yield _whole(leaf, prompt, points)


def _asked(leaf: Leaf) -> Element:
    """Write what is asked for; give the text that asks."""
    question = leaf.taking.question
    if question.kind != "cloze":
        _KINDS[question.kind][0](leaf)
        return leaf.material(leaf.taking.text("prompt"))
    prompt = leaf.material(filled.cloze(leaf))
    for text in prompt:
        text.text = filled.bracketed(leaf, text.text or "")
    return prompt


def _whole(leaf: Leaf, prompt: Element, points: Fraction | None) -> Element:
    name = leaf.taking.question.name
    fields = {"question_type": leaf.type_}
    if points is not None:
        fields["points_possible"] = decimal(points)
    if leaf.taking.question.tags:
        fields["qmd_keywords"] = ", ".join(leaf.taking.question.tags)
    told = [
        made("qtimetadatafield", made("fieldlabel", text=label), made("fieldentry", text=entry))
        for label, entry in fields.items()
    ]
    score = made("decvar", varname="SCORE", vartype="Decimal", minvalue="0", maxvalue=str(FULL))
    return made(
        "item",
        made("itemmetadata", made("qtimetadata", *told)),
        made("presentation", prompt, *leaf.shown),
        made("resprocessing", made("outcomes", score), *leaf.rules),
        *leaf.remarks,
        ident=name,
        title=name,
    )
