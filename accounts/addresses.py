"""The one form in which an e-mail address is kept and compared."""

import unicodedata

from django.utils.encoding import punycode


def normalize(address: str) -> str:
    """Return the address without blanks around it, in lower case, its domain in ASCII.

    A domain in other letters is written as mail servers write it ("xn--..."): what looks like
    another address but is none does not look like it any more.
    """
    local, at, domain = unicodedata.normalize("NFKC", address).strip().lower().rpartition("@")
    try:
        return f"{local}{at}{punycode(domain)}"
    except UnicodeError:
        return f"{local}{at}{domain}"  # no domain at all: what checks addresses refuses it
