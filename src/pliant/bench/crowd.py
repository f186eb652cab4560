"""A program that acts as viewers of a console: `python -m pliant.bench.crowd <host:port> <count>`.

All but one connect, watch for a while and disconnect, repeatedly; one subscribes and never reads.
It takes the console's token from the environment. It prints `ready` when it starts connecting, and
runs until it is terminated.
"""

import asyncio
import json
import os
import random
import sys
from typing import Any

from websockets.asyncio.client import connect

from pliant.console.server.access_token import VARIABLE

_COLUMNS = ("k", "time", "q", "w_T", "w_desired_T", "X_WT", "X_WR", "temperature", "lateness")
_TOKEN = {"Authorization": f"Bearer {os.environ.get(VARIABLE, '')}"}
_OPTIONS: Any = {"max_size": None, "compression": None, "additional_headers": _TOKEN}
_SUBSCRIBE = json.dumps({"type": "subscribe", "columns": _COLUMNS})


async def come_and_go(address: str) -> None:
    """Connect, watch for about a second and disconnect, repeatedly."""
    while True:
        async with connect(address, **_OPTIONS) as page:
            await page.send(_SUBSCRIBE)
            for _ in range(random.randint(30, 90)):
                await page.recv()


async def never_read(address: str) -> None:
    """Subscribe, and never read."""
    while True:
        async with connect(address, max_queue=1, **_OPTIONS) as page:
            await page.send(_SUBSCRIBE)
            await page.wait_closed()


async def crowd(address: str, count: int) -> None:
    """Run all viewers concurrently."""
    viewers = [come_and_go(address) for _ in range(count - 1)]
    print("ready", flush=True)
    await asyncio.gather(never_read(address), *viewers)


if __name__ == "__main__":
    asyncio.run(crowd(f"ws://{sys.argv[1]}/ws", int(sys.argv[2])))
