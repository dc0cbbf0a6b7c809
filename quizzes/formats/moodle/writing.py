"""From questions to a file: texts in Markdown, so that they come back as they were."""

from collections.abc import Callable, Mapping
from xml.etree.ElementTree import Element, indent, tostring

from quizzes.formats.contract import ExportResult, ExportWarning, ParsedFile, SourceItem
from quizzes.formats.moodle import write_choice, write_cloze, write_text_entry
from quizzes.formats.moodle.item_writer import Page

_KINDS: Mapping[str, tuple[str, Callable[[Page], None]]] = {
    "cloze": ("cloze", write_cloze.cloze),
    "essay": ("essay", write_text_entry.essay),
    "matching": ("matching", write_choice.matching),
    "multiple_choice": ("multichoice", write_choice.choice),
    "numeric": ("numerical", write_text_entry.numeric),
    "ordering": ("ordering", write_choice.ordering),
    "short_text": ("shortanswer", write_text_entry.short_text),
    "single_choice": ("multichoice", write_choice.choice),
    "true_false": ("truefalse", write_choice.true_false),
}


def write(parsed_file: ParsedFile, *, language: str) -> ExportResult:
    """Write the questions in one language; what the file cannot hold is among the losses."""
    quiz = Element("quiz")
    warnings: list[ExportWarning] = []
    for found in parsed_file.items:
        made = _question(found, parsed_file.media, language, warnings)
        if made is not None:
            quiz.append(made)
    indent(quiz)
    return ExportResult(tostring(quiz, encoding="UTF-8", xml_declaration=True), tuple(warnings))


def _question(
    found: SourceItem, media: Mapping[str, bytes], language: str, warnings: list[ExportWarning]
) -> Element | None:
    question = found.question
    if question is None:
        return None
    spoken = question.languages
    if question.kind not in _KINDS:
        warnings.append(ExportWarning(question.name, "kind_not_held", {"kind": question.kind}))
        return None
    if language not in spoken:
        warnings.append(ExportWarning(question.name, "language_missing", {"language": language}))
        return None
    page = Page(question, language, media)
    if len(spoken) > 1:
        page.warn("languages_left_out", count=len(spoken) - 1)
    _frame(page, found)
    warnings.extend(page.warnings)
    return page.node


def _frame(page: Page, found: SourceItem) -> None:
    question = page.question
    type_, write_kind = _KINDS[question.kind]
    page.node.set("type", type_)
    page.plain("name", question.name)
    if type_ != "cloze":
        page.markdown("questiontext", page.text("prompt"))
    page.markdown("generalfeedback", page.text("explanation", told=True))
    if found.points is not None:
        page.add("defaultgrade", f"{float(found.points):.7f}")
    page.add("penalty", "0")
    page.add("hidden", "0")
    write_kind(page)
    if question.tags:
        tags = page.add("tags", "")
        for tag in question.tags:
            page.plain("tag", tag, tags)
