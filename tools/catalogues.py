"""Checks that every translated catalogue is complete, agrees with the sources and is compiled.

Run by the gate in the project's environment (it needs polib); `--compile` writes the .mo files.
"""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import polib

from tools.paths import BIN, ROOT

SOURCES = ("accounts", "config", "locale", "quizzes", "templates")
WANTED = ("es",)


def catalogues(root: Path) -> list[Path]:
    """List the catalogues, by language and domain."""
    return sorted(root.glob("locale/*/LC_MESSAGES/*.po"))


def incomplete(path: Path) -> Iterator[str]:
    """Name each entry without words or in doubt, and a .mo file that says something else."""
    catalogue = polib.pofile(str(path))
    where = f"{path.parent.parent.name}/{path.name}"
    for entry in catalogue:
        if not entry.obsolete and ("fuzzy" in entry.flags or not entry.translated()):
            yield f"{where}: not translated: {entry.msgid!r}"
    compiled = path.with_suffix(".mo")
    if not compiled.exists() or words(compiled) != words(path):
        yield f"{where}: the .mo file is not up to date; run python -m tools.catalogues --compile"


def words(path: Path) -> dict[tuple[str | None, str], tuple[str, ...]]:
    """Read a catalogue, compiled or not: (context, message) -> its words."""
    read = polib.mofile if path.suffix == ".mo" else polib.pofile
    return {
        (entry.msgctxt, entry.msgid): (entry.msgstr, *entry.msgstr_plural.values())
        for entry in read(str(path))
        if not entry.obsolete
    }


def differences(root: Path) -> Iterator[str]:
    """Name each message that the sources have and a catalogue has not, or the reverse."""
    with TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in SOURCES:
            if (root / name).is_dir():
                shutil.copytree(root / name, copy / name)
        for path in catalogues(copy):
            before = set(words(path))
            command = [str(BIN / "django-admin"), "makemessages", "--no-obsolete", "--no-location"]
            language = ["-l", path.parent.parent.name, "-d", path.stem]
            done = subprocess.run(
                [*command, *language], cwd=copy, capture_output=True, text=True, check=False
            )
            if done.returncode:
                yield done.stderr
                continue
            after = set(words(path))
            for _context, message in sorted(after - before, key=str):
                yield f"{path.parent.parent.name}/{path.name}: missing: {message!r}"
            for _context, message in sorted(before - after, key=str):
                yield f"{path.parent.parent.name}/{path.name}: no longer used: {message!r}"


def problems(root: Path) -> list[str]:
    """Give everything that is wrong, one sentence each."""
    found = [
        f"{language}: there is no catalogue"
        for language in WANTED
        if not (root / f"locale/{language}/LC_MESSAGES/django.po").exists()
    ]
    for path in catalogues(root):
        found += incomplete(path)
    if shutil.which("xgettext"):
        found += differences(root)
    return found


def compile_all(root: Path) -> None:
    """Write the .mo file beside each catalogue."""
    for path in catalogues(root):
        polib.pofile(str(path)).save_as_mofile(str(path.with_suffix(".mo")))


if __name__ == "__main__":
    if "--compile" in sys.argv[1:]:
        compile_all(ROOT)
    sys.exit("\n".join(problems(ROOT)) or 0)
