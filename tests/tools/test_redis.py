"""The throwaway Redis: it answers while it is wanted, and not afterwards."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from redis import Redis
from redis.exceptions import AuthenticationError
from redis.exceptions import ConnectionError as NoConnectionError

from tools import redis


def test_no_server_is_said_in_words(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(redis.NoRedisError, match="no redis-server"), redis.throwaway():
        pytest.fail("there is nothing to start")


@pytest.mark.enable_socket
@pytest.mark.skipif(redis.find() is None, reason="no redis-server on PATH")
def test_it_answers_during_the_block_only():
    with redis.throwaway() as url:
        client = Redis.from_url(url)
        assert client.ping()
        assert client.config_get("save") == {"save": ""}
    with pytest.raises(NoConnectionError):
        client.ping()
    client.close()


@pytest.mark.enable_socket
@pytest.mark.skipif(redis.find() is None, reason="no redis-server on PATH")
def test_a_server_that_cannot_start_says_why():
    with (
        redis.throwaway() as url,
        pytest.raises(redis.NoRedisError, match="did not start"),
        redis.throwaway(port=urlsplit(url).port),
    ):
        pytest.fail("the port is taken")


@pytest.mark.enable_socket
@pytest.mark.skipif(redis.find() is None, reason="no redis-server on PATH")
def test_it_answers_nobody_without_the_password_and_no_other_user_reads_it():
    with redis.throwaway() as url:
        stranger = Redis.from_url(f"redis://127.0.0.1:{urlsplit(url).port}/0")
        with pytest.raises(AuthenticationError):
            stranger.ping()
        stranger.close()
        with Redis.from_url(url) as client:
            secret = Path(str(client.config_get("dir")["dir"])) / "redis.conf"
        assert secret.stat().st_mode & 0o077 == 0
