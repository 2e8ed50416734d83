"""A viewer that commands the robot: parameters, services and the lease, as any client of the Foxglove WebSocket has them.

    viewer_command_test.py PATH_TO_THE_PROGRAM
"""

import asyncio
import contextlib
import json
import os
import pathlib
import signal
import struct
import subprocess
import sys
import textwrap
import time
import unittest

import jointrig
import numpy as np
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from background import Background  # noqa: E402
from viewers import PATIENCE, PROTOCOLS, Served  # noqa: E402

SPEED = "panda_joint1/velocity_max"
AT_MOST = 2.175  # [rad/s] of that joint, by the robot's data sheet
# Cycles that a busy machine may be late.
SLACK = 100
LONGEST_SILENCE = 200
MOST_AT_ONCE = 24  # parameters of one message


class Viewer:
    """A connection with the services that it was told of."""

    def __init__(self, connection):
        self._connection, self._calls, self._questions = connection, 0, 0
        self.fell_silent = False  # the machine did something else for a fifth of a second
        self._types = get_typestore(Stores.ROS2_HUMBLE)

    async def open(self):
        told = await self.next("advertiseServices")
        self.services = {one["name"]: one for one in told["services"]}
        return self

    async def read(self, seconds=PATIENCE):
        message = await asyncio.wait_for(self._connection.recv(), seconds)
        if isinstance(message, bytes):
            return message
        told = json.loads(message)
        if told.get("id") == "lease" and told["level"] == 1 and "silent" in told["message"]:
            self.fell_silent = True
        return told

    async def next(self, *wanted):
        """The next text of one of these operations, or binary message that begins with one of these bytes."""
        end = time.monotonic() + PATIENCE
        while True:
            message = await self.read(end - time.monotonic())
            if (message[0] if isinstance(message, bytes) else message["op"]) in wanted:
                return message

    async def send(self, message):
        await self._connection.send(message if isinstance(message, (str, bytes)) else json.dumps(message))

    async def rest(self, seconds):
        """It reads all the while, as viewers do: one whose queue is full answers no ping. Sentences of refusals."""
        sentences, end = [], time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            with contextlib.suppress(TimeoutError):
                message = await self.read(left)
                if isinstance(message, dict) and message.get("level") == 2:
                    sentences.append(message["message"])
        return sentences

    async def set(self, *parameters, **more):
        """Sentences of the refusals, and the values after them."""
        self._questions += 1
        await self.send({"op": "setParameters", "id": f"set{self._questions}", **more, "parameters": [
            {"name": name, "value": value} for name, value in parameters]})
        return await self.told_before(f"set{self._questions}")

    async def get(self, *names):
        self._questions += 1
        await self.send({"op": "getParameters", "id": f"get{self._questions}", "parameterNames": names})
        return await self.told_before(f"get{self._questions}")

    async def told_before(self, question):
        sentences = []
        while True:
            message = await self.next("status", "parameterValues")
            if message["op"] == "status":
                if message.get("id") != "lease":
                    assert message["level"] == 2, message
                    sentences.append(message["message"])
            elif message.get("id") == question:
                return sentences, {one["name"]: one["value"] for one in message["parameters"]}

    def request(self, name, **values):
        """In CDR, by another encoder, from the definition that the server gives; zeros and nothing where no value is."""
        schema = self.services[name]["request"]
        kind = schema["schemaName"].replace("/srv/", "/msg/")
        if kind not in self._types.types:
            self._types.register(get_types_from_msg(schema["schema"], kind))
        fields = {}
        for line in schema["schema"].splitlines():
            type_name, field = line.split()
            base, _, count = type_name.rstrip("]").partition("[")
            zero = {"string": "", "bool": False, "float64": 0.0}[base]
            value = values.get(field, [zero] * int(count or 0) if "[" in type_name else zero)
            is_array = isinstance(value, list) and base != "string"
            fields[field] = np.array(value, dtype=type(zero)) if is_array else value
        return bytes(self._types.serialize_cdr(self._types.types[kind](**fields), kind))

    async def call_raw(self, service, request, encoding=b"cdr"):
        self._calls += 1
        await self.send(b"\x02" + struct.pack("<III", service, self._calls, len(encoding)) + encoding + request)
        answer = await self.next(3, "serviceCallFailure")
        if isinstance(answer, dict):
            assert answer["callId"] == self._calls, answer
            return None, answer["message"]
        assert answer[1:13] == struct.pack("<III", service, self._calls, 3), answer
        length = struct.unpack_from("<I", answer, 24)[0]
        return bool(answer[20]), answer[28:28 + length - 1].decode()

    async def call(self, name, **values):
        """True or False, and the sentence."""
        return await self.call_raw(self.services[name]["id"], self.request(name, **values))


