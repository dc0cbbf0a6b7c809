"""Why an uploaded file is rejected: one sentence a code."""

from collections.abc import Mapping

from django.template.defaultfilters import filesizeformat
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from quizzes.lib.errors import Invalid

UPLOAD_ERRORS: Mapping[str, Promise | str] = {
    "empty": _("The file is empty."),
    "unknown_type": _(
        "By its contents, whatever its name, this is no file that pages show. Possible are PNG, "
        "JPEG, GIF, WebP and SVG; MP3, Ogg, WAV and M4A; MP4 and WebM."
    ),
    "too_large": _("It has %(size)s; at most %(maximum)s are possible."),
    "too_many_pixels": _(
        "It is %(width)s × %(height)s points large, too many for the devices of learners. Make it "
        "smaller."
    ),
    "truncated": _("The file ends too early; it was cut off on its way."),
    "unreadable": _("The file is damaged, or in a form that browsers do not show."),
    "trailing_bytes": _(
        "There is extra data after the end of the file. Open it in a program and save it again."
    ),
    "holds_a_page": _(
        "There is a web page in this file. Open it in a program and save it anew, without notes."
    ),
    "infected": _("The virus scanner found something in it: %(name)s."),
    "not_scanned": _("The virus scanner gives no answer, so the file was not saved. Try it later."),
    "drawing_unreadable": _("Line %(line)s: the drawing cannot be read from here on."),
    "drawing_nameless": _(
        "The drawing does not say that it is one (xmlns), so browsers would not show it."
    ),
    "drawing_declares": _(
        "Line %(line)s: drawings with a DOCTYPE are not taken. Save it as “plain SVG”."
    ),
    "drawing_instructs": _("Line %(line)s: the drawing may not instruct: %(name)s"),
    "drawing_element": _("Line %(line)s: the drawing may not hold this: <%(name)s>"),
    "drawing_attribute": _("Line %(line)s: the drawing may not react: %(name)s"),
    "drawing_fetches": _(
        "Line %(line)s: the drawing reaches for something outside itself: %(name)s"
    ),
    "drawing_style_names": _(
        "A style sheet in the drawing names a part of it. Save it with “presentation attributes”."
    ),
    "drawing_circular": _("A part of the drawing uses itself."),
    "drawing_too_complex": _("The drawing has too many parts. Make a picture of it."),
}


def describe_upload_error(error: Invalid) -> str:
    """Return why a file is rejected."""
    detail = dict(error.detail)
    for number in ("size", "maximum") if error.code == "too_large" else ():
        detail[number] = filesizeformat(detail[number])
    sentence = UPLOAD_ERRORS.get(error.code)
    return str(sentence) % detail if sentence else error.code.replace("_", " ")
