"""Terms: the parts of the year that classes are listed by."""

from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import can_make_class, check_administrator
from accounts.classes import save_term
from accounts.models import Scope, Term
from quizzes.api.base_view import APIResponse, BaseAPIView, EmptyQuery, parse_body, parse_query
from quizzes.api.fields import StrictCharField, StrictSerializer
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.pagination import BY_NAME, PageQuery, paginate
from quizzes.api.permissions import Scopes, request_user


class TermSerializer(serializers.Serializer[Any]):
    """A part of the year; its days are dates without a zone, both ends included."""

    name = serializers.CharField()
    begins_on = serializers.DateField()
    ends_on = serializers.DateField()


class TermPageSerializer(serializers.Serializer[Any]):
    """Some terms, by name."""

    items = TermSerializer(many=True)
    next = serializers.CharField(allow_null=True)
    cursor = serializers.CharField(allow_null=True)


class CreateTermRequest(StrictSerializer):
    """A new term."""

    name = StrictCharField(max_length=100)
    begins_on = serializers.DateField()
    ends_on = serializers.DateField()


class TermsView(BaseAPIView):
    """All terms."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.CLASSES,), "POST": (Scope.CLASSES,)}
    sensitive_methods = frozenset({"POST"})

    @extend_schema(
        operation_id="listTerms",
        summary="Terms",
        tags=["classes"],
        parameters=[PageQuery],
        responses=TermPageSerializer,
    )
    def get(self, request: Request) -> Response:
        """List the terms that a class can be in; none for who makes no classes. Scope `classes`."""
        params = parse_query(request, PageQuery)
        terms = Term.objects.all()
        if not can_make_class(request_user(request)):
            terms = terms.none()
        page = paginate(terms, BY_NAME, request, params)
        return Response(TermPageSerializer(page.to_json(page.rows)).data)

    @extend_schema(
        operation_id="createTerm",
        summary="Make a term",
        tags=["classes"],
        parameters=[IDEMPOTENCY_KEY],
        request=CreateTermRequest,
        responses={201: OpenApiResponse(TermSerializer, "Made")},
    )
    def post(self, request: Request) -> APIResponse:
        """Make a term, as an administrator; else 404. Another has its name: 409. Scope `classes`.

        422, `ends_before_it_begins`: its last day is before its first.
        """
        parse_query(request, EmptyQuery)
        check_administrator(request_user(request))
        posted = parse_body(request, CreateTermRequest)
        return idempotent(request, lambda: self._create(request, posted))

    def _create(self, request: Request, posted: dict[str, Any]) -> WriteResult:
        term = save_term(term=Term(**posted), by=request_user(request))
        return WriteResult(201, dict(TermSerializer(term).data))
