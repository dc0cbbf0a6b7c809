"""Where the tools find the checkout, its environment and its scratch folder."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / "bin"
PYTHON = BIN / "python"


def data_dir() -> Path:
    """Return the folder of everything that a local run writes (OCHENTA_DATA_DIR, else .dev)."""
    folder = Path(os.environ.get("OCHENTA_DATA_DIR") or ROOT / ".dev")
    folder.mkdir(parents=True, exist_ok=True)
    return folder
