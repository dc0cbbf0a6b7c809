"""Lines that name the right options: "Answer: B", "The correct answer is B", `<summary>`. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from quizzes.formats.parsing.answer_names import find_named_options, squeeze
from quizzes.formats.parsing.verdicts import CROSSES, TICKS, Verdict, split_verdict

_CHOICE = r"options?|choices?|opci[oó]n(?:es)?|alternativas?"
KEY_WORDS = (
    r"(?:the\s)?(?:correct\s|right\s|suggested\s)?(?:answers?(?:\(s\))?|ans|solution|sol|key)"
    rf"|(?:the\s)?(?:correct|right)\s(?:{_CHOICE})|(?:{_CHOICE})\scorrectas?|correct[ao]?s?"
    r"|(?-i:R)(?=[*_]*[ ]?[:=])|(?:la\s|las\s)?respuestas?(?:\scorrectas?)?|rptas?\.?|resp\.?|clave"
    r"|soluci[oó]n"
    r"|respostas?(?:\scorretas?)?|gabarito(?:\scomentado)?|rispost[ae](?:\s(?:corrett|esatt)[ae])?"
    r"|(?:bonnes?\s)?réponses?(?:\s(?:correct|exact)es?)?"
    r"|(?:(?:richtige|korrekte)\s)?antwort(?:en)?|lösung"
    r"|respost[ae]s?(?:\scorrect[ae]s?)?|(?:juiste\s|goede\s)?antwoord(?:en)?|(?:rätt\s)?svar"
    r"|(?:(?:poprawna|prawidłowa)\s)?odpowied[źz]|(?:správná\s)?odpověď|(?:правильна\s)?відповідь"
    r"|răspuns(?:ul)?(?:\scorect)?|(?:helyes\s)?válasz|(?:doğru\s)?cevap|(?:doğru\s)?yanıt"
    r"|(?:gợi\sý\s)?đáp\sán(?:\sđúng)?|(?:kunci\s)?jawaban|(?:σωστή\s)?απάντηση"
    r"|(?:правильный\s)?ответ|(?:正确|正確|参考|參考)?答案|正解|解答|答え|정답"
)
_ANSWER = re.compile(
    rf"[\W_]{{0,12}}(?:{KEY_WORDS})(?![^\W_])"
    r"(?:\s+(?:is|are|es|son|est|ist|sont|sind)\b(?:[ \t]*:)?(?:\s+(?:la|las|el|los)\b)?"
    r"|[\s*_]*[.:=–→-]+>?)"
    r"(?:[\s*_:]|-(?![\w.(]))*(?P<key>\S.*)$",  # no sign of a number or of code
    re.IGNORECASE,
)
_REVERSED = re.compile(
    r"(?![ \t>]*[-*+][ \t])[\W_]{0,12}"
    r"(?P<key>\*\*[^*\n]{1,200}\*\*|`[^`\n]{1,200}`|\(?(?-i:[A-J])\)?)[ ]"
    r"(?:is[ ](?:the[ ])?(?:correct|right)(?:[ ](?:answer|option|choice))?"
    r"|est[ ]la[ ](?:bonne|bonne[ ]réponse|réponse[ ](?:correcte|exacte))(?:[ ]réponse)?"
    r"|es[ ]la[ ](?:respuesta|opción|alternativa)[ ]correcta|es[ ]correcta"
    r"|é[ ]a[ ](?:resposta|alternativa|opção)[ ]corr?eta"
    r"|ist[ ](?:richtig|die[ ]richtige[ ]Antwort))"
    r"(?!\w)[*_]{0,3}(?:[ ]?[.!:]{0,3}[*_ \t]{0,6}|[ ]?[:–—-][ ]+(?P<text>\S.*))$",
    re.IGNORECASE,
)
"""A key that stands before its word: "**Tajo** is the correct answer".

