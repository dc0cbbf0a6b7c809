"""Certificates: one's own of an attempt, and whether one that somebody shows holds."""

from typing import Any, ClassVar
from uuid import UUID

from django.db import transaction
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from quizzes.api.base_view import APIResponse, BaseAPIView, EmptyQuery, parse_body, parse_query
from quizzes.api.fields import StrictBooleanField, StrictSerializer, UTCDateTimeField
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.permissions import Scopes, request_user
from quizzes.api.preconditions import (
    CONDITIONAL_GET,
    NOT_MODIFIED,
    WRITTEN_ETAG,
    build_etag,
    describe_if_match,
    hash_version,
    require_unchanged,
    tagged_response,
)
from quizzes.certificates.selectors import (
    CertificateStatus,
    find_own_certificate,
    load_certificate,
)
from quizzes.certificates.services import lock_attempt, save_certificate, withdraw_certificate
from quizzes.lib import clock
from quizzes.lib.errors import NotFound


class SignedCertificateSerializer(serializers.Serializer[Any]):
    """A certificate with the id of its key and the Ed25519 signature, in base64 for addresses."""

    certificate = serializers.DictField(
        help_text="what is signed: its canonical JSON (RFC 8785); name and score where shown"
    )
    key = serializers.CharField()
    signature = serializers.CharField()


class CertificateSerializer(serializers.Serializer[Any]):
    """Whether a certificate is valid, and what it says while it is."""

    id = serializers.UUIDField(source="uuid")
    status = serializers.ChoiceField([status.value for status in CertificateStatus])
    since = UTCDateTimeField(
        allow_null=True,
        help_text="when it stopped holding, or its attempt was graded again; null: as at first",
    )
    is_public = serializers.BooleanField()
    document = SignedCertificateSerializer(allow_null=True, help_text="null: it does not hold")


class SaveCertificateRequest(StrictSerializer):
    """What it shows beside the quiz, its version, the pass mark and the day."""

    shows_name = StrictBooleanField(required=False, default=False)
    shows_score = StrictBooleanField(required=False, default=False)
    is_public = StrictBooleanField(
        required=False, default=False, help_text="whoever has its address sees it"
    )


class OwnCertificateView(BaseAPIView):
    """The certificate of an attempt of yours."""

    scopes: ClassVar[Scopes] = {
        "GET": (Scope.READ, Scope.ATTEMPT),
        "POST": (Scope.ATTEMPT,),
        "DELETE": (Scope.ATTEMPT,),
    }
    takes_if_match = True

    @extend_schema(
        operation_id="getOwnCertificate",
        summary="The certificate of an attempt of yours",
        tags=["attempts"],
        parameters=CONDITIONAL_GET,
        responses={200: CertificateSerializer, **NOT_MODIFIED},
    )
    def get(self, request: Request, attempt: UUID) -> HttpResponse:
        """Show the certificate of your attempt; there is none, or it was withdrawn: 404."""
        parse_query(request, EmptyQuery)
        payload, version = _load_own(request, attempt)
        return tagged_response(request, payload, version)

    @extend_schema(
        operation_id="saveCertificate",
        summary="Make the certificate of an attempt, or choose what it shows",
        tags=["attempts"],
        parameters=[IDEMPOTENCY_KEY, describe_if_match("the certificate"), WRITTEN_ETAG],
        request=SaveCertificateRequest,
        responses={
            201: OpenApiResponse(CertificateSerializer, "Made"),
            200: OpenApiResponse(CertificateSerializer, "Changed"),
        },
    )
    def post(self, request: Request, attempt: UUID) -> APIResponse:
        """Make the certificate of an attempt of yours that passes, or say anew what it shows.

        Without what is left out. Not passed, or the quiz gives none: 409. Scope `attempt`.
        """
        parse_query(request, EmptyQuery)
        posted = parse_body(request, SaveCertificateRequest)
        return idempotent(request, lambda: _save(request, attempt, posted))

    @extend_schema(
        operation_id="withdrawCertificate",
        summary="Withdraw the certificate of an attempt",
        tags=["attempts"],
        parameters=[IDEMPOTENCY_KEY, describe_if_match("the certificate")],
        responses={204: OpenApiResponse(description="Its address says that it was withdrawn")},
    )
    def delete(self, request: Request, attempt: UUID) -> APIResponse:
        """Withdraw the certificate of your attempt, for good; there is none: 404."""
        parse_query(request, EmptyQuery)
        return idempotent(request, lambda: _withdraw(request, attempt))


class CertificateView(BaseAPIView):
    """A certificate that somebody shows."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.READ, Scope.ATTEMPT, Scope.RESULTS)}

    @extend_schema(
        operation_id="getCertificate",
        summary="Whether a certificate is valid",
        tags=["results"],
        responses=CertificateSerializer,
    )
    def get(self, request: Request, certificate: UUID) -> Response:
        """Show a certificate that is public, or your own; without a token: its page."""
        parse_query(request, EmptyQuery)
        user = request_user(request)
        report = load_certificate(certificate=certificate, viewer=user)
        return Response(CertificateSerializer(report).data)


def _load_own(request: Request, attempt: UUID) -> tuple[dict[str, Any], str]:
    """Return the certificate of an attempt of one's own, and its version.

    What it shows is part of the version also while it does not hold, and the payload is without it.
    """
    learner = request_user(request)
    row = find_own_certificate(attempt=attempt, learner=learner)
    if row is None:
        raise NotFound
    report = load_certificate(certificate=row.uuid, viewer=learner)
    payload = dict(CertificateSerializer(report).data)
    return payload, hash_version(payload, row.name, row.shows_score)


def _save(request: Request, attempt: UUID, posted: dict[str, Any]) -> WriteResult:
    learner = request_user(request)
    with transaction.atomic(), require_unchanged(request, lambda: _lock_version(request, attempt)):
        _row, is_new = save_certificate(attempt=attempt, learner=learner, now=clock.now(), **posted)
    payload, version = _load_own(request, attempt)
    etag = build_etag(version, payload)
    return WriteResult(201 if is_new else 200, payload, "", etag)


def _lock_version(request: Request, attempt: UUID) -> str:
    """Return the version of one's certificate, "" where there is none, and hold it."""
    lock_attempt(attempt=attempt, learner=request_user(request))
    try:
        return _load_own(request, attempt)[1]
    except NotFound:
        return ""


def _withdraw(request: Request, attempt: UUID) -> WriteResult:
    learner = request_user(request)
    with transaction.atomic(), require_unchanged(request, lambda: _lock_version(request, attempt)):
        withdraw_certificate(attempt=attempt, learner=learner, now=clock.now())
    return WriteResult(204, None)
