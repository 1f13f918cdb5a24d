import re

from storage.protocols import short_code


def test_the_same_seed_gives_the_same_code_and_another_attempt_another() -> None:
    assert short_code("AT", "seed") == short_code("AT", "seed")
    codes = {short_code(prefix, "seed", attempt=attempt) for prefix in ("AT", "BA") for attempt in range(4)}
    assert len({code[3:] for code in codes}) == 8


def test_codes_hold_nothing_that_is_misread() -> None:
    codes = [short_code("AT", str(seed)) for seed in range(2000)]
    assert all(re.fullmatch(r"AT-[2-9A-HJKMNP-TV-Z]{6}", code) for code in codes)
    assert len(set(codes)) == 2000
    assert set("".join(code[3:] for code in codes)) == set("23456789ABCDEFGHJKMNPQRSTVWXYZ")
