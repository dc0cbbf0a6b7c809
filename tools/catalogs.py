"""Checks that every translated catalogue is complete, agrees with the sources and is compiled.

Run by `./dev check` in .venv (it needs polib); `--compile` writes the .mo files.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import polib

from tools.paths import BIN, ROOT

SOURCES = ("accounts", "config", "locale", "quizzes", "templates", "tools")
WANTED = ("es",)

NOT_COMPARED = (
    "There is no xgettext on PATH, so nothing was compared with the sources; install gettext."
)

Key = tuple[str | None, str]


def catalogues(root: Path) -> list[Path]:
    """List the catalogues, by language and domain."""
    return sorted(root.glob("locale/*/LC_MESSAGES/*.po"))


def incomplete(path: Path) -> Iterator[str]:
    """Yield each entry that is empty or fuzzy, and a .mo file that differs."""
    catalogue = polib.pofile(str(path))
    where = f"{path.parent.parent.name}/{path.name}"
    for entry in catalogue:
        if not entry.obsolete and ("fuzzy" in entry.flags or not entry.translated()):
            yield f"{where}: not translated: {entry.msgid!r}"
    compiled = path.with_suffix(".mo")
    if not compiled.exists() or words(compiled) != words(path):
        yield f"{where}: the .mo file is not up to date; run python -m tools.catalogs --compile"


def words(path: Path) -> dict[Key, tuple[str, ...]]:
    """Read a catalogue, compiled or not: (context, message) -> its words."""
    read = polib.mofile if path.suffix == ".mo" else polib.pofile
    return {
        (entry.msgctxt, entry.msgid): (entry.msgstr, *entry.msgstr_plural.values())
        for entry in read(str(path))
        if not entry.obsolete
    }


def differences(root: Path) -> Iterator[str]:
    """Yield each message that the sources have and a catalogue has not, or the reverse.

    A copy of the project is read, because Django's makemessages writes where it reads.
    """
    with TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in SOURCES:
            if (root / name).is_dir():
                shutil.copytree(root / name, copy / name)
        for path in catalogues(copy):
            where = f"{path.parent.parent.name}/{path.name}"
            before = set(words(path))
            failure = _extract(copy, path)
            if failure:
                yield f"{where}: {failure}"
                continue
            after = set(words(path))
            yield from (
                f"{where}: missing: {_shown(key)}" for key in sorted(after - before, key=str)
            )
            gone = sorted(before - after, key=str)
            yield from (f"{where}: no longer used: {_shown(key)}" for key in gone)


def _extract(copy: Path, path: Path) -> str:
    """Update a catalogue from the sources around it; return the reason if that fails."""
    command = [str(BIN / "django-admin"), "makemessages", "--no-obsolete", "--no-location"]
    language = ["-l", path.parent.parent.name, "-d", path.stem]
    env = {name: text for name, text in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    done = subprocess.run(
        [*command, *language], cwd=copy, env=env, capture_output=True, text=True, check=False
    )
    return done.stderr if done.returncode else ""


def _shown(key: Key) -> str:
    context, message = key
    return repr(message) if context is None else f"{message!r} ({context})"


def problems(root: Path) -> list[str]:
    """Return everything that is wrong, one sentence each."""
    faults = [
        f"{language}: there is no catalogue"
        for language in WANTED
        if not (root / f"locale/{language}/LC_MESSAGES/django.po").exists()
    ]
    for path in catalogues(root):
        faults += incomplete(path)
    if shutil.which("xgettext"):
        faults += differences(root)
    else:
        faults.append(NOT_COMPARED)
    return faults


def compile_all(root: Path) -> None:
    """Write the .mo file beside each catalogue."""
    for path in catalogues(root):
        polib.pofile(str(path)).save_as_mofile(str(path.with_suffix(".mo")))


if __name__ == "__main__":
    if "--compile" in sys.argv[1:]:
        compile_all(ROOT)
    sys.exit("\n".join(problems(ROOT)) or 0)
