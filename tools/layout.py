"""Where the processes of `./dev stack` write: the mounts of docker-compose.yml, as folders.

Each service has scratch of its own; a volume is shared by all services that mount it. Everything
else is read-only to them: `tools/confined.py` holds them to it.
"""

import os
import secrets
from pathlib import Path

# The volumes that each service mounts, as in docker-compose.yml; a test compares them.
MOUNTS: dict[str, tuple[str, ...]] = {
    "web": ("media",),
    "worker": ("media",),
    "heavy-worker": ("media",),
    "beat": (),
}


def make(folder: Path) -> None:
    """Make the folders: what the image holds, every volume, the scratch of every service."""
    volumes = {name for names in MOUNTS.values() for name in names}
    for path in ("image", *(f"volumes/{name}" for name in volumes)):
        (folder / path).mkdir(parents=True)
    for service in MOUNTS:
        _scratch(folder, service).mkdir(parents=True)


def _scratch(folder: Path, service: str) -> Path:
    return folder / "scratch" / service


def writable(folder: Path, service: str) -> list[Path]:
    """Return the only folders that a service may write to."""
    volumes = [folder / "volumes" / name for name in MOUNTS[service]]
    return [_scratch(folder, service), *volumes]


def environment(folder: Path, port: int, database: str, broker: str) -> dict[str, str]:
    """Return the environment of docker-compose.yml, but plain HTTP on this machine."""
    outside = {name: value for name, value in os.environ.items() if name[:8] != "OCHENTA_"}
    return {
        **outside,
        "OCHENTA_MODE": "production",
        "OCHENTA_HTTPS": "0",
        "OCHENTA_ALLOWED_HOSTS": "localhost,127.0.0.1",
        "OCHENTA_SECRET_KEY": secrets.token_urlsafe(50),
        "OCHENTA_SIGNING_KEY": secrets.token_urlsafe(32),
        "OCHENTA_DATABASE_URL": database,
        "OCHENTA_REDIS_URL": broker,
        "OCHENTA_BIND": f"127.0.0.1:{port}",
        "OCHENTA_DATA_DIR": str(folder / "image"),
        "OCHENTA_MEDIA_ROOT": str(folder / "volumes" / "media"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def build_environment(service: str, env: dict[str, str], folder: Path) -> dict[str, str]:
    """Return the environment of one service, with its own scratch for what is temporary."""
    scratch = _scratch(folder, service)
    return {**env, "TMPDIR": str(scratch), "OCHENTA_HEARTBEAT": str(scratch / "heartbeat")}
