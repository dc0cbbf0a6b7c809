"""The time of every reader and text pass grows with the text, not with its square.

A web worker that reads 100 kB of line ends for half a minute is killed, and with it whatever its
other threads were doing for learners.
"""

from collections.abc import Callable
from functools import partial
from io import BytesIO
from xml.etree.ElementTree import Element

import pytest

from grading.kinds import KINDS
from quizzes.bank.lint import style_checks
from quizzes.formats import FORMATS, WRITERS
from quizzes.formats.builders import Head, Option, SourceChoice, build_choice, build_flashcard
from quizzes.formats.checklist.markdown_texts import split_option
from quizzes.formats.letter_key.end_keys import find_end_keys
from quizzes.formats.parsing.failures import read_file
from quizzes.formats.parsing.naming import slugify
from quizzes.formats.parsing.xml import read_root_name
from quizzes.formats.qti.assessment_item import CustomScoring
from quizzes.formats.qti.response_processing import ResponseProcessing
from quizzes.formats.spreadsheet.answers import parse_right_options
from quizzes.formats.spreadsheet.cells import parse_entries, parse_number, parse_pair
from quizzes.formats.spreadsheet.columns import parse_header
from quizzes.formats.transcript.page_markdown import split_listing, write_markdown
from quizzes.imports.accounting.text_source import _KEY_LETTERS
from quizzes.lib.filetypes import IMAGE, UnsupportedFile, detect
from quizzes.lib.html_conversion import html_to_markdown, to_html
from quizzes.lib.markup import MAX_CHARACTERS, fragments, markup_warnings, plain, render
from quizzes.lib.markup.escape import escape_markdown
from quizzes.matching.tokens import extract_terms
from quizzes.source_scoring.answer_credits import _LINE_BREAK
from tests.cpu_time import measure_cpu
from tests.grading.examples import examples
from tests.media_files import jpeg
from tests.quizzes.imports.wordings import parcel

LONG = 100_000
MOST = 2.0
"""Seconds of CPU for 100 kB."""
QUICK = 0.3
"""Seconds below which growth is not looked at: a quarter of the text takes too little to tell."""
STEEP = 9.0
"""How much longer four times the text may take; in squared time it takes sixteen times."""
TRIES = 4
"""Times that a bound is tried before it counts as broken: the neighbours on a machine change."""

SPACES = (
    " ", "\t", "\n", "\r", "\r\n", "\f", "\v", "\x1c", "\x85", "\xa0",
    "\u2028", "\u2029", "\u3000", "\u200b", "\ufeff", "\x00",
)  # fmt: skip
SIGNS = (
    *"{}[]()<>*_`#>-~=%$\\\"'&|!@:.,;/^+?0aAé",
    *("<!--", "<![CDATA[", "<?", "<!DOCTYPE ", "</", "<a ", "<b>", "<p>", "<table><tr><td>", "&#"),
    *("- [ ] A. x\n\n<details>\n\n- [x] A. y\n</details>\n\n", "( ) a (X) b "),
    *("[ ]", "- [ ] ", "( ) ", "A.", "A. x\n", "1. ", "ANSWER: A\n", "Q: x\nA: y\n", "x?\n"),
    *("::", "{=", "{~", "~%", "{1:MC:", "[[", "{{c1::", "$$", "**", "__", "```\n", "~~~\n"),
    *("![", "](", "[a](", "\\(", "\\[", "\\begin{", "//", "=>", "1/", "1.2", "=a#b", '""', "','"),
    *("\n ", "\n\n ", " \n", "\n\t", "\n- ", "\n# ", "\n> ", "\n|", "a ", "a_", "a.", "a/", "-\n"),
)


