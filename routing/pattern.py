"""Regular expressions that are compiled at their first use: importing a table of them costs nothing."""

import re
from collections.abc import Callable, Iterator
from functools import cached_property


class Pattern:
    """A regular expression with the methods of `re.Pattern` that the rules use."""

    def __init__(self, source: str) -> None:
        self.source = source

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        return re.compile(self.source)

    def search(self, text: str) -> re.Match[str] | None:
        return self.compiled.search(text)

    def match(self, text: str) -> re.Match[str] | None:
        return self.compiled.match(text)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        return self.compiled.fullmatch(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        return self.compiled.finditer(text)

    def count(self, text: str) -> int:
        return sum(1 for _ in self.compiled.finditer(text))

    def split(self, text: str) -> list[str]:
        return self.compiled.split(text)

    def sub(self, replacement: str | Callable[[re.Match[str]], str], text: str) -> str:
        return self.compiled.sub(replacement, text)
