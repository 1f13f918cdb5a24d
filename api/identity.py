"""Who asks: a customer or an operator by a signed token, or in demo mode by a header that says that it is demo only."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request, Security
from fastapi.security import APIKeyHeader, HTTPAuthorizationCredentials, HTTPBearer

from api.door import door_of
from api.problems import Problem
from api.tokens import Identities, InvalidToken
from graph.rates import caller_of, count_request
from ops.conversations import customer_of
from ops.sign_in import refused_token
from routing.shop import Customer

_TOKEN = HTTPBearer(
    auto_error=False, scheme_name="Token", bearerFormat="JWT",
    description="A JWT signed with HS256 by the shop: `sub` is the customer's id, `exp` is required. With `\"role\": "
    '"visitor"` the token proves nobody: `sub` then only tells one anonymous session from another. An operator\'s token '
    'is signed with an operators\' key and has `"role": "operator"`.',
)  # fmt: skip
_DEMO_CUSTOMER = APIKeyHeader(
    name="X-Demo-Customer", scheme_name="DemoCustomer", auto_error=False,
    description="DEMO MODE ONLY, refused in production: be one of the demo shop's customers (c1, c2, c3) without a token.",
)  # fmt: skip
_DEMO_OPERATOR = APIKeyHeader(
    name="X-Demo-Operator", scheme_name="DemoOperator", auto_error=False,
    description="DEMO MODE ONLY, refused in production: be an operator of this name without a token.",
)  # fmt: skip
_Token = Annotated[HTTPAuthorizationCredentials | None, Security(_TOKEN)]
_DemoCustomer = Annotated[str | None, Security(_DEMO_CUSTOMER)]
_DemoOperator = Annotated[str | None, Security(_DEMO_OPERATOR)]


@dataclass(frozen=True, slots=True)
class Operator:
    """A person who answers for the shop."""

    id: str


async def _customer(request: Request, token: _Token, demo: _DemoCustomer) -> Customer:
    door = door_of(request)
    who = await _counted(request, _asking(door.identities, token, demo))
    return await customer_of(door.services, who.id) if who.id is not None else who


async def _operator(request: Request, token: _Token, demo: _DemoOperator) -> Operator:
    door = door_of(request)
    try:
        return Operator(_operator_id(door.identities, token, demo))
    except Problem:
        if token is not None:
            await refused_token(door.services, address=_address(request))
        raise


async def _reader(
    request: Request, token: _Token, demo: _DemoCustomer, demo_operator: _DemoOperator
) -> Customer | Operator:
    identities = door_of(request).identities
    if token is not None:
        try:
            return Operator(identities.operator(token.credentials))
        except InvalidToken:
            return await _counted(request, _asking(identities, token, None))
    if demo_operator is not None:
        return Operator(_operator_id(identities, None, demo_operator))
    return await _counted(request, _asking(identities, None, demo))


async def _anybody(
    request: Request, token: _Token, demo: _DemoCustomer, demo_operator: _DemoOperator
) -> Customer | Operator | None:
    """In demo mode nobody has to say who they are where nothing is stored; in production a decision costs money."""
    nameless = token is None and demo is None and demo_operator is None
    if nameless and door_of(request).identities.demo:
        await count_request(door_of(request).services, f"address:{_address(request)}")
        return None
    return await _reader(request, token, demo, demo_operator)


CustomerAsks = Annotated[Customer, Depends(_customer)]
OperatorAsks = Annotated[Operator, Depends(_operator)]
ReaderAsks = Annotated[Customer | Operator, Depends(_reader)]
AnybodyAsks = Annotated[Customer | Operator | None, Depends(_anybody)]


async def _counted(request: Request, who: Customer) -> Customer:
    """Count the request of a caller that is proved. Raises `TooMany`."""
    await count_request(door_of(request).services, caller_of(who, otherwise=_address(request)))
    return who


def _address(request: Request) -> str:
    return request.client.host if request.client is not None else "-"


def _asking(identities: Identities, token: HTTPAuthorizationCredentials | None, demo: str | None) -> Customer:
    if token is not None:
        with suppress(InvalidToken):
            return Customer(id=None, visitor=identities.visitor(token.credentials))
    return Customer(id=_customer_id(identities, token, demo), level="session")


def _customer_id(identities: Identities, token: HTTPAuthorizationCredentials | None, demo: str | None) -> str:
    if token is not None:
        try:
            return identities.customer(token.credentials)
        except InvalidToken as error:
            raise _unproved(str(error)) from error
    if demo is None:
        raise _unproved("a signed token is needed" + (", or X-Demo-Customer in demo mode" if identities.demo else ""))
    if not identities.demo:
        raise _demo_only("X-Demo-Customer")
    if demo not in identities.demo_customers:
        raise _unproved(f"the demo shop's customers are {', '.join(identities.demo_customers)}")
    return demo


def _operator_id(identities: Identities, token: HTTPAuthorizationCredentials | None, demo: str | None) -> str:
    if token is not None:
        try:
            return identities.operator(token.credentials)
        except InvalidToken as error:
            raise _unproved(str(error)) from error
    if demo is None:
        raise _unproved(
            "an operator's token is needed" + (", or X-Demo-Operator in demo mode" if identities.demo else "")
        )
    if not identities.demo:
        raise _demo_only("X-Demo-Operator")
    if not (0 < len(demo) <= 64 and demo.isascii() and demo.isprintable()):
        raise _unproved("X-Demo-Operator is a short name")
    return demo


def _unproved(why: str) -> Problem:
    return Problem(401, "unauthenticated", why, headers={"WWW-Authenticate": "Bearer"})


def _demo_only(header: str) -> Problem:
    return Problem(403, "demo_only", f"{header} counts in demo mode only")