def filled(unit: str, size: int) -> str:
    return (unit * (size // len(unit) + 1))[:size]


def enclosed(before: str, unit: str, after: str, size: int) -> str:
    return before + filled(unit, size) + after


def assert_linear(
    run: Callable[[str], object], make: Callable[[int], str], size: int = LONG
) -> None:
    """Hold that a pass over a text of this size is quick, and grows with the text."""
    beginning, quarter, text = make(size // 16), make(size // 4), make(size)
    assert measure_cpu(lambda: run(beginning), enough=MOST) < MOST, "a sixteenth of the text"
    totals, parts = list[float](), list[float]()
    for _ in range(TRIES):
        totals.append(measure_cpu(lambda: run(text), enough=QUICK))
        if min(totals) < QUICK:
            return
        parts.append(measure_cpu(lambda: run(quarter)))
        if min(totals) < MOST and min(totals) / min(parts) < STEEP:
            return
    assert min(totals) < MOST
    assert min(totals) / min(parts) < STEEP


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
def test_no_reader_and_no_detector_is_held_up_by_a_sign_repeated(name):
    form = FORMATS[name]

    def run(text: str) -> None:
        data = text.encode()
        for ending in form.extensions:
            form.detect(data, f"a.{ending}")
        # More items than a file may hold are refused, as in the process that reads it.
        read_file(lambda: form.read(data, language="en"), name)

    for unit in (*SPACES, *SIGNS):
        assert_linear(run, partial(filled, unit))


OF_CARDS = frozenset({"anki-apkg", "anki-tsv", "flashcards"})
"""Formats that hold cards alone."""


def written(name: str, text: str) -> bytes:
    """Write a question that says this text everywhere, in one format."""
    if name in OF_CARDS:
        card = build_flashcard(Head(1, "q", "en", f"Which?{text}b", f"c{text}d"), f"a{text}b", "e")
        return WRITERS[name].write(parcel([card]), language="en").data
    options = [Option(f"a{text}b", right=True, feedback=text), Option("Rhine")]
    question = build_choice(
        Head(1, "q", "en", f"Which?{text}b", f"c{text}d"), SourceChoice(options, many=False)
    )
    return WRITERS[name].write(parcel([question]), language="en").data


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(WRITERS))
def test_no_writer_and_no_reader_of_what_it_wrote_is_held_up(name):
    for unit in (*SPACES[:3], "\xa0", "*", "`", "[", "<a ", "$", "\\", "_", "{", "~", "a "):
        assert_linear(
            lambda text: read_file(lambda: FORMATS[name].read(written(name, text)), name),
            partial(filled, unit),
            20_000,
        )


def olx(answer: str) -> bytes:
    quoted = answer.replace("'", "&apos;")
    return f"<problem><p>Which?</p>{quoted}</problem>".encode()


def paid_by(template: str) -> None:
    with pytest.raises(CustomScoring):
        ResponseProcessing().read(Element("responseProcessing", {"template": template}))


def sniffed(data: bytes) -> None:
    with pytest.raises(UnsupportedFile):
        detect(BytesIO(data), {IMAGE: 10_000_000})


def scanned(size: int) -> bytes:
    """Make a picture whose scan has fill bytes and no end."""
    return jpeg()[:-2] + b"\xff" * size + b"\x00"


PASSES: dict[str, tuple[Callable[[str], object], str, str, str]] = {
    "plain words": (escape_markdown, "a", " ", "b"),
    "blanks in bold": (html_to_markdown, "<b>x", " ", "y</b>"),
    "hard blanks": (html_to_markdown, "<p>x", "\xa0", "y</p>"),
    "scripts without an end": (html_to_markdown, "<script>", "</script ", ""),
    "open tags": (html_to_markdown, "", "<b>", ""),
    "closing tags": (html_to_markdown, filled("<b>", 1000), "</i>", ""),
    "open attributes": (html_to_markdown, "", "<a href='", ""),
    "an entry in quotes": (lambda text: list(parse_entries(text)), '"a"', " ", "x"),
    "letters of a key": (_KEY_LETTERS.match, "Answer: ", "y ", "#"),
    "a line that breaks": (partial(_LINE_BREAK.sub, " "), "a", " ", "b"),
    "a plain entry": (lambda text: list(parse_entries(text)), "a", " ", "b"),
    "a list of answers": (lambda text: parse_right_options(text, {"a": ["x"]}), "a", " ", "b"),
    "an arrow": (parse_pair, "a", " ", "b"),
    "a number": (parse_number, "1", " ", "2"),
    "a range": (parse_number, "1", "..1", "\n"),
    "a heading": (lambda text: parse_header([text]), "a", "( ", "b"),
    "a template of marking": (paid_by, "", "a", " "),
    "options on a line": (
        lambda text: FORMATS["letter_key"].read(text.encode()), "1. q\nA) a", " ", "b\nB) c\n"),
    "a range of text2qti": (
        lambda text: FORMATS["text2qti"].read(text.encode()), "1. x\n= [", " ", "x"),
    "pictures of text2qti": (
        lambda text: FORMATS["text2qti"].read(text.encode()), "1. x", "![", "\n*a) x\nb) y"),
    "a range of OLX": (
        lambda text: FORMATS["olx"].read(olx(f'<numericalresponse answer="{text}"/>')),
        "[", " ", "x"),
    "options of OLX": (
        lambda text: FORMATS["olx"].read(
            olx(f'<optionresponse><optioninput options="{text}" correct="a"/></optionresponse>')),
        "('", "\\'", ")"),
    "gaps of Moodle": (
        lambda text: FORMATS["moodle-xml"].read(
            f'<quiz><question type="cloze"><questiontext><text>{text}</text></questiontext>'
            "</question></quiz>".encode()),
        "{1:MC:", "\\{1:MC:", ""),
    "a document type": (lambda text: FORMATS["moodle-xml"].read(text.encode()),
        '<!DOCTYPE quiz PUBLIC "x"', " ", "x><quiz/>"),
    "the root of a document": (lambda text: read_root_name(text.encode()), "", "<!-- -->", "x"),
    "fences of a page": (lambda text: write_markdown([text]), "", "x```\n", ""),
    "calls in a listing": (split_listing, "O\n", "a(", "x"),
    "calls in an option": (lambda text: split_option(text, []), "x<br>\na", "a(", "x<br>"),
    "breaks in an option": (lambda text: split_option(text, []), "x", " ", "y"),
    "fences in a checklist": (lambda text: written("checklist", text), "\n", "``` a\n", ""),
    "a comment of a checklist": (
        lambda text: FORMATS["checklist"].read(text.encode()),
        "Which?\n<!-- ", "a", " -->\n- [x] a\n- [ ] b\n"),
    "a solution at the end of a page": (
        lambda text: find_end_keys(text.splitlines()),
        "## Solutions\n### 1\nAnswer: Paris\n### 2\nAnswer: Rome\n", "a\n", "b"),
    "a slug": (slugify, "", "é ", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", PASSES)
def test_no_pass_of_an_import_takes_squared_time(name):
    run, before, unit, after = PASSES[name]
    assert_linear(run, partial(enclosed, before, unit, after))


MARKED = (*SPACES[:8], "*", "_", "`", "$", "[", "![", "](", "<", "&", "\\", "~", "|", "> ", "a ")


PASSES_OVER_WORDS = [fragments, plain, markup_warnings, render, to_html, extract_terms]


@pytest.mark.parametrize("run", PASSES_OVER_WORDS, ids=lambda run: run.__qualname__)
def test_no_pass_over_the_words_of_a_question_takes_squared_time(run):
    for unit in (
        *MARKED,
        "\n\n",
        "\n ",
        "\n- ",
        "a/",
        "a_",
        "_",
        "a:b ",
        "1.",
        "http://",
        "media:",
    ):
        assert_linear(run, partial(filled, unit), MAX_CHARACTERS)


def test_names_that_go_on_do_not_take_exponential_time():
    assert measure_cpu(lambda: extract_terms("a" + "_a" * 40 + "!")) < 0.5
    assert measure_cpu(lambda: extract_terms("a" + "._a" * 4000 + "!")) < 1
    assert measure_cpu(lambda: extract_terms("_" * 20_000)) < 1


@pytest.mark.parametrize("language", ["en", "es"])
def test_words_that_ask_do_not_take_squared_time(language):
    for unit in ("which ", "qué ", "what not", " "):
        assert_linear(
            lambda text: style_checks._asks_for_not(text, language),
            partial(filled, unit),
        )
    assert style_checks._asks_for_not("Here. Which is not so?", "en")
    assert not style_checks._asks_for_not("Which is so? It is not.", "en")


def test_fill_bytes_in_a_picture_do_not_take_squared_time():
    quarter = measure_cpu(lambda: sniffed(scanned(25_000)))
    assert quarter < MOST
    assert measure_cpu(lambda: sniffed(scanned(LONG))) < QUICK


TYPED = {"short_text": "text", "numeric": "typed", "essay": "text"}


@pytest.mark.parametrize("kind", TYPED)
def test_what_a_learner_types_does_not_take_squared_time(kind):
    content = examples(kind)[0].content
    more = {"language": "en"} if kind == "numeric" else {}
    for unit in (*SPACES, *SIGNS, "1 ", "1,", "1/", "e1", "*10^", "'"):
        for before in ("", "1", "a"):
            assert_linear(
                lambda text: KINDS[kind].parse(content, {TYPED[kind]: text, **more}),
                partial(enclosed, before, unit, "x"),
                20_000,
            )