"A is right about the source" is a sentence: nothing follows but the text of the option.
"""
_SUMMARY = re.compile(
    rf"[ \t]*(?:<details[^<>]*>[ \t]*)?<summary[^<>]*>(?:<\w+>)*[^<]{{0,20}}?(?:{KEY_WORDS})"
    r"(?P<title>[^<]{0,80})(?:</\w+>)*</summary>[ \t]*(?P<key>.*)$",
    re.IGNORECASE,
)
_TITLE = re.compile(rf"[\W_]{{0,12}}(?:{KEY_WORDS})(?![^\W_])[\s*_:]*$", re.IGNORECASE)
_AT_END = re.compile(
    rf"(?P<words>.*?)(?P<mark>[*_`]{{0,3}}[(\[（【][*_` ]{{0,4}}(?:{KEY_WORDS})[ \t*_]{{0,4}}"
    r"[:：=.-]{0,2}[ \t*_`]{0,4}(?P<key>\w[^()\[\]（）【】]{0,60})[)\]）】][*_` \t]{0,6})$",
    re.IGNORECASE,
)
_LETTERS_AT_END = re.compile(
    r"(?P<words>.*?)(?P<mark>[*_]{0,2}[(（\[][ \t\u3000]{0,3}(?P<key>[A-F](?:[ ]?,?[ ]?[A-F]){0,4})"
    r"[ \t\u3000]{0,3}[)）\]][ \t。．.?？:：*]{0,6})$"
)
_CHOSEN = re.compile(
    rf"(?:#{{1,6}}[ ]+)?[*_`]{{0,3}}(?:{_CHOICE})[ ]?(?:[:：]|(?=[*_]{{0,3}}[ ]))[*_` ]{{0,4}}"
    r"(?P<key>\S.*)$",
    re.IGNORECASE,
)
"""A key below its title: "#### Option: C"."""
_CALLED = re.compile(r"([A-Ja-j])!(?=[*_ ]|$)")
"""A name that is called out: "Alternativa B!"."""
_TAG = re.compile(r"(?P<code>(?P<fence>`+)[^`]+(?P=fence))|<[^<>]*>")
_BULLET = re.compile(r"[ \t]*[-*+][ \t]+(?P<text>\S.*)$")
_ENTRY = re.compile(
    r"[ \t>]{0,12}"
    r"(?P<text>[*_`]{0,3}\(?(?:[A-Ja-j]|\d{1,2})[*_`]{0,3}[.):][.):*_`]{0,4}[ \t]+\S.*)$"
)
"""A line that comments on an option, without a bullet."""
_IS = r"(?:(?:is|es|est|ist|é|está)[ ])?(?:the[ ]|la[ ]|die[ ]|a[ ])?"
_END_OF_WORD = (
    r"(?:(?=[\W_]*$)|(?=[ *_]{0,5}[.,:;!()–—-])"
    r"|(?=[ ](?:because|since|as|porque|ya|pues|weil|da|car|parce|pois)\b))"
)
_RIGHT = re.compile(
    rf"[\W_]*?(?:[{TICKS}]|{_IS}(?:correct[aoe]?(?:[ ](?:answer|option|choice))?|right|richtig"
    rf"|korrekt|corret[ao]|exacte?){_END_OF_WORD})",
    re.IGNORECASE,
)
_WRONG = re.compile(
    rf"[\W_]*?(?:[{CROSSES}]|(?:{_IS}(?:incorrect[aoe]?|wrong|incorret[ao]|falsch|fausse?"
    r"|not[ ](?:correct|right)|nicht[ ](?:richtig|korrekt))|no[ ]es[ ]correct[ao]"
    r"|isn['’]t[ ](?:correct|right)|n['’]est[ ]pas[ ](?:correcte?|exacte?)"
    rf"|não[ ]é[ ]corret[ao]){_END_OF_WORD})",
    re.IGNORECASE,
)
_SAYS_CORRECT = re.compile(
    r"[^\w]*\w*\W*(?:correct|right|richtig|korrekt|juste|bonne)", re.IGNORECASE
)
_LONGEST_NAME = 2
_LONGEST_END = 8
"""Characters beside the brackets of a key at the end of a question."""
_NEAR = 10
"""How many lines below its head the key of a box is looked for."""


@dataclass(slots=True)
class KeyWords:
    """What a key names: places of options; `rests` is what stays of its lines, by place.

    `is_judged`: words such as "correct" beside options say which. `is_doubtful`: it comments on
    options, and does not say of each whether it is right.
    """

    right: frozenset[int] = frozenset()
    rests: dict[int, str] = field(default_factory=dict)
    is_judged: bool = False
    is_doubtful: bool = False


def is_key_line(line: str) -> bool:
    """Return whether a line names what is right, or is a title above such words."""
    return begins_with_key_word(line) or _REVERSED.match(line) is not None


def is_key_title(line: str) -> bool:
    """Return whether a line is a title above a key: "**Answers:**"."""
    return _TITLE.match(line) is not None or _SUMMARY.match(line) is not None


def split_key_words(line: str) -> str:
    """Return what stands behind the word for a key and a colon, also in the title of a box."""
    if summary := _SUMMARY.match(line):
        return summary["title"].strip(" \t:.=–-") or _strip_tags(summary["key"])
    answer = None if _TITLE.match(line) else _ANSWER.match(line)
    start = line[: answer.start("key")] if answer else ""
    is_set_off = {":", "："} & {*start} or ".**" in start
    return answer["key"] if answer and is_set_off else ""


def begins_with_key_word(line: str) -> bool:
    """Return whether a line is a key or its title, and begins with the word for it."""
    return any(each.match(line) for each in (_ANSWER, _SUMMARY, _TITLE))


def read_key_at_end(
    named: Sequence[tuple[str, str]], line: str, *, letters: bool
) -> tuple[frozenset[int], str, str]:
    """Return what a key at the end of a question names, the words before it, and it as it stands.

    It is "(Answer: B)"; with `letters` "(B)" is one, too.
    """
    brackets = ")]）】"
    if not any(bracket in line[-_LONGEST_END:] for bracket in brackets):
        return frozenset(), line, ""
    start = max(map(line.rfind, "([（【"))
    head, tail = line[: max(start - _LONGEST_END, 0)], line[max(start - _LONGEST_END, 0) :]
    match = _AT_END.match(tail) or (_LETTERS_AT_END.match(tail) if letters else None)
    if match is None:
        return frozenset(), line, ""
    right, rest = find_named_options(named, match["key"])
    if rest:
        return frozenset(), line, ""
    return right, f"{head}{match['words']}".rstrip(), match["mark"]


def read_key(named: Sequence[tuple[str, str]], lines: Sequence[str], place: int) -> KeyWords:
    """Return what the key that begins on this line names; it may be in a box or list below."""
    line = lines[place]
    summary, answer = _SUMMARY.match(line), _ANSWER.match(line)
    is_title = _TITLE.match(line) is not None
    if answer and not is_title:
        return _name(named, {place: _close(line[: answer.start("key")], answer["key"])})
    if key_first := _REVERSED.match(line):
        right, rest = find_named_options(named, key_first["key"])
        texts = {"", *(squeeze(named[at][1]) for at in right)}
        is_key = right and not rest and squeeze(key_first["text"] or "") in texts
        return KeyWords(right, {place: ""}) if is_key else KeyWords()
    if summary and (title := summary["title"].strip(" \t:.=–-")):
        words = _name(named, {place: title})
        if words.right and not any(words.rests.values()):
            return words
    if summary and _strip_tags(summary["key"]):
        return _name(named, {place: summary["key"]})
    return _read_below(named, lines, place) if summary or is_title else KeyWords()


def _close(start: str, key: str) -> str:
    """Return a key without the bracket at its end that begins before it."""
    words = key.rstrip("*_ \t")
    is_open = start.count("(") > start.count(")") and words.endswith(")")
    return words[:-1] if is_open and words.count(")") > words.count("(") else key


def _read_below(named: Sequence[tuple[str, str]], lines: Sequence[str], place: int) -> KeyWords:
    """Return what the key below its title names: in a list, or on the next line."""
    near = range(place + 1, min(place + _NEAR, len(lines)))
    first = next((at for at in near if _strip_tags(lines[at].lstrip("> \t"))), place)
    block = _read_block(named, lines, first, says_correct=_says_correct(lines[place]))
    if block.right or block.is_doubtful:
        return replace(block, rests={place: "", **block.rests})
    plain = _strip_tags(lines[first].lstrip("> \t"))
    again = _ANSWER.match(plain) or _CHOSEN.match(plain)
    words = _name(named, {first: _CALLED.sub(r"\1.", again["key"] if again else plain, count=1)})
    return KeyWords(words.right, {place: "", **words.rests}) if words.right else words


def _says_correct(title: str) -> bool:
    """Return whether the title of a key says that what it lists is correct."""
    return _SAYS_CORRECT.match(title) is not None or "correct" in title.lower()


def _name(named: Sequence[tuple[str, str]], keys: dict[int, str]) -> KeyWords:
    for at, key in keys.items():
        plain = _strip_tags(key)
        again = _ANSWER.match(plain)
        words = (again["key"] if again else plain).rstrip("| \t")
        if words.endswith("**") and words.count("**") % 2:
            words = words.removesuffix("**").rstrip()  # bold that begins before the key
        right, rest = find_named_options(named, words)
        if right:
            return KeyWords(right, {at: rest})
    return KeyWords()


@dataclass(frozen=True, slots=True)
class _Entry:
    """A line of a list that names an option, what it says of it, and whether it calls it right."""

    line: int
    option: int
    text: str
    rest: str
    verdict: bool | None


def _read_block(
    named: Sequence[tuple[str, str]], lines: Sequence[str], first: int, *, says_correct: bool
) -> KeyWords:
    """Return what a list of names or texts names; where some are called correct, only those.

    One that comments on all options names none, unless it calls each right or wrong.
    """
    entries = _list_entries(named, lines, first)
    options = [entry.option for entry in entries]
    if not entries or len({*options}) < len(options):
        return KeyWords()
    is_all = len(options) == len(named)
    verdicts = {entry.verdict for entry in entries}
    right = frozenset(entry.option for entry in entries if entry.verdict or verdicts == {None})
    is_relisted = is_all and any(map(_has_text, entries)) and not says_correct
    if False in verdicts:
        is_doubtful = None in verdicts or True not in verdicts or not is_all
    else:
        is_commented = any(entry.rest and entry.verdict is None for entry in entries)
        is_doubtful = is_all and (is_commented or (True not in verdicts and is_relisted))
    if is_doubtful and len(entries) > 1:
        return KeyWords(is_doubtful=True)
    is_only_checked = all(not entry.rest or entry.verdict for entry in entries)
    keeps_names = len(entries) > 1 and not is_only_checked
    return KeyWords(
        right,
        {each.line: each.text if keeps_names and each.rest else each.rest for each in entries},
        is_judged=False in verdicts,
    )


def _list_entries(
    named: Sequence[tuple[str, str]], lines: Sequence[str], first: int
) -> list[_Entry]:
    """Return the lines that name one option each, up to the first that does not.

    Without bullets there are several, or none.
    """
    entries: list[_Entry] = []
    is_list = _BULLET.match(lines[first]) is not None
    for place in range(first, len(lines)):
        if not lines[place].strip() and place > first and lines[place - 1].strip():
            continue
        match = (_BULLET if is_list else _ENTRY).match(lines[place])
        if match is None:
            break
        plain, sign = split_verdict(match["text"])
        options, rest = find_named_options(named, plain)
        if len(options) != 1:
            return [] if is_list and len(entries) < len(named) else entries
        verdict = _judge(sign, rest)
        is_said = _RIGHT.fullmatch(rest.rstrip("*_. )")) if verdict and rest else None
        (option,) = options
        entries.append(_Entry(place, option, match["text"], "" if is_said else rest, verdict))
    return entries if is_list or len(entries) > 1 else []


def _judge(sign: Verdict | None, rest: str) -> bool | None:
    """Return whether words or a sign call an option right or wrong; None where they do neither."""
    if sign in {Verdict.RIGHT, Verdict.TRUE} or _RIGHT.match(rest):
        return True
    return False if sign in {Verdict.WRONG, Verdict.FALSE} or _WRONG.match(rest) else None


def _has_text(entry: _Entry) -> bool:
    """Return whether an entry has more than the name of its option."""
    return len(squeeze(entry.text)) > _LONGEST_NAME


def _strip_tags(text: str) -> str:
    return _TAG.sub(lambda match: match["code"] or " ", text).strip()
