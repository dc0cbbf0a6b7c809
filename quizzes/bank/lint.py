"""What an author should look at in a bank, though it may be published: findings by code. Pure."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain, combinations

from grading.contract import Json, Mark
from grading.kinds import KINDS
from grading.shape import Holds, Place, lay_out
from quizzes.bank import item as items
from quizzes.bank.item import Item
from quizzes.lib.markup import MAX_CHARACTERS, fragments, plain

MAX_OPTIONS = 12  # 4096 answers at most are tried
HALF = Fraction(1, 2)
ENOUGH = 8  # fewer questions say nothing of a habit
ALIKE = Fraction(4, 5)
COMMON = 50  # a run of words in more prompts than this tells none apart
CATCH_ALL = re.compile(
    r"\b(all|none|both|any) of (the above|these|them)\b"
    r"|\b(todas|todos|ninguna|ninguno) (de )?(las|los) anteriores\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to look at. No `question`: of the bank. `path` as problems name places."""

    code: str
    question: str = ""
    language: str = ""
    path: str = ""
    figures: Mapping[str, str | int] = field(default_factory=dict)


def lint(bank: Mapping[str, Item]) -> tuple[Finding, ...]:
    """Name what is worth a look in these questions, given by name; never raises on a draft."""
    own = chain.from_iterable(_of_question(name, item) for name, item in bank.items())
    return (*own, *_same_place(bank), *_longest(bank), *_duplicates(bank))


def select_all(item: Item) -> Fraction | None:
    """Give what ticking everything earns; None where one cannot."""
    ids = [id_ for id_, _right in _options(item)]
    return _credit(item, {"chosen": ids}) if ids else None


def random_guess(item: Item) -> Fraction | None:
    """Give what an answer by lot earns on average, each equally likely; None where unknown."""
    ids = [id_ for id_, _right in _options(item)]
    if not 0 < len(ids) <= MAX_OPTIONS:
        return None
    sets = chain.from_iterable(combinations(ids, n) for n in range(1, len(ids) + 1))
    raws: Iterator[Json] = chain(({"chosen": list(one)} for one in sets), ({"none_apply": True},))
    earned = [credit for raw in raws if (credit := _credit(item, raw)) is not None]
    return sum(earned, Fraction(0)) / len(earned) if earned else None


def _options(item: Item) -> list[tuple[str, bool]]:
    """Give the options of a question that consists of them, each with whether it is right."""
    shape = items.shape_of(item)
    for table in shape.tables:
        flags = [one for one in table.fields if one.secret and one.holds == Holds.FLAG]
        if flags and not table.secret and not any(one.holds == Holds.ROW for one in table.fields):
            rows = lay_out(shape, item.content, item.key).tables[table.name]
            return [(row.id, bool(row.values[flags[0].name])) for row in rows]
    return []


def _credit(item: Item, raw: Json) -> Fraction | None:
    kind = KINDS[item.kind]
    if kind.check(item.content, item.key, item.scheme):
        return None
    answer = kind.read(item.content, raw)
    if not isinstance(answer, dict):
        return None
    mark = kind.mark(item.content, item.key, answer, item.scheme)
    return mark.credit if isinstance(mark, Mark) else None


def _of_question(name: str, item: Item) -> Iterator[Finding]:
    for code, credit in (
        ("select_all_pays", select_all(item)),
        ("guessing_pays", random_guess(item)),
    ):
        if credit is not None and (credit > HALF or (code == "select_all_pays" and credit == HALF)):
            yield Finding(code, name, figures={"credit": str(credit)})
    for found in (*items.problems(item), *items.warnings(item)):
        if found.code in {"missing_text", "missing_feedback", "missing_hint", "stale_translation"}:
            yield Finding(found.code, name, str(found.detail["language"]), found.where)
    yield from _told(name, item)
    for language in items.languages(item):
        yield from _giveaways(name, item, language)
        if language != item.source_language:
            yield from _parity(name, item, language)


def _told(name: str, item: Item) -> Iterator[Finding]:
    told = [place for place in items.places(item) if place.told]
    if told and not any(items.said(item, item.source_language, place) for place in told):
        yield Finding("no_feedback", name, item.source_language)


def _giveaways(name: str, item: Item, language: str) -> Iterator[Finding]:
    offered = {id_ for id_, _right in _options(item)}
    for place in items.places(item):
        offers = place.id in offered and not place.told
        if offers and CATCH_ALL.search(items.said(item, language, place)):
            yield Finding("catch_all_option", name, language, f"words.{language}.{place.path}")


