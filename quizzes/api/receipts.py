"""Receipts of attempts, and the public keys that they are checked with."""

from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from quizzes.api.base_view import BaseAPIView, EmptyQuery, parse_query
from quizzes.api.permissions import Scopes, has_scope, request_user
from quizzes.attempts.receipt_file import load_receipt_file
from quizzes.lib.errors import NotFound
from quizzes.lib.signing_keys import load_signing_keys


class ReceiptContentSerializer(serializers.Serializer[Any]):
    """What is signed: its canonical JSON (RFC 8785). Digests are hexadecimal."""

    form = serializers.IntegerField()
    attempt = serializers.UUIDField()
    learner = serializers.UUIDField()
    quiz = serializers.UUIDField()
    number = serializers.IntegerField()
    started_at = serializers.CharField()
    submitted_at = serializers.CharField()
    submission_reason = serializers.CharField()
    issued_at = serializers.CharField()
    manifest_digest = serializers.CharField()
    responses = serializers.IntegerField(help_text="rows of the journal until then")
    chain_head = serializers.CharField(help_text="digest of the last of them")
    answers = serializers.DictField(
        child=serializers.CharField(), help_text="salted digest of each slot's answer"
    )


class SignedReceiptSerializer(serializers.Serializer[Any]):
    """A receipt with the id of its key and the Ed25519 signature, in base64 for addresses."""

    receipt = ReceiptContentSerializer()
    key = serializers.CharField()
    signature = serializers.CharField()


class ReceiptAnswerSerializer(serializers.Serializer[Any]):
    """An answer: SHA-256 over its salt and its canonical JSON is the digest in the receipt."""

    slot = serializers.IntegerField()
    answer = serializers.DictField(allow_null=True)
    salt = serializers.CharField(help_text="base64 for addresses")


class ReceiptFileSerializer(SignedReceiptSerializer):
    """A receipt with the answers that it proves."""

    answers = ReceiptAnswerSerializer(many=True)


class ReceiptKeySerializer(serializers.Serializer[Any]):
    """A public key as JWK (RFC 8037)."""

    crv = serializers.CharField()
    kty = serializers.CharField()
    x = serializers.CharField()
    kid = serializers.CharField(help_text="what a receipt names as its key")
    use = serializers.CharField()
    alg = serializers.CharField()


class ReceiptKeysSerializer(serializers.Serializer[Any]):
    """All keys of this site, the one that signs now first."""

    keys = ReceiptKeySerializer(many=True)


class ReceiptView(BaseAPIView):
    """The receipt of an attempt."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.READ, Scope.ATTEMPT, Scope.RESULTS)}

    @extend_schema(
        operation_id="getReceipt",
        summary="The signed receipt of an attempt, with its answers",
        tags=["attempts"],
        responses=ReceiptFileSerializer,
    )
    def get(self, request: Request, attempt: UUID) -> Response:
        """Return the receipt file of your own attempt or, with `results`, of one you oversee."""
        parse_query(request, EmptyQuery)
        user = request_user(request)
        document = load_receipt_file(attempt=attempt, viewer=user)
        own = document["receipt"]["learner"] == str(user.uuid)
        if not own and not has_scope(request, Scope.RESULTS):
            raise NotFound
        return Response(document)


class ReceiptKeysView(BaseAPIView):
    """The public keys of this site, which also a page shows to everybody."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.READ, Scope.ATTEMPT, Scope.RESULTS)}

    @extend_schema(
        operation_id="listReceiptKeys",
        summary="The public keys that receipts are checked with",
        tags=["attempts"],
        responses=ReceiptKeysSerializer,
    )
    def get(self, request: Request) -> Response:
        """List the keys as a JWK set; at `/receipts/keys` they are for everybody."""
        parse_query(request, EmptyQuery)
        return Response(load_signing_keys().to_jwks())
