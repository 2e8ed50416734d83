"""The Foxglove WebSocket of `jointrig serve --viewers`, for tests whose first argument is the program."""

import asyncio
import json
import pathlib
import re
import signal
import subprocess
import sys
import time

import websockets
from background import Background

PROGRAM = sys.argv.pop(1)
PROTOCOLS = ("foxglove.sdk.v1", "foxglove.websocket.v1")
PATIENCE = 20.0  # [s] for an answer on a busy machine


class Served:
    """`jointrig serve ROBOT --viewers` in the background of a test, or of a class of tests."""

    def __init__(self, owner, *arguments, robot="franka", viewers="127.0.0.1:0"):
        self.process = Background(owner, [PROGRAM, "serve", robot, "--listen", "127.0.0.1:0", "--viewers",
                                          viewers, *arguments], stdout=subprocess.PIPE, text=True)
        self.said = self.process.stdout.readline() + self.process.stdout.readline()
        self.port = int(re.search(r"wss?://\S+:(\d+)", self.said)[1])

    def open(self, protocol=PROTOCOLS[0], scheme="ws", path="", **options):
        return websockets.connect(f"{scheme}://127.0.0.1:{self.port}{path}", subprotocols=[protocol], max_size=None,
                                  compression=None, **options)

    def status(self, name):
        """A number of the process, as /proc names it: VmRSS [kB], Threads."""
        return int(re.search(rf"^{name}:\s+(\d+)", pathlib.Path(f"/proc/{self.process.pid}/status").read_text(),
                             re.MULTILINE)[1])

    def memory(self):
        """[kB] of the process."""
        return self.status("VmRSS")

    def end(self):
        self.process.send_signal(signal.SIGINT)
        self.process.stdout.read()
        self.process.stdout.close()
        return self.process.wait(timeout=30)


async def next_of(viewer, wanted):
    """The next text of one of these operations, or binary message that begins with one of these bytes."""
    end = time.monotonic() + PATIENCE
    while True:
        message = await asyncio.wait_for(viewer.recv(), end - time.monotonic())
        if isinstance(message, bytes):
            if message[0] in wanted:
                return message
        elif json.loads(message)["op"] in wanted:
            return json.loads(message)


async def channels_of(viewer):
    return (await next_of(viewer, {"advertise"}))["channels"]


async def subscribe(viewer, channels):
    """By the number of the channel and 1000."""
    await viewer.send(json.dumps({"op": "subscribe", "subscriptions": [
        {"id": 1000 + channel["id"], "channelId": channel["id"]} for channel in channels]}))


def joints_of(channels):
    return [channel for channel in channels if channel["topic"].startswith("/j/")]
