"""Hostile forms: texts that are too long, too deep, or made of characters that break what handles them."""

# Of these nobody would see anything: they are no messages.
BLANK = ("nothing visible", "tabs and spaces")
FORMS: dict[str, str] = {
    "long words": "cadê meu pedido? " * 6_000,
    "one long word": "a" * 100_000,
    "digits": "1" * 100_000,
    "NUL": "cadê\x00 meu\x00 pedido 10405?",
    "lone surrogates": "cadê \ud800meu \udfffpedido 10405?",
    "emoji": "🧨" * 25_000,
    "families": "\U0001f469\u200d\U0001f467\u200d\U0001f466" * 10_000,
    "combining": "a" + "\u0301" * 50_000 + "cadê",
    "right to left": "\u202ecadê\u202d o \u2067pedido\u2069 10405?",
    "nothing visible": "\u200b\u200d\u2060\ufeff" * 5_000,
    "line ends": "\r\n" * 40_000 + "cadê meu pedido?",
    "terminal": "\x1b[2J\x1b]0;dono\x07cadê meu pedido?\x9b31m",
    "brackets": "[" * 50_000,
    "braces": '{"a":' * 20_000,
    "addresses": "a@" * 40_000,
    "streets": "rua um, 2, " * 9_000,
    "quotes": '"' * 30_000 + "'" * 30_000,
    "tags": "<a " * 30_000,
    "links": "[a](" * 20_000,
    "backticks": "`" * 60_000,
    "percent": "%s%n{0}{self}$customer" * 2_000,
    "names": "Financeiro, Trocas, Entregas, " * 3_000,
    "sql": "'; drop table messages; --" * 2_000,
    "tabs and spaces": "\t \u3000\u00a0" * 20_000,
    "full width": "ｃａｄê　ｍｅｕ　ｐｅｄｉｄｏ　１０４０５？" * 2_000,
}
