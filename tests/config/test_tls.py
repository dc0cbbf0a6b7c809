"""What the addresses of other services may ask for: encryption, and whom to trust."""

import ssl

import pytest
from django.core.mail.backends.smtp import EmailBackend
from redis import Redis
from redis.connection import SSLConnection

from config.database import database


@pytest.mark.parametrize(
    ("name", "value"),
    [("sslmode", "verify-full"), ("sslrootcert", "/run/secrets/ca.pem"), ("sslcert", "/c.pem")],
)
def test_the_address_of_the_database_says_how_it_is_encrypted(name, value):
    url = f"postgresql://site:secret@db.example/ochenta?{name}={value}"
    assert database(url)["OPTIONS"][name] == value


def test_redis_with_tls_checks_the_certificate():
    pool = Redis.from_url("rediss://:secret@redis.example:6379/0").connection_pool
    assert pool.connection_class is SSLConnection
    assert vars(pool.make_connection())["cert_reqs"] == ssl.CERT_REQUIRED


def test_mail_with_tls_checks_the_certificate():
    context = EmailBackend(use_tls=True).ssl_context
    assert context.verify_mode == ssl.CERT_REQUIRED
    assert context.check_hostname
