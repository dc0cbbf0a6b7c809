"""How a card of ours looks in Anki: one type of notes a language, with a style of its own."""

import genanki

_NAMES = {"es": ("Anverso", "Pista", "Reverso", "Explicación")}
_IN_ENGLISH = ("Front", "Hint", "Back", "Explanation")
_NUMBERS = {"es": 1_726_480_582}
_NUMBER = 1_726_480_581
"""By which Anki knows the type again: cards of all banks share it."""
_STYLE = """\
.card {
  max-width: 38rem; margin: 0 auto; padding: 1rem;
  font: 1.125rem/1.5 system-ui, sans-serif; text-align: left;
  color: #1c1c1c; background: #fdfdfc;
}
.card img, .card video { max-width: 100%; height: auto; }
.card pre { padding: .5rem; overflow-x: auto; background: #f0efec; }
.card table { border-collapse: collapse; }
.card th, .card td { padding: .25rem .5rem; border: 1px solid #8a8a86; }
.explanation { margin-top: 1rem; padding-top: 1rem; border-top: 1px solid #8a8a86; }
.card.nightMode, .card.night_mode { color: #ececea; background: #1f1f1e; }
.nightMode pre, .night_mode pre { background: #2c2c2a; }
"""


def note_type(language: str) -> genanki.Model:
    """Give the type of cards in a language: English names of fields where we have no others."""
    front, hint, back, explanation = names = _NAMES.get(language, _IN_ENGLISH)
    asked = f"{{{{{front}}}}}{{{{#{hint}}}}}<div>{{{{hint:{hint}}}}}</div>{{{{/{hint}}}}}"
    told = (
        f"{{{{FrontSide}}}}<hr id=answer>{{{{{back}}}}}{{{{#{explanation}}}}}"
        f'<div class="explanation">{{{{{explanation}}}}}</div>{{{{/{explanation}}}}}'
    )
    return genanki.Model(
        _NUMBERS.get(language, _NUMBER),
        "Ochenta – tarjeta" if language == "es" else "Ochenta – card",
        fields=[{"name": name} for name in names],
        templates=[{"name": "1", "qfmt": asked, "afmt": told}],
        css=_STYLE,
    )
