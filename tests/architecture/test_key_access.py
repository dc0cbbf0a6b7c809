"""Whom a bank is shared with is asked in one place: everything else asks who sees its keys."""

import re
from pathlib import Path

PROJECT = Path(__file__).parents[2]
ALLOWED = {"quizzes/bank/access.py", "quizzes/attempts/key_access.py"}
SHARED_WITH = re.compile(r"\bshared_with\(|import .*\bshared_with\b|BankShare\.objects\.filter")


def test_the_one_rule_is_asked_everywhere():
    asking = {
        str(path.relative_to(PROJECT))
        for folder in ("accounts", "quizzes", "config")
        for path in (PROJECT / folder).rglob("*.py")
        if SHARED_WITH.search(path.read_text(encoding="utf-8"))
    }
    assert asking == ALLOWED
