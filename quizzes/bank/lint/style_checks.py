"""How options and feedback are worded: what gives the answer away, misleads, or is missing."""

import re
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping
from typing import Final

from grading.schema import QuestionRow, TextSlot
from quizzes.bank.lint.findings import Finding
from quizzes.bank.lint.question_view import QuestionView, build_path, find_owner
from quizzes.lib.markup import fragments, plain

MAX_OPTION_LENGTH = 250
"""Characters of an option; more is a text, and options are compared at a glance."""
MIN_NEGATED_OPTIONS = 2
"""So many options or more must be worded with a "not" before it is a trap."""

CATCH_ALL: Final = re.compile(
    r"^\W*(?:(all|none|both|any|neither|either) of (the above|the previous|these|them)"
    r"|(todas|todos|ninguna|ninguno|cualquiera)( de)? (las|los) (anteriores|opciones))"
    r"(\W+(is|are|apply|applies|es|son)\b.{0,25})?\W*$",
    re.IGNORECASE,
)
_SENTENCE: Final = re.compile(r"[^.?!:]+")
_QUESTION_WORDS: Final[Mapping[str, re.Pattern[str]]] = {
    "en": re.compile(r"\b(which|what|who|where|select|choose|identify|mark)\b", re.IGNORECASE),
    "es": re.compile(
        r"\b(cu[aá]l|cu[aá]les|qu[eé]|qui[eé]n|selecciona|elige|marca|se[nñ]ala)\b", re.IGNORECASE
    ),
}
_PROMPT_NEGATIONS: Final[Mapping[str, re.Pattern[str]]] = {
    "en": re.compile(r"\b(not|never|except|incorrect|untrue|false)\b|n['’]t\b", re.IGNORECASE),
    "es": re.compile(r"\b(no|nunca|excepto|salvo|incorrect[ao]s?|fals[ao]s?)\b", re.IGNORECASE),
}
_OPTION_NEGATIONS: Final[Mapping[str, re.Pattern[str]]] = {
    "en": re.compile(r"\b(not|never|cannot)\b|n['’]t\b", re.IGNORECASE),
    "es": re.compile(r"^no\b(?!\W*$)|\b(no|nunca|jamás) (se )?\w+", re.IGNORECASE),
}


def check_style(view: QuestionView) -> Iterator[Finding]:
    """Name them, language by language."""
    yield from _find_missing_feedback(view)
    for language in view.languages:
        yield from _check_catch_alls(view, language)
        yield from _check_double_negatives(view, language)
        yield from _check_long_options(view, language)
        yield from _check_equal_rows(view, language)


def _find_missing_feedback(view: QuestionView) -> Iterator[Finding]:
    """Find questions that say nothing to an answer, or something to some options alone."""
    source = view.document.source_language
    feedback = [slot for slot in view.text_slots if slot.is_feedback]
    present = {slot for slot in feedback if view.text_at(source, slot)}
    if feedback and not present:
        yield Finding("no_feedback", language=source)
    ids = [option.id for option in view.options]
    heard = {slot.id for slot in present} & set(ids)
    if heard and len(heard) < len(ids):
        yield Finding("some_feedback", language=source, figures={"n": len(heard), "all": len(ids)})


def find_catch_alls(view: QuestionView, language: str) -> dict[str, str]:
    """Return the options, by id, that speak of the others: "all of the above"."""
    offered = view.option_texts(language).items()
    return {id_: text for id_, text in offered if CATCH_ALL.search(text)}


def _check_catch_alls(view: QuestionView, language: str) -> Iterator[Finding]:
    catching = find_catch_alls(view, language)
    for option in view.options:
        if option.id in catching:
            code = "catch_all_option" if option.keeps_place else "catch_all_shuffled"
            yield Finding(code, language=language, path=f"words.{language}.options.{option.id}")


def _asks_for_not(prompt: str, language: str) -> bool:
    """Return whether a sentence asks, and says "not" after that."""
    asks, for_not = _QUESTION_WORDS[language], _PROMPT_NEGATIONS[language]
    # Sentence by sentence: one pattern would look on to the end of each from every word that asks.
    for sentence in _SENTENCE.finditer(prompt):
        match = asks.search(sentence[0])
        if match and for_not.search(sentence[0], match.end()):
            return True
    return False


def _check_double_negatives(view: QuestionView, language: str) -> Iterator[Finding]:
    """Find options that say "not" where what is not so is asked for."""
    says = _OPTION_NEGATIONS.get(language)
    if says is None or not view.options:
        return
    if _asks_for_not(view.text_at(language, view.text_slots[0]), language):
        negated = [id_ for id_, text in view.option_texts(language).items() if says.search(text)]
        if len(negated) >= MIN_NEGATED_OPTIONS:
            figures = {"n": len(negated)}
            path = build_path(view.text_slots[0], language)
            yield Finding("double_negative", language=language, path=path, figures=figures)


def _check_long_options(view: QuestionView, language: str) -> Iterator[Finding]:
    for id_, text in view.option_texts(language).items():
        if len(text) > MAX_OPTION_LENGTH and not fragments(text).listings:
            long = len(plain(text))
            if long > MAX_OPTION_LENGTH:
                path = f"words.{language}.options.{id_}"
                figures = {"n": long, "most": MAX_OPTION_LENGTH}
                yield Finding("long_option", language=language, path=path, figures=figures)


def _check_equal_rows(view: QuestionView, language: str) -> Iterator[Finding]:
    """Find rows that say and are worth the same; a key that tells them apart is a problem."""
    text_slots = {slot.id: slot for slot in view.text_slots if slot.required and slot.id}
    for (_first, standing), *others in _group_equal_rows(view, language, text_slots).values():
        for row, its in others:
            if its == standing:
                path = build_path(text_slots[row.id], language)
                yield Finding("same_option", language=language, path=path)


def _group_equal_rows(
    view: QuestionView, language: str, text_slots: Mapping[str, TextSlot]
) -> Mapping[Hashable, list[tuple[QuestionRow, Hashable]]]:
    """Return the rows of each table by what they say and what they are for, with their standing."""
    rows: dict[Hashable, list[tuple[QuestionRow, Hashable]]] = defaultdict(list)
    for table in view.schema.tables:
        for row in () if table.secret else view.question_data.tables[table.name]:
            text = view.text_at(language, text_slots[row.id]) if row.id in text_slots else ""
            if text:
                key = table.name, str(find_owner(table, row)), text
                rows[key].append((row, view.get_row_key(table, row)))
    return rows
