"""A shop, a desk and a memory in memory: real implementations of the protocols, with the seed's eight orders."""

import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from routing.facts import Fact
from routing.model import Language
from routing.ports import ShopConflict, ShopUnavailable
from routing.shop import (
    Address,
    Charge,
    Customer,
    Delivery,
    Document,
    DocumentKind,
    Item,
    Order,
    Receipt,
    Request,
    RequestKind,
)

NOW = datetime(2026, 11, 30, 14, 5, tzinfo=UTC)
ZONE = ZoneInfo("America/Sao_Paulo")
PREFIXES: dict[str, str] = {"return": "DV", "exchange": "TR", "cancellation": "CA", "address_change": "EN"}
POLICIES = {
    "reembolso": "Depois de aprovado, o reembolso por Pix volta em até 2 dias úteis. "
    "No cartão, o estorno aparece em até 2 faturas. No boleto, o valor é depositado em até 10 dias úteis.",
    "devolucao": "Você pode desistir da compra em até 7 dias depois da entrega.",
    "troca": "Você pode trocar o produto em até 30 dias depois da entrega.",
    "defeito": "Produtos com defeito são avaliados em até 90 dias depois da entrega.",
    "cancelamento": "Um pedido pode ser cancelado antes do envio.",
    "entrega": "O prazo de entrega conta a partir da confirmação do pagamento.",
}
_PEOPLE: dict[str, dict[str, str]] = {
    "c1": {"name": "Ana Souza", "email": "ana.souza@example.com", "cpf": "52998224725", "cep": "01310100"},
    "c2": {"name": "Bruno Lima", "email": "bruno.lima@example.com", "cpf": "11144477735", "cep": "20040002"},
    "c3": {"name": "Carla Dias", "email": "carla.dias@example.com", "cpf": "12345678909", "cep": "30130010"},
}


def ago(days: float) -> datetime:
    return NOW - timedelta(days=days)


def on(days: int) -> date:
    return NOW.astimezone(ZONE).date() + timedelta(days=days)


def customer(customer_id: str = "c1") -> Customer:
    tier = {"c1": "silver", "c2": "gold"}.get(customer_id)
    return Customer(id=customer_id, name=_PEOPLE[customer_id]["name"], tier=tier, level="session")


VISITOR = Customer(id=None)
_HOME = Address(street="Rua das Palmeiras", number="35", complement="apto 12", district="Bela Vista", city="São Paulo",
                state="SP", cep="01310100")  # fmt: skip


def _charge(order: str, amount: int, *, method: str, status: str, at: datetime, **more: object) -> Charge:
    return Charge.model_validate(
        {"id": f"ch-{order}", "amount": amount, "method": method, "status": status, "at": at, **more}
    )


