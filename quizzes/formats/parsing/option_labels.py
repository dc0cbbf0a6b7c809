"""Labels that begin options ("A) Tajo", "2. Tajo", "ii) Tajo"), and texts that name them. Pure.

Labels are no part of an option: the page that asks writes its own, in an order of its own. Where
a text names an option by its label ("Both A and B", "Is c) wrong?"), labels and order have to stay.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_lowercase

from quizzes.formats.parsing.code_fences import find_code_lines

ROMANS = tuple("i ii iii iv v vi vii viii ix x xi xii".split())
_NUMBERS = tuple(map(str, range(1, 27)))
_SEQUENCES = (tuple(ascii_lowercase), _NUMBERS, ROMANS)
_LABELLED = re.compile(
    r"(?P<open>\*\*)?(?P<bracket>\(?)(?P<label>[A-Za-z]|\d{1,2}|[ivxIVX]{1,4})"
    r"(?P<sign>[.):]|(?<=[A-Z])(?=[ ]{2,}\S))"
    r"(?P<close>\*\*)?(?:[ \t]+|$)(?P<text>.*)",
    re.DOTALL,
)
_AND = (
    r"[)\]*_`\"”'’»]{0,5}(?:[ ]?,[ ]?(?:and[ ]|or[ ]|nor[ ]|y[ ]|o[ ]|e[ ]|et[ ]|und[ ])?|[ ]?&[ ]?"
    r"|[ ](?:and|or|nor|and/or|y|e|o|ou|ni|nem|et|und|oder|vs\.?|versus)[ ])"
)
_OPEN = r"[(\[*_`\"“'‘«]{0,5}"  # from each sign of a long run all of it would be read
_CLOSE = r"[)\]*_`\"”'’»]{0,5}"
_WORD = (
    r"(?:options?|choices?|answers?|statements?|distractor(?:s|es)?"
    r"|opci[oó]n(?:es)?|respuestas?|alternativas?|incisos?"
    r"|literal(?:es)?|opç(?:ão|ões)|respostas?|antwort(?:en)?|réponses?|rispost[ae])"
)
_ONLY = (
    r"(?:both|only|just|either|neither|except|all[ ]but|ambas?|sólo|solo|solamente|únicamente|menos"
    r"|excepto|apenas|somente|nur|sowohl|beide|seulement|sauf)"
)
_BEGINS = r"(?:[.:]|[ ][-–—=])[*_`]{0,3}[ \t]"
_SAYS = r"(?:is|are|was|isn't|isn’t|es|son|ist|sind|est|é)"
_ENDS = rf"(?={_CLOSE}(?:[.,;:!?]|$|[ ](?:and|or|y|o|e|und|oder|et|ou|because|as|since)[ ]))"
_JUDGED = (
    r"(?:wrong|right|correct|incorrect|true|false|correct[ao]|incorrect[ao]|verdader[ao]|fals[ao]"
    r"|cert[ao]|errad[ao]|richtig|falsch|vraie?|fausse|faux)"
)
_REFERS = (
    r"(?:(?:the[ ])?same[ ]as|identical[ ]to|equal[ ]to|see|igual[ ](?:que|a)|lo[ ]mismo[ ]que"
    r"|véase|ver|wie|siehe|voir|comme|igual[ ]a)"
)
_NAMED_AFTER = r"(?:not|is|was|as|than|unlike|like|es|no|son|ist|nicht|que|como|é|não|est|pas)"
"""Words behind which a letter alone is the name of an option."""
_BEGINNING = r"(?:^|(?<=[.:;!?—–])[*_]{0,3}[ ]|[-*+>][ \t]+)"
"""Where a sentence begins."""
_CODE = re.compile(r"(`{1,3})(?![A-Z]\1)[^`]{1,400}\1|\$(?![\s\d])[^$\n]{1,200}(?<!\s)\$(?!\d)")
"""Code and formulas: names within are those of variables."""
_PLACE = r"\(?(?-i:[A-F]|[a-f](?=\))|[1-6])\)?"
_BY_PLACE = re.compile(
    rf"(?:both|either|neither|only|all[ ]but|amb[ao]s)[ ](?:{_WORD}[ ])?{_PLACE}(?:{_AND}{_PLACE})*"
    rf"|(?:{_WORD}[ ])?{_PLACE}(?:{_AND}{_PLACE})+[ ](?:only|both)|{_WORD}[ ]{_PLACE}{_AND}{_PLACE}"
    rf"|(?-i:[A-F])[ ](?:and|or|y|und|et)[ ](?-i:[A-F])",
    re.IGNORECASE,
)
"""An option that names others, whose letters nobody wrote."""
_COUNTED = re.compile(
    r"(?:januar|jänner|februar|feber|märz|mars|april|mai|maj|juni|juli|august|september|o[kc]tober"
    r"|november|dezember|december|desember|ledna|února|března|dubna|května|června|července|srpna"
    r"|září|října|listopadu|prosince|jahrhunderts?|jh\.|weltkrieg|stock|klasse|platz|tag|woche)\b",
    re.IGNORECASE,
)
"""Words that a number and a full stop count in German and its neighbours: "1. Januar"."""
_MOST_PAIRED = 2
_FAR = 200
"""How many characters above a bracket that closes one that opens is looked for."""


@dataclass(frozen=True, slots=True)
class LabelledTexts:
    """Texts without their labels, and these: "a", "2", "iii", all of one sequence."""

    texts: tuple[str, ...]
    labels: tuple[str, ...]


def split_labels(texts: Sequence[str]) -> LabelledTexts | None:
    """Return texts without the labels that begin them; None unless these count from the first.

    Of three letters or more, each once, the order is free.
    """
    matches = [_LABELLED.match(text) for text in texts]
    if len(texts) <= 1 or not all(matches):
        return None
    labelled = [match for match in matches if match]
    signs = {(match["bracket"], match["sign"]) for match in labelled}
    labels = tuple(match["label"] for match in labelled)
    is_shuffled = len(labels) > _MOST_PAIRED and labels[0].isalpha()
    is_shuffled = is_shuffled and count_on(sorted(labels))
    if len(signs) > 1 or not (is_shuffled or count_on(labels)):
        return None
    if not all(match["text"].strip() for match in labelled):
        return None
    is_ratio = labels[0] == "1" and any(sign == ":" for _, sign in signs)  # "1: 2", "2: 3"
    is_dotted = signs == {("", ".")}
    if is_ratio or (is_dotted and are_ordinals(match["text"] for match in labelled)):
        return None
    different = {match["text"].strip().casefold() for match in labelled}
    if not is_shuffled and labels[0].casefold() != "a" and len(different) < len(labelled):
        return None  # the labels alone tell them apart: "1. May", "2. May"
    return LabelledTexts(
        tuple(
            f"{match['open'] if match['open'] and not match['close'] else ''}{match['text']}"
            for match in labelled
        ),
        labels,
    )


def are_ordinals(texts: Iterable[str]) -> bool:
    """Return whether a number and a full stop before these texts belong to them: "1. Januar"."""
    return all(_COUNTED.match(text.lstrip("*_ ")) for text in texts)


def count_on(labels: Sequence[str]) -> bool:
    """Return whether labels are letters, numbers or Roman numbers in their order, in one case."""
    count = len(labels)
    return any(
        tuple(labels) in {sequence[:count], tuple(map(str.upper, sequence[:count]))}
        for sequence in _SEQUENCES
    )


def has_label_references(
    labels: Sequence[str], options: Sequence[str], *texts: str, prompt: str = ""
) -> bool:
    """Return whether one of these options, the prompt or a text names options by their labels.

    A label with the text of its option, "B) Tajo", names it by that as well. A page may show
    letters where it has numbers, so letters count for options of any labels.
    """
    styles = list(_list_styles(labels, len(options)))
    others = [_drop_code(prompt), *(_drop_named(text, labels, options) for text in texts)]
    plain = [_drop_code(option) for option in options]
    return any(style.is_in_option(text) for style in styles for text in plain) or any(
        style.is_in(text) for style in styles for text in others if text
    )


def has_references_to_places(options: Sequence[str]) -> bool:
    """Return whether an option without a label names others by letter or number: "Both A and B".

    Options that are letters or numbers themselves name none.
    """
    words = [option.strip(" *_.") for option in options]
    if any(re.fullmatch(r"[A-Za-z]|\d{1,2}", word) for word in words):
        return False
    return any(_BY_PLACE.fullmatch(word) for word in words)


def _list_styles(labels: Sequence[str], count: int) -> Iterator["_Style"]:
    """Yield in which styles texts may name options: capitals, small letters, the labels' own."""
    last = ascii_lowercase[min(max(count, 2), len(ascii_lowercase)) - 1]
    is_small = all(map(str.islower, labels))
    yield _build_style(f"[A-{last.upper()}]", is_sure=True, is_own=True)
    yield _build_style(f"[a-{last}]", is_sure=False, is_own=bool(labels) and is_small)
    if labels[:2] == _NUMBERS[:2]:
        numbers = "|".join(reversed(labels))
        yield _build_style(rf"(?:{numbers})(?![.,]?\d|[ ]?%)", is_sure=False, is_own=False)
    elif len(labels) > 1 and labels[1].lower() == ROMANS[1]:
        romans = "|".join(sorted(map(str.lower, labels), key=len, reverse=True))
        yield _build_style(f"(?:{romans.upper()})", is_sure=True, is_own=False)
        yield _build_style(f"(?:{romans})", is_sure=False, is_own=True)


