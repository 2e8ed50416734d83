"""The share of one viewer, in what it gets and in what it sends: `jointrig serve --viewers` byte by byte.

    viewer_limits_test.py PATH_TO_THE_PROGRAM
"""

import asyncio
import base64
import collections
import json
import os
import pathlib
import socket
import struct
import sys
import tempfile
import unittest

import jointrig
import numpy as np
import websockets

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from viewers import PATIENCE, PROTOCOLS, Served, channels_of, joints_of, next_of, subscribe  # noqa: E402

JOINTS = 50
BURST = 1000  # messages of a viewer at once
MOST_AT_ONCE = 16  # viewers, and as many connections again that are none yet
ASK = json.dumps({"op": "getParameters", "id": "a", "parameterNames": ["speed_override"]})


class RawViewer:
    """A WebSocket with nothing of a library between it and the bytes: it keeps up with any server."""

    def __init__(self, port):
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
        key = base64.b64encode(os.urandom(16)).decode()
        self._socket.sendall((f"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                              f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
                              f"Sec-WebSocket-Protocol: {PROTOCOLS[0]}\r\n\r\n").encode())
        self._bytes = bytearray()
        while (end := self._bytes.find(b"\r\n\r\n")) < 0:
            self._read()
        head = bytes(self._bytes[:end])
        assert b" 101 " in head.split(b"\r\n")[0], head
        del self._bytes[:end + 4]

    def _read(self):
        more = self._socket.recv(1 << 20)
        assert more, "the server ended the connection"
        self._bytes += more

    def frames(self):
        """Payloads of the frames of one look at the socket, each with its kind: 1 a text, 2 bytes."""
        self._read()
        at, have, found = 0, self._bytes, []
        while len(have) - at >= 2:
            length, begin = have[at + 1], at + 2
            if length == 126:
                begin += 2
                length = int.from_bytes(have[at + 2:begin], "big")
            elif length == 127:
                begin += 8
                length = int.from_bytes(have[at + 2:begin], "big")
            if len(have) < begin + length:
                break
            assert have[at] & 0x80, "a frame is whole"
            found.append((have[at] & 0x0F, bytes(have[begin:begin + length])))
            at = begin + length
        del have[:at]
        return found

    def send(self, text):
        """Masked, as those of a client have to be: by zeros."""
        data = text.encode()
        size = bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0x80 | 126]) + len(data).to_bytes(2, "big")
        self._socket.sendall(b"\x81" + size + bytes(4) + data)

    def close(self):
        self._socket.close()


def write_robot(folder, joints):
    """Sliders side by side, each with its motor."""
    bodies = "".join(f'<body pos="0 {i} 0"><joint name="slider{i}" type="slide" axis="1 0 0" range="-1 1"/>'
                     '<geom size="0.1" mass="1" contype="0" conaffinity="0"/></body>' for i in range(joints))
    motors = "".join(f'<motor joint="slider{i}" ctrlrange="-30 30"/>' for i in range(joints))
    (folder / "many.xml").write_text(f"<mujoco><worldbody>{bodies}</worldbody><actuator>{motors}</actuator></mujoco>")
    (folder / "many.yaml").write_text("schema: 1\nmodel: many.xml\n")
    return folder / "many.yaml"


