"""From a parcel to a package of QTI 1.2: one document with all items, their files, a manifest."""

import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from xml.etree.ElementTree import Element

from quizzes.formats.contract import ExportResult, ExportWarning, ParsedFile, ParsedQuestion
from quizzes.formats.parsing.export_tracker import ExportTracker, find_refusal
from quizzes.formats.parsing.manifest import MANIFEST_NAME
from quizzes.formats.parsing.packages import write_zip
from quizzes.formats.parsing.percentages import decimal
from quizzes.formats.qti.packing import Member, Standard, manifest, serialised
from quizzes.formats.qti.xml_writer.elements import made
from quizzes.formats.qti12.xml_writer import choice, text_entry
from quizzes.formats.qti12.xml_writer.item_writer import FULL, Leaf

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
    "essay": (text_entry.essay, ("rubric",)),
    "matching": (choice.matching, ("per_pair", "all_or_nothing")),
    "multiple_choice": (choice.choice, (*_CHOSEN, "right_minus_wrong")),
    "numeric": (text_entry.numeric, ("accepted_answers",)),
    "ordering": (choice.ordering, ("all_or_nothing",)),
    "short_text": (text_entry.short_text, ("accepted_answers",)),
    "single_choice": (choice.choice, _CHOSEN),
    "true_false": (choice.true_false, _CHOSEN),
}
_GAPS = ("per_gap", "all_or_nothing")


def write(parsed_file: ParsedFile, *, language: str) -> ExportResult:
    """Write a package in one language; what it cannot hold is among the losses."""
    warnings: list[ExportWarning] = []
    section = made("section", ident="root_section")
    for found in parsed_file.items:
        if found.question is not None:
            section.extend(_item(found.question, found.points, parsed_file, language, warnings))
    title = _title(parsed_file, language)
    ident = f"bank-{parsed_file.slug}"
    document = made("questestinterop", made("assessment", section, ident=ident, title=title))
    document.set("xmlns", _STANDARD.namespace)
    document.set("xml:lang", language)
    data = serialised(document)
    shown = tuple(sorted({*_SHOWN.findall(data.decode())} & parsed_file.media.keys()))
    member = Member(f"{ident}.xml", data, (), shown)
    told = manifest(parsed_file.slug, (title, language), [member], _STANDARD)
    files = [(f"media/{name}", parsed_file.media[name]) for name in shown]
    return ExportResult(
        write_zip([(MANIFEST_NAME, told), (member.name, data), *files]), tuple(warnings)
    )


def _title(parsed_file: ParsedFile, language: str) -> str:
    titles = parsed_file.fields.get("title", {})
    return str(titles.get(language, "")) if isinstance(titles, Mapping) else ""


def _item(
    question: ParsedQuestion,
    points: Fraction | None,
    parsed_file: ParsedFile,
    language: str,
    warnings: list[ExportWarning],
) -> Iterator[Element]:
    if refusal := find_refusal(question, {*_KINDS, "cloze"}, language):
        warnings += refusal
        return
    leaf = Leaf(ExportTracker(question, language, tags=True, files=parsed_file.media))
    prompt = _asked(leaf)
    leaf.general()
    scoring_methods = _GAPS if question.kind == "cloze" else _KINDS[question.kind][1]
    warnings += leaf.tracker.warnings(*scoring_methods)
    yield _whole(leaf, prompt, points)


def _asked(leaf: Leaf) -> Element:
    """Write what is asked for; give the text that asks."""
    question = leaf.tracker.question
    if question.kind != "cloze":
        _KINDS[question.kind][0](leaf)
        return leaf.material(leaf.tracker.text("prompt"))
    prompt = leaf.material(text_entry.cloze(leaf))
    for text in prompt:
        text.text = text_entry.bracketed(leaf, text.text or "")
    return prompt


def _whole(leaf: Leaf, prompt: Element, points: Fraction | None) -> Element:
    name = leaf.tracker.question.name
    fields = {"question_type": leaf.type_}
    if points is not None:
        fields["points_possible"] = decimal(points)
    if leaf.tracker.question.tags:
        fields["qmd_keywords"] = ", ".join(leaf.tracker.question.tags)
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
