"""From questions to a file: texts in Markdown, so that they come back as they were."""

from collections.abc import Callable, Mapping
from xml.etree.ElementTree import Element, indent, tostring

from quizzes.formats.contract import ExportResult, ExportWarning, ParsedFile, SourceItem
from quizzes.formats.moodle import pages_answers, pages_chosen, pages_gaps
from quizzes.formats.moodle.page import Page

_KINDS: Mapping[str, tuple[str, Callable[[Page], None]]] = {
    "cloze": ("cloze", pages_gaps.cloze),
    "essay": ("essay", pages_answers.essay),
    "matching": ("matching", pages_chosen.matching),
    "multiple_choice": ("multichoice", pages_chosen.choice),
    "numeric": ("numerical", pages_answers.numeric),
    "ordering": ("ordering", pages_chosen.ordering),
    "short_text": ("shortanswer", pages_answers.short_text),
    "single_choice": ("multichoice", pages_chosen.choice),
    "true_false": ("truefalse", pages_chosen.true_false),
}


def write(parcel: ParsedFile, *, language: str) -> ExportResult:
    """Write the questions in one language; what the file cannot hold is among the losses."""
    quiz = Element("quiz")
    losses: list[ExportWarning] = []
    for found in parcel.items:
        made = _question(found, parcel.media, language, losses)
        if made is not None:
            quiz.append(made)
    indent(quiz)
    return ExportResult(tostring(quiz, encoding="UTF-8", xml_declaration=True), tuple(losses))


def _question(
    found: SourceItem, media: Mapping[str, bytes], language: str, losses: list[ExportWarning]
) -> Element | None:
    question = found.question
    if question is None:
        return None
    spoken = question.languages
    if question.kind not in _KINDS:
        losses.append(ExportWarning(question.name, "kind_not_held", {"kind": question.kind}))
        return None
    if language not in spoken:
        losses.append(ExportWarning(question.name, "language_missing", {"language": language}))
        return None
    page = Page(question, language, media)
    if len(spoken) > 1:
        page.lose("languages_left_out", count=len(spoken) - 1)
    _frame(page, found)
    losses.extend(page.losses)
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
