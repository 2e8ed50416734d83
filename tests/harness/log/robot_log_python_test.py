"""Robot logs read by the packages mcap and mcap-ros2-support, and docs/logging.md held to them.

    robot_log_python_test.py PATH_TO_ROBOT_LOG_TOOL
"""

import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import unittest

from mcap.exceptions import McapError
from mcap.reader import NonSeekingReader, SeekingReader
from mcap_ros2.decoder import DecoderFactory

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "mcap"))
from message_field import pick  # noqa: E402

TOOL = sys.argv.pop(1)
ROOT = str(pathlib.Path(__file__).resolve().parents[3])
CYCLES = 1000
# The field that a prefix of constants belongs to.
FIELDS = {"MODE": "mode", "INTERACTION": "interaction", "BOARD": "board_status", "DRIVE": "drive",
          "FAULT": "fault", "KIND": "kind", "COMMAND": "command", "REASON": "reason",
          "QUANTITY": "quantity"}


def tool(*arguments):
    return subprocess.run([TOOL, *arguments], check=True, capture_output=True, text=True).stdout


def open_reader(stream, kind=SeekingReader):
    return kind(stream, decoder_factories=[DecoderFactory()])


def constants(schema_text):
    """{"MODE_IDLE": 0, ...} of the outer message."""
    own = schema_text.split("=" * 80)[0]
    return {name: int(value) for name, value in re.findall(r"^uint8 (\w+)=(\d+)$", own, re.M)}


class Log(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = os.path.join(cls.folder.name, "run.mcap")
        cls.expected = os.path.join(cls.folder.name, "expected.txt")
        tool("run", cls.path, cls.expected, str(CYCLES))
        cls.messages, cls.constants = {}, {}
        with open(cls.path, "rb") as stream:
            for schema, channel, message, ros in open_reader(stream).iter_decoded_messages():
                key = (channel.topic, message.log_time)
                assert key not in cls.messages, f"two messages at {key}"
                assert message.log_time == message.publish_time
                cls.messages[key] = ros
                cls.constants[channel.topic] = constants(schema.data.decode())

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def check(self, topic, time_ns, field, value):
        message = self.messages[topic, time_ns]
        if field in ("LIMIT", "NO_LIMIT"):
            bit = self.constants[topic]["LIMIT_" + value.upper()]
            self.assertEqual(bool(message.limits & bit), field == "LIMIT")
        elif field in FIELDS:
            name = "kind" if (topic, field) == ("/commands", "COMMAND") else FIELDS[field]
            number = self.constants[topic][f"{field}_{value.upper()}"]
            self.assertEqual(getattr(message, name), number, (topic, time_ns, field))
        else:
            self.assertEqual(self.as_text(pick(message, field)), value, (topic, time_ns, field))

    @staticmethod
    def as_text(value):
        if isinstance(value, float):
            return value.hex()
        return str(int(value)) if isinstance(value, (bool, int)) else value

    def test_every_value_is_equal_to_the_bit(self):
        count, topics = 0, set()
        with open(self.expected, encoding="utf-8") as lines:
            for line in lines:
                topic, time_ns, field, value = line.rstrip("\n").split(" ", 3)
                kind, value = value.split(":", 1)
                self.check(topic, int(time_ns), field,
                           float.fromhex(value).hex() if kind == "f" else value)
                count += 1
                topics.add(topic)
        self.assertGreater(count, CYCLES * 7 * 25)
        self.assertLessEqual({"/j/joint0", "/j/joint6", "/joint_states", "/events", "/event_data",
                              "/commands", "/loop"}, topics)

    def test_each_cycle_has_a_message_of_each_joint_and_of_the_loop(self):
        for topic in [f"/j/joint{i}" for i in range(7)] + ["/loop"]:
            times = sorted(t for name, t in self.messages if name == topic)
            self.assertEqual(times, [i * 1_000_000 for i in range(CYCLES)], topic)

    def test_joint_states_come_at_100_hz(self):
        times = sorted(t for name, t in self.messages if name == "/joint_states")
        self.assertEqual(times, [i * 10_000_000 for i in range(CYCLES // 10)])

    def test_metadata_and_attachments_tell_the_run(self):
        with open(self.path, "rb") as stream:
            reader = open_reader(stream)
            metadata = {record.name: record.metadata for record in reader.iter_metadata()}
            attachments = {a.name: a.data for a in reader.iter_attachments()}
        self.assertEqual(metadata["robot"]["name"], "synthetic")
        self.assertEqual(metadata["robot"]["period_ns"], "1000000")
        self.assertEqual(metadata["run"], {"seed": "42", "scenario": "synthetic.yaml"})
        self.assertEqual(metadata["log"]["cycles"], str(CYCLES))
        self.assertEqual(metadata["log"]["dropped_cycles"], "0")
        self.assertEqual(attachments, {"robot.yaml": b"joints: {}\n"})


class Killed(unittest.TestCase):
    def test_a_log_is_readable_to_within_about_a_second_of_a_kill(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.mcap")
            with subprocess.Popen([TOOL, "endless", path], stdout=subprocess.PIPE, text=True) as run:
                last = 0
                while last < 3_000_000_000:
                    last = int(run.stdout.readline())
                run.send_signal(signal.SIGKILL)
                for line in run.stdout:
                    last = int(line)
            seen = 0
            with open(path, "rb") as stream:
                try:
                    for _, _, message, _ in open_reader(
                            stream, NonSeekingReader).iter_decoded_messages(log_time_order=False):
                        seen = max(seen, message.log_time)
                except McapError:
                    pass  # the file ends without an end
            self.assertGreater(last, 1_500_000_000)
            # A second of chunk, and what a busy machine adds to it.
            self.assertGreater(seen, last - 1_300_000_000)


class Documents(unittest.TestCase):
    def test_the_tables_are_those_of_the_code(self):
        with open(os.path.join(ROOT, "docs", "logging.md"), encoding="utf-8") as file:
            text = file.read()
        between = text.split("<!-- fields -->\n")[1].split("<!-- end of fields -->")[0]
        self.assertEqual(between.strip(), tool("fields").strip(),
                         "run `robot_log_tool fields` and put what it prints between the marks")

    def test_the_python_example_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.mcap")
            tool("run", path, os.path.join(folder, "expected.txt"), "200")
            example = os.path.join(ROOT, "docs", "read_log.py")
            out = subprocess.run([sys.executable, "-B", example, path, "joint3"], check=True,
                                 capture_output=True, text=True).stdout
        self.assertIn("joint3: 200 cycles", out)
        self.assertRegex(out, r"\d\.\d{3} s  joint\d: ")


if __name__ == "__main__":
    unittest.main()
