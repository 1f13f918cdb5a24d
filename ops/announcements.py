"""Announce items of the queue to the shop's own help desk: at least once each, and never in the way of a turn.

What is to be announced is read from the queue itself, so no turn knows of it.
"""

import json
from datetime import datetime, timedelta
from typing import Any

import httpx

from graph.services import Services
from ops.alarms import Alarm, record, said
from ops.webhook import DELIVERY, EVENT, SIGNATURE, Webhook, WebhookSettings
from storage.records import webhooks
from storage.records.webhooks import Delivery, Unannounced

Json = dict[str, Any]
_BATCH = 20


async def announce(services: Services) -> int:
    """Write what is to be announced: new items, and the ends of announced ones. Return how many."""
    now = services.clock.now()
    async with services.database.transaction() as conn:
        found = await webhooks.unannounced(conn)
        for item in found:
            await webhooks.put(
                conn, delivery_id=f"wh-{item.id}-{item.event.partition('.')[2]}", item_id=item.id, event=item.event,
                body=_body(item, services.shop_name), now=now,
            )  # fmt: skip
    return len(found)


def _body(item: Unannounced, shop: str) -> Json:
    fields = item.model_dump(mode="json", exclude={"event", "thread_id"})
    return {"event": item.event, "shop": shop, "item": {**fields, "conversation": item.thread_id}}


async def deliver(services: Services, webhook: Webhook, client: httpx.AsyncClient) -> int:
    """Try what is due once; return how many were received. A failure waits for the next delay of the table."""
    settings, now = webhook.settings, services.clock.now()
    hold = now + timedelta(seconds=settings.timeout_s * _BATCH + 60)
    async with services.database.transaction() as conn:
        due = await webhooks.take_due(conn, now=now, hold_until=hold, limit=_BATCH)
    received = 0
    for delivery in due:
        error = await _post(webhook, client, delivery, at=services.clock.now())
        async with services.database.transaction() as conn:
            if error is None:
                received += await webhooks.delivered(conn, delivery.id, now=services.clock.now())
                continue
            again = _next(settings, delivery, services.clock.now())
            await webhooks.postponed(conn, delivery.id, error=error, next_at=again)
            if again is None:
                alarm = Alarm(kind="webhook", detail=f"given up after {delivery.attempts}: {error}")
                said(alarm)
                await record(
                    conn, alarm, alarm_id=services.new_id("al"), shop_name=services.shop_name, now=services.clock.now(),
                    announced=False,  # nobody would hear of it there
                )  # fmt: skip
    return received


def _next(settings: WebhookSettings, delivery: Delivery, now: datetime) -> datetime | None:
    """Return when to try again after the attempt that just failed; None when the table is used up."""
    if delivery.attempts > len(settings.retry_s):
        return None
    return now + timedelta(seconds=settings.retry_s[delivery.attempts - 1])


async def _post(webhook: Webhook, client: httpx.AsyncClient, delivery: Delivery, *, at: datetime) -> str | None:
    """Send one announcement; None when it was received, else why not, without anything that the other side wrote."""
    body = json.dumps(
        {**delivery.body, "delivery": delivery.id}, ensure_ascii=False, sort_keys=True, separators=(",", ":")
    ).encode()
    headers = {
        "Content-Type": "application/json", EVENT: delivery.event, DELIVERY: delivery.id, SIGNATURE: webhook.sign(body, at=at)
    }  # fmt: skip
    try:
        answer = await client.post(
            webhook.settings.url, content=body, headers=headers, timeout=webhook.settings.timeout_s
        )
    except httpx.HTTPError as error:
        return type(error).__name__
    return None if answer.is_success else f"HTTP {answer.status_code}"
