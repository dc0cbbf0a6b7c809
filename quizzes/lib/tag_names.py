"""Tags as an author types them: words apart by commas or blanks."""

from django.core.exceptions import ValidationError
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

MAX_TAG_LENGTH = 60


def parse_tag_names(text: str) -> tuple[str, ...]:
    """Return the names of the tags, each once; one that is too long: ValidationError."""
    names = (slugify(word, allow_unicode=True) for word in text.replace(",", " ").split())
    unique_names = tuple(dict.fromkeys(filter(None, names)))
    if any(len(name) > MAX_TAG_LENGTH for name in unique_names):
        raise ValidationError(_("A tag has at most 60 characters."))
    return unique_names


def check_tag_names(text: str) -> None:
    """Refuse a list with a tag that is too long."""
    parse_tag_names(text)
