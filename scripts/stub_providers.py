"""Serve simulated decision models and chat completions on a port: no key, no cost, and faults on order."""

import argparse
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress

from settings import ConfigurationError, decider_of, load_environment, load_settings, roster_of
from stubs.faults import KINDS, parse_fault
from stubs.serve import serve_forever
from stubs.specialists import offline_app

EXAMPLES = f"""\
examples:
  python -m scripts.stub_providers --port 8900
  python -m scripts.stub_providers --port 8900 --fault microsoft/microsoft-decision-1=status:503 --fault typesafe/jev-1.13=hang
  curl -X POST localhost:8900/stub/faults -H 'Content-Type: application/json' \\
       -d '{{"model": "*", "fault": {{"kind": "reset", "after": 3, "times": 1}}}}'
  curl -X DELETE localhost:8900/stub/faults

point OPENROUTER_BASE_URL or SYSTEMONE_BASE_URL at it, and set any key.
faults: {", ".join(KINDS)}
"""


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.stub_providers",
        description=__doc__,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8900)
    parser.add_argument("--fault", action="append", default=[], metavar="MODEL=KIND[:VALUE]", help="repeatable")
    parser.add_argument(
        "--key", action="append", default=None, metavar="KEY", help="let in only these keys; repeatable"
    )
    parser.add_argument("--seed", type=int, default=0, help="of drifting probabilities")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None, environ: Mapping[str, str] | None = None) -> int:
    """Serve until stopped. 2: the configuration or a fault cannot be used."""
    given = arguments(argv)
    environ = load_environment() if environ is None else environ
    try:
        settings = load_settings(environ)
        roster = roster_of(settings)
        decider = decider_of(settings, roster, environ, provider="local")
        faults = dict(parse_fault(text) for text in given.fault)
        app = offline_app(roster, decider, faults=faults, keys=given.key, seed=given.seed)
    except (ConfigurationError, ValueError) as error:
        print(f"stub_providers: {error}", file=sys.stderr)
        return 2
    print(f"simulated providers on http://{given.host}:{given.port} (every answer is simulated)", flush=True)
    with suppress(KeyboardInterrupt):
        serve_forever(app, host=given.host, port=given.port)
    return 0


if __name__ == "__main__":
    sys.exit(main())
