"""`./dev schema`: writes the schema of the REST API to the tree, or checks it.

`docs/openapi.json` is the schema as the code describes it. A change that breaks a client is refused
unless `docs/openapi-breaks.tsv` lists it with a reason; `--check` asks that of the last change too.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from tools.environment import ensure
from tools.paths import PYTHON, ROOT
from tools.processes import scratch
from tools.schema_breaks import find_breaks

STORED = ROOT / "docs" / "openapi.json"
LISTED = ROOT / "docs" / "openapi-breaks.tsv"
GENERATE = (PYTHON, "manage.py", "spectacular", "--format", "openapi-json", "--lang", "en")

Schema = Mapping[str, Any]


def run(arguments: list[str]) -> int:
    """Write the schema, or check it, in the project's environment; return the exit status."""
    ensure("base")
    return main(arguments)


def main(arguments: list[str]) -> int:
    """Write the schema, or with `--check` compare it; 1 if that cannot be."""
    generated, stored = generate(), load_stored()
    old = last_committed(stored) if generated == stored else stored
    breaks = unlisted_breaks(old, generated)
    if breaks:
        print(f"This breaks clients, and {LISTED.relative_to(ROOT)} gives no reason for it:")
        print("\n".join(breaks))
        return 1
    if generated == stored:
        return 0
    if "--check" in arguments:
        print(f"The API is not as {STORED.relative_to(ROOT)} describes it: run ./dev schema.")
        return 1
    STORED.write_text(render(generated), encoding="utf-8")
    return 0


def generate() -> Schema:
    """Return the schema as the code describes it now, whatever the settings of this machine."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("OCHENTA_")}
    with scratch("och-schema-") as folder:
        text = subprocess.check_output(
            GENERATE, cwd=ROOT, env={**clean, "OCHENTA_DATA_DIR": str(folder)}
        )
    schema: Schema = json.loads(text)
    return schema


def load_stored() -> Schema | None:
    """Return the stored schema; None if there is none yet."""
    if not STORED.exists():
        return None
    schema: Schema = json.loads(STORED.read_text(encoding="utf-8"))
    return schema


def render(schema: Schema) -> str:
    """Return the text of the stored file."""
    return json.dumps(schema, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def last_committed(stored: Schema | None) -> Schema | None:
    """Return the newest committed schema that is not the stored one; None without a history."""
    name = STORED.relative_to(ROOT).as_posix()
    for commit in _git("log", "-n", "2", "--format=%H", "--", name).split():
        text = _git("show", f"{commit}:{name}")
        committed: Schema | None = json.loads(text) if text else None
        if committed not in (None, stored):
            return committed
    return None


def _git(*arguments: str) -> str:
    """Return what git says; nothing where there is no git, or no history."""
    git = shutil.which("git")
    if git is None:
        return ""
    done = subprocess.run([git, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


def unlisted_breaks(old: Schema | None, new: Schema) -> list[str]:
    """Return what breaks clients of the old schema and has no reason on the list."""
    if old is None:
        return []
    rows = [line.split("\t") for line in LISTED.read_text(encoding="utf-8").splitlines()]
    with_reason = {row[0] for row in rows[1:] if len(row) > 1 and row[1].strip()}
    return [line for line in find_breaks(old, new) if line not in with_reason]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
