"""Which linter this is: two of equal versions find the same in the same question."""

import sys
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[3]
PACKAGES: Final = (
    "grading",
    "quizzes/bank/checks",
    "quizzes/bank/lint",
    "quizzes/document",
    "quizzes/lib/filetypes",
    "quizzes/lib/markup",
)
"""All that decides what is stored; a test compares them with what the linter does import."""
LIBRARIES: Final = ("latex2mathml", "markdown-it-py", "mdurl", "nh3", "pygments")


@cache
def compute_linter_version() -> str:
    """Return a digest of the linter's source, its libraries and Python; read once a process."""
    digest = sha256(repr(sys.version_info[:2]).encode())
    for name in LIBRARIES:
        digest.update(f"{name} {version(name)}\n".encode())
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            digest.update(f"{path.relative_to(ROOT)}\n".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:32]
