"""A text with a gap of each kind, to be spoilt by the tests in one way or another."""

from copy import deepcopy
from typing import Any

CONTENT: Any = {
    "gaps": [
        {"id": "capital", "placeholder": "1", "kind": "single_choice", "points": 1},
        {"id": "river", "placeholder": "2", "kind": "short_text", "points": 2},
        {"id": "pi", "placeholder": "3", "kind": "numeric", "points": 3},
    ],
    "options": [
        {"id": "madrid", "gap": "capital"},
        {"id": "rome", "gap": "capital"},
    ],
}
KEY: Any = {
    "right": ["madrid"],
    "accepted": [
        {"id": "ebro", "gap": "river", "text": "Ebro"},
        {"id": "tajo", "gap": "river", "text": "Tajo", "credit": [1, 2]},
    ],
    "numbers": [{"id": "near", "gap": "pi", "value": "3.14"}],
}
MODEL: Any = {
    "capital": {"chosen": ["madrid"], "none_apply": False},
    "river": {"text": "Ebro"},
    "pi": {
        "typed": "3.14",
        "language": "en",
        "separator": "",
        "number": [157, 50],
        "digits": 3,
        "unit": "",
    },
}


def spoilt(content: Any, *path: Any, to: Any) -> Any:
    """Give a copy with another value at the path."""
    copy = deepcopy(content)
    *way, last = path
    inner = copy
    for step in way:
        inner = inner[step]
    inner[last] = to
    return copy
