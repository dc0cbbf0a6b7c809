"""An identity provider for tests: a small real one, whose tokens a test may alter.

It runs without a network: what our site sends to it is answered in this process. For browsers the
same application is served on this machine.
"""

import json
import os
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from importlib import import_module
from io import BytesIO
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import jwt
import pytest
import requests
from cryptography.hazmat.primitives.asymmetric import rsa
from django.core.cache import cache
from django.test import Client
from werkzeug.serving import make_server
from werkzeug.test import Client as WsgiClient
from werkzeug.wrappers import Request, Response

from accounts.identity_providers import IdentityProvider

ISSUER = "https://id.example.org"
KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
PROVIDER = IdentityProvider(
    id="campus",
    name="Example Campus",
    issuer=ISSUER,
    client_id="ochenta",
    secret="a secret of the client",
    trusted_domains=frozenset({"example.org"}),
)


def describe_key(key: rsa.RSAPrivateKey, **more: str) -> dict[str, Any]:
    public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key()))
    return {**public, "kid": "k1", "use": "sig"} | more


@lru_cache
def start_provider() -> WsgiClient:
    """Return the provider itself: one for all tests, as it makes a key."""
    import_module("authlib.deprecate")  # it turns its warnings on
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # Not with this module: it is large, and few tests need it.
        return WsgiClient(import_module("oidc_provider_mock").app())


class AlteringProvider:
    """The provider, with tokens signed anew: a test says what else stands in them."""

    def __init__(self) -> None:
        self.inner = start_provider()
        self.claims: dict[str, Any] = {}
        self.description: dict[str, Any] = {}
        self.userinfo: dict[str, Any] = {}
        self.key: Any = KEY
        self.algorithm = "RS256"
        self.kid = self.published_kid = "k1"
        self.token: str | None = "signed"
        self.is_up = True
        self.redirects = False
        self.questions: list[dict[str, str]] = []
        """What the site has asked for, as the query of each."""
        self.paths: list[str] = []

    def add_person(self, subject: str, **claims: Any) -> None:
        self.inner.put(f"/users/{subject}", json=claims)

    def __call__(self, environ: Any, start_response: Any) -> Any:
        return self.answer(Request(environ))(environ, start_response)

    def answer(self, request: Request) -> Response:
        self.paths.append(request.path)
        if self.redirects:
            return Response("", 302, {"Location": "http://127.0.0.1:9/"})
        if request.path == "/jwks":
            keys = [describe_key(KEY, kid=self.published_kid)]
            return Response(json.dumps({"keys": keys}), mimetype="application/json")
        if request.path == "/oauth2/authorize":
            self.questions.append(dict(request.args))
        inner = self._pass_on(request)
        if request.path == "/.well-known/openid-configuration":
            return self._change(inner, self.description)
        if request.path == "/userinfo":
            return self._change(inner, self.userinfo)
        if request.path == "/oauth2/token" and inner.status_code == 200:
            return self._sign_anew(inner)
        return inner

    def _pass_on(self, request: Request) -> Response:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            answer = self.inner.open(
                request.full_path,
                method=request.method,
                data=request.get_data(),
                headers={name: text for name, text in request.headers if name != "Host"},
                base_url=request.host_url,
            )
        return Response(answer.get_data(), answer.status_code, dict(answer.headers))

    def _change(self, answer: Response, changes: dict[str, Any]) -> Response:
        document = json.loads(answer.get_data()) | changes
        return Response(json.dumps(document), answer.status_code, mimetype="application/json")

    def _sign_anew(self, answer: Response) -> Response:
        tokens = json.loads(answer.get_data())
        claims = jwt.decode(tokens["id_token"], options={"verify_signature": False}) | self.claims
        claims = {name: claim for name, claim in claims.items() if claim is not None}
        if self.token == "signed":
            headers = {"kid": self.kid}
            token = jwt.encode(claims, self.key, algorithm=self.algorithm, headers=headers)
            tokens["id_token"] = token
        elif self.token is None:
            del tokens["id_token"]
        else:
            tokens["id_token"] = self.token
        return Response(json.dumps(tokens), 200, mimetype="application/json")


class _InProcess(requests.adapters.BaseAdapter):
    """Answers what the site sends to the provider, without a network."""

    def __init__(self, provider: AlteringProvider) -> None:
        super().__init__()
        self.provider = provider

    def send(self, request: requests.PreparedRequest, *args: Any, **kwargs: Any) -> Any:
        if not self.provider.is_up:
            raise requests.exceptions.ConnectTimeout
        parts = urlsplit(str(request.url))
        answer = self.provider.answer(
            Request.from_values(
                parts.path,
                base_url=f"{parts.scheme}://{parts.netloc}",
                query_string=parts.query,
                method=request.method,
                headers=list(request.headers.items()),
                data=request.body or b"",
            )
        )
        response = requests.Response()
        response.status_code, response.url = answer.status_code, str(request.url)
        response.headers.update(dict(answer.headers))
        response.raw, response.request = BytesIO(answer.get_data()), request
        return response

    def close(self) -> None:
        """Have nothing to close."""


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch, settings) -> AlteringProvider:
    """Have the site know one provider, which answers in this process."""
    cache.clear()
    altering = AlteringProvider()
    settings.IDENTITY_PROVIDERS = (PROVIDER,)
    prepare = requests.Session.__init__

    def mount(session: requests.Session) -> None:
        prepare(session)
        session.mount("https://", _InProcess(altering))

    monkeypatch.setattr(requests.Session, "__init__", mount)
    monkeypatch.setenv("AUTHLIB_INSECURE_TRANSPORT", "1")
    return altering


def trust(settings: Any, **changes: Any) -> None:
    """Have the settings say something else of the provider."""
    settings.IDENTITY_PROVIDERS = (replace(PROVIDER, **changes),)


def go(client: Client, path: str = "/accounts/provider/campus/", **form: str) -> str:
    """Begin at the site; return the address of the provider where its page leads."""
    page = client.post(path, form)
    assert page.status_code == 200, page.content.decode()
    return str(page.context["url"])


def authorize(provider: AlteringProvider, url: str, subject: str) -> str:
    """Sign in at the provider as somebody; return the path at the site where it leads back."""
    answer = provider.answer(
        Request.from_values(
            urlsplit(url).path,
            base_url=ISSUER,
            query_string=urlsplit(url).query,
            method="POST",
            data={"sub": subject},
        )
    )
    parts = urlsplit(answer.headers["Location"])
    return f"{parts.path}?{parts.query}"


def sign_in(client: Client, provider: AlteringProvider, subject: str, **form: str) -> Any:
    """Sign in by the provider; return the last page of the site."""
    return client.get(authorize(provider, go(client, **form), subject))


def read_query(url: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(url).query))


def tell_time(provider: AlteringProvider, ago: float = 0) -> None:
    """Have the provider tell when the person signed in there: so many seconds ago."""
    provider.claims["auth_time"] = int(time.time() - ago)


@contextmanager
def serve(altering: AlteringProvider) -> Iterator[str]:
    """Serve the provider on this machine; yield its issuer."""
    os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
    server = make_server("127.0.0.1", 0, altering, threaded=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
        del os.environ["AUTHLIB_INSECURE_TRANSPORT"]
