"""Lines of a page around its options: buttons, empty keys, hints, points; none is a text."""

from fractions import Fraction
from itertools import product

import pytest

from quizzes.formats.contract import ImportStatus, SourceItem
from quizzes.imports.parse import parse_upload
from tests.quizzes.formats.text_items import get_text, list_codes, list_options, list_texts

BUTTONS = ["View Answer", "**Show answer**", "Ver respuesta", "Reveal", "Discussion"]
BUTTONS += ["[View Answer](#key)", "Show Solution ▼", "Click to reveal answer", "Lösung anzeigen"]
BUTTONS += ["Afficher la réponse", "Mostrar a resposta", "- Check the answer", "> Show answer"]
OPTIONS = {
    "letters": "A. Here\nB. There",
    "bullets of letters": "- A) Here\n- B) There",
    "bold letters": "**A)** Here\n**B)** There",
}
PROMPTS = ["### Question {0}\n\nWhere is thing {0}?", "{0}. Where is thing {0}?"]
COUNTS = (1, 2, 4)


def read(text: str) -> tuple[SourceItem, ...]:
    return parse_upload(text.encode(), "quiz.md", language="en").items


def write(count: int, prompt: str, *parts: str) -> str:
    body = "\n\n".join(parts)
    return "\n\n".join(f"{prompt.format(at)}\n\n{body}\n" for at in range(1, count + 1))


def check(items: tuple[SourceItem, ...], count: int, *, is_keyed: bool = True) -> None:
    assert [get_text(item) for item in items] == [
        f"Where is thing {at}?" for at in range(1, count + 1)
    ]
    assert {tuple(list_options(item)) for item in items} == {(("Here", False), ("There", is_keyed))}
    assert {item.status for item in items} == {
        ImportStatus.IMPORTED if is_keyed else ImportStatus.REVIEW
    }
    assert not any(item.remainder for item in items)


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("button", BUTTONS)
def test_a_button_below_options_is_no_text(button, options):
    for count, prompt, between in product(COUNTS, PROMPTS, ("\n", "\n\n")):
        parts = (f"{OPTIONS[options]}{between}{button}", "Answer: B")
        items = read(write(count, prompt, *parts))
        check(items, count)
        texts = [text for item in items for text in list_texts(item.question)]
        assert not any(button.strip("*->[ ") in text for text in texts)


@pytest.mark.parametrize("button", BUTTONS[:4])
def test_a_button_without_a_key_is_no_text_either(button):
    items = read(write(3, PROMPTS[1], f"{OPTIONS['letters']}\n{button}"))
    check(items, 3, is_keyed=False)


@pytest.mark.parametrize(
    "key", ["Answer", "Answer:", "**Answer:**", "Ans:", "Respuesta:", "Antwort:"]
)
@pytest.mark.parametrize("prompt", ["{0}. {1}", "{0} {1}", "{1}", "### {0}. {1}", "**Q{0}.** {1}"])
def test_an_empty_key_takes_no_words_of_the_question_below(prompt, key):
    for count, between in product((2, 3, 5), ("\n", "\n\n")):
        text = f"{between}".join(
            f"{prompt.format(at, f'Where is thing {at}?')}\n\na. Here\nb. There\n{key}\n"
            for at in range(1, count + 1)
        )
        check(read(text), count, is_keyed=False)


def test_a_number_that_belongs_to_the_words_stays():
    options = "\n\na. Ann\nb. Bob\nAnswer: a\n\n"
    text = f"3 men cross. Who?{options}Who is old?{options}"
    assert [get_text(item) for item in read(text)] == ["3 men cross. Who?", "Who is old?"]


HINTS = [
    "**Hint:** Think.",
    "Hint: Think.",
    "*Pista: Think.*",
    "> **Tipp:** Think.",
    "💡 Hint: Think.",
]


@pytest.mark.parametrize("hint", HINTS)
@pytest.mark.parametrize("options", [*OPTIONS.values(), "- [ ] Here\n- [x] There"])
def test_a_hint_is_a_hint(options, hint):
    key = ["**Answer:** B"] if "[x]" not in options else []
    for count, prompt, parts in product(
        COUNTS, PROMPTS, ([options, hint, *key], [hint, options, *key], [options, *key, hint])
    ):
        items = read(write(count, prompt, *parts))
        check(items, count)
        for item in items:
            assert item.question
            hints = [row.texts for row in item.question.tables["hints"]]
            assert [
                list(each) for texts in hints for each in [next(iter(texts.values())).values()]
            ] == [["Think."]]
            assert get_text(item, "explanation") == ""


DETAILS = ["Difficulty: easy", "**Level:** 2", "Topic: Rivers", "*Source: Book, page 2*"]
DETAILS += ["Dificultad: media", "Schwierigkeit: leicht", "- Tags: a, b"]