class Commands(unittest.TestCase):
    """Each test has its viewers; none of them leaves a lease behind."""

    @classmethod
    def setUpClass(cls):
        cls.served = Served(cls, robot=cls.robot())
        cls.address = cls.served.said.split('connect("')[1].split('"')[0]

    @classmethod
    def robot(cls):
        return "franka"

    @classmethod
    def tearDownClass(cls):
        code = cls.served.end()
        assert code == 0, code

    def setUp(self):
        """As it was opened, whatever the test before has set."""
        with jointrig.connect(self.address) as robot:
            robot.set_mode("all", "idle")
            robot.set_speed_override(1.0)
            robot.set_interaction("all", "stiff")
            robot.set_parameter("panda_joint1", "velocity_max", AT_MOST)
            robot.run(0.1)
        self.await_free()

    def run_with(self, act, takes=True):
        """One of three tries of a viewer that the machine leaves time enough to answer within 0.2 s."""
        viewers = []

        async def session():
            async with self.served.open() as connection:
                viewers.append(await Viewer(connection).open())
                if takes:
                    self.assertEqual(await viewers[-1].call("/take_lease"), (True, "this viewer has the lease"))
                return await act(viewers[-1])
        for _ in range(3):
            failure = None
            try:
                result = asyncio.run(session())
            except AssertionError as error:
                failure = error
            if not viewers[-1].fell_silent:
                break
            self.setUp()
        if failure is not None:
            raise failure
        self.await_free()
        return result

    def await_free(self):
        """A lease ends as its viewer's connection does."""
        with jointrig.connect(self.address, watch=True) as watcher:
            end = time.monotonic() + PATIENCE
            while watcher.holder and time.monotonic() < end:
                watcher.run(0.01)
            self.assertFalse(watcher.holder)


