"""From a parcel to a package of items: one file an item, the files they show, and a manifest."""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from xml.etree.ElementTree import Element, indent

from quizzes.formats.contract import ExportResult, ExportWarning, ParsedFile, ParsedQuestion
from quizzes.formats.parsing.export_tracker import ExportTracker, find_refusal
from quizzes.formats.parsing.manifest import MANIFEST_NAME
from quizzes.formats.parsing.packages import write_zip
from quizzes.formats.qti.packing import Member, Standard, manifest, serialised
from quizzes.formats.qti.qti_versions import spelled
from quizzes.formats.qti.xml_writer import choice, cloze, text_entry
from quizzes.formats.qti.xml_writer.elements import made
from quizzes.formats.qti.xml_writer.item_writer import Leaf

_SHOWN = re.compile(r"\.\./media/([\w.-]+)")
_LANGUAGE = "xml:lang"
_EXPLANATION, _SOLUTION = "explanation", "SOLUTION"
_CHOSEN = ("all_or_nothing", "option_weights")
_KINDS: Mapping[str, tuple[Callable[[Leaf], None], tuple[str, ...]]] = {
    "cloze": (cloze.cloze, ("per_gap", "all_or_nothing")),
    "essay": (text_entry.essay, ("rubric",)),
    "matching": (choice.matching, ("per_pair", "all_or_nothing", "right_minus_wrong")),
    "multiple_choice": (choice.choice, (*_CHOSEN, "right_minus_wrong")),
    "numeric": (text_entry.numeric, ("accepted_answers",)),
    "ordering": (choice.ordering, ("all_or_nothing",)),
    "short_text": (text_entry.short_text, ("accepted_answers",)),
    "single_choice": (choice.choice, _CHOSEN),
    "true_false": (choice.true_false, _CHOSEN),
}
_OURS = frozenset(
    """
    assessmentItem and baseValue choiceInteraction correct correctResponse defaultValue equal
    extendedTextInteraction gte inlineChoice inlineChoiceInteraction isNotNull isNull itemBody
    mapEntry mapResponse mapping match matchInteraction member modalFeedback not null
    orderInteraction outcomeDeclaration responseCondition responseDeclaration responseElse
    responseElseIf responseIf responseProcessing setOutcomeValue simpleAssociableChoice
    simpleChoice simpleMatchSet stringMatch sum textEntryInteraction value variable
    """.split()
)


def written(parsed_file: ParsedFile, language: str, standard: Standard) -> ExportResult:
    """Write the questions in one language; what the package cannot hold is among the losses."""
    warnings: list[ExportWarning] = []
    members: list[Member] = []
    for question, points in (
        (source_item.question, source_item.points) for source_item in parsed_file.items
    ):
        item = _item(question, points, parsed_file, language, warnings) if question else None
        if question and item is not None:
            data = _bytes(item, standard)
            files = dict.fromkeys(_SHOWN.findall(data.decode()))
            files_used = tuple(name for name in files if name in parsed_file.media)
            members.append(Member(f"items/{question.name}.xml", data, question.tags, files_used))
    titles = parsed_file.fields.get("title", {})
    title = titles.get(language, "") if isinstance(titles, Mapping) else ""
    manifest_data = manifest(parsed_file.slug, (title, language), members, standard)
    items = [(member.name, member.data) for member in members]
    media = sorted({name for member in members for name in member.shown})
    files_of = [(f"media/{name}", parsed_file.media[name]) for name in media]
    return ExportResult(
        write_zip([(MANIFEST_NAME, manifest_data), *items, *files_of]), tuple(warnings)
    )


def _item(
    question: ParsedQuestion,
    points: Fraction | None,
    parsed_file: ParsedFile,
    language: str,
    warnings: list[ExportWarning],
) -> Element | None:
    if refusal := find_refusal(question, _KINDS, language):
        warnings += refusal
        return None
    make, scoring_methods = _KINDS[question.kind]
    leaf = Leaf(ExportTracker(question, language, tags=True, files=parsed_file.media), points)
    if question.kind != "cloze":  # its gaps stand in the prompt
        leaf.ask(leaf.tracker.text("prompt"))
    make(leaf)
    leaf.scored()
    leaf.bands()
    if explanation := leaf.tracker.text("explanation", told=True):
        leaf.outcome(_SOLUTION, "single", "identifier", _EXPLANATION)
        leaf.remark(_SOLUTION, _EXPLANATION, explanation)
    warnings += leaf.tracker.warnings(*scoring_methods)
    return _whole(leaf, language)


def _whole(leaf: Leaf, language: str) -> Element:
    name = leaf.tracker.question.name
    processing = made("responseProcessing", *leaf.rules)
    if leaf.template and len(leaf.rules) == 1:
        processing = made("responseProcessing", template=leaf.template)
    item = made(
        "assessmentItem",
        *leaf.responses,
        *leaf.outcomes.values(),
        leaf.body,
        *([processing] if leaf.rules else []),
        *leaf.remarks,
        identifier=name if name[:1].isalpha() else f"q-{name}",
        title=name,
        adaptive="false",
        timeDependent="false",
    )
    item.set(_LANGUAGE, language)
    return item


def _bytes(item: Element, standard: Standard) -> bytes:
    processing = item.find("responseProcessing")
    if processing is not None and (template := processing.get("template")):
        processing.set("template", standard.templates.format(template))
    for child in item:
        if child.tag not in {"itemBody", "modalFeedback"}:
            indent(child, level=1)
        child.tail = "\n"
    item.text = "\n"
    if standard.dashed:
        spelled(item, _OURS)
    item.set("xmlns", standard.namespace)
    return serialised(item)
