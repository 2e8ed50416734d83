"""A log that `jointrig replay` plays to viewers. The log is written, the messages are decoded and the protocol is
spoken by software of other people.

    replay_test.py PATH_TO_THE_PROGRAM
"""

import asyncio
import contextlib
import json
import math
import os
import pathlib
import re
import signal
import struct
import subprocess
import sys
import tempfile
import unittest

import foxglove
import websockets
from foxglove.websocket import Capability, PlaybackState, PlaybackStatus
from mcap.writer import CompressionType, Writer
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from background import Background  # noqa: E402

PROGRAM = sys.argv.pop(1)
PROTOCOLS = ("foxglove.sdk.v1", "foxglove.websocket.v1")
PATIENCE = 30.0  # [s] for an answer on a busy machine
MS = 1_000_000
PLAYING, PAUSED, ENDED = 0, 1, 3
DEFINITION = "float64 q\n"
START, END = 1000 * MS, 3000 * MS
TYPES = get_typestore(Stores.ROS2_HUMBLE)
TYPES.register(get_types_from_msg(DEFINITION, "x/msg/J"))
LARGE = DEFINITION + "uint8[] rest\n"
TYPES.register(get_types_from_msg(LARGE, "x/msg/Large"))


def cdr_of(value):
    return b"\x00\x01\x00\x00" + struct.pack("<d", value)


def write_log(path):
    """/a each millisecond of [1 s, 3 s] with q = the time in ms, /rare at 1.005 s and 2.5 s alone, /text in JSON."""
    with open(path, "wb") as stream:
        log = Writer(stream, chunk_size=4096, compression=CompressionType.ZSTD)
        log.start()
        schema = log.register_schema("x/msg/J", "ros2msg", DEFINITION.encode())
        text = log.register_schema("text", "jsonschema", b"{}")
        other = log.register_channel("/text", "json", text)
        a = log.register_channel("/a", "cdr", schema)
        rare = log.register_channel("/rare", "cdr", schema)
        log.add_message(other, START, b"{}", START)
        for t in range(1000, 3001):
            log.add_message(a, t * MS, cdr_of(t), t * MS)
            if t in (1005, 2500):
                log.add_message(rare, t * MS, cdr_of(-t), t * MS)
        log.finish()


class Replayed:
    def __init__(self, owner, log, *arguments):
        self.process = Background(owner, [PROGRAM, "replay", log, "--viewers", "127.0.0.1:0", *arguments],
                                  stdout=subprocess.PIPE, text=True)
        self.said = ""
        while not (found := re.search(r"wss?://\S+:(\d+)", self.said)):
            line = self.process.stdout.readline()
            assert line, self.said
            self.said += line
        self.port = int(found[1])
        owner.addCleanup(self.end)

    def open(self, protocol=PROTOCOLS[0]):
        return websockets.connect(f"ws://127.0.0.1:{self.port}", subprotocols=[protocol], max_size=None,
                                  compression=None)

    def memory(self):
        """[kB] of the process, the most so far."""
        return int(re.search(r"VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{self.process.pid}/status").read_text())[1])

    def end(self):
        self.process.send_signal(signal.SIGINT)
        self.process.stdout.read()
        self.process.stdout.close()
        assert self.process.wait(timeout=30) == 0


class Viewer:
    """Gives what comes, in order: ("state", ...), ("message", topic, time, value), ("time", t), ("status", text)."""

    def __init__(self, connection):
        self.connection, self.channels, self.info = connection, {}, None

    async def begin(self):
        while not (self.info and self.channels):
            await self.next()
        return self

    async def next(self):
        message = await asyncio.wait_for(self.connection.recv(), PATIENCE)
        if isinstance(message, str):
            told = json.loads(message)
            if told["op"] == "serverInfo":
                self.info = told
            elif told["op"] == "advertise":
                self.channels |= {one["topic"]: one for one in told["channels"]}
            return told["op"], told.get("message")
        if message[0] == 1:
            number, stamp = struct.unpack("<IQ", message[1:13])
            topic = next(one for one, channel in self.channels.items() if channel["id"] == number - 1000)
            return "message", topic, stamp, TYPES.deserialize_cdr(message[13:], self.channels[topic]["schemaName"]).q
        if message[0] == 2:
            return "time", struct.unpack("<Q", message[1:])[0]
        assert message[0] == 5, message
        return "state", *state_of(message)

    async def until(self, wanted):
        """All that comes, to the first thing that is wanted."""
        came = []
        while not came or not wanted(came[-1]):
            came.append(await self.next())
        return came

    async def state(self, id=None):
        return (await self.until(lambda one: one[0] == "state" and (id is None or one[5] == id)))[-1]

    async def subscribe(self, *topics):
        await self.connection.send(json.dumps({"op": "subscribe", "subscriptions": [
            {"id": 1000 + self.channels[topic]["id"], "channelId": self.channels[topic]["id"]} for topic in topics]}))

    async def wish(self, command, speed=1.0, seek=None, id="w"):
        await self.connection.send(b"\x03" + struct.pack("<BfBQI", command, speed, seek is not None, seek or 0, len(id))
                                   + id.encode())


