"""Whether the bucket that files lie in is there, takes files, keeps versions and is closed."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final
from uuid import uuid4

from botocore.exceptions import BotoCoreError, ClientError
from django.conf import settings

from config.doctor.findings import DeploymentFinding
from quizzes.lib.file_store import get_file_store
from quizzes.lib.file_store.contract import FileStoreUnavailable
from quizzes.lib.file_store.s3 import S3FileStore

_WHY: Final = (
    "Pictures, sounds and films of questions are not shown, and nothing is uploaded, imported or"
    " copied; answers are saved as ever."
)
_CREDENTIAL_CODES: Final = frozenset(
    {"InvalidAccessKeyId", "SignatureDoesNotMatch", "NoCredentialsError", "InvalidToken"}
)
_PROBE: Final = b"manage.py doctor"


def find_file_store() -> Iterator[DeploymentFinding]:
    """Yield what is wrong with the bucket, where files lie in one; a file is saved and deleted."""
    if not settings.S3_STORE:
        return
    store = get_file_store()
    if not isinstance(store, S3FileStore):
        return
    name = f"doctor/{uuid4().hex}"
    try:
        store.save_bytes(name, _PROBE)
        is_intact = store.read(name) == _PROBE
        is_public = _is_public(store, name)
        store.delete(name)
    except FileStoreUnavailable as error:
        yield _explain(str(error))
        return
    except FileNotFoundError:
        is_intact = is_public = False
    if not is_intact:
        yield DeploymentFinding(
            "file_store.forgetful",
            "The bucket does not return what was just saved in it.",
            _WHY,
            "Name a store that is consistent: every read sees the writes that were answered.",
        )
    if is_public:
        yield DeploymentFinding(
            "file_store.public",
            "Anybody can read the files of the bucket without a key.",
            "Pictures of keys and explanations, imports and copies of personal data are in it.",
            "Close the bucket to the public; the site sends each file itself, after it has asked"
            " who may see it.",
        )
    yield from _find_versioning(store)


def _explain(code: str) -> DeploymentFinding:
    """Return the finding for a code of the store, or for the name of an error of the network."""
    if code in _CREDENTIAL_CODES:
        return DeploymentFinding(
            "file_store.credentials",
            f"The store of files does not accept the keys of the site: {code}.",
            _WHY,
            "Mend OCHENTA_S3_ACCESS_KEY and OCHENTA_S3_SECRET_KEY.",
        )
    if code == "NoSuchBucket":
        return DeploymentFinding(
            "file_store.no_bucket",
            f"The store of files has no bucket {settings.S3_STORE['bucket_name']}.",
            _WHY,
            "Make it, closed to the public and with versions, or mend OCHENTA_S3_BUCKET.",
        )
    if code in {"AccessDenied", "403"}:
        return DeploymentFinding(
            "file_store.refused",
            "The store of files refuses to have a file saved, read and deleted in the bucket.",
            _WHY,
            "Allow the keys of the site GetObject, PutObject and DeleteObject on the files of the"
            " bucket, and ListBucket on the bucket.",
        )
    return DeploymentFinding(
        "file_store.away",
        f"The store of files does not answer as it should: {code}.",
        _WHY,
        "Start it, or mend OCHENTA_S3_ENDPOINT and OCHENTA_S3_REGION.",
    )


def _is_public(store: S3FileStore, name: str) -> bool:
    """Return whether a file is sent to who has no key."""
    client = store.storage.unsigned_connection.meta.client
    try:
        client.get_object(**store.locate(name))["Body"].close()
    except (ClientError, BotoCoreError):
        return False
    return True


def _find_versioning(store: S3FileStore) -> Iterator[DeploymentFinding]:
    """Yield a finding where what is deleted is gone at once, or never; unless nobody may ask."""
    bucket = {"Bucket": store.storage.bucket_name}
    with suppress(ClientError, BotoCoreError):
        if store.client.get_bucket_versioning(**bucket).get("Status") != "Enabled":
            yield DeploymentFinding(
                "file_store.unversioned",
                "The bucket keeps no versions of its files.",
                "What is deleted or overwritten by mistake, or by who has stolen the keys, cannot"
                " be brought back.",
                "Switch versioning on, with a rule that drops old versions after some weeks; or"
                " copy the bucket elsewhere every day.",
            )
        elif not _drops_versions(store.client, bucket):
            yield DeploymentFinding(
                "file_store.versions_remain",
                "The bucket keeps old versions of its files for ever.",
                "Copies of personal data that were deleted, also by an erasure, stay in it.",
                "Add a rule to its lifecycle that drops old versions after some weeks.",
            )


def _drops_versions(client: Any, bucket: dict[str, str]) -> bool:
    """Return whether a rule of the lifecycle ends old versions; AccessDenied is raised."""
    try:
        rules = client.get_bucket_lifecycle_configuration(**bucket)["Rules"]
    except ClientError as error:
        if error.response["Error"]["Code"] != "NoSuchLifecycleConfiguration":
            raise
        return False
    return any(
        rule.get("Status") == "Enabled" and "NoncurrentVersionExpiration" in rule for rule in rules
    )
