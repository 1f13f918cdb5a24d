"""What `langgraph dev` opens (langgraph.json): the demo, in LangGraph's development server and Studio."""

import asyncio
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the server loads this file by its path

from graph.studio import build_studio
from settings import load_environment, load_settings, open_bastao

_OPENED: dict[int, "asyncio.Future[Any]"] = {}
_HELD = AsyncExitStack()


async def bastao() -> Any:
    """Return the compiled graph. The server asks for it at every run; the shop is opened once per event loop."""
    loop = asyncio.get_running_loop()
    if id(loop) not in _OPENED:
        _OPENED[id(loop)] = loop.create_future()
        try:
            environ = load_environment()
            opened = await _HELD.enter_async_context(open_bastao(load_settings(environ), environ))
            _OPENED[id(loop)].set_result(build_studio(opened).compile())
        except BaseException as error:
            _OPENED.pop(id(loop)).set_exception(error)
            raise
    return await asyncio.shield(_OPENED[id(loop)])


if __name__ == "__main__":
    print("This is opened by `langgraph dev` (pip install -r requirements-studio.txt); see langgraph.json.")
