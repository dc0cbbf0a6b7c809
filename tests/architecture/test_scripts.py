"""What our scripts for browsers do without: code made of text, loose comparison and the like."""

import re
from pathlib import Path

import pytest

from tools.paths import ROOT

SCRIPTS = sorted(
    path
    for folder in ("static/web", "static/admin")
    for path in (ROOT / folder).rglob("*.js")
    if "vendor" not in path.parts
)
FORBIDDEN = re.compile(
    r"\beval\(|new Function\(|document\.write|__proto__|\.constructor\[|javascript:"
    r"|window\.addEventListener\(\s*[\"']message|onmessage\s*=\s*window"
    r"|(?<![=!])==(?!=)|!=(?!=)"
    r"|onpaste|[\"'](?:before)?paste[\"']|insertFromPaste"  # password managers and people paste
)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_script_runs_no_text_and_compares_strictly(path: Path):
    code = re.sub(r"/\*.*?\*/|//.*", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert FORBIDDEN.findall(code) == []


@pytest.mark.parametrize(
    "code",
    [
        *("eval(x)", "new Function(x)", "a == b", "a != b", "x.__proto__", "document.write(x)"),
        *("field.onpaste = f", "field.addEventListener('paste', f)"),
    ],
)
def test_the_search_sees_what_it_looks_for(code):
    assert FORBIDDEN.search(code)


def test_there_are_scripts():
    assert len(SCRIPTS) > 20
