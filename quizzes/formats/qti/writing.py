"""From a parcel to a package of items: one file an item, the files they show, and a manifest."""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from xml.etree.ElementTree import Element, indent

from quizzes.formats.contract import ExportResult, ExportWarning, ParsedFile, ParsedQuestion
from quizzes.formats.parsing.manifest import NAME
from quizzes.formats.parsing.packages import packed
from quizzes.formats.parsing.taking import Taking, find_refusal
from quizzes.formats.qti.dialect import spelled
from quizzes.formats.qti.packing import Member, Standard, manifest, serialised
from quizzes.formats.qti.pages import chosen, filled, gaps
from quizzes.formats.qti.pages.leaf import Leaf
from quizzes.formats.qti.pages.parts import made

_SHOWN = re.compile(r"\.\./media/([\w.-]+)")
_LANGUAGE = "xml:lang"
_EXPLANATION, _SOLUTION = "explanation", "SOLUTION"
_CHOSEN = ("all_or_nothing", "option_weights")
_KINDS: Mapping[str, tuple[Callable[[Leaf], None], tuple[str, ...]]] = {
    "cloze": (gaps.cloze, ("per_gap", "all_or_nothing")),
    "essay": (filled.essay, ("rubric",)),
    "matching": (chosen.matching, ("per_pair", "all_or_nothing", "right_minus_wrong")),
    "multiple_choice": (chosen.choice, (*_CHOSEN, "right_minus_wrong")),
    "numeric": (filled.numeric, ("accepted_answers",)),
    "ordering": (chosen.ordering, ("all_or_nothing",)),
    "short_text": (filled.short_text, ("accepted_answers",)),
    "single_choice": (chosen.choice, _CHOSEN),
    "true_false": (chosen.true_false, _CHOSEN),
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


def written(parcel: ParsedFile, language: str, standard: Standard) -> ExportResult:
    """Write the questions in one language; what the package cannot hold is among the losses."""
    losses: list[ExportWarning] = []
    members: list[Member] = []
    for question, points in ((found.question, found.points) for found in parcel.items):
        item = _item(question, points, parcel, language, losses) if question else None
        if question and item is not None:
            data = _bytes(item, standard)
            files = dict.fromkeys(_SHOWN.findall(data.decode()))
            shown = tuple(name for name in files if name in parcel.media)
            members.append(Member(f"items/{question.name}.xml", data, question.tags, shown))
    titles = parcel.fields.get("title", {})
    title = titles.get(language, "") if isinstance(titles, Mapping) else ""
    told = manifest(parcel.slug, (title, language), members, standard)
    items = [(member.name, member.data) for member in members]
    media = sorted({name for member in members for name in member.shown})
    files_of = [(f"media/{name}", parcel.media[name]) for name in media]
    return ExportResult(packed([(NAME, told), *items, *files_of]), tuple(losses))


def _item(
    question: ParsedQuestion,
    points: Fraction | None,
    parcel: ParsedFile,
    language: str,
    losses: list[ExportWarning],
) -> Element | None:
    if refusal := find_refusal(question, _KINDS, language):
        losses += refusal
        return None
    make, scoring_methods = _KINDS[question.kind]
    leaf = Leaf(Taking(question, language, tags=True, files=parcel.media), points)
    if question.kind != "cloze":  # its gaps stand in the prompt
        leaf.ask(leaf.taking.text("prompt"))
    make(leaf)
    leaf.scored()
    leaf.bands()
    if explanation := leaf.taking.text("explanation", told=True):
        leaf.outcome(_SOLUTION, "single", "identifier", _EXPLANATION)
        leaf.remark(_SOLUTION, _EXPLANATION, explanation)
    losses += leaf.taking.losses(*scoring_methods)
    return _whole(leaf, language)


def _whole(leaf: Leaf, language: str) -> Element:
    name = leaf.taking.question.name
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
    for one in item:
        if one.tag not in {"itemBody", "modalFeedback"}:
            indent(one, level=1)
        one.tail = "\n"
    item.text = "\n"
    if standard.dashed:
        spelled(item, _OURS)
    item.set("xmlns", standard.namespace)
    return serialised(item)
