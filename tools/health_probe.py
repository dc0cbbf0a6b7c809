"""Asks the site on this machine whether it is ready: `python -m tools.health_probe URL`.

It speaks as the proxy before the site would, with an allowed host name and over HTTPS, so that
a health check needs no exception in the site's rules.
"""

import os
import sys
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit


def status(url: str, host: str = "") -> int:
    """Return the HTTP status of a GET of a plain http URL, redirects not followed; 0 for none."""
    parts = urlsplit(url)
    connection = HTTPConnection(parts.hostname or "", parts.port or 80, timeout=5)
    headers = {"Host": host or parts.netloc, "X-Forwarded-Proto": "https"}
    try:
        connection.request("GET", parts.path or "/", headers=headers)
        return connection.getresponse().status
    except (OSError, HTTPException):
        return 0
    finally:
        connection.close()


def allowed_host() -> str:
    """Return a host name that the site answers to, from OCHENTA_ALLOWED_HOSTS."""
    first = os.environ.get("OCHENTA_ALLOWED_HOSTS", "").split(",")[0].strip()
    return "localhost" if first in {"", "*"} else first.lstrip(".")


def main(arguments: list[str]) -> None:
    """End with 0 if the URL answers 200, else with a sentence."""
    answer = status(arguments[0], allowed_host())
    if answer != HTTPStatus.OK:
        sys.exit(f"{arguments[0]} answers {answer or 'nothing'}.")


if __name__ == "__main__":
    main(sys.argv[1:])
