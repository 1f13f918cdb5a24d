"""How large a request may be. FastAPI's own limit answers in plain text; here it ends like every other refusal."""

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send


class BodyLimit:
    """Refuse a body over `limit` bytes, by its declared length or as soon as more arrived."""

    def __init__(self, app: ASGIApp, *, limit: int) -> None:
        self.app = app
        self.limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        length = Headers(scope=scope).get("content-length", "")
        declared = int(length) if length.isascii() and length.isdecimal() else 0
        arrived = 0

        async def receiving() -> Message:
            nonlocal arrived
            if declared > self.limit:
                raise self._refusal()
            message = await receive()
            arrived += len(message.get("body", b""))
            if arrived > self.limit:
                raise self._refusal()
            return message

        await self.app(scope, receiving, send)

    def _refusal(self) -> HTTPException:
        return HTTPException(413, f"the body is over {self.limit} bytes")