def seed() -> dict[str, Order]:
    """The orders of the demo that tests rely on, dated relative to NOW."""
    two = [_charge("10405-1", 34900, method="pix", status="paid", at=ago(5)),
           _charge("10405-2", 34900, method="pix", status="paid", at=ago(5) + timedelta(minutes=3))]  # fmt: skip
    rows = [
        Order(id="10405", customer_id="c1", status="in_transit", placed_at=ago(5), total=34900, address=_HOME,
              items=(Item(id="1", name="Tênis Corrida Azul", price=34900),), charges=tuple(two),
              delivery=Delivery(carrier="Transportadora Rota", tracking="RT123456789BR", status="a caminho",
                                estimate=on(2), shipped_at=ago(3), last_event="Saiu do centro de distribuição em Campinas")),
        Order(id="10418", customer_id="c1", status="delivered", placed_at=ago(12), total=18990, address=_HOME,
              items=(Item(id="1", name="Fone Bluetooth", price=18990),),
              charges=(_charge("10418", 18990, method="pix", status="paid", at=ago(12)),),
              delivery=Delivery(carrier="Transportadora Rota", tracking="RT222333444BR", shipped_at=ago(9), delivered_at=ago(6))),
        Order(id="10431", customer_id="c1", status="preparing", placed_at=ago(2), total=12900,
              address=_HOME.model_copy(update={"street": "Rua das Flores", "number": "245", "complement": None}),
              items=(Item(id="1", name="Luminária de Mesa", price=12900),),
              charges=(_charge("10431", 12900, method="card", status="paid", at=ago(2)),), delivery=Delivery(estimate=on(6))),
        Order(id="10433", customer_id="c1", status="delivered", placed_at=ago(20), total=45900, address=_HOME,
              items=(Item(id="1", name="Jaqueta Jeans", price=45900),),
              charges=(_charge("10433", 45900, method="card", status="paid", at=ago(20), instalments=3),),
              delivery=Delivery(carrier="Correios", tracking="QB123456785BR", shipped_at=ago(17), delivered_at=ago(12))),
        Order(id="10440", customer_id="c1", status="paid", placed_at=ago(0.1), total=8990, address=_HOME,
              items=(Item(id="1", name="Garrafa Térmica", price=8990),),
              charges=(_charge("10440", 8990, method="pix", status="paid", at=ago(0.1)),), delivery=Delivery(estimate=on(7))),
        Order(id="10412", customer_id="c2", status="delayed", placed_at=ago(15), total=27900, address=_HOME,
              items=(Item(id="1", name="Cafeteira", price=27900),),
              charges=(_charge("10412", 27900, method="card", status="paid", at=ago(15)),),
              delivery=Delivery(carrier="Correios", tracking="QB987654321BR", estimate=on(-3), shipped_at=ago(11))),
        Order(id="10420", customer_id="c2", status="awaiting_payment", placed_at=ago(6), total=59900, address=_HOME,
              items=(Item(id="1", name="Cadeira de Escritório", price=59900),),
              charges=(_charge("10420", 59900, method="boleto", status="overdue", at=ago(6), due=on(-2)),), delivery=Delivery()),
        Order(id="20077", customer_id="c3", status="returned", placed_at=ago(40), total=22900, address=_HOME,
              items=(Item(id="1", name="Mochila", price=22900),),
              charges=(_charge("20077", 22900, method="card", status="refund_pending", at=ago(40)),),
              delivery=Delivery(carrier="Correios", shipped_at=ago(37), delivered_at=ago(33))),
    ]  # fmt: skip
    return {order.id: order for order in rows}


