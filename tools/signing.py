"""Signs somebody in at a running site, as a browser without scripts does."""

import http.client
import re
from urllib.parse import urlencode

LOGIN = "/accounts/login/"
TOKEN = re.compile(r'name="csrfmiddlewaretoken"\s+value="([^"]+)"')
HOME = "/"


def sign_in(port: int, email: str, password: str) -> str:
    """Return why this person cannot sign in; nothing if they arrive at the home page."""
    status, headers, page = _ask(port, "GET", "", {})
    token = TOKEN.search(page)
    if token is None:
        return f"{email}: {LOGIN} answers {status} without a form"
    form = {"csrfmiddlewaretoken": token[1], "login": email, "password": password}
    cookie = "; ".join(line.partition(";")[0] for line in headers.get_all("Set-Cookie", []))
    status, headers, _page = _ask(port, "POST", urlencode(form), {"Cookie": cookie})
    where = headers.get("Location", "")
    if (status, where) != (http.client.FOUND, HOME):
        return f"{email}: signing in answers {status} {where}"
    return ""


def _ask(
    port: int, method: str, body: str, headers: dict[str, str]
) -> tuple[int, http.client.HTTPMessage, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    kind = {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
    try:
        connection.request(method, LOGIN, body or None, headers | kind)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode(errors="replace")
    finally:
        connection.close()
