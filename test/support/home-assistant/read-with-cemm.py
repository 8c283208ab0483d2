"""Prints what the client `cemm` reads of a monitor, as JSON: `read-with-cemm.py HOST CALL [ALIAS]`."""

import asyncio
import dataclasses
import json
import sys

# The client wants the package async_timeout without saying so; it is a part of Python now.
sys.modules["async_timeout"] = asyncio
from cemm import CEMM  # noqa: E402


def plain(answer):
    return [plain(one) for one in answer] if isinstance(answer, list) else dataclasses.asdict(answer)


async def main(host, call, *aliases):
    async with CEMM(host) as monitor:
        print(json.dumps(plain(await getattr(monitor, call)(*aliases))))


asyncio.run(main(*sys.argv[1:]))