def _drop_code(text: str) -> str:
    """Return a text without its listings, code and formulas: their names are no options."""
    if {"`", "~", "$"}.isdisjoint(text):
        return text
    lines = text.split("\n")
    code_lines = find_code_lines(lines)
    plain = (line for line, is_code in zip(lines, code_lines, strict=True) if not is_code)
    return _CODE.sub(" … ", "\n".join(plain))


def _drop_named(text: str, labels: Sequence[str], options: Sequence[str]) -> str:
    """Return a text without the labels that the text of their option follows, and without code."""
    for label, option in zip(labels, options, strict=False):
        if option in text:
            text = re.sub(
                rf"(?<!\w)\(?(?i:{label})[.):]{{1,2}}[*_`]{{0,3}}[ ](?={re.escape(option)})",
                "",
                text,
            )
    return _drop_code(text)


@dataclass(frozen=True, slots=True)
class _Style:
    """How texts name options by labels of one sort.

    `whole_option` is a whole option that names others, `in_option` a part of one, `anywhere` a part
    of another text, `closed` a label with a bracket behind it.
    """

    whole_option: re.Pattern[str]
    in_option: re.Pattern[str]
    anywhere: re.Pattern[str]
    closed: re.Pattern[str]

    def is_in_option(self, option: str) -> bool:
        """Return whether an option names others: "Both A and B", "a) and c)", "All but D"."""
        is_name = self.whole_option.fullmatch(option.strip(" *_.")) is not None
        return is_name or self.in_option.search(option) is not None

    def is_in(self, text: str) -> bool:
        """Return whether a text names an option: "B is wrong", "Option C", "(D)", "A) Tajo"."""
        return self.anywhere.search(text) is not None or any(
            not _is_within_brackets(text, match.start()) for match in self.closed.finditer(text)
        )


