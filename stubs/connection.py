"""What the faulty servers share: a request's body read and given again, and a connection cut without a farewell."""

from starlette.types import Message, Receive, Send


async def body_of(receive: Receive) -> bytes:
    """Read a request's whole body."""
    raw = bytearray()
    while True:
        message = await receive()
        raw += message.get("body", b"")
        if message["type"] == "http.disconnect" or not message.get("more_body"):
            return bytes(raw)


def again(raw: bytes, receive: Receive) -> Receive:
    """Give a body that was read once more, then what really comes."""
    left: list[Message] = [{"type": "http.request", "body": raw, "more_body": False}]

    async def replay() -> Message:
        return left.pop() if left else await receive()

    return replay


async def unheard(message: Message) -> None:
    """Take an answer that nobody gets."""


async def answer(send: Send, status: int, body: bytes) -> None:
    """Send a whole JSON answer."""
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def abort(receive: Receive) -> None:
    """Drop the connection without a farewell. Reaches for the server's transport: ASGI itself has no word for it.

    Raises RuntimeError under a server that hides it, where the client sees a 500 instead.
    """
    transport = getattr(getattr(receive, "__self__", None), "transport", None)
    if transport is None:
        raise RuntimeError("this server's connections cannot be reset")
    transport.abort()