class Parameters(Commands):
    def test_who_only_watches_sets_nothing(self):
        async def watch(viewer):
            return await viewer.set((SPEED, 1.0), ("speed_override", 0.5)), await viewer.get(SPEED, "speed_override")
        (told, values), after = self.run_with(watch, takes=False)
        self.assertEqual(told, ["setParameters: commands need the lease, and it is free: call /take_lease first"])
        self.assertEqual(values, {SPEED: AT_MOST, "speed_override": 1.0})
        self.assertEqual(after, ([], values))

    def test_the_holder_sets_them_and_everybody_sees_it(self):
        async def both(viewer):
            async with self.served.open() as connection:
                other = await Viewer(connection).open()
                await other.send({"op": "subscribeParameterUpdates", "parameterNames": [SPEED]})
                before = await other.next("parameterValues")
                answer = await viewer.set((SPEED, 0.5), ("panda_joint2/ki", 3), ("panda_joint3/stiffness", 40.0),
                                          ("panda_joint3/interaction", "compliant"), ("speed_override", 0.25))
                return answer, before, await other.next("parameterValues")
        with jointrig.connect(self.address, watch=True) as program:
            (told, values), before, after = self.run_with(both)
            self.assertEqual(told, [])
            self.assertEqual(values, {SPEED: 0.5, "panda_joint2/ki": 3.0, "panda_joint3/stiffness": 40.0,
                                      "panda_joint3/interaction": "compliant", "speed_override": 0.25})
            self.assertEqual([message["parameters"][0]["value"] for message in (before, after)], [AT_MOST, 0.5])
            got = program.parameters()
            self.assertEqual((got["velocity_max"][0], got["ki"][1], got["stiffness"][2]), (0.5, 3.0, 40.0))

    def test_a_refusal_of_the_loop_names_joint_value_and_limit_and_the_value_stays(self):
        async def over(viewer):
            return await viewer.set((SPEED, 99.5), ("speed_override", 0.0))
        told, values = self.run_with(over)
        self.assertEqual(len(told), 2)
        for word in (SPEED, "panda_joint1", "99.5", "2.175"):
            self.assertIn(word, told[0])
        self.assertIn("0.01", told[1])
        self.assertEqual(values, {SPEED: AT_MOST, "speed_override": 1.0})

    def test_each_bad_input_is_told_once_and_sets_nothing(self):
        def one(name, value):
            return json.dumps({"op": "setParameters", "parameters": [{"name": name, "value": value}]})
        bad = [
            (one(SPEED, "fast"), "takes a number"), (one(SPEED, True), "takes a number"),
            (one(SPEED, None), "takes a number"), (one(SPEED, [1.0]), "takes a number"),
            (one("panda_joint1/mode", 3), "takes a word: idle, position"),
            (one("panda_joint1/mode", "hw_fault"), 'no word "hw_fault"'),
            (one("panda_joint1/mode", "postion"), 'did you mean "position"'),
            (one("panda_joint9/ki", 1.0), "panda_joint9"), (one("panda_joint1/kx", 1.0), "no parameter of a joint"),
            (one("speed", 1.0), "no parameter"), (one("", 1.0), "no parameter"),
            (one(SPEED, 1.0).replace("1.0", "NaN"), "NaN"), (one(SPEED, 1.0).replace("1.0", "1e999"), "infinity"),
            (one(SPEED, -1.0), "-1"), (one(SPEED, 1e308), "panda_joint1"),
            ('{"op": "setParameters"}', "no list"), ('{"op": "setParameters", "parameters": [3]}', "has a name"),
            ('{"op": "setParameters", "parameters": [{"name": 3}]}', "has a name"),
            (json.dumps({"op": "setParameters", "parameters": [{"name": SPEED, "value": 1.0}] * 25}), "24 may be"),
        ]

        async def send_all(viewer):
            for message, word in bad:
                await viewer.send(message)
                told = await viewer.rest(0.2)  # the loop's answer
                more, values = await viewer.get(SPEED, "panda_joint1/mode")
                told += more
                self.assertEqual(len(told), 1, (message, told))
                self.assertIn(word, told[0].replace("−", "-"), message)
                self.assertEqual(values, {SPEED: AT_MOST, "panda_joint1/mode": "idle"}, message)
        self.run_with(send_all)

    def test_a_flood_of_them_is_answered_and_the_robot_goes_on(self):
        """More than the loop is given: what is too much is refused, and nothing is left without an answer."""
        messages = 900
        names = [f"panda_joint{1 + i % 7}/{name}" for i, name in enumerate(
            ["ki", "kd", "kp", "velocity_max"] * (MOST_AT_ONCE // 4))]

        async def flood(viewer):
            text = json.dumps({"op": "setParameters", "id": "flood", "parameters": [
                {"name": name, "value": 0.4} for name in names]})
            refused = answered = 0
            for _ in range(messages):
                await viewer.send(text)
            while answered < messages:
                message = await viewer.next("status", "parameterValues")
                answered += message["op"] == "parameterValues"
                refused += message["op"] == "status" and "commands a second" in message["message"]
            return refused, await viewer.get("panda_joint1/ki")
        with jointrig.connect(self.address, watch=True) as program:
            begin, clock = program.time, time.monotonic()
            refused, (told, values) = self.run_with(flood)
            program.run(0.1)
            self.assertAlmostEqual(program.time - begin, time.monotonic() - clock, delta=0.5)
        self.assertGreater(refused, 0)
        self.assertEqual((told, list(values)), ([], ["panda_joint1/ki"]))


class Services(Commands):
    def test_a_service_goes_by_the_definition_that_it_was_told_with(self):
        async def move(viewer):
            before = await viewer.call("/move", joints=["panda_joint1"], goal=[0.3], speed=[1.0])
            on = await viewer.call("/set_mode", joints=["arm"], mode="position")
            await viewer.rest(0.5)
            told = await viewer.get("panda_joint1/mode")
            going = await viewer.call("/move", joints=["panda_joint1"], goal=[0.3], speed=[1.0])
            await viewer.rest(2.0)
            return before, on, told, going
        with jointrig.connect(self.address, watch=True) as program:
            before, on, told, going = self.run_with(move)
            program.run(0.05)
            self.assertAlmostEqual(program.q[0], 0.3, delta=0.01)
        self.assertFalse(before[0])
        self.assertIn("idle, which takes no move", before[1])
        self.assertEqual((on, going), ((True, "accepted"),) * 2)
        self.assertEqual(told, ([], {"panda_joint1/mode": "position"}))

    def test_who_only_watches_calls_nothing_but_stop(self):
        async def try_all(viewer):
            return [await viewer.call("/set_mode", joints=["arm"], mode="position"), await viewer.call("/release_lease"),
                    await viewer.call("/stop")]
        refused, released, stopped = self.run_with(try_all, takes=False)
        self.assertEqual(refused, (False, "set_mode: commands need the lease, and it is free: call /take_lease first"))
        self.assertEqual(released, (False, "this client doesn't hold the lease"))
        self.assertEqual(stopped, (True, "the robot stops"))

    def test_every_service_can_be_called_and_answers(self):
        """With what a viewer fills in by itself: zeros, empty texts, empty lists."""
        async def call_each(viewer):
            others = {"/stop", "/take_lease", "/take_over_lease", "/release_lease", "/save_parameters"}
            return {name: await viewer.call(name) for name in viewer.services.keys() - others}
        answers = self.run_with(call_each)
        self.assertIn("/set_mode", answers)
        self.assertIn("/set_tool_stiffness", answers)
        for left_out in ("/torque", "/follow_plan", "/pelvis_height", "/switch_law"):
            self.assertNotIn(left_out, answers)
        for name, (done, sentence) in answers.items():
            self.assertIsNotNone(done, (name, sentence))
            self.assertTrue(sentence, name)

    def test_each_bad_call_is_answered_once_and_commands_nothing(self):
        async def call_all(viewer):
            number = viewer.services["/set_mode"]["id"]
            good = viewer.request("/set_mode", joints=["arm"], mode="position")
            for request, word in [
                    (b"", "no CDR"), (good[:5], "cut off"), (good[:-3], "cut off"), (b"\x00\x00" + good[2:], "no CDR"),
                    (good[:4] + struct.pack("<I", 2**32 - 1) + good[8:], "cut off"),
                    (viewer.request("/set_mode", joints=["arm"], mode="walk"), 'no word "walk"'),
                    (viewer.request("/set_mode", joints=["leg"], mode="idle"), "leg"),
                    (viewer.request("/set_mode", joints=["arm", "arm"], mode="idle"), "named twice")]:
                done, sentence = await viewer.call_raw(number, request)
                self.assertIs(done, False, sentence)
                self.assertIn(word, sentence)
            for service, encoding, word in [(number, b"json", "cdr"), (99, b"cdr", "no service 99"),
                                            (2**32 - 1, b"cdr", "no service"), (0, b"cdr", "no service 0")]:
                done, sentence = await viewer.call_raw(service, good, encoding)
                self.assertIsNone(done)
                self.assertIn(word, sentence)
            done, sentence = await viewer.call("/move", joints=["panda_joint1"], goal=[float("nan")], speed=[0.0])
            self.assertIs(done, False)
            self.assertIn("panda_joint1", sentence)
            return await viewer.get("panda_joint1/mode")
        self.assertEqual(self.run_with(call_all)[1], {"panda_joint1/mode": "idle"})


class Leases(Commands):
    def test_one_has_it_and_taking_over_is_told_to_both(self):
        async def two(viewer):
            async with self.served.open() as connection:
                other = await Viewer(connection).open()
                refused = await other.call("/take_lease")
                over = await other.call("/take_over_lease")
                lost = await viewer.next("status")
                while lost["level"] != 1:
                    lost = await viewer.next("status")
                return refused, over, lost, await viewer.set((SPEED, 1.0)), await other.set((SPEED, 1.0))
        refused, over, lost, of_the_first, of_the_second = self.run_with(two)
        self.assertFalse(refused[0])
        self.assertIn("holds the lease", refused[1])
        self.assertTrue(over[0])
        self.assertIn("took the lease over from", lost["message"])
        self.assertEqual(lost["id"], "lease")
        self.assertIn("take_over_lease", of_the_first[0][0])
        self.assertEqual(of_the_second, ([], {SPEED: 1.0}))

    def test_viewers_and_programs_share_one_lease(self):
        async def refused(viewer):
            return await viewer.call("/take_lease"), await viewer.set((SPEED, 0.9))

        async def over(viewer):
            return await viewer.call("/take_over_lease")
        with jointrig.connect(self.address, name="anna") as anna:
            async def session(act):
                async with self.served.open() as connection:
                    return await act(await Viewer(connection).open())
            (taken, why), (told, values) = asyncio.run(session(refused))
            self.assertEqual((taken, len(told)), (False, 1))
            for sentence in (why, told[0]):
                self.assertIn("anna", sentence)
            self.assertEqual(values[SPEED], anna.parameters()["velocity_max"][0])
            self.assertTrue(asyncio.run(session(over))[0])
            with self.assertRaises(jointrig.NoLease):
                anna.set_parameter("panda_joint1", "velocity_max", 0.8)
            anna.run(0.1)
            lost = [event for event in anna.events() if event.kind == "lease_lost"]
            self.assertTrue(lost)
        self.await_free()

    def test_the_stop_of_anybody_ends_it(self):
        async def two(viewer):
            async with self.served.open() as connection:
                other = await Viewer(connection).open()
                return await other.call("/stop"), await viewer.set((SPEED, 1.0))
        stopped, (told, _) = self.run_with(two)
        self.assertTrue(stopped[0])
        self.assertIn("call /take_lease first", told[0])

    def test_a_viewer_that_lives_keeps_it_without_a_word(self):
        async def idle(viewer):
            await viewer.rest(1.5)
            return await viewer.set((SPEED, 1.1))
        self.assertEqual(self.run_with(idle), ([], {SPEED: 1.1}))

    def holder(self):
        """A process that takes the lease, tells so, and does nothing more."""
        script = textwrap.dedent(f"""
            import asyncio, struct, websockets

            async def hold():
                async with websockets.connect("ws://127.0.0.1:{self.served.port}", subprotocols=["{PROTOCOLS[0]}"],
                                              max_size=None, compression=None) as viewer:
                    await viewer.send(b"\\x02" + struct.pack("<III", 2, 1, 3) + b"cdr" + bytes([0, 1, 0, 0, 0]))
                    async for message in viewer:
                        if isinstance(message, bytes) and message[0] == 3:
                            print(message[20], flush=True)
            asyncio.run(hold())
            """)
        process = Background(self, [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
        self.assertEqual(process.stdout.readline(), "1\n")
        return process

    def ends_after(self, blow):
        """Cycles from the blow to the end of the lease, and its event."""
        with jointrig.connect(self.address, watch=True, rate=0) as watcher:
            process = self.holder()
            watcher.run(0.3)
            self.assertTrue(watcher.holder.startswith("viewer"), watcher.holder)
            watcher.events()
            watcher.update()
            begin = watcher.cycle
            os.kill(process.pid, blow)
            watcher.run(0.6)
            events = watcher.events()
            lost = next(event for event in events if event.kind == "lease_lost")
            stop = next(event for event in events if event.kind == "accepted" and event.command == "stop")
            self.assertLessEqual(stop.cycle - lost.cycle, 1)
            self.assertFalse(watcher.holder)
            os.kill(process.pid, signal.SIGKILL)
            return lost.cycle - begin, lost.sentence

    def test_a_viewer_that_is_frozen_loses_it_after_the_longest_silence(self):
        cycles, sentence = self.ends_after(signal.SIGSTOP)
        self.assertLessEqual(cycles, LONGEST_SILENCE + 1 + SLACK)
        self.assertGreater(cycles, LONGEST_SILENCE - SLACK)
        self.assertIn("0.2 s", sentence)

    def test_a_viewer_that_is_killed_loses_it_at_once(self):
        cycles, sentence = self.ends_after(signal.SIGKILL)
        self.assertLessEqual(cycles, LONGEST_SILENCE + 1)
        self.assertIn("viewer", sentence)


if __name__ == "__main__":
    unittest.main()
