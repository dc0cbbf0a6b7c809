"""Our own bank file (docs/recipes/a-bank-file.md): YAML with all languages side by side."""

import re
from collections.abc import Collection, Iterator, Mapping

from grading.kinds import KINDS
from quizzes.exchange.contract import Parcel, ParcelOption, ParcelQuestion, Texts, Waiting
from quizzes.exchange.formats.tree import Tree, Troubles, Unreadable, parse

name = "ochenta-bank/1"

SLUG = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")
LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")
BANK = {
    "format",
    "bank",
    "title",
    "description",
    "source",
    "licence",
    "source_language",
    "questions",
}
QUESTION = {
    "name",
    "kind",
    "scheme",
    "tags",
    "shuffle",
    "none_apply",
    "prompt",
    "options",
    "explanation",
}
OPTION = {"name", "right", "pinned", "text", "feedback"}


def read(data: bytes) -> Parcel:
    """Read a bank file; everything that is wrong with it is among the troubles, by line."""
    troubles = Troubles()
    try:
        root = parse(data, troubles)
    except Unreadable as error:
        return Parcel("", {}, (), troubles=(error.trouble,))
    parcel = _bank(root, troubles)
    return Parcel(
        parcel.slug, parcel.fields, parcel.questions, parcel.waiting, tuple(troubles.found)
    )


def _bank(root: Tree, troubles: Troubles) -> Parcel:
    fields = _fields(root, BANK, troubles)
    if (said := _text(fields, "format", root, troubles)) != name:
        troubles.add(fields.get("format", root), "unknown_format", f"{said!r} is not {name!r}")
    slug = _slug(fields, "bank", root, troubles)
    questions, waiting = _questions(fields.get("questions"), root, troubles)
    return Parcel(
        slug,
        {
            "title": _texts(fields, "title", root, troubles),
            "description": _texts(fields, "description", root, troubles),
            "source": _text(fields, "source", root, troubles),
            "licence": _text(fields, "licence", root, troubles),
            "source_language": _text(fields, "source_language", root, troubles),
        },
        questions,
        waiting,
    )


def _questions(
    listed: Tree | None, root: Tree, troubles: Troubles
) -> tuple[tuple[ParcelQuestion, ...], tuple[Waiting, ...]]:
    questions, waiting = [], []
    names: set[str] = set()
    for at in _items(listed, "questions", root, troubles):
        kind = at.fields.get("kind") if at.fields else None
        named = at.fields.get("name") if at.fields else None
        if kind and kind.text and kind.text not in KINDS:
            waiting.append(Waiting(at.line, (named and named.text) or "", kind.text))
            continue
        question = _question(at, troubles)
        if question.name in names:
            troubles.add(at, "name_twice", f"another question is called {question.name!r}")
        names.add(question.name)
        questions.append(question)
    return tuple(questions), tuple(waiting)


def _question(at: Tree, troubles: Troubles) -> ParcelQuestion:
    fields = _fields(at, QUESTION, troubles)
    kind = _text(fields, "kind", at, troubles)
    schemes = KINDS[kind].schemes if kind in KINDS else ("",)
    tags = [tag.text or "" for tag in _items(fields.get("tags"), "tags", at, troubles)]
    return ParcelQuestion(
        line=at.line,
        name=_slug(fields, "name", at, troubles),
        kind=kind,
        scheme=_text(fields, "scheme", at, troubles, default=schemes[0]),
        tags=tuple(tags),
        shuffle=_flag(fields, "shuffle", troubles, default=kind != "true_false"),
        none_apply=_flag(fields, "none_apply", troubles, default=False),
        prompt=_texts(fields, "prompt", at, troubles),
        explanation=_texts(fields, "explanation", at, troubles),
        options=tuple(
            _option(one, troubles) for one in _items(fields.get("options"), "options", at, troubles)
        ),
    )


def _option(at: Tree, troubles: Troubles) -> ParcelOption:
    fields = _fields(at, OPTION, troubles)
    return ParcelOption(
        name=_slug(fields, "name", at, troubles),
        right=_flag(fields, "right", troubles, default=False),
        pinned=_flag(fields, "pinned", troubles, default=False),
        text=_texts(fields, "text", at, troubles),
        feedback=_texts(fields, "feedback", at, troubles),
    )


def _fields(at: Tree, known: Collection[str], troubles: Troubles) -> Mapping[str, Tree]:
    if at.fields is None:
        troubles.add(at, "not_a_mapping", "fields are expected here")
        return {}
    for field, value in at.fields.items():
        if field not in known:
            expected = ", ".join(sorted(known))
            troubles.add(value, "unknown_field", f"{field!r} is unknown; known are {expected}")
    return at.fields


def _items(at: Tree | None, field: str, parent: Tree, troubles: Troubles) -> Iterator[Tree]:
    if at is None:
        troubles.add(parent, "missing_field", f"the field {field!r} is missing")
    elif at.items is None:
        troubles.add(at, "not_a_list", f"{field!r} must be a list")
    else:
        yield from at.items


def _text(
    fields: Mapping[str, Tree],
    field: str,
    parent: Tree,
    troubles: Troubles,
    default: str | None = None,
) -> str:
    at = fields.get(field)
    if at is None and default is not None:
        return default
    if at is None:
        troubles.add(parent, "missing_field", f"the field {field!r} is missing")
    elif at.text is None or not at.text.strip():
        troubles.add(at, "not_a_text", f"{field!r} must be a text")
    else:
        return at.text.strip()
    return ""


def _slug(fields: Mapping[str, Tree], field: str, parent: Tree, troubles: Troubles) -> str:
    text = _text(fields, field, parent, troubles)
    if text and not SLUG.fullmatch(text):
        troubles.add(fields[field], "not_a_slug", f"{text!r} may hold a-z, 0-9 and hyphens only")
    return text


def _flag(fields: Mapping[str, Tree], field: str, troubles: Troubles, *, default: bool) -> bool:
    at = fields.get(field)
    if at is None:
        return default
    if at.text not in {"true", "false"}:
        troubles.add(at, "not_true_or_false", f"{field!r} is true or false")
        return default
    return at.text == "true"


def _texts(fields: Mapping[str, Tree], field: str, parent: Tree, troubles: Troubles) -> Texts:
    at = fields.get(field)
    if at is None or at.fields is None:
        troubles.add(at or parent, "no_languages", f"{field!r} needs a text a language, as en: …")
        return {}
    texts = {}
    for language, value in at.fields.items():
        if not LANGUAGE.fullmatch(language):
            troubles.add(value, "unknown_language", f"{language!r} is no language code")
        elif value.text is None or not value.text.strip():
            troubles.add(value, "missing_text", f"{field!r} has no text in {language!r}")
        else:
            texts[language] = value.text.strip("\n")
    return texts
