"""Pictures, sounds and films of questions, for those who may see the words around them."""

import logging
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponseBase
from django.views.decorators.http import require_safe

from accounts.guests import find_guest
from quizzes.bank import blob_store
from quizzes.lib import clock
from quizzes.lib.errors import NotFound
from quizzes.lib.file_response import ranged_file_response
from quizzes.study.media_access import load_media_file
from quizzes.web.decorators import current_user, guests_allowed, login_required_page

logger = logging.getLogger(__name__)


@guests_allowed
@login_required_page
@require_safe
def media(request: HttpRequest, uuid: UUID, extension: str) -> HttpResponseBase:
    """Send a file, or the part asked for; not there and not theirs look alike: 404.

    Who signs in while an attempt of this browser's guest is not kept goes on seeing its files.
    """
    viewer, now = current_user(request), clock.now()
    try:
        media_file = load_media_file(uuid=uuid, extension=extension, viewer=viewer, now=now)
    except NotFound:
        guest = find_guest(request.session, now=now)
        if guest is None or guest == viewer:
            raise
        media_file = load_media_file(uuid=uuid, extension=extension, viewer=guest, now=now)
    try:
        return ranged_file_response(
            request,
            blob_store.open_blob(media_file.digest),
            media_file.name,
            media_file.media_type,
            media_file.digest,
        )
    except FileNotFoundError as missing:
        # No sweep takes it while a row names it: somebody lost it, or a backup was half.
        logger.exception(
            "the file %s of %s is gone from the store", media_file.digest, media_file.name
        )
        raise Http404 from missing
