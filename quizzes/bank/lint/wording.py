"""How options and feedback are worded: what gives the answer away, misleads, or is missing."""

import re
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping
from typing import Final

from grading.schema import QuestionRow, TextSlot
from quizzes.bank.lint.findings import Finding
from quizzes.bank.lint.parts import Parts, owner, path_of
from quizzes.lib.markup import fragments, plain

LONGEST = 250
"""Characters of an option; more is a text, and options are compared at a glance."""
TOO_MANY = 2
"""So many options or more must be worded with a "not" before it is a trap."""

CATCH_ALL: Final = re.compile(
    r"^\W*(?:(all|none|both|any|neither|either) of (the above|the previous|these|them)"
    r"|(todas|todos|ninguna|ninguno|cualquiera)( de)? (las|los) (anteriores|opciones))"
    r"(\W+(is|are|apply|applies|es|son)\b.{0,25})?\W*$",
    re.IGNORECASE,
)
_SENTENCE: Final = re.compile(r"[^.?!:]+")
_ASKS: Final[Mapping[str, re.Pattern[str]]] = {
    "en": re.compile(r"\b(which|what|who|where|select|choose|identify|mark)\b", re.IGNORECASE),
    "es": re.compile(
        r"\b(cu[aá]l|cu[aá]les|qu[eé]|qui[eé]n|selecciona|elige|marca|se[nñ]ala)\b", re.IGNORECASE
    ),
}
_FOR_NOT: Final[Mapping[str, re.Pattern[str]]] = {
    "en": re.compile(r"\b(not|never|except|incorrect|untrue|false)\b|n['’]t\b", re.IGNORECASE),
    "es": re.compile(r"\b(no|nunca|excepto|salvo|incorrect[ao]s?|fals[ao]s?)\b", re.IGNORECASE),
}
_SAYS_NOT: Final[Mapping[str, re.Pattern[str]]] = {
    "en": re.compile(r"\b(not|never|cannot)\b|n['’]t\b", re.IGNORECASE),
    "es": re.compile(r"^no\b(?!\W*$)|\b(no|nunca|jamás) (se )?\w+", re.IGNORECASE),
}


def check(parts: Parts) -> Iterator[Finding]:
    """Name them, language by language."""
    yield from _find_missing_feedback(parts)
    for language in parts.languages:
        yield from _catch_all(parts, language)
        yield from _double_negative(parts, language)
        yield from _long(parts, language)
        yield from _same(parts, language)


def _find_missing_feedback(parts: Parts) -> Iterator[Finding]:
    """Find questions that say nothing to an answer, or something to some options alone."""
    source = parts.item.source_language
    feedback = [slot for slot in parts.places if slot.is_feedback]
    present = {slot for slot in feedback if parts.said(source, slot)}
    if feedback and not present:
        yield Finding("no_feedback", language=source)
    ids = [option.id for option in parts.options]
    heard = {slot.id for slot in present} & set(ids)
    if heard and len(heard) < len(ids):
        yield Finding("some_feedback", language=source, figures={"n": len(heard), "all": len(ids)})


def catch_alls(parts: Parts, language: str) -> dict[str, str]:
    """Return the options, by id, that speak of the others: "all of the above"."""
    offered = parts.offered(language).items()
    return {id_: text for id_, text in offered if CATCH_ALL.search(text)}


def _catch_all(parts: Parts, language: str) -> Iterator[Finding]:
    catching = catch_alls(parts, language)
    for option in parts.options:
        if option.id in catching:
            code = "catch_all_option" if option.keeps_place else "catch_all_shuffled"
            yield Finding(code, language=language, path=f"words.{language}.options.{option.id}")


def _asks_for_not(prompt: str, language: str) -> bool:
    """Return whether a sentence asks, and says "not" after that."""
    asks, for_not = _ASKS[language], _FOR_NOT[language]
    # Sentence by sentence: one pattern would look on to the end of each from every word that asks.
    for sentence in _SENTENCE.finditer(prompt):
        match = asks.search(sentence[0])
        if match and for_not.search(sentence[0], match.end()):
            return True
    return False


def _double_negative(parts: Parts, language: str) -> Iterator[Finding]:
    """Find options that say "not" where what is not so is asked for."""
    says = _SAYS_NOT.get(language)
    if says is None or not parts.options:
        return
    if _asks_for_not(parts.said(language, parts.places[0]), language):
        negated = [id_ for id_, text in parts.offered(language).items() if says.search(text)]
        if len(negated) >= TOO_MANY:
            figures = {"n": len(negated)}
            path = path_of(parts.places[0], language)
            yield Finding("double_negative", language=language, path=path, figures=figures)


def _long(parts: Parts, language: str) -> Iterator[Finding]:
    for id_, text in parts.offered(language).items():
        if len(text) > LONGEST and not fragments(text).listings:
            long = len(plain(text))
            if long > LONGEST:
                path = f"words.{language}.options.{id_}"
                figures = {"n": long, "most": LONGEST}
                yield Finding("long_option", language=language, path=path, figures=figures)


def _same(parts: Parts, language: str) -> Iterator[Finding]:
    """Find rows that nobody can tell apart: unfair where one is right and the other is not."""
    places = {slot.id: slot for slot in parts.places if slot.required and slot.id}
    for (_first, standing), *others in _alike(parts, language, places).values():
        for row, its in others:
            code = "same_option" if its == standing else "same_option_apart"
            yield Finding(code, language=language, path=path_of(places[row.id], language))


def _alike(
    parts: Parts, language: str, places: Mapping[str, TextSlot]
) -> Mapping[Hashable, list[tuple[QuestionRow, Hashable]]]:
    """Return the rows of each table by what they say and what they are for, with their standing."""
    rows: dict[Hashable, list[tuple[QuestionRow, Hashable]]] = defaultdict(list)
    for table in parts.shape.tables:
        for row in () if table.secret else parts.laid.tables[table.name]:
            text = parts.said(language, places[row.id]) if row.id in places else ""
            if text:
                key = table.name, str(owner(table, row)), text
                rows[key].append((row, parts.standing(table, row)))
    return rows
