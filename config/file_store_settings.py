"""Where files lie, as the environment says: on a disk, or in a bucket behind the S3 protocol."""

from urllib.parse import urlsplit

from config import env


def read_s3_store(name: str) -> dict[str, str | None]:
    """Return the options of the store in a bucket; none where files lie on a disk.

    Raises SettingError for a bucket without name, an endpoint that is no address, and one half of
    a pair of keys.
    """
    if env.one_of("OCHENTA_FILE_STORE", "disk", ("disk", "s3")) == "disk":
        return {}
    access_key, secret_key = (env.secret(f"{name}_{half}_KEY", "") for half in ("ACCESS", "SECRET"))
    if bool(access_key) != bool(secret_key):
        missing = "SECRET" if access_key else "ACCESS"
        raise env.SettingError(f"{name}_{missing}_KEY", "set where the other half of the pair is")
    return {
        "bucket_name": env.text(f"{name}_BUCKET"),
        "location": env.text(f"{name}_PREFIX", "").strip("/"),
        "endpoint_url": _read_endpoint(f"{name}_ENDPOINT"),
        "region_name": env.text(f"{name}_REGION", "us-east-1"),
        "addressing": env.one_of(f"{name}_ADDRESSING", "auto", ("auto", "path", "virtual")),
        # None: the role of the machine, as the library finds it.
        "access_key": access_key or None,
        "secret_key": secret_key or None,
    }


def _read_endpoint(name: str) -> str | None:
    value = env.text(name, "")
    parts = urlsplit(value)
    if value and (parts.scheme not in {"http", "https"} or not parts.hostname or parts.query):
        raise env.SettingError(name, "the address of a store, https://…", value)
    return value or None
