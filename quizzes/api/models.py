"""IdempotentWrite: what a program was answered under a key of its own, to answer it again."""

from django.conf import settings
from django.db import models
from django.utils import timezone


class IdempotentWrite(models.Model):
    """One write under an Idempotency-Key; written in the same transaction as what it did.

    `fingerprint` tells whether a request under the same key is the same. Secrets are never kept:
    the answer that made a token is remembered without the token, and an answer with what learners
    wrote, with data of others or with a key without its body.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    key = models.CharField(max_length=200)
    fingerprint = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField()
    location = models.CharField(max_length=200, blank=True)
    etag = models.CharField(max_length=40, blank=True)
    body = models.TextField(blank=True, help_text="as it was sent, to the byte")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            # Of two requests with one key, the second must find the first, whatever races.
            models.UniqueConstraint(fields=["user", "key"], name="idempotent_write_once"),
        ]
        indexes = [models.Index(fields=["user", "created_at"], name="idempotent_write_by_age")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.key}"
