"""What a question asks for is read in five languages."""

import pytest

from quizzes.formats.parsing.instructions import asks_for_all


@pytest.mark.parametrize(
    "text",
    [
        "Select all that apply.",
        "Check all that are true.",
        "(Seleccione todas las que correspondan)",
        "Selecciona todos.",
        "Selecione todas as respostas corretas",
        "Sélectionnez toutes les réponses correctes",
        "Wählen Sie alle zutreffenden Antworten",
    ],
)
def test_all_that_apply_are_asked_for(text):
    assert asks_for_all(text)


@pytest.mark.parametrize("text", ["", "Which one?", "All metals melt. Which first?"])
def test_one_is_asked_for(text):
    assert not asks_for_all(text)