@dataclass
class FakeShop:
    """The order system. `down` names the methods that are silent; `lost` those that write and then fall silent."""

    rows: dict[str, Order] = field(default_factory=seed)
    policies: dict[str, str] = field(default_factory=lambda: dict(POLICIES))
    down: set[str] = field(default_factory=set)
    lost: set[str] = field(default_factory=set)
    opened: list[tuple[str, Request]] = field(default_factory=list)
    effects: dict[str, Receipt] = field(default_factory=dict)
    calls: Counter[str] = field(default_factory=Counter)

    def _called(self, name: str) -> None:
        self.calls[name] += 1
        if name in self.down:
            raise ShopUnavailable(name)

    def _settled(self, name: str, key: str, receipt: Receipt) -> Receipt:
        self.effects[key] = receipt
        if name in self.lost:
            raise ShopUnavailable(name)
        return receipt

    def _receipt(self, kind: RequestKind, order_id: str, values: dict[str, str] | None = None) -> Receipt:
        protocol = f"{PREFIXES.get(kind, 'CH')}-{len(self.effects) + 1:04d}"
        return Receipt(protocol=protocol, kind=kind, at=NOW, order_id=order_id, values=values or {})

    def change(self, order_id: str, **update: object) -> None:
        """Change an order behind everybody's back."""
        order = self.rows[order_id]
        self.rows[order_id] = order.model_copy(update={**update, "version": order.version + 1})

    async def customer(self, customer_id: str) -> Customer | None:
        self._called("customer")
        return customer(customer_id) if customer_id in _PEOPLE else None

    async def order(self, order_id: str) -> Order | None:
        self._called("order")
        return self.rows.get(order_id)

    async def orders(self, customer_id: str) -> tuple[Order, ...]:
        self._called("orders")
        own = [order for order in self.rows.values() if order.customer_id == customer_id]
        return tuple(sorted(own, key=lambda order: order.placed_at, reverse=True))

    async def requests(self, customer_id: str) -> tuple[Request, ...]:
        self._called("requests")
        return tuple(request for owner, request in reversed(self.opened) if owner == customer_id)

    async def policy(self, topic: str, *, language: Language = "pt") -> str | None:
        self._called("policy")
        return self.policies.get(topic)

    async def topics(self) -> tuple[str, ...]:
        self._called("topics")
        return tuple(self.policies)

    async def document(self, order_id: str, kind: DocumentKind) -> Document | None:
        self._called("document")
        due = on(3) if kind == "boleto" else None
        return Document(
            kind=kind, order_id=order_id, number=f"{kind}-{order_id}", content=f"<{kind} {order_id}>", due=due
        )

    async def identify(self, order_id: str, given: dict[str, str]) -> int:
        self._called("identify")
        order = self.rows.get(order_id)
        known = _PEOPLE[order.customer_id] if order else {}
        return sum(_bare(known.get(key, "")) == _bare(value) != "" for key, value in given.items())

    async def open_request(
        self, key: str, *, order_id: str, kind: RequestKind, item_id: str | None = None, detail: str | None = None,
        values: dict[str, str] | None = None,
    ) -> Receipt:  # fmt: skip
        self._called("open_request")
        if key in self.effects:
            return self.effects[key]
        receipt = self._receipt(kind, order_id, values)
        request = Request(protocol=receipt.protocol, kind=kind, order_id=order_id, item_id=item_id, status="open", at=NOW,
                          detail=detail)  # fmt: skip
        self.opened.append((self.rows[order_id].customer_id, request))
        return self._settled("open_request", key, receipt)

    async def cancel_order(self, key: str, *, order_id: str, version: int) -> Receipt:
        self._called("cancel_order")
        if key in self.effects:
            return self.effects[key]
        if self.rows[order_id].version != version:
            raise ShopConflict("order_changed")
        self.change(order_id, status="cancelled")
        receipt = self._receipt("cancellation", order_id)
        request = Request(protocol=receipt.protocol, kind="cancellation", order_id=order_id, status="done", at=NOW)
        self.opened.append((self.rows[order_id].customer_id, request))
        return self._settled("cancel_order", key, receipt)

    async def update_address(self, key: str, *, order_id: str, address: Address, version: int) -> Receipt:
        self._called("update_address")
        if key in self.effects:
            return self.effects[key]
        if self.rows[order_id].version != version:
            raise ShopConflict("order_changed")
        self.change(order_id, address=address)
        return self._settled("update_address", key, self._receipt("address_change", order_id))

    async def find_effect(self, key: str) -> Receipt | None:
        self._called("find_effect")
        return self.effects.get(key)


@dataclass
class FakeDesk:
    """The people behind the bot."""

    items: dict[str, tuple[str, str | None, datetime | None]] = field(default_factory=dict)

    async def open_review(self, key: str, *, about: str, order_id: str | None) -> Receipt:
        self.items.setdefault(key, (about, order_id, None))
        return Receipt(protocol=f"AN-{list(self.items).index(key) + 1:04d}", kind="review", at=NOW, order_id=order_id)

    async def promise_callback(self, key: str, *, about: str, due: datetime | None) -> Receipt:
        self.items.setdefault(key, (about, None, due))
        return Receipt(protocol=f"RE-{list(self.items).index(key) + 1:04d}", kind="callback", at=NOW)


@dataclass
class FakeMemory:
    """What the conversation learned, newest last."""

    facts: list[Fact] = field(default_factory=list)

    async def recall(self, key: str, entity: str | None) -> tuple[Fact, ...]:
        found = [fact for fact in reversed(self.facts) if fact.key == key and entity in (None, fact.entity)]
        return tuple(found[:20])


def _bare(text: str) -> str:
    return re.sub(r"[\s.\-()/]", "", text).casefold()
