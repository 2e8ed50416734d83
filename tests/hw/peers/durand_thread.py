"""A CANopen node of durand's, which lives in an event loop: here in a thread of its own.

    class Slave(DurandThread):
        def fill(self, node):       puts its objects in, before anybody on the bus meets it

    slave = Slave(port, number)     returns once the node is on the bus
    slave.call(function, ...)       runs it in the loop's thread
    slave.end()
"""

import asyncio
import threading

import can
from durand import CANBusNetwork, Node, scheduler
from durand.node import MinimalNodeCapabilities

from pty_bus import slcan
from tool import PATIENCE


class DurandThread:
    capabilities = MinimalNodeCapabilities

    def __init__(self, port, number):
        self.number, self.ready = number, threading.Event()
        self.thread = threading.Thread(target=lambda: asyncio.run(self.run(port)), daemon=True)
        self.thread.start()
        if not self.ready.wait(PATIENCE):
            raise RuntimeError("durand did not come up")

    async def run(self, port):
        self.loop = asyncio.get_running_loop()
        self.stopped = asyncio.Event()
        scheduler.set_scheduler(scheduler.AsyncScheduler(self.loop))
        with can.Bus(**slcan(port)) as bus:
            network = CANBusNetwork(bus, self.loop)
            self.node = Node(network, self.number, capabilities=self.capabilities)
            self.fill(self.node)
            self.ready.set()
            await self.stopped.wait()
            network.stop()

    def call(self, function, *arguments):
        self.loop.call_soon_threadsafe(function, *arguments)

    def end(self):
        self.call(self.stopped.set)
        self.thread.join(PATIENCE)