def state_of(message):
    """Status, time, speed, did_seek, id."""
    status, now, speed, did_seek, length = struct.unpack("<BQfBI", message[1:19])
    assert len(message) == 19 + length
    return status, now, round(speed, 6), did_seek, message[19:].decode()


def messages_of(came):
    return [one[1:] for one in came if one[0] == "message"]


def is_end(one):
    return one[0] == "state" and one[1] == ENDED


class Replay(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.log = os.path.join(folder.name, "run.mcap")
        write_log(cls.log)

    def play(self, act, *arguments, protocol=PROTOCOLS[0], log=None):
        replayed = Replayed(self, log or self.log, *arguments)

        async def session():
            async with replayed.open(protocol) as connection:
                return await act(await Viewer(connection).begin())
        return asyncio.run(session())

    def test_the_opening_and_the_state_are_those_of_the_reference_server(self):
        reference = foxglove.start_server(host="127.0.0.1", port=0, supported_encodings=["cdr"],
                                          capabilities=[Capability.PlaybackControl, Capability.Time],
                                          playback_time_range=(START, END))

        async def theirs():
            address = f"ws://127.0.0.1:{reference.port}"
            async with websockets.connect(address, subprotocols=[PROTOCOLS[0]]) as viewer:
                info = json.loads(await asyncio.wait_for(viewer.recv(), PATIENCE))
                return info, await asyncio.wait_for(told(viewer), PATIENCE)

        async def told(viewer):
            """The state, said again until it comes: a viewer is greeted before it is one of those who are told."""
            while True:
                reference.broadcast_playback_state(PlaybackState(PlaybackStatus.Paused, START, 2.0, True, "w"))
                with contextlib.suppress(TimeoutError):
                    while isinstance(state := await asyncio.wait_for(viewer.recv(), 0.2), str):
                        pass
                    return state

        async def ours(viewer):
            await viewer.wish(1, 2.0, START)
            while not isinstance(state := await asyncio.wait_for(viewer.connection.recv(), PATIENCE), bytes) \
                    or state[0] != 5 or state_of(state)[4] != "w":
                pass
            return viewer.info, state
        (their_info, their_state), (our_info, our_state) = asyncio.run(theirs()), self.play(ours, "--paused")
        reference.stop()
        self.assertEqual(our_state, their_state)
        self.assertEqual(our_info.keys(), their_info.keys())
        for key in ("capabilities", "supportedEncodings", "dataStartTime", "dataEndTime"):
            self.assertEqual(our_info[key], their_info[key])

    def test_each_message_comes_once_and_in_order_and_then_the_end(self):
        async def watch(viewer):
            await viewer.subscribe("/a", "/rare")
            return await viewer.until(is_end)
        expected = sorted([("/a", t * MS, t) for t in range(1000, 3001)]
                          + [("/rare", t * MS, -t) for t in (1005, 2500)], key=lambda one: one[1])
        for protocol in PROTOCOLS:
            came = self.play(watch, "--speed", "10", protocol=protocol)
            self.assertEqual(messages_of(came), expected)
            self.assertEqual(came[-1], ("state", ENDED, END, 10.0, 0, ""))

    def test_what_is_no_ros_message_is_left_out_and_told(self):
        async def topics(viewer):
            return set(viewer.channels)
        self.assertEqual(self.play(topics), {"/a", "/rare"})
        self.assertIn("/text", Replayed(self, self.log).said)

    def test_a_paused_log_shows_the_time_that_is_sought(self):
        async def seek(viewer):
            await viewer.subscribe("/a", "/rare")
            first = [await viewer.until(lambda one: one[0] == "message")]
            came = []
            for t in (2000, 1004, 3000, 2500):
                await viewer.wish(1, 1.0, t * MS, f"to {t}")
                came.append((await viewer.state(f"to {t}"), await viewer.next(),
                             [await viewer.next() for _ in range(2 if t != 1004 else 1)]))
            return messages_of(first[0]), came
        first, came = self.play(seek, "--paused")
        self.assertEqual(first, [("/a", 1000 * MS, 1000)])
        for (state, now, seen), (t, rare) in zip(came, [(2000, 1005), (1004, None), (3000, 2500), (2500, 2500)],
                                                 strict=True):
            self.assertEqual(state, ("state", PAUSED, t * MS, 1.0, 1, f"to {t}"))
            self.assertEqual(now, ("time", t * MS))
            expected = {("/a", t * MS, t)} | ({("/rare", rare * MS, -rare)} if rare else set())
            self.assertEqual(set(messages_of(seen)), expected)

    def test_after_a_step_comes_nothing_of_before(self):
        async def jump(viewer):
            await viewer.subscribe("/a")
            came = []
            for number, t in enumerate((2500, 1200, 2900, 1500, 2990)):
                await viewer.until(lambda one: one[0] == "message")
                await viewer.wish(0, 10.0, t * MS, str(number))
                await viewer.state(str(number))
                came.append((t, await viewer.until(lambda one: one[0] == "message" and one[2] % (10 * MS) == 0)))
            return came, await viewer.until(is_end)
        came, last = self.play(jump)
        for t, seen in came:
            self.assertEqual([one[1] for one in messages_of(seen)], [t * MS])
        self.assertEqual(messages_of(last), [("/a", t * MS, t) for t in range(2991, 3001)])

    def test_what_makes_no_sense_is_told_and_changes_nothing(self):
        async def ask(viewer):
            await viewer.wish(1, 0.5, 1500 * MS, "first")
            await viewer.state("first")
            answers = []
            for speed, seek in [(math.nan, None), (-1.0, None), (0.0, None), (11.0, None), (math.inf, 2000 * MS),
                                (1.0, START - 1), (1.0, END + 1), (1.0, 2**64 - 1)]:
                await viewer.wish(0, speed, seek, "bad")
                came = await viewer.until(lambda one: one[0] == "state" and one[5] == "bad")
                answers.append((next(one[1] for one in came if one[0] == "status"), came[-1]))
            for message in (b"\x03", b"\x03" + bytes(17), b"\x03\x02" + bytes(17), b"\x03\x00" + struct.pack(
                    "<fBQI", 1.0, 0, 0, 9) + b"short", b"\x02" + struct.pack("<III", 1, 5, 3) + b"cdr",
                    json.dumps({"op": "getParameters", "parameterNames": []})):
                await viewer.connection.send(message)
                await viewer.until(lambda one: one[0] in ("status", "serviceCallFailure"))
            return answers
        for sentence, state in self.play(ask, "--paused"):
            self.assertRegex(sentence, "the (speed|time) .* is outside of .*: choose")
            self.assertEqual(state, ("state", PAUSED, 1500 * MS, 0.5, 0, "bad"))

    def test_at_the_end_it_stays_until_it_is_sent_elsewhere(self):
        async def end(viewer):
            await viewer.subscribe("/a")
            await viewer.wish(0, 10.0, 2990 * MS)
            await viewer.until(is_end)
            await viewer.wish(0, 1.0, None, "again")
            still = await viewer.state("again")
            await viewer.wish(0, 10.0, 2995 * MS, "back")
            back = await viewer.state("back")
            return still, back, messages_of(await viewer.until(is_end))
        still, back, again = self.play(end)
        self.assertEqual(still, ("state", ENDED, END, 1.0, 0, "again"))
        self.assertEqual(back, ("state", PLAYING, 2995 * MS, 10.0, 1, "back"))
        self.assertEqual(again, [("/a", t * MS, t) for t in range(2995, 3001)])

    def test_all_viewers_see_one_time_and_a_late_one_its_state(self):
        replayed = Replayed(self, self.log, "--paused")

        async def two():
            async with replayed.open() as one, replayed.open() as other:
                first, second = await Viewer(one).begin(), await Viewer(other).begin()
                await second.state()
                await first.wish(1, 1.0, 2600 * MS, "mine")
                states = await first.state("mine"), await second.state()
                await second.subscribe("/rare", "/a")
                late = await second.until(lambda thing: thing[0] == "message" and thing[1] == "/rare")
                late += await second.until(lambda thing: thing[0] == "message") if len(messages_of(late)) < 2 else []
                await first.wish(1, 1.0, None, "quiet")  # the first subscribed to nothing
                quiet = await first.until(lambda thing: thing[0] == "state" and thing[5] == "quiet")
                return states, late, quiet
        states, late, quiet = asyncio.run(two())
        self.assertEqual([state[1:5] for state in states], [(PAUSED, 2600 * MS, 1.0, 1)] * 2)
        self.assertEqual([state[5] for state in states], ["mine", ""])
        self.assertEqual(set(messages_of(late)), {("/rare", 2500 * MS, -2500), ("/a", 2600 * MS, 2600)})
        self.assertEqual(messages_of(quiet), [])

    def test_who_comes_after_the_end_finds_the_begin(self):
        replayed = Replayed(self, self.log, "--speed", "10")

        async def watch():
            async with replayed.open() as connection:
                viewer = await Viewer(connection).begin()
                await viewer.subscribe("/a")
                return messages_of(await viewer.until(is_end))
        first = asyncio.run(watch())
        self.assertEqual(asyncio.run(watch()), first)
        self.assertEqual(len(first), 2001)

    def test_a_log_that_was_cut_off_plays_to_its_last_chunk(self):
        cut = self.log + ".cut"
        with open(self.log, "rb") as whole, open(cut, "wb") as part:
            part.write(whole.read()[:os.path.getsize(self.log) // 2])
        self.addCleanup(os.remove, cut)

        async def watch(viewer):
            await viewer.subscribe("/a", "/rare")
            return messages_of(await viewer.until(is_end))
        seen = self.play(watch, "--speed", "10", log=cut)
        numbers = [value for topic, _, value in seen if topic == "/a"]
        self.assertEqual(numbers, list(range(1000, 1000 + len(numbers))))
        self.assertGreater(len(numbers), 100)

    def test_a_large_log_costs_no_more_memory_than_a_small_one(self):
        large = os.path.join(os.path.dirname(self.log), "large.mcap")
        self.addCleanup(os.remove, large)
        with open(large, "wb") as stream:
            log = Writer(stream, chunk_size=1 << 20, compression=CompressionType.NONE)
            log.start()
            channel = log.register_channel("/a", "cdr", log.register_schema("x/msg/J", "ros2msg", DEFINITION.encode()))
            for t in range(1500):  # 150 MB
                log.add_message(channel, t * MS, cdr_of(t) + bytes(100_000), t * MS)
            log.finish()

        def most_after(path):
            replayed = Replayed(self, path, "--speed", "10")

            async def watch():
                async with replayed.open() as connection:
                    viewer = await Viewer(connection).begin()
                    await viewer.subscribe("/a")
                    while (await connection.recv())[:2] != b"\x05\x03":
                        pass
            asyncio.run(watch())
            return replayed.memory()
        self.assertLess(most_after(large) - most_after(self.log), 40_000)  # [kB]; queue, socket and chunks

    def test_a_viewer_that_reads_nothing_holds_nobody_up_and_then_gets_what_it_steps_to(self):
        large = os.path.join(os.path.dirname(self.log), "fast.mcap")
        self.addCleanup(os.remove, large)
        with open(large, "wb") as stream:  # 100 MB in a second: more than queue and sockets hold
            log = Writer(stream, chunk_size=1 << 20, compression=CompressionType.NONE)
            log.start()
            channel = log.register_channel("/a", "cdr", log.register_schema("x/msg/Large", "ros2msg", LARGE.encode()))
            for t in range(1000):
                log.add_message(channel, t * MS, cdr_of(t) + struct.pack("<I", 100_000) + bytes(100_000), t * MS)
            log.finish()
        replayed = Replayed(self, large, "--paused")
        sleeper_options = {"subprotocols": [PROTOCOLS[0]], "max_size": None, "compression": None, "max_queue": 1}

        async def two():
            async with websockets.connect(f"ws://127.0.0.1:{replayed.port}", **sleeper_options) as asleep, \
                    replayed.open() as awake:
                sleeper, viewer = await Viewer(asleep).begin(), await Viewer(awake).begin()
                await sleeper.subscribe("/a")
                await sleeper.until(lambda one: one[0] == "message")  # then it reads no more
                await viewer.wish(0, 1.0, None, "go")
                await viewer.until(is_end)
                await viewer.wish(1, 1.0, 500 * MS, "back")
                await viewer.state("back")
                return await sleeper.until(lambda one: one[0] == "state" and one[4] == 1), \
                    await sleeper.until(lambda one: one[0] == "message")
        before, after = asyncio.run(two())
        numbers = [value for _, _, value in messages_of(before)]
        self.assertEqual(numbers, sorted(set(numbers)))
        self.assertLess(len(numbers), 500)  # the rest was dropped, and thrown away by the step
        self.assertEqual(messages_of(after), [("/a", 500 * MS, 500)])

    def refused(self, *arguments):
        done = subprocess.run([PROGRAM, "replay", *arguments], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 2)
        return done.stderr

    def test_what_can_not_be_replayed_is_told(self):
        self.assertIn("no such file", self.refused("/no/such.mcap").lower())
        self.assertIn("is not an MCAP log", self.refused(__file__))
        for word in ("--viewers", "could read the log:", "--tls-cert", "--token-file"):
            self.assertIn(word, self.refused(self.log, "--viewers", "0.0.0.0:0"))
        for speed in ("0", "nan", "11", "-1"):
            self.assertIn("--speed", self.refused(self.log, "--speed", speed))
        empty = self.log + ".empty"
        self.addCleanup(os.remove, empty)
        with open(empty, "wb") as stream:
            log = Writer(stream)
            log.start()
            log.finish()
        self.assertIn("has no messages to replay", self.refused(empty))


if __name__ == "__main__":
    unittest.main()
