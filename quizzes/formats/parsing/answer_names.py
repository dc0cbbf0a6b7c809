"""What a key such as "B", "A and C", "AC" or "B) Tajo" names among the options of a list. Pure."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache

_STRIPPED = re.compile(r"[\W_]+")
_BETWEEN = (
    r"[)\]*_`]*[ \t]*(?:,[ \t]*(?:and|y|e|et|und)[ \t]|[,，、&;/+]|[ \t](?:and|y|e|et|und)[ \t])"
)
_NAME = r"(?:[A-Za-z]|\d{1,2}|[ivx]{2,4}|[IVX]{2,4})"
_NAMES = re.compile(
    rf"[(\[*_`]*(?P<names>{_NAME}(?:{_BETWEEN}[ \t]*[(\[*_`]*{_NAME})*)"
    r"(?=[)\].:*_`,|\s。．，、：）-]|$)[)\].:*_`|\s—–。．，、：）-]*(?P<rest>.*)$"
)
_RUN = re.compile(r"[*_`]*([A-J]{2,10}|[a-j]{2,5}|[A-J](?:[ \t]+[A-J])+)[\W_]*$")
_BREAK = re.compile(r"<br ?/?>$")
_LONGEST_BREAK = 6
_OPTION = re.compile(
    r"[(\[*_`]*(?:options?|choices?|opci[oó]n(?:es)?|alternativas?)[ \t]+(?=[(*_`]*\w(?!\w))",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    rf"[)\]*_`]*[ \t]*(?:[,，、;&/+]|\b(?:or|o|u|oder|ou)[ \t])[ \t]*[(\[*_`]*{_NAME}(?![\w'])",
    re.IGNORECASE,
)
_NAME_BEFORE_OTHERS = re.compile(rf"[(\[*_`]*{_NAME}{_BETWEEN}[ \t]*")
_END_OF_BOLD = re.compile(r"[.:;,!)]{0,2}\*\*[.:]?[ \t]+(?=\S)")
_ALL = re.compile(
    r"[*_]{0,3}(?:all(?:[ ]of)?(?:[ ](?:them|these|the[ ](?:above|options|answers)))"
    r"|tod[ao]s(?:[ ](?:ellas|l[ao]s[ ](?:anteriores|opciones|respuestas)|as[ ]\w+))?"
    r"|alle(?:[ ](?:davon|antworten))?|toutes(?:[ ]les[ ]réponses)?)[*_]{0,3}"
    r"(?:[ ]?[:：(–—-]{1,2}[*_ ]{0,4}(?P<names>[A-Ja-j][^\n]{0,60}))?[*_.!) ]{0,6}",
    re.IGNORECASE,
)
"""A key that says that all are right, with their names or without: "All of them: A, B, C"."""
_MARKS = "*_`. \t\\"
"""What may stand around a text that is a key, and says nothing."""
_WORD_FIRST = re.compile(
    r"[*_`]{0,3}(?P<word>[^\W\d_]{1,12})[*_`]{0,3}(?:[.,;:!][*_`]{0,3}[ ]|[ ][—–-][ ])(?P<rest>.*)",
    re.DOTALL,
)
"""A key that is a word that a sign sets off from its reason: "False. It is red"."""
_BRACKETS = re.compile(r"\([^()]{0,200}\)")
_LEAST_SHORTENED = 15
"""Letters of a key that may be the text of an option without what is in brackets."""
_PAIR = 2
_FEWEST = 2
_MOST_TEXTS = 60
"""Of options whose texts are looked for in a key one after the other."""
_PARTED = re.compile(r"and|und|or|oder|et|ou|y|e|o|u")
_JOINED = re.compile(r"(?:and|und|et|y|e)")


def find_named_options(options: Sequence[tuple[str, str]], key: str) -> tuple[frozenset[int], str]:
    """Return the places of the options that a key names, and what it says beside; or no places.

    An option is its name, a small letter or a number, and its text.
    """
    places = {name: at for at, (name, _) in enumerate(options) if name}
    key = _strip_words(_strip_breaks(key.strip()))
    texts = _Texts(options)
    as_text = texts.find(key)
    if (at := places.get(key.strip("()[].*_` ").lower())) is not None:
        # `a` in code may be the letter, or the option that is this code.
        is_other = as_text not in {None, at} and "`" in key
        return frozenset() if is_other else frozenset({at}), ""
    if as_text is not None:
        return frozenset({as_text}), ""
    key = key.lstrip("- ")
    for find in (
        _find_all_named,
        _find_run,
        _find_names_with_texts,
        _find_without_brackets,
    ):
        if named := find(options, places, key):
            return named, ""
    for between in (r"[,;]", r"[,;]|[ \t](?:and|y|e|et|und)[ \t]"):
        if right := texts.find_all(re.split(between, key)):
            return right, ""
    if right := _find_texts_in_row(options, key):
        return right, ""
    return _find_word_first(options, key) or _find_names(options, places, key)


def _find_all_named(
    options: Sequence[tuple[str, str]], places: Mapping[str, int], key: str
) -> frozenset[int]:
    """Return the places of all options where a key says so: "All of them".

    None where it names only some of them beside.
    """
    match = _ALL.fullmatch(key)
    if match is None or len(options) < _FEWEST:
        return frozenset()
    every = frozenset(range(len(options)))
    names = (match["names"] or "").rstrip("*_.!) ")
    named = _find_names(options, places, names)[0] if names else every
    return every if named == every else frozenset()


def _find_word_first(
    options: Sequence[tuple[str, str]], key: str
) -> tuple[frozenset[int], str] | None:
    """Return which of two options, each one word, a key begins with, and its reason behind."""
    match = _WORD_FIRST.match(key) if len(options) == _PAIR else None
    words = [squeeze(text) for _, text in options]
    if match is None or not all(word.isalpha() for word in words):
        return None
    named = [at for at, word in enumerate(words) if word == squeeze(match["word"])]
    return (frozenset(named), match["rest"].strip()) if len(named) == 1 else None


def _find_without_brackets(
    options: Sequence[tuple[str, str]], _places: Mapping[str, int], key: str
) -> frozenset[int]:
    """Return the only option whose text is a key of some words, but for what is in brackets."""
    words = squeeze(key)
    if len(words) < _LEAST_SHORTENED:
        return frozenset()
    named = [
        at for at, (_, text) in enumerate(options) if squeeze(_BRACKETS.sub("", text)) == words
    ]
    return frozenset(named) if len(named) == 1 else frozenset()


def _find_texts_in_row(options: Sequence[tuple[str, str]], key: str) -> frozenset[int]:
    """Return the options whose texts, which may have commas, are a key one after the other."""
    texts = [(squeeze(text), at) for at, (_, text) in enumerate(options)]
    rest, named = squeeze(key), set[int]()
    if len(options) > _MOST_TEXTS or not any({",", ";"} & {*text} for _, text in options):
        return frozenset()
    while rest:
        starting = [(len(text), at) for text, at in texts if text and rest.startswith(text)]
        if not starting:
            return frozenset()
        length, at = max(starting)
        if at in named:
            return frozenset()
        named.add(at)
        rest = rest[length:]
    return frozenset(named) if len(named) > 1 else frozenset()


class _Texts:
    """The texts of options, to be looked up sign by sign, or by their letters and digits."""

    def __init__(self, options: Sequence[tuple[str, str]]) -> None:
        self._exact, self._alike = (
            defaultdict[str, list[int]](list),
            defaultdict[str, list[int]](list),
        )
        for at, (_, text) in enumerate(options):
            self._exact[text.strip(_MARKS)].append(at)
            self._alike[squeeze(text)].append(at)

    def find(self, key: str) -> int | None:
        """Return the place of the option whose text a key is: sign by sign, else by its letters.

        Where several options have the same letters and digits, such as `f(x)` and `f(-x)`, only
        one that is the same sign by sign counts.
        """
        plain, words = key.strip(_MARKS), squeeze(key)
        exact = self._exact.get(plain, [])
        alike = self._alike.get(words, []) if words else []
        if len(alike) > 1 or not alike:
            return exact[0] if len(exact) == 1 and plain else None
        return alike[0]

    def find_all(self, parts: Sequence[str]) -> frozenset[int]:
        """Return the places of the options whose texts parts of a key are; none if one is not."""
        named = set[int]()
        find = cache(self.find)
        for part in parts:
            at = find(part)
            if at is None:
                return frozenset()
            named.add(at)
        return frozenset(named)


def _strip_breaks(key: str) -> str:
    """Return a key without breaks of HTML at its end."""
    end = len(key)
    while match := _BREAK.search(key, max(end - _LONGEST_BREAK, 0), end):
        end = match.start()
        while end and key[end - 1] in " \t":
            end -= 1
    return key[:end]


def _find_names(
    options: Sequence[tuple[str, str]], places: Mapping[str, int], key: str
) -> tuple[frozenset[int], str]:
    """Return the places of the options whose names begin a key, and what it says beside."""
    texts = {squeeze(text) for _, text in options}
    match = _NAMES.match(key)
    parts = re.split(_BETWEEN, match["names"]) if match else []
    names = [_STRIPPED.sub("", part).lower() for part in parts]
    # A further name that could not be read: the others alone would be a wrong key.
    goes_on = match is not None and _GOES_ON.match(key[match.end("names") :])
    if match is None or goes_on or not names or not all(name in places for name in names):
        return frozenset(), ""
    rest = _drop_text(match["rest"].strip(), options[places[names[-1]]][1].strip())
    if rest.count("`") % 2 and key[: match.start("rest")].endswith("`"):
        rest = f"`{rest}"  # of the words, not of the name
    if rest.count("**") % 2 and key[: match.start("rest")].count("**") % 2:
        rest = f"**{rest}"  # bold that begins before the name
    if _names_another(options, places[names[-1]], squeeze(rest)):
        return frozenset(), ""
    is_text = not squeeze(rest) or squeeze(rest) in texts
    return frozenset(places[name] for name in names), "" if is_text else rest


def _drop_text(rest: str, text: str) -> str:
    """Return what a key says beside without the text of its option, where bold ends behind that."""
    end = _END_OF_BOLD.match(rest, len(text)) if text and rest.startswith(text) else None
    is_open = end is not None and rest.count("**", 0, end.end()) % 2
    return rest[end.end() :] if end and is_open else rest


def _strip_words(key: str) -> str:
    """Return a key without "Option" before its names; what it says beside keeps its words."""
    parts: list[str] = []
    start = 0
    while True:
        word = _OPTION.match(key, start)
        start = word.end() if word else start
        name = _NAME_BEFORE_OTHERS.match(key, start)
        if name is None:
            return "".join([*parts, key[start:]])
        parts.append(name[0])
        start = name.end()


def squeeze(text: str) -> str:
    """Return the letters and digits of a text, small."""
    return _STRIPPED.sub("", text).lower()


def _names_another(options: Sequence[tuple[str, str]], place: int, rest: str) -> bool:
    """Return whether the text of an option is followed by the name and text of another."""
    text = squeeze(options[place][1])
    if not text or not rest.startswith(text):
        return False
    rest = rest.removeprefix(text)
    forms = [rest, *(rest[match.end() :] for match in [_PARTED.match(rest)] if match)]
    others = [f"{name}{squeeze(words)}" for name, words in options if name and words]
    return any(form.startswith(other) for form in forms for other in others)


def _find_run(
    _options: Sequence[tuple[str, str]], places: Mapping[str, int], key: str
) -> frozenset[int]:
    """Return the options that capitals side by side name, in their order: AC, B D."""
    run = _RUN.match(key)
    names = run[1].lower().split() if run else []
    names = list(names[0]) if len(names) == 1 else names
    is_key = names == sorted({*names}) and all(name in places for name in names)
    return frozenset(places[name] for name in names) if is_key else frozenset()


def _find_names_with_texts(
    options: Sequence[tuple[str, str]], _places: Mapping[str, int], key: str
) -> frozenset[int]:
    """Return the options that a key names one after the other, each with its text."""
    rest, named = squeeze(key), set[int]()
    squeezed = {f"{name}{squeeze(text)}": at for at, (name, text) in enumerate(options) if name}
    lengths = sorted({*map(len, squeezed)}, reverse=True)
    start = 0
    while start < len(rest):
        joined = _JOINED.match(rest, start)
        starts = [start, joined.end()] if joined else [start]
        ends = [
            (length, at)
            for at in starts
            for length in lengths
            if rest[at : at + length] in squeezed and at + length <= len(rest)
        ]
        if not ends:
            return frozenset()
        length, at = max(ends)
        named.add(squeezed[rest[at : at + length]])
        start = at + length
    return frozenset(named)