@pytest.mark.parametrize("detail", DETAILS)
@pytest.mark.parametrize("options", ["A. Here\nB. There", "- [ ] Here\n- [x] There"])
def test_what_a_page_says_of_a_question_explains_nothing(options, detail):
    key = ["Answer: B"] if "[x]" not in options else []
    for count, prompt in product(COUNTS, PROMPTS):
        items = read(write(count, prompt, options, *key, f"**Points:** 3\n{detail}"))
        check(items, count)
        assert {item.points for item in items} == {Fraction(3)}
        assert {get_text(item, "explanation") for item in items} == {""}


def test_a_source_with_an_address_explains():
    text = write(
        2, PROMPTS[0], "A. Here\nB. There", "Answer: B", "Source: https://example.org/page"
    )
    assert all("example.org" in get_text(item, "explanation") for item in read(text))


@pytest.mark.parametrize("quote", ["> Where is thing {0}?", "> Where is\n> thing {0}?"])
def test_a_quoted_prompt_loses_its_marks(quote):
    items = read(write(3, "### Question {0}\n\n" + quote, "A. Here\nB. There", "**Answer: B**"))
    assert [get_text(item).replace("\n", " ") for item in items] == [
        f"Where is thing {at}?" for at in (1, 2, 3)
    ]
    assert {item.status for item in items} == {ImportStatus.IMPORTED}


@pytest.mark.parametrize("key", ["**Answer: B) There (remark)**", "**Answer: B — remark**"])
def test_a_bold_key_leaves_no_marks(key):
    for item in read(write(2, PROMPTS[0], "A) Here\nB) There", key)):
        assert "remark" in get_text(item, "explanation")
        assert "*" not in get_text(item, "explanation")


@pytest.mark.parametrize(
    "label", ["**Q{0}.**", "## Question {0}", "### Pregunta {0}", "**Frage {0}**"]
)
@pytest.mark.parametrize("title", ["", "**Options**\n", "**Options:**\n"])
def test_numbered_options_without_a_key_are_for_a_person(title, label):
    for count in COUNTS:
        text = write(count, f"{label}\nWhere is thing {{0}}?", f"{title}1. Here\n2. There")
        items = read(text)
        check(items, count, is_keyed=False)
        assert all("key_unknown" in list_codes(item) for item in items)


@pytest.mark.parametrize("options", ["A. {0}\nB. {1}\nC. {2}", "- [ ] {0}\n- [ ] {1}\n- [x] {2}"])
def test_options_that_are_tags_in_code_are_clean(options):
    key = [] if "[x]" in options else ["**Answer: C**"]
    written = options.format("`<div>`", "`<span>`", "`<b>`")
    items = read(write(2, PROMPTS[0], written, *key))
    assert [list_options(item) for item in items] == [
        [("`<div>`", False), ("`<span>`", False), ("`<b>`", True)]
    ] * 2
    assert {item.status for item in items} == {ImportStatus.IMPORTED}


TASKS = ["Define la fuerza como masa por aceleración.", "Compare both of them with care."]
TASKS += ["Describe cómo cae un cuerpo."]


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("title", ["**Explicación:**", "**Explanation:**\n", "Explanation:"])
@pytest.mark.parametrize("options", ["A. Here\nB. There", "- [ ] Here\n- [x] There"])
def test_a_sentence_below_the_title_of_a_reason_is_no_question(options, title, task):
    key = ["Answer: B"] if "[x]" not in options else []
    items = read(write(3, PROMPTS[0], options, *key, f"{title}\n{task}"))
    check(items, 3)
    assert all(task in get_text(item, "explanation") for item in items)


@pytest.mark.parametrize("task", TASKS[:2])
def test_a_task_below_the_options_is_for_a_person(task):
    items = read(write(3, PROMPTS[0], "A. Here\nB. There", "Answer: B", task))
    assert {tuple(list_codes(item)) for item in items} == {("question_below",)}


@pytest.mark.parametrize("options", ["- A) Here\n- B) There", "- [ ] Here\n- [x] There"])
@pytest.mark.parametrize("end", ["## Answer Key", "## Solutions of all", "## Answers"])
def test_what_stands_below_a_heading_above_the_questions_explains_none(end, options):
    key = [] if "[x]" in options else ["**Answer:** B"]
    table = "| Q | Level |\n|---|---|\n| one | easy |\n| two | hard |"
    text = write(2, PROMPTS[0], options, *key, "**Explanation:** So.", "---")
    items = read(f"{text}\n{end}\n\n{table}\n")
    check(items, 2)
    assert not any("easy" in get_text(item, "explanation") for item in items)


def test_what_stands_below_the_last_rule_of_a_page_explains_nothing():
    text = write(3, "{0}. Where is thing {0}?", "A. Here\nB. There", "Answer: B\nSo it is.", "---")
    items = read(f"{text}\nTotal of all: 3 of 3.\n")
    check(items, 3)
    assert {get_text(item, "explanation") for item in items} == {"So it is."}
