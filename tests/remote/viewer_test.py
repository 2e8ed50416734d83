"""The Foxglove WebSocket of `jointrig serve --viewers`, judged by software of other people.

    viewer_test.py PATH_TO_THE_PROGRAM
"""

import asyncio
import collections
import json
import os
import pathlib
import random
import re
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import time
import unittest

import foxglove
import robo_ws_bridge
import websockets
from foxglove.websocket import Capability, MessageSchema, Service, ServiceSchema
from mcap.reader import SeekingReader
from mcap_ros2.reader import read_ros2_messages
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from viewers import PATIENCE, PROGRAM, PROTOCOLS, Served, channels_of, joints_of, next_of, subscribe  # noqa: E402

STOP = b"\x02" + struct.pack("<III", 1, 5, 3) + b"cdr" + b"\x00\x01\x00\x00\x00"


class Viewers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.log = os.path.join(cls.folder.name, "served.mcap")
        cls.served = Served(cls, "--log", cls.log)

    @classmethod
    def tearDownClass(cls):
        code = cls.served.end()
        cls.folder.cleanup()
        assert code == 0, code

    def run_with(self, act, **options):
        async def session():
            async with self.served.open(**options) as viewer:
                return await act(viewer)
        return asyncio.run(session())

    def test_both_protocols_are_spoken(self):
        for protocol in PROTOCOLS:
            async def hello(viewer):
                return viewer.subprotocol, await next_of(viewer, {"serverInfo"})
            spoken, info = self.run_with(hello, protocol=protocol)
            self.assertEqual(spoken, protocol)
            self.assertEqual(info["name"], "jointrig: franka")

    def test_the_opening_has_the_fields_that_the_reference_server_sends(self):
        message = MessageSchema(encoding="cdr", schema=foxglove.Schema(name="m", encoding="ros2msg", data=b"bool b"))
        stop = Service("/stop", schema=ServiceSchema("std_srvs/srv/Trigger", request=message, response=message),
                       handler=lambda _: b"")
        reference = foxglove.start_server(host="127.0.0.1", port=0, capabilities=[Capability.Services],
                                          supported_encodings=["cdr"], services=[stop])
        channel = foxglove.Channel("/j/a", message_encoding="cdr", schema=foxglove.Schema(
            name="a/msg/J", encoding="ros2msg", data=b"float64 q"))

        async def opening(address):
            async with websockets.connect(address, subprotocols=[PROTOCOLS[0]], max_size=None) as viewer:
                return [await next_of(viewer, {op}) for op in ("serverInfo", "advertise", "advertiseServices")]
        theirs = asyncio.run(opening(f"ws://127.0.0.1:{reference.port}"))
        ours = asyncio.run(opening(f"ws://127.0.0.1:{self.served.port}"))
        reference.stop()
        self.assertEqual(channel.topic(), "/j/a")
        for their, our in zip(theirs, ours, strict=True):
            self.assertEqual(shape(our), shape(their), their["op"])

    def test_messages_are_those_of_the_log(self):
        async def watch(viewer):
            channels = await channels_of(viewer)
            await subscribe(viewer, channels)
            seen, end = [], time.monotonic() + 1.0
            while time.monotonic() < end:
                message = await next_of(viewer, {1})
                number, stamp = struct.unpack("<IQ", message[1:13])
                seen.append((number - 1000, stamp, message[13:]))
            return {channel["id"]: channel for channel in channels}, seen
        channels, seen = self.run_with(watch)
        self.assertGreater(len(seen), 500)
        type(self).served.end()  # the log is whole then
        type(self).served = Served(type(self))
        with open(self.log, "rb") as stream:
            logged = {(channel.topic, message.log_time): (schema.name, schema.data.decode(), message.data)
                      for schema, channel, message in SeekingReader(stream).iter_messages()}
        compared = collections.Counter()
        for number, stamp, data in seen:
            channel = channels[number]
            key = (channel["topic"], stamp)
            if key not in logged or channel["topic"] == "/events":
                continue  # a board that is told again; several events of one cycle
            self.assertEqual((channel["schemaName"], channel["schema"], data), logged[key], key)
            compared[channel["topic"]] += 1
        self.assertGreater(compared["/j/panda_joint1"], 50)
        self.assertGreater(compared["/joint_states"], 5)
        self.decode_with_rosbags(channels, seen)

    def decode_with_rosbags(self, channels, seen):
        """Another decoder agrees with the log's about the positions."""
        positions = {message.log_time_ns: message.ros_msg.q
                     for message in read_ros2_messages(self.log, topics=["/j/panda_joint4"])}
        joint = next(channel for channel in channels.values() if channel["topic"] == "/j/panda_joint4")
        types = get_typestore(Stores.ROS2_HUMBLE)
        types.register(get_types_from_msg(joint["schema"].split("=" * 80)[0], joint["schemaName"]))
        compared = 0
        for number, stamp, data in seen:
            if number != joint["id"] or stamp not in positions:
                continue
            message = types.deserialize_cdr(data, joint["schemaName"])
            self.assertEqual(message.q, positions[stamp])
            self.assertEqual(message.stamp.sec * 10**9 + message.stamp.nanosec, stamp)
            compared += 1
        self.assertGreater(compared, 50)

    def test_a_client_of_other_make_gets_messages_and_time(self):
        async def watch():
            client = robo_ws_bridge.WebSocketBridgeClient(f"ws://127.0.0.1:{self.served.port}",
                                                          subprotocol=PROTOCOLS[1])
            times, channels = [], []
            client.on_time_update(times.append)
            client.on_advertised_channel(channels.append)
            await client.connect()
            end = time.monotonic() + PATIENCE
            while not (times and channels) and time.monotonic() < end:
                await asyncio.sleep(0.05)
            await client.disconnect()
            return times, channels
        times, channels = asyncio.run(watch())
        self.assertTrue(times)
        self.assertTrue(channels)

    def test_a_viewer_that_comes_late_gets_what_is_told_at_a_change_alone(self):
        async def watch(viewer):
            channels = [one for one in await channels_of(viewer) if one["topic"] == "/board/panda_joint1"]
            await subscribe(viewer, channels)
            return await next_of(viewer, {1})
        for _ in range(2):
            self.assertGreater(len(self.run_with(watch)), 13)

    def test_parameters_are_read(self):
        async def ask(viewer):
            await viewer.send(json.dumps({"op": "getParameters", "id": "a",
                                          "parameterNames": ["speed_override", "panda_joint1/mode"]}))
            return await next_of(viewer, {"parameterValues"})
        values = self.run_with(ask)
        self.assertEqual(values["id"], "a")
        self.assertEqual(values["parameters"], [{"name": "speed_override", "value": 1.0, "type": "float64"},
                                                {"name": "panda_joint1/mode", "value": "idle"}])

    def test_the_service_stops_the_robot(self):
        async def stop(viewer):
            channels = [one for one in await channels_of(viewer) if one["topic"] == "/commands"]
            await subscribe(viewer, channels)
            await viewer.send(STOP)
            answer = await next_of(viewer, {3})
            await viewer.send(STOP.replace(struct.pack("<I", 1), struct.pack("<I", 9), 1))
            return answer, await next_of(viewer, {"serviceCallFailure"})
        answer, failure = self.run_with(stop)
        self.assertEqual(answer[:16], b"\x03" + struct.pack("<III", 1, 5, 3) + b"cdr")
        self.assertEqual(answer[20], 1)  # success
        self.assertEqual((failure["serviceId"], failure["callId"]), (9, 5))

    def test_what_makes_no_sense_is_told_and_nothing_breaks(self):
        bad = ["{", "[]", "null", "{}", '{"op": 3}', '{"op": "fetchAsset"}', '{"op": "subscribe"}', "[" * 30000,
               '{"op": "subscribe", "subscriptions": [{"id": -1, "channelId": 1}]}',
               '{"op": "subscribe", "subscriptions": [{"id": 1, "channelId": 70000}]}',
               '{"op": "unsubscribe", "subscriptionIds": [4]}', '{"op": "getParameters", "parameterNames": [3]}',
               b"", b"\x02", b"\x01abc", b"\x02" + struct.pack("<III", 1, 1, 2**32 - 1),
               b"\x03\x00" + struct.pack("<fBQI", 1.0, 0, 0, 0)]

        async def send_all(viewer):
            for message in bad:
                await viewer.send(message)
                told = await next_of(viewer, {"status"})
                self.assertEqual(told["level"], 2, message)
        self.run_with(send_all)

    def test_one_subscription_for_each_channel(self):
        async def twice(viewer):
            channels = joints_of(await channels_of(viewer))[:1]
            await subscribe(viewer, channels)
            await subscribe(viewer, channels)
            return await next_of(viewer, {"status"})
        self.assertIn("another subscription", self.run_with(twice)["message"])

    def test_pages_of_strangers_may_not_connect(self):
        for origin, code in [("https://evil.example", 403), ("null", 403), ("https://localhost.evil.example", 403)]:
            with self.subTest(origin), self.assertRaises(websockets.InvalidStatus) as refused:
                self.run_with(channels_of, origin=origin)
            self.assertEqual(refused.exception.response.status_code, code)
        for origin in ["https://app.foxglove.dev", "http://localhost:8080", "http://127.0.0.1:3000", "file://"]:
            with self.subTest(origin):
                self.assertTrue(self.run_with(channels_of, origin=origin))

    def test_another_protocol_is_refused(self):
        with self.assertRaises(websockets.InvalidStatus) as refused:
            self.run_with(channels_of, protocol="chat")
        self.assertEqual(refused.exception.response.status_code, 400)

    def test_connections_that_come_and_go_leave_nothing_behind(self):
        def strike(chance):
            try:
                begin(chance)
            except ConnectionError:
                pass  # too many at once are turned away

        def begin(chance):
            """A connection that ends somewhere in its opening, or in a frame that makes no sense."""
            with socket.create_connection(("127.0.0.1", self.served.port), timeout=PATIENCE) as one:
                request = (f"GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                           f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                           f"Sec-WebSocket-Protocol: {PROTOCOLS[0]}\r\n\r\n").encode()
                if chance.random() < 0.3:
                    one.sendall(request[:chance.randrange(len(request))])
                elif chance.random() < 0.2:
                    one.sendall(chance.randbytes(200))
                else:
                    one.sendall(request)
                    if one.recv(4096):
                        one.sendall(chance.randbytes(chance.randrange(1, 300)))
                if chance.random() < 0.5:
                    one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        chance = random.Random(14)
        for _ in range(200):
            strike(chance)
        before = self.served.memory()
        for _ in range(600):
            strike(chance)
        time.sleep(0.5)
        self.assertLess(self.served.memory() - before, 8000)  # [kB]
        self.assertTrue(self.run_with(channels_of))

    def test_who_reads_nothing_loses_messages_and_is_told(self):
        own = socket.socket()
        own.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
        own.connect(("127.0.0.1", self.served.port))

        async def doze(viewer):
            await subscribe(viewer, await channels_of(viewer))
            viewer.transport.pause_reading()
            await asyncio.sleep(5.0)  # some 15 MB
            memory = self.served.memory()
            viewer.transport.resume_reading()
            return memory, await next_of(viewer, {"status"})
        memory, told = self.run_with(doze, sock=own)
        self.assertEqual(told["level"], 1)
        self.assertGreater(int(re.match(r"\d+", told["message"])[0]), 0)
        self.assertLess(memory, 400_000)


def shape(message, key=""):
    """Names of the fields and kinds of the values, of lists the first element's; texts that stand for things as
    they are."""
    if isinstance(message, dict):
        return {name: shape(value, name) for name, value in message.items() if key != "metadata"}
    if isinstance(message, list):
        return [shape(value) for value in message[:1]] if key != "capabilities" else "list"
    return message if key in ("op", "encoding", "schemaEncoding", "type") else type(message).__name__


class Elsewhere(unittest.TestCase):
    """At an address that other machines reach."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def test_an_open_address_is_refused_with_what_it_needs(self):
        done = subprocess.run([PROGRAM, "serve", "franka", "--listen", "127.0.0.1:0", "--viewers", "0.0.0.0:0"],
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 2)
        for word in ("viewers", "--tls-cert", "--token-file", "SSH"):
            self.assertIn(word, done.stderr)

    def test_a_token_opens_it(self):
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-keyout",
                        self.path("key"), "-out", self.path("pem"), "-subj", "/CN=robot", "-addext",
                        "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
        token = "0123456789abcdef"
        pathlib.Path(self.path("token")).write_text(token + "\n")
        served = Served(self, "--tls-cert", self.path("pem"), "--tls-key", self.path("key"), "--token-file",
                        self.path("token"), viewers="0.0.0.0:0")
        self.addCleanup(served.end)
        trust = ssl.create_default_context(cafile=self.path("pem"))

        async def topics(path, **options):
            async with served.open(scheme="wss", path=path, ssl=trust, **options) as viewer:
                channels = await channels_of(viewer)
                await subscribe(viewer, joints_of(channels))
                return await next_of(viewer, {1})
        self.assertGreater(len(asyncio.run(topics(f"/?token={token}"))), 100)
        header = {"Authorization": f"Bearer {token}"}
        self.assertGreater(len(asyncio.run(topics("/", additional_headers=header))), 100)
        for path in ("/", "/?token=0123456789abcdeF"):
            with self.assertRaises(websockets.InvalidStatus) as refused:
                asyncio.run(topics(path))
            self.assertEqual(refused.exception.response.status_code, 401)


if __name__ == "__main__":
    unittest.main()
