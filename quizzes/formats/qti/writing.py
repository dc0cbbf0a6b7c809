"""Writing a package of QTI items: one file per question, the media they use, and a manifest."""

from collections.abc import Callable, Mapping
from functools import partial
from xml.etree.ElementTree import Element, indent

from quizzes.formats.contract import ExportResult, ParsedFile
from quizzes.formats.export import ExportTracker, QuestionExporter
from quizzes.formats.export.elements import append_element, build_element
from quizzes.formats.qti.item_writer import QtiItemWriter
from quizzes.formats.qti.packing import (
    PackageMember,
    QtiStandard,
    serialize_document,
    write_package,
)
from quizzes.formats.qti.qti_versions import spell_as_qti3
from quizzes.formats.qti.write_choice import write_choice, write_matching, write_ordering
from quizzes.formats.qti.write_cloze import write_cloze
from quizzes.formats.qti.write_text_entry import write_essay, write_numeric, write_short_text

_SOLUTION = "SOLUTION"
_EXPLANATION = "explanation"
_CHOICE_METHODS = ("all_or_nothing", "option_weights")
_KINDS: Mapping[str, tuple[Callable[[QtiItemWriter], None], tuple[str, ...]]] = {
    "cloze": (write_cloze, ("per_gap", "all_or_nothing", "gap_weights")),
    "essay": (write_essay, ("rubric",)),
    "matching": (write_matching, ("per_pair", "all_or_nothing", "right_minus_wrong")),
    "multiple_choice": (write_choice, (*_CHOICE_METHODS, "right_minus_wrong")),
    "numeric": (write_numeric, ("accepted_answers",)),
    "ordering": (write_ordering, ("all_or_nothing",)),
    "short_text": (write_short_text, ("accepted_answers",)),
    "single_choice": (write_choice, _CHOICE_METHODS),
    "true_false": (write_choice, _CHOICE_METHODS),
}


def write_items(parsed_file: ParsedFile, language: str, standard: QtiStandard) -> ExportResult:
    """Return a package of the questions in one language, with warnings of what it cannot hold."""
    methods = {kind: scoring_methods for kind, (_, scoring_methods) in _KINDS.items()}
    write_item = partial(_write_item, standard)
    exporter = QuestionExporter(write_item, methods, has_tags=True, has_media=True)
    members, warnings = exporter.export(parsed_file, language)
    return ExportResult(write_package(parsed_file, language, members, standard), warnings)


def _write_item(standard: QtiStandard, tracker: ExportTracker) -> PackageMember:
    writer, question = QtiItemWriter(tracker, standard.has_external_scoring), tracker.question
    if question.kind != "cloze":  # its gaps are in the prompt
        writer.write_text(append_element(writer.body, "div"), tracker.text("prompt"))
    _KINDS[question.kind][0](writer)
    writer.declare_scores()
    writer.add_bands()
    if explanation := tracker.feedback("explanation"):
        writer.declare_outcome(_SOLUTION, "single", "identifier", _EXPLANATION)
        writer.add_feedback(_SOLUTION, _EXPLANATION, explanation)
    document = _serialize(_build_item(writer), standard)
    return PackageMember(f"items/{question.name}.xml", document, question.tags)


def _build_item(writer: QtiItemWriter) -> Element:
    name = writer.tracker.question.name
    processing = build_element("responseProcessing", *writer.rules)
    if writer.template and len(writer.rules) == 1:
        processing = build_element("responseProcessing", template=writer.template)
    return build_element(
        "assessmentItem",
        *writer.responses,
        *writer.outcomes.values(),
        writer.body,
        *([processing] if writer.rules else []),
        *writer.feedback,
        identifier=name if name[:1].isalpha() else f"q-{name}",
        title=name,
        adaptive="false",
        timeDependent="false",
        **{"xml:lang": writer.tracker.language},
    )


def _serialize(root: Element, standard: QtiStandard) -> bytes:
    processing = root.find("responseProcessing")
    if processing is not None and (template := processing.get("template")):
        processing.set("template", standard.templates.format(template))
    for child in root:
        if child.tag not in {"itemBody", "modalFeedback"}:
            indent(child, level=1)
        child.tail = "\n"
    root.text = "\n"
    if standard.has_dashes:
        spell_as_qti3(root)
    root.set("xmlns", standard.namespace)
    return serialize_document(root)
