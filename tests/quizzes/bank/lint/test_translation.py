"""What a translation must keep, and what it may change."""

from dataclasses import replace

import pytest

from quizzes.lib.markup import MAX_CHARACTERS
from tests.quizzes.bank.lint.factory import codes, found, made, worded

PICTURE = "![a cat](media:0b6dfb5c-7d4e-4a7b-8a3e-2f2a1f6a9d11.png)"


def both(english: str, spanish: str):
    return worded(worded(made(), "en", prompt=english), "es", prompt=spanish)


@pytest.mark.parametrize(
    ("english", "spanish", "code"),
    [
        ("Take 3 apples", "Toma 4 manzanas", "numbers_differ"),
        ("Take 3 apples", "Toma unas manzanas", "numbers_differ"),
        ("Call `f(x)`", "Llama `g(x)`", "code_differs"),
        ("So $a+b$", "Así $a-b$", "formulas_differ"),
        ("Read:\n\n```\nx\n```", "Lee: x", "listings_differ"),
        (f"See {PICTURE}", "Mira el gato", "files_differ"),
        ("this is not translated", "this is not  translated", "untranslated"),
    ],
)
def test_translations_are_held_against_their_source(english, spanish, code):
    (finding,) = found(both(english, spanish))
    assert (finding.code, finding.language, finding.path) == (code, "es", "words.es.prompt")
    assert finding.severity == "warning"


@pytest.mark.parametrize("same", ["AllReduce", "`a b c d e`", "1,234.5", "MirroredStrategy API"])
def test_names_code_and_numbers_may_stay_as_they_are(same):
    assert codes(both(same, same)) == []


@pytest.mark.parametrize(
    ("english", "spanish"),
    [
        ("It is 1,234.5", "Son 1.234,5"),
        ("Run `a` then `b`", "Ejecuta `b` tras `a`"),
        ("See ```x``` and\n\n```\n# comment\n```", "Mira ```x``` y\n\n```\n# nota\n```"),
        (f"See {PICTURE}", f"Mira {PICTURE.replace('0b6', '1c7')}"),
    ],
)
def test_what_each_language_writes_in_its_way_is_no_difference(english, spanish):
    assert codes(both(english, spanish)) == []


def test_what_one_side_lacks_and_what_is_stale_is_named():
    item = replace(made(), feedback={"en": made().feedback["en"]}, translated_from={"es": "old"})
    assert set(codes(item)) == {"missing_feedback", "outdated_translation"}


def test_a_text_that_no_page_could_show_is_not_compared():
    assert codes(both("x" * (MAX_CHARACTERS + 1), "3")) == ["markup_too_large"]


def test_a_question_without_the_languages_of_the_others_is_named():
    item = made()
    english = replace(item, words={"en": item.words["en"]}, feedback={"en": item.feedback["en"]})
    others = [worded(item, "en", prompt=f"{letter * 9} is what?") for letter in "xyz"]
    (finding,) = [
        finding for finding in found(english, *others[:2]) if finding.code == "no_translation"
    ]
    assert (finding.question, finding.language, finding.figures) == ("q0", "es", {"language": "es"})
    assert "no_translation" not in codes(english, others[0])
