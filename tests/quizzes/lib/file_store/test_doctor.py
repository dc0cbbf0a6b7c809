"""`manage.py doctor` on a bucket: each thing that is wrong with it is a sentence."""

import json

import pytest
from django.core.management import call_command

from config.doctor.file_store import find_file_store
from quizzes.lib.file_store import get_file_store
from quizzes.lib.file_store.contract import FileStoreUnavailable
from tests.object_store import connect
from tools.object_store import BUCKET, KEYS

pytestmark = [pytest.mark.django_db, pytest.mark.allow_hosts(["127.0.0.1"])]

DROP_OLD = {
    "Rules": [
        {
            "ID": "old",
            "Status": "Enabled",
            "Filter": {"Prefix": ""},
            "NoncurrentVersionExpiration": {"NoncurrentDays": 30},
        }
    ]
}
SITE_POLICY = {
    "Version": "2012-10-17",
    "Statement": [
        {"Effect": "Allow", "Action": "s3:*", "Resource": [f"arn:aws:s3:::{BUCKET}*"]},
    ],
}


def find() -> dict[str, str]:
    """Return what is found, by code; each finding has its three sentences."""
    findings = list(find_file_store())
    assert all(finding.why.endswith(".") and finding.remedy for finding in findings)
    return {finding.code: finding.what for finding in findings}


@pytest.fixture
def good_bucket(bucket, object_server):
    """A bucket as the documentation asks for."""
    client = connect(object_server)
    client.put_bucket_versioning(Bucket=BUCKET, VersioningConfiguration={"Status": "Enabled"})
    client.put_bucket_lifecycle_configuration(Bucket=BUCKET, LifecycleConfiguration=DROP_OLD)
    return client


def test_a_site_with_a_disk_is_not_asked_for_a_bucket():
    assert find() == {}


def test_a_good_bucket_is_called_so_and_nothing_is_left_in_it(good_bucket):
    assert find() == {}
    assert "Contents" not in good_bucket.list_objects_v2(Bucket=BUCKET)


def test_a_bucket_that_forgets_what_is_deleted_or_never_does_is_named(bucket, object_server):
    assert find() == {"file_store.unversioned": "The bucket keeps no versions of its files."}
    connect(object_server).put_bucket_versioning(
        Bucket=BUCKET, VersioningConfiguration={"Status": "Enabled"}
    )
    assert set(find()) == {"file_store.versions_remain"}


def test_a_bucket_that_anybody_may_read_is_named(good_bucket):
    anyone = {"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject"}
    policy = {"Version": "2012-10-17", "Statement": [{**anyone, "Resource": "arn:aws:s3:::*"}]}
    good_bucket.put_bucket_policy(Bucket=BUCKET, Policy=json.dumps(policy))
    assert set(find()) == {"file_store.public"}


def test_a_bucket_that_is_not_there_is_named(good_bucket, settings):
    settings.S3_STORE = {**settings.S3_STORE, "bucket_name": "elsewhere"}
    assert find() == {"file_store.no_bucket": "The store of files has no bucket elsewhere."}


def test_a_store_that_is_away_is_named_and_ends_the_command_so(bucket, object_server, capsys):
    object_server.stop()
    assert find() == {
        "file_store.away": "The store of files does not answer as it should:"
        " EndpointConnectionError."
    }
    object_server.start()
    with pytest.raises(SystemExit):
        call_command("doctor")
    assert "The store of files does not answer" in capsys.readouterr().out


def test_wrong_keys_are_named_without_being_shown(good_bucket, object_server, settings):
    iam = connect(object_server, service="iam")
    iam.create_user(UserName="site")
    iam.put_user_policy(UserName="site", PolicyName="files", PolicyDocument=json.dumps(SITE_POLICY))
    key = iam.create_access_key(UserName="site")["AccessKey"]
    iam.create_user(UserName="nobody")
    weak = iam.create_access_key(UserName="nobody")["AccessKey"]
    object_server.post("reset-auth", b"0")
    try:
        assert find() == {
            "file_store.credentials": "The store of files does not accept the keys of the site:"
            " InvalidAccessKeyId."
        }
        assert KEYS["secret_key"] not in str(find())
        with pytest.raises(FileStoreUnavailable, match="InvalidAccessKeyId"):
            get_file_store().read("imports/a.file")
        _use(settings, key["AccessKeyId"], "wrong" * 8)
        assert "SignatureDoesNotMatch" in find()["file_store.credentials"]
        _use(settings, weak["AccessKeyId"], weak["SecretAccessKey"])
        assert set(find()) == {"file_store.refused"}
        _use(settings, key["AccessKeyId"], key["SecretAccessKey"])
        assert "file_store.credentials" not in find()
    finally:
        object_server.post("reset-auth", b"inf")


def _use(settings, access_key: str, secret_key: str) -> None:
    keys = {"access_key": access_key, "secret_key": secret_key}
    settings.S3_STORE = {**settings.S3_STORE, **keys}
