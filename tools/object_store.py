"""A store that speaks the S3 protocol, on this machine: moto's server, which stores in memory."""

from typing import Any

import boto3

BUCKET = "school"
KEYS = {"access_key": "AKIAOCHENTA000000000", "secret_key": "quiz-and-store"}
REGION = "us-east-1"
PROGRAM = "moto_server"


def connect(address: str, service: str = "s3") -> Any:
    """Return a client of the server, beside the site's own."""
    return boto3.client(
        service,
        endpoint_url=address,
        region_name=REGION,
        aws_access_key_id=KEYS["access_key"],
        aws_secret_access_key=KEYS["secret_key"],
    )


def build_environment(address: str) -> dict[str, str]:
    """Return what a site has in its environment whose files lie in the bucket."""
    return {
        "OCHENTA_FILE_STORE": "s3",
        "OCHENTA_S3_BUCKET": BUCKET,
        "OCHENTA_S3_ENDPOINT": address,
        "OCHENTA_S3_REGION": REGION,
        "OCHENTA_S3_ACCESS_KEY": KEYS["access_key"],
        "OCHENTA_S3_SECRET_KEY": KEYS["secret_key"],
        "OCHENTA_S3_ADDRESSING": "path",
        # Nothing of this machine's own account is looked for.
        "AWS_EC2_METADATA_DISABLED": "true",
    }
