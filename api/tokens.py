"""Signed tokens: JWT with HS256, two keys valid at once so that they can be changed without a gap."""

from collections.abc import Mapping
from dataclasses import dataclass

import jwt
from jwt.exceptions import InvalidSignatureError, PyJWTError

from settings import ConfigurationError

Keys = Mapping[str, str]

_SECRET_BYTES = 32  # RFC 7518, section 3.2: a key at least as long as the hash
_LEEWAY_S = 10
_LONGEST_SUBJECT = 128


class InvalidToken(Exception):
    """The token proves nothing. The message says why without repeating it."""


@dataclass(frozen=True, slots=True)
class Identities:
    """The keys of customers' and operators' tokens; whether demo headers count, and for which customers."""

    customers: Keys
    operators: Keys
    demo: bool
    demo_customers: tuple[str, ...] = ()

    def customer(self, token: str) -> str:
        """Return a customer's id. Raises `InvalidToken`."""
        return subject(token, self.customers, role="customer", role_required=False)

    def visitor(self, token: str) -> str:
        """Return the id by which an anonymous visitor's session is told from others. Raises `InvalidToken`."""
        return subject(token, self.customers, role="visitor", role_required=True)

    def operator(self, token: str) -> str:
        """Return an operator's id. Raises `InvalidToken`."""
        return subject(token, self.operators, role="operator", role_required=True)


def identities_of(environ: Mapping[str, str], *, demo: bool, demo_customers: tuple[str, ...] = ()) -> Identities:
    """Read BASTAO_CUSTOMER_KEYS and BASTAO_OPERATOR_KEYS. Raises `ConfigurationError`."""
    try:
        customers = keys_of(environ.get("BASTAO_CUSTOMER_KEYS", ""), name="BASTAO_CUSTOMER_KEYS")
        operators = keys_of(environ.get("BASTAO_OPERATOR_KEYS", ""), name="BASTAO_OPERATOR_KEYS")
    except ValueError as error:
        raise ConfigurationError(str(error)) from error
    return Identities(customers=customers, operators=operators, demo=demo, demo_customers=demo_customers)


def keys_of(text: str, *, name: str) -> Keys:
    """Read "kid:secret,kid2:secret2". Raises ValueError, naming the variable and never a secret."""
    keys: dict[str, str] = {}
    for number, entry in enumerate((part.strip() for part in text.split(",") if part.strip()), start=1):
        kid, colon, secret = entry.partition(":")
        if not colon or not kid:
            raise ValueError(f"{name}: entry {number} is not kid:secret")
        if kid in keys:
            raise ValueError(f"{name}: the key id {kid!r} is there twice")
        if len(secret.encode()) < _SECRET_BYTES:
            raise ValueError(f"{name}: the secret of {kid!r} is shorter than {_SECRET_BYTES} bytes")
        keys[kid] = secret
    return keys


def subject(token: str, keys: Keys, *, role: str, role_required: bool) -> str:
    """Return whom a token proves. Raises `InvalidToken`.

    The header's `kid` chooses the key; without one, every key is tried. `exp` and `sub` are required, `role` where it is
    required or given must be this one.
    """
    claims = _verified(token, keys)
    given = claims.get("role")
    if given != role and (role_required or given is not None):
        raise InvalidToken("not a token for this role")
    who = claims["sub"]
    if not isinstance(who, str) or not 0 < len(who) <= _LONGEST_SUBJECT or not who.isprintable():
        raise InvalidToken("sub is not an id")
    return who


def _verified(token: str, keys: Keys) -> Mapping[str, object]:
    try:
        kid = jwt.get_unverified_header(token).get("kid")
        candidates = list(keys.values()) if kid is None else [keys[kid]] if kid in keys else []
        for key in candidates:
            try:
                return jwt.decode(
                    token, key, algorithms=["HS256"], options={"require": ["exp", "sub"]}, leeway=_LEEWAY_S
                )
            except InvalidSignatureError:
                continue
    except PyJWTError as error:
        raise InvalidToken(str(error) or type(error).__name__) from None
    except (ValueError, UnicodeError):  # a header that is no text
        raise InvalidToken("not a token") from None
    raise InvalidToken("no key of ours signed it")