def _is_within_brackets(text: str, place: int) -> bool:
    """Return whether a bracket is open at a place of a line: "f(x, a)"."""
    least = max(place - _FAR, text.rfind("\n", 0, place) + 1)
    return text.rfind("(", least, place) > text.rfind(")", least, place)


@lru_cache(maxsize=200)
def _build_style(label: str, *, is_sure: bool, is_own: bool) -> _Style:
    """Return the patterns of names that match `label`.

    `is_sure`: no other words look alike, as of capitals. `is_own`: options have names of this sort.
    """
    name = f"{_OPEN}{label}{_CLOSE}"
    is_letter = label.startswith("[")
    is_alone = r"(?![\w'’#+])"
    pair = rf"(?<![\w'’]){name}{_AND}{name}{is_alone}"
    word = rf"(?<!\w)(?i:{_WORD})[ *_`:\"“'‘«]{{1,4}}\(?{label}{is_alone}"
    only = rf"(?<!\w)(?i:{_ONLY})[ ](?:(?i:{_WORD})[ ])?{name}"
    patterns = [
        word,
        rf"(?<!\w)\({label}\)(?!\()",
        rf"(?<![\w'’]){name}[ ](?i:(?:{_SAYS}[ ])?(?:not[ ])?{_JUDGED}){_ENDS}",
        f"{only}{_ENDS}",
        pair if is_sure or is_letter or is_own else f"{only}{_AND}{name}{is_alone}",
    ]
    patterns.append(rf"(?<!\w)(?i:{_REFERS})[ ]{name}{_ENDS}")
    if is_letter and (is_sure or is_own):
        patterns += [
            rf"(?<!\w)(?i:{_NAMED_AFTER})[ ]{name}{_ENDS}",
            rf"{_BEGINNING}{name}[,:][ ](?=\w)",
        ]
    if is_letter:
        patterns += [
            rf"(?<![\w'’])(?!e\b){name}[ ]{_SAYS}[ ]",
            rf"(?<!\w)(?i:{_ONLY})[ ](?![aeiouy]\b){name}{is_alone}",
        ]
    if is_sure:
        marked = rf"[*_`]{{0,3}}{label}[*_`]{{0,3}}"
        patterns += [
            rf"^[ \t>]*(?:[-*+][ \t]+)?(?:\[[ xX]\][ ])?{marked}{_BEGINS}",
            rf"^[ \t>]*[-*+][ \t]+(?!A|I\b){label}[ ](?=[a-zà-ÿ])",
            rf"(?<![A-Za-z]){label}[ ]?(?=[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3])",
        ]
    bracketed = rf"(?<![\w'’])\(?{label}\){_AND}\(?{label}\)"
    joined = rf"(?:{_AND}|[ ]?[+/][ ]?)" if is_letter else _AND
    return _Style(
        re.compile(
            rf"(?:{_ONLY}[ ])?(?:{_WORD}[ ])?{name}(?:{joined}{name})+(?:[ ]{_ONLY})?"
            rf"|(?:[^\n]{{0,30}}[ ])?{_REFERS}[ ](?:{_WORD}[ ])?{name}"
            rf"|(?:[^\n]{{0,30}}[ ])?{_ONLY}[ ](?:{_WORD}[ ])?{name}"
            rf"|(?:{_WORD}[ ])?{name}[ ]{_ONLY}",
            re.IGNORECASE,
        ),
        re.compile(f"{pair if is_sure or is_own else bracketed}|{word}"),
        re.compile("|".join(patterns), re.MULTILINE),
        re.compile(rf"(?<![\w.(]){label}\)"),
    )
