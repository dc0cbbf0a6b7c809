"""The files of copies that people asked for: in the media folder, for the site's user alone."""

from pathlib import Path
from uuid import UUID

from django.conf import settings

from quizzes.lib.private_folder import make_private


def export_path(request: UUID) -> Path:
    """Return where the file of a request lies, whether or not there is one."""
    folder = Path(settings.MEDIA_ROOT) / "exports"
    make_private(folder)
    return folder / f"{request}.zip"
