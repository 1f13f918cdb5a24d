"""Brazilian postal codes: eight digits, and the state that their first digits belong to."""

import re

# Ranges by the first five digits (Correios, "faixas de CEP por UF").
_RANGES: tuple[tuple[int, int, str], ...] = (
    (1000, 19999, "SP"),
    (20000, 28999, "RJ"),
    (29000, 29999, "ES"),
    (30000, 39999, "MG"),
    (40000, 48999, "BA"),
    (49000, 49999, "SE"),
    (50000, 56999, "PE"),
    (57000, 57999, "AL"),
    (58000, 58999, "PB"),
    (59000, 59999, "RN"),
    (60000, 63999, "CE"),
    (64000, 64999, "PI"),
    (65000, 65999, "MA"),
    (66000, 68899, "PA"),
    (68900, 68999, "AP"),
    (69000, 69299, "AM"),
    (69300, 69399, "RR"),
    (69400, 69899, "AM"),
    (69900, 69999, "AC"),
    (70000, 72799, "DF"),
    (72800, 72999, "GO"),
    (73000, 73699, "DF"),
    (73700, 76799, "GO"),
    (76800, 76999, "RO"),
    (77000, 77999, "TO"),
    (78000, 78899, "MT"),
    (79000, 79999, "MS"),
    (80000, 87999, "PR"),
    (88000, 89999, "SC"),
    (90000, 99999, "RS"),
)


def cep_digits(text: str) -> str | None:
    """Return the eight digits of a CEP, or None if it is not one ("0131-100", "00000-000")."""
    if not re.fullmatch(r"\s*(?:CEP\D{0,3})?\d{2}\.?\d{3}-?\s?\d{3}\s*", text, re.IGNORECASE):
        return None
    digits = re.sub(r"\D", "", text)
    return digits if state_of(digits) else None


def state_of(digits: str) -> str | None:
    """Return the state (UF) of a CEP's eight digits."""
    first = int(digits[:5])
    return next((state for low, high, state in _RANGES if low <= first <= high), None)
