"""Errors as RFC 9457 problem documents (application/problem+json), and the door where nothing raw gets out."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ops.conversations import note_failure
from ops.problems import ClosingDown, DatabaseUnavailable, NotPossible, NotYours, TooMany
from ops.rooms import NotARoom
from routing.text import storable

MEDIA_TYPE = "application/problem+json"
RETRY_S = 2


class FieldProblem(BaseModel):
    """What is wrong with one field. The value itself is never repeated."""

    where: str
    what: str


class ProblemDetail(BaseModel):
    """An RFC 9457 problem. `code` is stable and meant for programs, `detail` for people who develop."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    known: list[str] | None = None
    errors: list[FieldProblem] | None = None
    protocol: str | None = None


class Problem(Exception):
    """An error that a router tells its caller."""

    def __init__(
        self, status: int, code: str, detail: str, *, known: Sequence[str] | None = None,
        errors: Sequence[FieldProblem] | None = None, protocol: str | None = None, headers: Mapping[str, str] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(detail)
        self.headers = dict(headers or {})
        self.body = ProblemDetail(
            type=f"urn:bastao:problem:{code}", title=HTTPStatus(status).phrase, status=status, code=code, detail=detail,
            known=list(known) if known is not None else None, errors=list(errors) if errors is not None else None,
            protocol=protocol,
        )  # fmt: skip

    def response(self) -> Response:
        content = self.body.model_dump(exclude_none=True)
        return JSONResponse(content, self.body.status, headers=self.headers, media_type=MEDIA_TYPE)


_MEANS = {
    400: "the body cannot be read",
    401: "who asks could not be proved: a signed token is needed",
    403: "this is not allowed here",
    404: "there is no such conversation, or it is not yours",
    409: "it does not fit what is going on right now; `code` says why",
    413: "the body is too large",
    422: "the request is not valid; `errors` or `known` say what would be",
    429: "too often: try again after Retry-After seconds",
    500: "something broke; `protocol` finds it",
    503: "not now: try again after Retry-After seconds",
}


_CODES = {400: "unreadable", 404: "not_found", 405: "method_not_allowed", 413: "too_large"}


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the OpenAPI responses of an operation that may end in these problems, or in any request's own."""
    return {status: {"model": ProblemDetail, "description": _MEANS[status]} for status in (*statuses, 429, 500, 503)}


def busy(detail: str = "a turn is running in this conversation") -> Problem:
    return Problem(409, "busy", detail, headers={"Retry-After": str(RETRY_S)})


def install(app: FastAPI) -> None:
    """Make every error of the app a problem document."""
    app.add_exception_handler(Problem, _problem)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    for expected in (NotYours, NotARoom, NotPossible, TooMany, DatabaseUnavailable, ClosingDown):
        app.add_exception_handler(expected, _expected)
    app.add_middleware(FailureDoor)


def problem_of(error: Exception) -> Problem | None:
    """Return the problem that an expected error is, None for one that nobody expected."""
    retry = {"Retry-After": str(RETRY_S)}
    match error:
        case Problem():
            return error
        case NotYours():
            return Problem(404, "no_such_conversation", _MEANS[404])
        case NotARoom():
            return Problem(422, "not_a_room", storable(error.why), known=error.known)
        case NotPossible():
            return Problem(409, error.because, "the action does not fit the state of the item or conversation")
        case TooMany():
            return Problem(429, "too_many_requests", error.text, headers={"Retry-After": str(error.retry_s)})
        case DatabaseUnavailable():
            return Problem(503, "database_unavailable", "the database does not answer; nothing was lost", headers=retry)
        case ClosingDown():
            return Problem(503, "closing_down", "this process takes no new turn: send it again", headers=retry)
        case _:
            return None


async def _expected(request: Request, error: Exception) -> Response:
    problem = problem_of(error)
    assert problem is not None
    return problem.response()


_problem = _expected


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    errors = [
        FieldProblem(where=storable(".".join(str(part) for part in found["loc"])), what=storable(str(found["msg"])))
        for found in error.errors()
    ]
    return Problem(422, "invalid_request", "the request is not valid", errors=errors).response()


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = _CODES.get(error.status_code, "http_error")
    return Problem(error.status_code, code, str(error.detail), headers=error.headers).response()


class FailureDoor:
    """The outermost layer: what nobody expected is stored under a protocol number, and only the number gets out."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False

        async def sending(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self.app(scope, receive, sending)
        except Exception as error:  # the door
            protocol = await note_failure(scope["app"].state.door.services, error)
            if not started:
                failed = Problem(500, "failure", "something broke; the protocol number finds it", protocol=protocol)
                await failed.response()(scope, receive, send)
