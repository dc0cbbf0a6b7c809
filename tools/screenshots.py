"""`./dev screenshots`: the README's pictures, taken anew from the demonstration."""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tools.environment import ensure
from tools.paths import PYTHON, ROOT
from tools.processes import free_port, listening, running, scratch, wait_until
from tools.run_tests import find_chromium

PICTURES = ROOT / "docs" / "pictures"
NAMES = ("taking-en-light.png", "result-es-dark.png")
BEGINNING, LEAST = b"\x89PNG\r\n\x1a\n", 20_000
"""How a PNG begins, and bytes that a picture of an empty page does not have."""


def run(arguments: list[str]) -> int:
    """Start the demonstration in a folder of its own, and take its pictures."""
    parser = argparse.ArgumentParser(prog="./dev screenshots")
    parser.add_argument("--folder", type=Path, default=PICTURES, help="where the pictures go")
    target = parser.parse_args(arguments).folder.resolve()
    ensure("base", "dev", "browser")
    chromium = find_chromium()
    if chromium is None:
        sys.exit("There is no Chromium here; apt-get install chromium, or name it in CHROMIUM.")
    port = free_port()
    with scratch("och-shots-") as folder:
        env = {
            **{name: value for name, value in os.environ.items() if "OCHENTA" not in name},
            "OCHENTA_DATA_DIR": str(folder),
            "OCHENTA_BIND": f"127.0.0.1:{port}",
            "OCHENTA_WEB_WORKERS": "1",
            "OCHENTA_WEB_THREADS": "4",
        }
        (folder / "static").mkdir()
        prepare = [str(PYTHON), "-m", "config.deploy", "--demo"]
        subprocess.run(prepare, env=env, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        site = [str(PYTHON), "-m", "gunicorn", "--config", "python:config.gunicorn", "config.wsgi"]
        with running(site, env=env, cwd=ROOT, log=folder / "site.log") as child:
            if not wait_until(lambda: listening(port), seconds=30, child=child):
                sys.exit((folder / "site.log").read_text(encoding="utf-8"))
            shots = folder / "pictures"
            command = [
                str(Path(__file__).with_name("take_screenshots.py")),
                str(port),
                chromium,
                str(shots),
            ]
            if subprocess.call([str(PYTHON), *command], cwd=ROOT):
                return 1
        return _copy_pictures(shots, target)


def _copy_pictures(shots: Path, target: Path) -> int:
    """Copy the pictures to their folder if all of them were taken; else name the missing ones."""
    missing = [name for name in NAMES if not _is_picture(shots / name)]
    if missing:
        print(f"Not taken: {', '.join(missing)}", file=sys.stderr)
        return 1
    target.mkdir(parents=True, exist_ok=True)
    for name in NAMES:
        shutil.copyfile(shots / name, target / name)
        print(target / name)
    return 0


def _is_picture(path: Path) -> bool:
    content = path.read_bytes() if path.exists() else b""
    return content.startswith(BEGINNING) and len(content) > LEAST
