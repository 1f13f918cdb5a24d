"""Which sites may use the API from a browser: those that config.json names under `api.origins`, no other."""

from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send


class Cors:
    """Starlette's CORS, told its origins by what the lifespan opened: the app is built before the configuration is read."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._allowing: CORSMiddleware | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if self._allowing is None:
            self._allowing = CORSMiddleware(
                self.app, allow_origins=scope["app"].state.door.bastao.origins, allow_methods=["GET", "POST"],
                allow_headers=["authorization", "content-type", "x-demo-customer"],
                expose_headers=["x-message-id", "retry-after", "location"],
            )  # fmt: skip
        await self._allowing(scope, receive, send)