def _parity(name: str, item: Item, language: str) -> Iterator[Finding]:
    for place in items.places(item):
        source, other = (_text(item, one, place) for one in (item.source_language, language))
        path = f"{'feedback' if place.told else 'words'}.{language}.{place.path}"
        if source and other:
            yield from (Finding(code, name, language, path) for code in _differing(source, other))


def _differing(source: str, other: str) -> Iterator[str]:
    here, there = fragments(source), fragments(other)
    for code, one, two in (
        ("numbers_differ", here.numbers, there.numbers),
        ("code_differs", here.code_spans, there.code_spans),
        ("formulas_differ", here.formulas, there.formulas),
    ):
        if Counter(one) != Counter(two):
            yield code
    bare = plain(source)
    for code_or_formula in (*here.code_spans, *here.formulas, *here.listings):
        bare = bare.replace(" ".join(code_or_formula.split()), " ")
    # Names stay as they are: one word in lower case after another is a sentence.
    if plain(source) == plain(other) and len(re.findall(r"\b[^\W\d_A-Z]{2,}\b", bare)) > 2:  # noqa: PLR2004  two words may be a borrowed term
        yield "untranslated"


def _text(item: Item, language: str, place: Place) -> str:
    """Give a text; "" also where it is too long to be read."""
    text = items.said(item, language, place)
    return text if len(text) <= MAX_CHARACTERS else ""


def _one_right(bank: Mapping[str, Item]) -> Iterator[tuple[Item, list[str], int]]:
    for item in bank.values():
        options = _options(item)
        right = [n for n, (_id, is_right) in enumerate(options) if is_right]
        if len(right) == 1:
            yield item, [id_ for id_, _right in options], right[0]


def _same_place(bank: Mapping[str, Item]) -> Iterator[Finding]:
    """Find keys that lean to one place, true or false among them, where nothing is shuffled."""
    at: dict[int, Counter[int]] = defaultdict(Counter)
    for item, ids, right in _one_right(bank):
        if item.content.get("shuffle") is False:
            at[len(ids)][right] += 1
    for offered, places in sorted(at.items()):
        place, often = places.most_common(1)[0]
        # Half as often again as by chance, of two or of ten options.
        if places.total() >= ENOUGH and often * offered * 2 > places.total() * 3 - 1:
            figures = {"place": place + 1, "options": offered, "n": often, "of": places.total()}
            yield Finding("key_leans", figures=figures)


def _longest(bank: Mapping[str, Item]) -> Iterator[Finding]:
    tried = [_is_longest(*one) for one in _one_right(bank) if len(one[1]) > 2]  # noqa: PLR2004  of two, one is longer
    if len(tried) >= ENOUGH and sum(tried) > len(tried) * HALF:
        yield Finding("longest_is_right", figures={"n": sum(tried), "of": len(tried)})


def _is_longest(item: Item, ids: Sequence[str], right: int) -> bool:
    places = [one for one in items.places(item) if not one.told]
    said = {one.id: len(items.said(item, item.source_language, one)) for one in places}
    lengths = [said.get(id_, 0) for id_ in ids]
    return lengths[right] > max(lengths[:right] + lengths[right + 1 :])


def _duplicates(bank: Mapping[str, Item]) -> Iterator[Finding]:
    """Find prompts that say the same, or nearly; each is compared with few others."""
    seen: dict[tuple[str, ...], str] = {}
    holding: dict[tuple[str, ...], list[str]] = defaultdict(list)
    runs: dict[str, set[tuple[str, ...]]] = {}
    for name, item in bank.items():
        words = _prompt(item)
        if words and seen.setdefault(words, name) != name:
            yield Finding("duplicate", name, item.source_language, figures={"of": seen[words]})
            continue
        runs[name] = {words[n : n + 3] for n in range(len(words) - 2)}
        shared = Counter(other for run in runs[name] for other in holding[run])
        for other, common in shared.items():
            if common >= ALIKE * len(runs[name] | runs[other]):
                yield Finding("near_duplicate", name, figures={"of": other})
        for run in runs[name]:
            if len(holding[run]) < COMMON:
                holding[run].append(name)


def _prompt(item: Item) -> tuple[str, ...]:
    text = str(item.words.get(item.source_language, {}).get("prompt") or "")
    return tuple(re.findall(r"\w+", text.casefold()))
