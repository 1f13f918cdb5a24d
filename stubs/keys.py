"""Which keys are let in, and how each API turns the others away."""

from collections.abc import Collection

from fastapi import Request
from fastapi.responses import JSONResponse

from stubs.faults import error_body


class Keys:
    """None lets everybody in, with a key or without one."""

    def __init__(self, accepted: Collection[str] | None) -> None:
        self._accepted = accepted

    def refuse_openrouter(self, request: Request) -> JSONResponse | None:
        """Return the 401 of a missing or a wrong key, None for a good one."""
        given = _bearer(request)
        if self._passes(given):
            return None
        text = "Missing Authentication header" if given is None else "User not found."
        return JSONResponse(error_body(request.url.path, 401, text), status_code=401)

    def refuse_systemone(self, request: Request) -> JSONResponse | None:
        """Return the 403 of a missing key or the 401 of a wrong one: TypeSafe does it this way round."""
        given = _bearer(request) or request.headers.get("api-key")
        if self._passes(given):
            return None
        status, text = (401, "Cannot authenticate with the server.") if given else (403, "Must supply an API key!")
        detail = error_body("/v1/systemone", status, text, error_type="authentication_error")
        return JSONResponse(detail, status_code=status)

    def refuse_openai(self, request: Request) -> JSONResponse | None:
        """Return the 401 of a missing or a wrong key."""
        if self._passes(_bearer(request)):
            return None
        error = {"message": "Incorrect API key provided.", "type": "invalid_request_error", "param": None}
        return JSONResponse({"error": {**error, "code": "invalid_api_key"}}, status_code=401)

    def _passes(self, given: str | None) -> bool:
        return self._accepted is None or given in self._accepted


def _bearer(request: Request) -> str | None:
    kind, _, key = request.headers.get("authorization", "").partition(" ")
    return key if kind == "Bearer" and key else None
