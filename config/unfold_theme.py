"""How the admin's theme looks: its colour, its name, its menu."""

from typing import Any

from django.templatetags.static import static
from django.urls import reverse_lazy
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

_WEIGHTS = (50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 950)


def _tints(lightness: tuple[float, ...], chroma: float, hue: int) -> dict[str, str]:
    """Return a colour in every weight, from palest to darkest; both ends are less saturated."""
    strong = range(2, 9)
    return {
        str(weight): f"oklch({light}% {chroma if place in strong else chroma / 3:.3f} {hue})"
        for place, (weight, light) in enumerate(zip(_WEIGHTS, lightness, strict=True))
    }


def _menu_item(title: Promise, icon: str, model: str, **more: str) -> dict[str, Any]:
    link = reverse_lazy(f"admin:{model}_changelist")
    return {"title": title, "icon": icon, "link": link, **more}


_FOR_ADMINISTRATORS = {"permission": "quizzes.instructor.permissions.show_to_administrators"}
_FOR_CLASS_MAKERS = {"permission": "quizzes.instructor.permissions.show_to_class_makers"}
_FOR_INSTRUCTORS = {"permission": "quizzes.instructor.permissions.show_to_instructors"}
_FOR_OVERSEERS = {"permission": "quizzes.instructor.permissions.show_to_overseers"}
UNFOLD = {
    "SITE_TITLE": "Ochenta",
    "SITE_HEADER": "Ochenta",
    "SITE_SUBHEADER": _("Teaching"),
    "SITE_SYMBOL": "school",
    "SITE_FAVICONS": [
        {
            "rel": "icon",
            "type": "image/svg+xml",
            "href": lambda _request: static("web/img/favicon.svg"),
        }
    ],
    "SHOW_VIEW_ON_SITE": False,
    "COLORS": {
        "base": _tints((98.5, 96.7, 92.8, 87, 71, 55, 45, 37, 27, 20, 14), 0.012, 310),
        "primary": _tints((97, 93, 87, 79, 69, 63, 48, 41, 34, 29, 20), 0.13, 334),
    },
    "SIDEBAR": {
        "navigation": [
            {
                "title": _("Authoring"),
                "items": [
                    _menu_item(_("Questions"), "quiz", "bank_question", **_FOR_INSTRUCTORS),
                    _menu_item(_("Banks"), "inventory_2", "bank_bank", **_FOR_INSTRUCTORS),
                    _menu_item(_("Quizzes"), "assignment", "publishing_quiz", **_FOR_INSTRUCTORS),
                    _menu_item(
                        _("Imports"), "upload_file", "imports_importjob", **_FOR_INSTRUCTORS
                    ),
                ],
            },
            {
                "title": _("Teaching"),
                "items": [
                    _menu_item(_("Classes"), "groups", "accounts_group", **_FOR_CLASS_MAKERS),
                    _menu_item(
                        _("Attempts and results"), "grading", "attempts_attempt", **_FOR_OVERSEERS
                    ),
                    _menu_item(
                        _("Statistics"),
                        "bar_chart",
                        "statistics_quizversionstatistics",
                        **_FOR_OVERSEERS,
                    ),
                    _menu_item(
                        _("Essays to grade"),
                        "rate_review",
                        "results_manualgrade",
                        **_FOR_OVERSEERS,
                    ),
                    _menu_item(
                        _("Challenges"), "contact_support", "challenges_challenge", **_FOR_OVERSEERS
                    ),
                    _menu_item(
                        _("Assignments"), "group_add", "attempts_assignment", **_FOR_INSTRUCTORS
                    ),
                    _menu_item(
                        _("Accommodations"),
                        "more_time",
                        "attempts_accommodation",
                        **_FOR_INSTRUCTORS,
                    ),
                    _menu_item(
                        _("Standing accommodations"),
                        "accessibility_new",
                        "attempts_standingaccommodation",
                        **_FOR_INSTRUCTORS,
                    ),
                    _menu_item(_("Invitations"), "mail", "accounts_invitation", **_FOR_INSTRUCTORS),
                    _menu_item(
                        _("Notifications"),
                        "notifications",
                        "notifications_notification",
                        **_FOR_OVERSEERS,
                    ),
                    _menu_item(_("Audit log"), "history", "audit_auditevent", **_FOR_INSTRUCTORS),
                ],
            },
            {
                "title": _("Site"),
                "items": [
                    _menu_item(_("People"), "person", "accounts_user", **_FOR_ADMINISTRATORS),
                    _menu_item(_("Terms"), "date_range", "accounts_term", **_FOR_ADMINISTRATORS),
                    _menu_item(
                        _("Requests about data"),
                        "folder_shared",
                        "privacy_datarequest",
                        **_FOR_ADMINISTRATORS,
                    ),
                    _menu_item(
                        _("Legal holds"), "gavel", "privacy_legalhold", **_FOR_ADMINISTRATORS
                    ),
                    _menu_item(
                        _("Checkpoints"), "verified", "results_checkpoint", **_FOR_ADMINISTRATORS
                    ),
                ],
            },
        ]
    },
}
