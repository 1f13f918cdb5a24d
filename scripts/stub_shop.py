"""Serve a simulated order system over HTTP, with the demo shop's data in memory and faults on order."""

import argparse
import sys
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from pydantic import ValidationError

from ops.demo_shop import demo_shop
from stubs.serve import serve_forever
from stubs.shop import create_shop_app
from stubs.shop_faults import KINDS, OPERATIONS, ShopFault, ShopFaults
from stubs.shop_store import ShopContents

_ZONE = "America/Sao_Paulo"
EXAMPLES = f"""\
examples:
  python -m scripts.stub_shop --port 8901
  python -m scripts.stub_shop --port 8901 --fault write=reset_after --fault find_effect=status
  curl -X POST localhost:8901/stub/faults -H 'Content-Type: application/json' \\
       -d '{{"operation": "open_request", "kind": "late", "seconds": 20, "times": 1}}'
  curl -X DELETE localhost:8901/stub/faults

examples/shop_http speaks to it. Nothing is kept when it ends.
faults: {", ".join(KINDS)}
operations: {", ".join(OPERATIONS)}
"""


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.stub_shop", description=__doc__, epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8901)
    parser.add_argument("--fault", action="append", default=[], metavar="OPERATION=KIND", help="repeatable")
    parser.add_argument(
        "--key", action="append", default=None, metavar="TOKEN", help="let in only these tokens; repeatable"
    )
    return parser.parse_args(argv)


def fault_of(text: str) -> ShopFault:
    """Read `operation=kind`. Raises ValueError saying what would be right."""
    operation, _, kind = text.partition("=")
    try:
        return ShopFault.model_validate({"operation": operation, "kind": kind})
    except ValidationError as error:
        raise ValueError(
            f"not a fault: {text!r}; write operation=kind; kinds: {', '.join(KINDS)}; operations: {', '.join(OPERATIONS)}"
        ) from error


def main(argv: Sequence[str] | None = None) -> int:
    """Serve until stopped. 2: a fault cannot be read."""
    given = arguments(argv)
    try:
        faults = [fault_of(text) for text in given.fault]
    except ValueError as error:
        print(f"stub_shop: {error}", file=sys.stderr)
        return 2
    contents = ShopContents.model_validate(demo_shop(datetime.now(ZoneInfo(_ZONE)).date()))
    app = create_shop_app(contents, now=lambda: datetime.now(UTC), keys=given.key, faults=ShopFaults(faults))
    print(f"simulated shop on http://{given.host}:{given.port} (invented data, in memory)", flush=True)
    with suppress(KeyboardInterrupt):
        serve_forever(app, host=given.host, port=given.port)
    return 0


if __name__ == "__main__":
    sys.exit(main())
