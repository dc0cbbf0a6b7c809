"""`./dev screenshots`: the README's pictures, taken anew from the demonstration."""

import os
import subprocess
import sys
from pathlib import Path

from tools.environment import ensure
from tools.paths import PYTHON, ROOT
from tools.processes import free_port, listening, running, scratch, wait_until
from tools.suite import find_chromium

PICTURES = ROOT / "docs" / "pictures"


def run(_arguments: list[str]) -> int:
    """Start the demonstration in a folder of its own, and let the camera look at it."""
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
        prepare = [str(PYTHON), "-m", "config.prepare", "--demo"]
        subprocess.run(prepare, env=env, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        site = [str(PYTHON), "-m", "gunicorn", "--config", "python:config.gunicorn", "config.wsgi"]
        with running(site, env=env, cwd=ROOT, log=folder / "site.log") as child:
            if not wait_until(lambda: listening(port), seconds=30, child=child):
                sys.exit((folder / "site.log").read_text(encoding="utf-8"))
            camera = [str(Path(__file__).with_name("camera.py")), str(port), chromium]
            return subprocess.call([str(PYTHON), *camera, str(PICTURES)], cwd=ROOT)
