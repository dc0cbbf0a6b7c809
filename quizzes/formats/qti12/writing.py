"""Writing a package of QTI 1.2: one document with all items, their media files, a manifest."""

from collections.abc import Callable, Mapping
from xml.etree.ElementTree import Element

from quizzes.formats.contract import ExportResult, ParsedFile
from quizzes.formats.export import ExportTracker, QuestionExporter
from quizzes.formats.export.elements import append_element, build_element
from quizzes.formats.export.option_weights import read_lower_bound
from quizzes.formats.parsing.percentages import format_decimal
from quizzes.formats.qti.packing import (
    PackageMember,
    QtiStandard,
    find_title,
    serialize_document,
    write_package,
)
from quizzes.formats.qti12.item_writer import MAXIMUM, Qti12ItemWriter
from quizzes.formats.qti12.write_choice import write_choice, write_matching, write_ordering
from quizzes.formats.qti12.write_text_entry import (
    write_cloze,
    write_essay,
    write_numeric,
    write_short_text,
)

_STANDARD = QtiStandard(
    namespace="http://www.imsglobal.org/xsd/ims_qtiasiv1p2",
    templates="",
    manifest="http://www.imsglobal.org/xsd/imscp_v1p1",
    schema="IMS Content",
    version="1.1.3",
    resource="imsqti_xmlv1p2",
)
_CHOICE_METHODS = ("all_or_nothing", "option_weights")
_CLOZE_METHODS = ("per_gap", "all_or_nothing", "gap_weights")
_KINDS: Mapping[str, tuple[Callable[[Qti12ItemWriter], Element | None], str, tuple[str, ...]]] = {
    "cloze": (write_cloze, "multiple_dropdowns_question", _CLOZE_METHODS),
    "essay": (write_essay, "essay_question", ("rubric",)),
    "matching": (write_matching, "matching_question", ("per_pair", "all_or_nothing")),
    "multiple_choice": (
        write_choice,
        "multiple_answers_question",
        (*_CHOICE_METHODS, "right_minus_wrong"),
    ),
    "numeric": (write_numeric, "numerical_question", ("accepted_answers",)),
    "ordering": (write_ordering, "ordering_question", ("all_or_nothing",)),
    "short_text": (write_short_text, "short_answer_question", ("accepted_answers",)),
    "single_choice": (write_choice, "multiple_choice_question", _CHOICE_METHODS),
    "true_false": (write_choice, "true_false_question", _CHOICE_METHODS),
}
"""The function that writes a kind, Canvas's name for it, and the scoring methods."""


def write(parsed_file: ParsedFile, *, language: str) -> ExportResult:
    """Return a package in one language, with warnings of what it cannot hold."""
    methods = {kind: scoring_methods for kind, (*_, scoring_methods) in _KINDS.items()}
    exporter = QuestionExporter(_write_item, methods, has_tags=True, has_media=True)
    items, warnings = exporter.export(parsed_file, language)
    section = build_element("section", *items, ident="root_section")
    ident = f"bank-{parsed_file.slug}"
    title = find_title(parsed_file, language)
    document = build_element(
        "questestinterop",
        build_element("assessment", section, ident=ident, title=title),
        **{"xmlns": _STANDARD.namespace, "xml:lang": language},
    )
    member = PackageMember(f"{ident}.xml", serialize_document(document))
    return ExportResult(write_package(parsed_file, language, [member], _STANDARD), warnings)


def _write_item(tracker: ExportTracker) -> Element:
    writer, question = Qti12ItemWriter(tracker), tracker.question
    write_kind, question_type, _ = _KINDS[question.kind]
    prompt = write_kind(writer)
    if prompt is None:
        prompt = writer.build_material(tracker.text("prompt"))
    writer.add_general_feedback()
    fields = {"question_type": question_type}
    if tracker.points is not None:
        fields["points_possible"] = format_decimal(tracker.points)
    if question.tags:
        fields["qmd_keywords"] = ", ".join(question.tags)
    metadata = build_element("qtimetadata")
    for label, entry in fields.items():
        metadata_field = append_element(metadata, "qtimetadatafield")
        append_element(metadata_field, "fieldlabel", text=label)
        append_element(metadata_field, "fieldentry", text=entry)
    lower = format_decimal(read_lower_bound(tracker) * MAXIMUM)
    bounds = {"minvalue": lower, "maxvalue": str(MAXIMUM)}
    score = build_element("decvar", varname="SCORE", vartype="Decimal", **bounds)
    return build_element(
        "item",
        build_element("itemmetadata", metadata),
        build_element("presentation", prompt, *writer.responses),
        build_element("resprocessing", build_element("outcomes", score), *writer.rules),
        *writer.feedback,
        ident=question.name,
        title=question.name,
    )
