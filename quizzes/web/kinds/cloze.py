"""A text with gaps: the controls stand within the prompt, and so do the answers afterwards."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from grading.contract import Json
from grading.gaps.structure import NUMERIC
from grading.kinds import KINDS
from grading.numbers.numerals import LONGEST
from grading.texts.reading import MAXIMUM
from quizzes.bank.selectors import Paper
from quizzes.presentation import messages
from quizzes.presentation.gaps import GAP, Gaps, gaps_of
from quizzes.presentation.kinds import cloze as presented
from quizzes.presentation.texts import excerpt
from quizzes.results.report import ItemReport
from quizzes.web import moulds, telling, words
from quizzes.web.pages import Given, Piece, Review, Why
from quizzes.web.telling import safe

says_scheme = True
draws_prompt = True

read_as = telling.read_as
in_words = presented.answer_text

TEMPLATES = "quizzes/kinds/cloze"


@dataclass(frozen=True, slots=True)
class Filled:
    """One gap in its text; `state` is right, partly, wrong, or "" where that is not revealed."""

    number: int
    answer: str
    lang: str
    state: str


@dataclass(frozen=True, slots=True)
class Said:
    """Feedback that no gap can be told for."""

    html: SafeString | None
    lang: str


def form(paper: Paper, language: str) -> dict[str, Any]:
    """Give the prompt in pieces, each but the last followed by a gap and what it asks for."""
    kind, said = KINDS[paper.kind], paper.words(language)
    shown = kind.present(paper.content, [id_ for id_, _ in kind.orderable(paper.content)])
    gaps = {str(one["id"]): one for one in _objects(shown.parts["gaps"])}
    html, *rest = GAP.split(said.prompt)
    asked = [_asked(gaps[id_], number, said.parts) for number, id_ in enumerate(rest[::2], start=1)]
    texts = zip([html, *rest[1::2]], [*asked, None], strict=True)
    pieces = [{"html": text, "gap": gap} for text, gap in texts]
    return {"pieces": pieces, "count": len(asked), "page": language}


def _objects(listed: Json) -> Iterator[Mapping[str, Json]]:
    yield from (one for one in listed if isinstance(one, dict)) if isinstance(listed, list) else ()


def _asked(gap: Mapping[str, Json], number: int, texts: Mapping[str, str]) -> dict[str, Any]:
    """Give what a gap's control needs, with a mould's gaps for what stands in it."""
    id_, options = str(gap["id"]), gap.get("options")
    return {
        "id": id_,
        "kind": gap["kind"],
        "number": number,
        "options": [
            {
                "id": option,
                "begins": moulds.part(str(option)),
                "words": excerpt(texts.get(str(option), "")),
                "selected": moulds.gap(f"selected:{id_}:{option}"),
            }
            for option in (options if isinstance(options, list) else ())
        ],
        "ends": moulds.REST,
        "longest": LONGEST if gap["kind"] == NUMERIC else MAXIMUM,
        "typed": moulds.gap(f"typed:{id_}"),
        "language": moulds.gap(f"language:{id_}"),
        "invalid": moulds.gap(f"invalid:gaps.{id_}"),
    }


def filled(answer: Mapping[str, Any] | None) -> dict[str, str]:
    """Put in what was chosen and typed."""
    values: dict[str, str] = {}
    for id_, told in (answer or {}).get("gaps", {}).items():
        values |= {f"selected:{id_}:{option}": "selected" for option in told.get("chosen", ())}
        values[f"typed:{id_}"] = escape(told.get("text", told.get("typed", "")))
        values[f"language:{id_}"] = escape(told.get("language", ""))
    return values


def read(posted: QueryDict, slot: int) -> Json:
    """Read what was filled in; a number in the language it was typed in."""
    begins, gaps = f"q-{slot}-gaps-", dict[str, Json]()
    for name in posted:
        id_, _dash, said = name.removeprefix(begins).rpartition("-")
        value = posted.get(name, "")
        if not name.startswith(begins) or not value.strip():
            continue
        if said == "chosen":
            gaps[id_] = {"chosen": [value]}
        elif said == "text":
            gaps[id_] = {"text": value}
        elif said == "typed":
            untouched = value == posted.get(f"{begins}{id_}-was")
            language = posted.get(f"{begins}{id_}-{'language' if untouched else 'page'}", "")
            gaps[id_] = {"typed": value, "language": language}
    return {"gaps": gaps} if gaps else None


def place(paper: Paper, path: str, language: str) -> str:
    """Name the gap at `gaps.<id>`."""
    found, id_ = gaps_of(paper, language), path.removeprefix("gaps.")
    return found.name(id_) if id_ in found.numbers else ""


def review(item: ItemReport, language: str) -> Review:
    """Lay out the text with its answers in place, then gap by gap what is said of them."""
    found = gaps_of(item.paper, language, item.ledger)
    given = item.answer["gaps"] if item.answer else {}
    told = {id_: found.feedback(id_, item.feedback, given.get(id_, {})) for id_ in found.numbers}
    pieces = {
        _place(id_): [Piece(f"{TEMPLATES}/filled.html", _filled(found, id_, given, language))]
        for id_ in found.numbers
    }
    pieces["rows"] = [
        Piece("partials/review_given.html", _row(item, found, id_, told[id_], language))
        for id_ in found.numbers
    ]
    placed = {part for parts in told.values() for part in parts}
    pieces["rest"] = [
        Piece(f"{TEMPLATES}/said.html", Said(safe(html), item.feedback_language))
        for part, html in item.feedback.items()
        if part not in placed
    ]
    return Review(pieces, _text(item.paper, language))


def _place(id_: str) -> str:
    return f"gap:{id_}"


def _text(paper: Paper, language: str) -> str:
    """Give the prompt with a mould's gap in each of its own."""
    return GAP.sub(
        lambda found: f'<span class="gap">{moulds.gap(_place(found[1]))}</span>',
        paper.words(language).prompt,
    )


def _filled(found: Gaps, id_: str, given: Mapping[str, Any], language: str) -> Filled:
    answer = found.answer(given[id_], language) if id_ in given else ""
    return Filled(found.numbers[id_], answer, found.lang, found.state(id_))


def _row(item: ItemReport, found: Gaps, id_: str, told: Mapping[str, str], language: str) -> Given:
    given, state = (item.answer or {"gaps": {}})["gaps"], found.state(id_)
    solved = item.solution["gaps"][id_] if item.solution and state != "right" else None
    earned = found.earned(id_)
    return Given(
        label=found.name(id_),
        answer=found.answer(given[id_], language) if id_ in given else "",
        lang=found.lang,
        state=state,
        expected=found.answer(solved, language) if solved else None,
        feedback_html=mark_safe("".join(told.values())) or None,  # noqa: S308  rendered by markup
        feedback_lang=item.feedback_language,
        earned=words.signed(earned) if earned else None,
    )


def why(item: ItemReport, language: str) -> list[Why]:
    """Tell gap by gap what became of it; what was rightly left alone earns nothing and says so."""
    found = gaps_of(item.paper, language, item.ledger)
    told = [
        Why(f"{found.name(id_)}: {said}", words.signed(earned))
        for id_ in found.numbers
        for said, earned in found.told(id_)
    ]
    rules = [line for line in found.rules if line.earned or line.chosen is not False]
    return told + [Why(messages.reason(line.reason), words.signed(line.earned)) for line in rules]
