"""Between the authoring page and the draft: an Item as rows and columns, and back. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from grading.contract import Json, ratio_from_json, ratio_to_json
from quizzes.bank.item import Item, texts

Texts = Mapping[str, str]
"""Language → text."""

# Four decimals, as points have, or a fraction of that size: what Fraction would read beyond
# (1e999999999) takes hours to work out.
WEIGHT = re.compile(r"[+-]?(?:\d{1,8}(?:/\d{1,5})?|\d{0,4}\.\d{1,4})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Row:
    """One option as the author sees it; `id` is empty until the option has one."""

    id: str = ""
    name: str = ""
    right: bool = False
    pinned: bool = False
    weight: str = ""
    text: Texts = field(default_factory=dict)
    feedback: Texts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Authored:
    """A question as the page shows it. `fresh`: languages declared to be up to date."""

    kind: str
    scheme: str
    source_language: str
    none_apply: bool = False
    shuffle: bool = True
    prompt: Texts = field(default_factory=dict)
    explanation: Texts = field(default_factory=dict)
    rows: Sequence[Row] = ()
    fresh: frozenset[str] = frozenset()


def read(item: Item, names: Mapping[str, str]) -> Authored:
    """Lay an item out; `names` are the options' short names by id."""
    return Authored(
        kind=item.kind,
        scheme=item.scheme,
        source_language=item.source_language,
        none_apply=bool(item.content.get("none_apply", False)),
        shuffle=bool(item.content.get("shuffle", True)),
        prompt={code: str(words.get("prompt") or "") for code, words in item.words.items()},
        explanation={
            code: str(words.get("explanation") or "") for code, words in item.feedback.items()
        },
        rows=tuple(_row(item, id_, names.get(id_, "")) for id_ in item.option_ids()),
    )


def _row(item: Item, id_: str, name: str) -> Row:
    right, weights = item.key.get("right"), item.key.get("weights")
    return Row(
        id=id_,
        name=name,
        right=isinstance(right, list) and id_ in right,
        pinned=bool(_options(item).get(id_, {}).get("pinned", False)),
        weight=_written(weights.get(id_)) if isinstance(weights, Mapping) else "",
        text=_column(item.words, id_),
        feedback=_column(item.feedback, id_),
    )


def _options(item: Item) -> dict[str, dict[str, Any]]:
    listed = item.content.get("options")
    found = listed if isinstance(listed, list) else []
    return {str(one["id"]): dict(one) for one in found if isinstance(one, dict)}


def _column(table: Mapping[str, Mapping[str, Any]], id_: str) -> dict[str, str]:
    return {code: str((words.get("options") or {}).get(id_) or "") for code, words in table.items()}


def _written(stored: Json) -> str:
    """Write a weight as an author would; what is no ratio stays as it was typed."""
    if stored is None:
        return ""
    try:
        return str(ratio_from_json(stored))
    except ValueError:
        return str(stored)


def _weight(typed: str) -> Json:
    """Read a weight; what cannot be read is kept, and named by the check."""
    written = typed.replace(",", ".").replace(" ", "")
    try:
        return ratio_to_json(Fraction(written)) if WEIGHT.fullmatch(written) else typed
    except ZeroDivisionError:
        return typed


def write(authored: Authored, before: Item) -> Item:
    """Make the item of a page. Whatever of `before` the page does not show stays."""
    codes = (*authored.prompt, *(code for code in before.words if code not in authored.prompt))
    made = replace(
        before,
        kind=authored.kind,
        scheme=authored.scheme,
        source_language=authored.source_language,
        content=_content(authored, before),
        key=_key(authored, before),
        words=_table(authored, before.words, codes, "prompt", authored.prompt),
        feedback=_table(authored, before.feedback, codes, "explanation", authored.explanation),
    )
    return replace(made, translated_from=_translated_from(made, before, authored.fresh))


def _content(authored: Authored, before: Item) -> dict[str, Json]:
    known = _options(before)
    options = [_option(row, known.get(row.id)) for row in authored.rows]
    if authored.kind == "true_false":
        _give_values(options)
    flags = {"none_apply": authored.none_apply, "shuffle": authored.shuffle}
    return {**before.content, "options": options, **flags}


def _option(row: Row, known: Mapping[str, Any] | None) -> dict[str, Any]:
    if known is None:
        return {"id": row.id, "pinned": row.pinned}
    if row.pinned or "pinned" in known:
        return {**known, "pinned": row.pinned}
    return dict(known)


def _give_values(options: list[dict[str, Any]]) -> None:
    """Let the first of two statements stand for true, the second for false, unless they do."""
    free = [value for value in (True, False) if all(o.get("value") is not value for o in options)]
    for option in options:
        if not isinstance(option.get("value"), bool) and free:
            option["value"] = free.pop(0)


def _key(authored: Authored, before: Item) -> dict[str, Json]:
    right: list[Json] = [row.id for row in authored.rows if row.right]
    old = before.key.get("right")
    if isinstance(old, list) and sorted(map(str, old)) == sorted(map(str, right)):
        right = old  # the same set in the author's earlier order: no change
    weights = {row.id: _weight(row.weight) for row in authored.rows if row.weight}
    key = {**before.key, "right": right, "weights": weights}
    if not weights and "weights" not in before.key:
        del key["weights"]
    return key


def _table(
    authored: Authored,
    before: Mapping[str, Mapping[str, Any]],
    codes: Sequence[str],
    part: str,
    texts: Texts,
) -> dict[str, dict[str, Any]]:
    made = {}
    for code in codes:
        old = before.get(code, {})
        if code not in authored.prompt:
            made[code] = dict(old)  # a language that the page has no column for
            continue
        options = old.get("options") or {}
        new = {**old, part: texts.get(code, ""), "options": {}}
        for row in authored.rows:
            text = (row.text if part == "prompt" else row.feedback).get(code, "")
            if text or row.id in options:
                new["options"][row.id] = text
        for empty in (part, "options"):
            if not new[empty] and empty not in old:
                del new[empty]
        if new or code in before:
            made[code] = new
    return made


def _translated_from(made: Item, before: Item, fresh: frozenset[str]) -> dict[str, str]:
    """Remember what each translation was made from: it goes stale unless its author touches it.

    An option that was taken out is taken out of every language, and makes none of them stale.
    """
    source, was = made.source_digest(), before.source_digest()
    rewritten = made.source_language != before.source_language or _changed(
        made, before, made.source_language
    )
    noted = dict(before.translated_from)
    for code in {*made.words, *made.feedback} - {made.source_language}:
        if code in fresh or _changed(made, before, code):
            noted[code] = source
        elif rewritten:
            noted.setdefault(code, was)
        elif noted.get(code) == was:
            noted[code] = source
    return {code: digest for code, digest in noted.items() if code != made.source_language}


def _changed(made: Item, before: Item, code: str) -> bool:
    """Tell whether any text that is there now was another before."""
    was = dict(texts(before, code))
    return any(text != was.get(where, "") for where, text in texts(made, code))
