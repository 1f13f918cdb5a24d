"""The numbers in words (pt-BR): labels, shares that say how many they are of, and the sentence about transfers."""

from datetime import date
from decimal import Decimal

from ops.metrics import FEW, MOST_TRANSFERS, Metrics, Period, Share, TransferPrice
from ops.words import dollars, percent, seconds

NOTHING = "—"
RULE = "regra, sem modelo"
_FOLLOWED = {
    "chose_option": "o cliente escolheu uma opção",
    "routed": "a resposta deixou claro",
    "asked_again": "foi preciso perguntar de novo",
    "person": "foi para uma pessoa",
    "out_of_scope": "era fora do escopo",
    "courtesy": "só um agradecimento",
    "no_answer": "o cliente não voltou",
    "waiting": "ainda sem resposta",
    "failed": "a resposta falhou",
    "interrupted": "interrompido pelo cliente",
    "running": "em andamento",
}
_OUTCOMES = {
    "resolved": "resolvido",
    "handed_over": "com uma pessoa",
    "abandoned": "abandonado",
    "open": "em aberto",
}


def followed_words(code: str) -> str:
    return _FOLLOWED.get(code, code)


def outcome_words(code: str) -> str:
    return _OUTCOMES.get(code, code)


def transfers_words(count: int) -> str:
    """Say a number of transfers: "nenhuma", "1", "3 ou mais"."""
    if count == 0:
        return "nenhuma"
    return f"{count} ou mais" if count >= MOST_TRANSFERS else str(count)


def whole(number: int) -> str:
    """Write a whole number: 1234 is "1.234"."""
    return f"{number:,}".replace(",", ".")


def one_decimal(number: float | None) -> str:
    return NOTHING if number is None else f"{number:.1f}".replace(".", ",")


def two_decimals(number: float | None) -> str:
    return NOTHING if number is None else f"{number:.2f}".replace(".", ",")


def money(amount: Decimal | float | None) -> str:
    return NOTHING if amount is None else dollars(float(amount))


def took(milliseconds: float | None) -> str:
    return NOTHING if milliseconds is None else seconds(milliseconds)


def day_words(day: date) -> str:
    return f"{day:%d/%m}"


def rate_words(share: Share) -> str:
    return NOTHING if share.rate is None else percent(share.rate)


def of_words(share: Share) -> str:
    """Say of how many a share is, and that they are few where they are: "89 de 124", "3 de 4, poucos contatos"."""
    return f"{whole(share.part)} de {whole(share.of)}{few_words(share.of)}"


def few_words(count: int) -> str:
    return ", poucos contatos" if count < FEW else ""


def price_words(price: TransferPrice) -> str:
    """Say what a transfer costs and what it resolves, with how many contacts say so."""
    if not price.moved.of:
        return "Nenhum contato encerrado foi transferido neste período."
    resolved = f"resolve {rate_words(price.moved)} dos contatos transferidos ({of_words(price.moved)})"
    if not price.stayed.of or price.extra_usd is None:
        return f"Cada transferência {resolved}. Sem contatos que ficaram com o primeiro especialista, não há custo a comparar."
    return f"Cada transferência {_costs(price.extra_usd)} e {resolved}. Sem transferência, resolvem-se {rate_words(price.stayed)} ({of_words(price.stayed)})."


def _costs(extra: Decimal) -> str:
    if extra == 0:
        return "não custa a mais"
    return f"custa {money(extra)} a mais por contato" if extra > 0 else f"sai {money(-extra)} mais barata por contato"


def retention_words(period: Period, *, today: date, kept_days: int) -> str | None:
    """Say that a period reaches back to what was deleted by its age, and is therefore not whole."""
    if (today - period.first).days <= kept_days:
        return None
    return (
        f"O período começa antes do que ainda se guarda por inteiro ({kept_days} dias). De contatos mais antigos, transferências, mensagens "
        "ou custo já foram apagados e contam como zero."
    )


def simulated_words(metrics: Metrics) -> str | None:
    """Say that what is shown was generated, where some of it was."""
    count, all_of_them = metrics.contacts.simulated, metrics.contacts.contacts + metrics.contacts.erased
    if not count:
        return None
    which = "Todos os" if count == all_of_them else f"{whole(count)} dos"
    return (
        f"Dados simulados. {which} {whole(all_of_them)} contatos deste período foram gerados por scripts.simulate: nenhum cliente "
        "os teve, nenhum modelo foi chamado e nada foi gasto."
    )
