"""A database of a year's size, generated in the server: nobody wrote any of it, and no model was asked.

Rows have the shapes and sizes that a real turn leaves (a decision, a trail with a tool, a paid call or two), spread evenly over the
last 365 days. With bench/place.py the one module of bench/ that speaks SQL.
"""

from typing import LiteralString

import psycopg

TURNS_PER_CONVERSATION = 5
MESSAGES_PER_CONVERSATION = 2 * TURNS_PER_CONVERSATION

_STEPS: tuple[LiteralString, ...] = (
    # Conversations: a customer has five; the newest ones are of today.
    "insert into conversations (thread_id, customer_id, channel, brand, language, title, fence, created_at, updated_at)"
    " select 'g-' || n, 'gc-' || n / 5, 'web', 'Loja Gerada', 'pt', 'Conversa gerada ' || n, 5, at, at + interval '20 minutes' from ("
    " select n, now() - interval '365 days' * (1 - n / %(count)s::float8) as at from generate_series(1, %(count)s) n) g",
    "insert into contacts (id, thread_id, protocol, status, subject, opened_at, closed_at, current_agent, hops, outcome)"
    " select 'gk-' || n, thread_id, 'GE-' || n, case when n %% 50 = 0 then 'open' when n %% 7 = 0 then 'abandoned' else 'resolved' end,"
    " agent, created_at, case when n %% 50 = 0 then null else created_at + interval '14 hours' end, agent, (n %% 9 = 0)::int,"
    """ '{"because": "answered"}' from ("""
    " select substr(thread_id, 3)::int as n, thread_id, created_at, (array['returns', 'support', 'billing'])[1 + substr(thread_id, 3)::int %% 3]"
    " as agent from conversations) g",
    "insert into turns (id, thread_id, number, contact_id, status, owner, fence, epoch, lease_until, started_at, ended_at, reply,"
    " reply_message_id, trail, decision, cost_usd, tokens)"
    " select 'gt-' || n || '-' || k, thread_id, k, 'gk-' || n, 'replied', 'generated', k, 0, at, at, at + interval '1.4 seconds',"
    " repeat('Texto gerado para medir tamanho. ', 9), 'gm-' || n || '-' || 2 * k,"
    " jsonb_build_array(jsonb_build_object('type', 'tool', 'name', 'lookup_order', 'args', jsonb_build_object('order', '10405'), 'outcome',"
    " 'ok', 'by', 'model', 'agent', 'support', 'because', null)),"
    " jsonb_build_object('target', (array['returns', 'support', 'billing'])[1 + n %% 3], 'reason', case when k %% 3 = 0 then 'continuity' else"
    " 'confident' end, 'confidence', 0.6 + (n %% 40) / 100.0, 'margin', 0.4, 'threshold', 0.6, 'provider', 'local', 'model', 'local',"
    " 'calibrated', true, 'latency_ms', 4 + n %% 9, 'cost_usd', 0, 'hops', '[]'::jsonb, 'probabilities', jsonb_build_object('returns', 0.1,"
    """ 'support', 0.8, 'billing', 0.1)), 0.0009, '{"input": 9800, "output": 160, "cached": 5600}' from ("""
    " select substr(c.thread_id, 3)::int as n, k, c.thread_id, c.created_at + k * interval '3 minutes' as at from conversations c,"
    " generate_series(1, 5) k) g",
    "insert into messages (thread_id, seq, message_id, role, author, text, at, turn_id, channel, brand)"
    " select thread_id, s, 'gm-' || substr(thread_id, 3) || '-' || s, case when s %% 2 = 1 then 'customer' else 'agent' end,"
    " case when s %% 2 = 1 then customer_id else 'support' end, case when s %% 2 = 1 then repeat('Pergunta gerada com algumas palavras. ', 3)"
    " else repeat('Texto gerado para medir tamanho. ', 9) end, created_at + (s + 1) / 2 * interval '3 minutes',"
    " 'gt-' || substr(thread_id, 3) || '-' || (s + 1) / 2, channel, brand from conversations, generate_series(1, 10) s",
    "insert into packages (id, thread_id, turn_id, contact_id, from_agent, to_agent, reason, schema_version, body, tokens, at)"
    " select 'gp-' || n || '-' || k, 'g-' || n, 'gt-' || n || '-' || k, 'gk-' || n, case when k = 1 then null else 'support' end, case when k = 1"
    " then 'support' else 'billing' end, 'confident', 2, jsonb_build_object('hop_count', (k > 1)::int, 'filling', repeat('gerado ', 200)), 600,"
    " now() - interval '365 days' * (1 - n / %(count)s::float8) from generate_series(1, %(count)s) n, generate_series(1, 2) k"
    " where k = 1 or n %% 4 = 0",
    "insert into facts (id, thread_id, customer_id, key, entity, value, source, status, at, turn)"
    " select 'gf-' || k, thread_id, customer_id, (array['order', 'order_status', 'tracking', 'order_total'])[k], 'order:10405', 'gerado ' || k,"
    " 'tool:lookup_order', 'confirmed', created_at, 1 from conversations, generate_series(1, 4) k",
    "insert into spend (id, at, day, provider, model, agent, thread_id, customer_id, turn_id, reserved_usd, settled_usd, settled_at, status)"
    " select 'gs-' || t.id, t.started_at, t.started_at::date, 'openai', 'generated', 'support', t.thread_id, c.customer_id, t.id, 0.003, 0.0009,"
    " t.ended_at, 'settled' from turns t join conversations c using (thread_id)",
    "insert into spend_totals (scope, subject, usd) select 'day', day::text, sum(settled_usd) from spend group by day",
    # The queue: one conversation in twenty, nearly all of them done; what waits is of the last days.
    "insert into human_queue (id, key, protocol, thread_id, contact_id, turn_id, kind, reason, about, status, priority, package, operator,"
    " created_at, claimed_at, resolved_at)"
    " select 'gq-' || n, 'gq-' || n, 'GQ-' || n, 'g-' || n, 'gk-' || n, 'gt-' || n || '-5', 'conversation', (array['asked_for_human', 'hop_limit',"
    " 'review'])[1 + n %% 3], 'gerado', case when n > %(count)s - %(open)s * 20 then 'waiting' else 'resolved' end, n %% 100,"
    " jsonb_build_object('filling', repeat('gerado ', 200)), case when n > %(count)s - %(open)s * 20 then null else 'bia' end, at, case when n >"
    " %(count)s - %(open)s * 20 then null else at + interval '9 minutes' end, case when n > %(count)s - %(open)s * 20 then null else at +"
    " interval '30 minutes' end from (select n, now() - interval '365 days' * (1 - n / %(count)s::float8) as at"
    " from generate_series(20, %(count)s, 20) n) g",
    "insert into audit (at, thread_id, customer_id, actor, rule)"
    " select created_at, thread_id, customer_id, 'operator:bia', 'read_history' from conversations where substr(thread_id, 3)::int %% 5 = 0",
)


def generate(url: str, *, messages: int, waiting: int = 300) -> dict[str, int]:
    """Fill a migrated, empty database; return the number of rows of its large tables."""
    given = {"count": messages // MESSAGES_PER_CONVERSATION, "open": waiting}
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute("set synchronous_commit = off")
        for step in _STEPS:
            conn.execute(step, given)
        conn.execute("vacuum (analyze)")
        counted = conn.execute(
            "select (select count(*) from messages), (select count(*) from turns), (select count(*) from conversations),"
            " (select count(*) from spend), pg_database_size(current_database())"
        ).fetchone()
    assert counted is not None
    return dict(zip(("messages", "turns", "conversations", "spend", "bytes"), counted, strict=True))