class AllOfIt(unittest.TestCase):
    def test_each_cycle_of_fifty_joints_reaches_a_viewer(self):
        """Five seconds of the robot. A machine that does something else for a fifth of a second makes any reader late,
        so losses are no verdict as long as each is told, and one of three spans is without any."""
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        folder = pathlib.Path(temporary.name)
        robot = write_robot(folder, JOINTS)
        told = []
        for attempt in range(3):
            log = folder / f"served{attempt}.mcap"
            served = Served(self, "--log", log, robot=robot)
            stamps, lost = self.watch(served.port, cycles=5000)
            self.assertEqual(served.end(), 0)
            missing = self.compare(stamps, jointrig.Log(log))
            log.unlink()
            told.append((missing, lost))
            self.assertLessEqual(missing, lost, "a loss that nobody was told of")
            if missing == 0:
                return
        self.fail(f"lost and told of, of three spans: {told}")

    def watch(self, port, cycles):
        """Stamps [ns] of the messages of each joint, and how many messages the viewer was told it lost."""
        viewer = RawViewer(port)
        self.addCleanup(viewer.close)
        topics, stamps, first, lost = {}, collections.defaultdict(list), None, 0
        while True:
            for kind, data in viewer.frames():
                if kind == 1:
                    message = json.loads(data)
                    if message["op"] == "advertise":
                        joints = joints_of(message["channels"])
                        topics |= {channel["id"]: channel["topic"] for channel in joints}
                        viewer.send(json.dumps({"op": "subscribe", "subscriptions": [
                            {"id": channel["id"], "channelId": channel["id"]} for channel in joints]}))
                    elif message["op"] == "status":
                        lost = int(message["message"].split()[0])
                elif kind == 2 and data[0] == 1:
                    number, stamp = struct.unpack_from("<IQ", data, 1)
                    stamps[topics[number]].append(stamp)
                    first = first or stamp
                    if stamp > first + cycles * 1_000_000 and len(stamps) == len(topics):
                        return stamps, lost

    def compare(self, stamps, log):
        """Messages that the log has and the viewer has not, between the last beginning and the first end."""
        self.assertEqual(set(stamps), {f"/j/{joint}" for joint in log.joints})
        self.assertEqual(len(stamps), JOINTS)
        begin, end = max(of[0] for of in stamps.values()), min(of[-1] for of in stamps.values())
        missing = 0
        for joint in log.joints:
            mine = [stamp for stamp in stamps[f"/j/{joint}"] if begin <= stamp <= end]
            self.assertEqual(sorted(set(mine)), mine, "in their order, each once")
            logged = np.rint(log.time(f"{joint}.q") * 1e9).astype(np.int64)
            logged = logged[(logged >= begin) & (logged <= end)]
            self.assertEqual(set(mine) - set(logged.tolist()), set())
            self.assertGreater(len(logged), 4000)
            missing += len(logged) - len(mine)
        return missing


class Limits(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.served = Served(cls)

    @classmethod
    def tearDownClass(cls):
        code = cls.served.end()
        assert code == 0, code

    def run_with(self, act):
        async def session():
            async with self.served.open() as viewer:
                return await act(viewer)
        return asyncio.run(session())

    def test_messages_up_to_the_burst_are_all_answered(self):
        async def ask(viewer):
            for _ in range(BURST - 100):
                await viewer.send(ASK)
            for _ in range(BURST - 100):
                await next_of(viewer, {"parameterValues"})
            return True
        self.assertTrue(self.run_with(ask))

    def test_a_viewer_that_floods_is_let_go_and_the_others_stay(self):
        async def flood():
            async with self.served.open() as other, self.served.open() as viewer:
                with self.assertRaises(websockets.ConnectionClosed):
                    # As many as a hundred a second don't allow in this test's lifetime.
                    for _ in range(BURST + 100 * 300):
                        await viewer.send(ASK)
                        await asyncio.sleep(0)
                    while True:
                        await asyncio.wait_for(viewer.recv(), PATIENCE)
                await other.send(ASK)
                await next_of(other, {"parameterValues"})
        asyncio.run(flood())
        self.assertTrue(self.run_with(channels_of))

    def test_a_message_that_is_too_large_ends_its_viewer_alone(self):
        async def send(viewer):
            with self.assertRaises(websockets.ConnectionClosed):
                await viewer.send(json.dumps({"op": "getParameters", "parameterNames": ["a" * 70_000]}))
                while True:
                    await asyncio.wait_for(viewer.recv(), PATIENCE)
        self.run_with(send)
        self.assertTrue(self.run_with(channels_of))

    def test_half_open_connections_are_held_for_seconds_alone_and_keep_nobody_from_what_he_has(self):
        threads = self.served.status("Threads")

        async def beside(viewer):
            await subscribe(viewer, joints_of(await channels_of(viewer)))
            silent = [socket.create_connection(("127.0.0.1", self.served.port), timeout=PATIENCE)
                      for _ in range(10 * MOST_AT_ONCE)]
            try:
                for number, one in enumerate(silent):
                    if number % 2:
                        try:
                            one.sendall(b"GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n")
                        except ConnectionError:
                            pass  # more than may be held are turned away
                # The viewer that was there gets its cycles.
                stamps = [struct.unpack_from("<Q", await next_of(viewer, {1}), 5)[0] for _ in range(2000)]
                self.assertGreater(stamps[-1], stamps[0])
                # Each of them is ended, and another viewer gets in.
                for one in silent:
                    await asyncio.get_running_loop().run_in_executor(None, self.ended, one)
                async with self.served.open() as late:
                    await channels_of(late)
            finally:
                for one in silent:
                    one.close()
        self.run_with(beside)
        self.assertLessEqual(self.served.status("Threads"), threads)

    def ended(self, one):
        try:
            while one.recv(4096):
                pass
        except TimeoutError:
            self.fail(f"a half-open connection lives on after {PATIENCE} s")
        except ConnectionError:
            pass


if __name__ == "__main__":
    unittest.main()
