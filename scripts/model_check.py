"""Check a real chat model: the specialist suite with it, what its calls looked like and cost, and a verdict."""

import argparse
import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path

from evals.datasets import BadCases
from evals.first_day import UsedDatabase
from evals.model_verdict import Verdict, judge
from evals.model_watch import Purse, watched
from evals.specialist import run_specialist
from evals.specialist_report import SpecialistReport
from ops.logs import TERMINAL, configure_logs
from routing.budget import BudgetLimit, BudgetLimits, Price
from scripts.argument_types import http_url, whole
from scripts.ending import NO_DATABASE, unusable
from scripts.specialist_place import own_bastao
from settings import ConfigurationError, Settings, load_environment

EXAMPLES = """\
examples:
  make model-check MODEL=openai/gpt-4.1-mini MAX_USD=1
  python -m scripts.model_check --model gpt-4.1-mini --provider openai --price 0.40,1.60
  python -m scripts.model_check --model qwen3:8b --base-url http://127.0.0.1:11434/v1 --price 0,0
  python -m scripts.model_check                           the chat model of config.json

The key is read where config.json reads it: OPENROUTER_API_KEY, OPENAI_API_KEY or the variable that --api-key-env names.
OpenRouter says what a call cost; elsewhere `prices` of config.json or --price does, else a call counts US$ 0.05.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What a check brought."""

    verdict: Verdict
    report: SpecialistReport
    stopped: bool


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.model_check", description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--model", metavar="NAME", help="as its server knows it (default: config.json's chat_model)")
    parser.add_argument(
        "--provider", choices=("openai", "openrouter"), help="default: openai with --base-url, else openrouter"
    )
    parser.add_argument(
        "--base-url", type=http_url, metavar="URL", help="any server that speaks OpenAI's chat completions"
    )
    parser.add_argument("--api-key-env", metavar="NAME", help="the environment variable that holds the key")
    parser.add_argument("--price", type=_price, metavar="IN,OUT", help="US$ per million tokens")
    parser.add_argument(
        "--max-usd", type=_usd, default=Decimal(1), metavar="USD", help="stop before more is spent (default: 1)"
    )
    parser.add_argument(
        "--cases",
        type=whole(least=1),
        default=40,
        metavar="N",
        help="so many cases, over all specialists (default: 40)",
    )
    parser.add_argument("--trials", type=whole(least=1), default=3, metavar="K", help="each case so often (default: 3)")
    parser.add_argument(
        "--dataset", type=Path, metavar="F", help="a file or folder of cases instead of the project's own"
    )
    parser.add_argument("--json", type=Path, metavar="OUT", help="write verdict, figures and rows there")
    return parser.parse_args(argv)


def _price(text: str) -> Price:
    try:
        given, _, made = text.partition(",")
        return Price(input_usd=Decimal(given), output_usd=Decimal(made))
    except (InvalidOperation, ValueError) as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not IN,OUT in US$ per million tokens") from error


def _usd(text: str) -> Decimal:
    try:
        amount = Decimal(text)
    except InvalidOperation as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no amount") from error
    if not amount.is_finite() or amount <= 0:
        raise argparse.ArgumentTypeError(f"{text!r} buys nothing")
    return amount


def changed(settings: Settings, given: argparse.Namespace) -> Settings:
    """Return the settings with this model and this much money. Raises `ConfigurationError` where there is no real model."""
    chat = settings.chat_model
    if given.model is not None:
        provider = given.provider or ("openai" if given.base_url else "openrouter")
        own = {"provider": provider, "model": given.model, "base_url": given.base_url, "api_key_env": given.api_key_env}
        chat = chat.model_copy(update=own)
    if chat.provider == "offline" or chat.model is None:
        raise ConfigurationError(
            "--model: name the model to check; config.json's is the offline one, which is no model"
        )
    most = BudgetLimit(stop_usd=given.max_usd, limit_usd=given.max_usd)
    priced = {chat.model: given.price} if given.price is not None else {}
    prices = settings.prices.model_copy(update={"models": {**settings.prices.models, **priced}})
    return settings.model_copy(
        update={
            "mode": "demo", "chat_model": chat.model_copy(update={"fallback": None}), "budget": BudgetLimits(day=most),
            "prices": prices,
        }
    )  # fmt: skip


async def check(given: argparse.Namespace, environ: Mapping[str, str]) -> Checked:
    """Run the suite with the model. Raises what opening a Bastão and reading cases raise."""
    async with own_bastao(environ, changed=lambda settings: changed(settings, given)) as opened:
        bastao, watch = watched(opened)
        purse = Purse(most_usd=given.max_usd, tally=watch.tally)
        report = await run_specialist(
            bastao, trials=given.trials, dataset=given.dataset, at_most=given.cases, enough=purse.empty
        )
        return Checked(
            verdict=judge(bastao.services.models.name, report, watch.tally), report=report, stopped=purse.empty()
        )


def main(argv: Sequence[str] | None = None, environ: Mapping[str, str] | None = None) -> int:
    """Print the verdict. Exit 0 when the model passes, 1 when it does not, 2 when it cannot be checked."""
    given = arguments(argv)
    where = load_environment() if environ is None else environ
    configure_logs(TERMINAL, where)
    try:
        checked = asyncio.run(check(given, where))
    except (ConfigurationError, BadCases, UsedDatabase) as error:
        return unusable("model-check", error)
    except (*NO_DATABASE, OSError) as error:
        return unusable("model-check", f"{type(error).__name__}: {error}")
    print("\n".join(lines(checked)))
    if given.json is not None:
        given.json.parent.mkdir(parents=True, exist_ok=True)
        content = checked.verdict.as_json(checked.report)
        given.json.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", "utf-8")
    return 0 if checked.verdict.passed else 1


def lines(checked: Checked) -> list[str]:
    """Return the verdict for a reader: figures, failed cases, what is missed."""
    report, verdict, figure = checked.report, checked.verdict, checked.verdict.figures
    passes = ", ".join(f"pass^{k} {_part(report.pass_hat(k))}" for k in range(1, report.trials + 1))
    told = [
        f"{verdict.model}: {int(figure['cases'])} cases, {int(figure['trials'])} trials, {passes}",
        f"  declined what is not its own, and only that: {report.declining()}",
        f"  did what it should not: {int(figure['overdone'])} trials; claims blocked: {int(figure['claims_blocked'])} in {int(figure['replies'])} replies",
        f"  calls {int(figure['calls'])}, failed {int(figure['calls_failed'])}, dialect put right {int(figure['dialect_faults'])}; text lint {int(figure['lint_findings'])}",
        f"  tokens {int(figure['input_tokens'])} in, {int(figure['output_tokens'])} out; US$ {figure['cost_usd']:.4f}",
    ]
    if report.no_money:
        told.append(
            "  STOPPED: a call was refused, it might have crossed --max-usd; a call without a price is reserved at US$ 0.05"
        )
    elif checked.stopped:
        told.append("  STOPPED: the next trial might have cost more than --max-usd")
    told += [
        f"  failed {case.id} ({case.passes}/{len(case.trials)}): "
        + "; ".join(dict.fromkeys(why for trial in case.trials for why in trial.why))
        for case in report.cases
        if case.passes < len(case.trials)
    ]
    told += [f"MISSED: {said}" for said in verdict.misses]
    return [*told, f"VERDICT: {'pass' if verdict.passed else 'fail'}"]


def _part(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f} %"


if __name__ == "__main__":
    sys.exit(main())
