"""Logs read by software that isn't ours: the packages mcap and mcap-ros2-support.

    foreign_reader_test.py PATH_TO_RECORD_TOOL
"""

import csv
import os
import signal
import struct
import subprocess
import sys
import tempfile
import unittest

import lz4.frame
from mcap.exceptions import EndOfFile
from mcap.reader import NonSeekingReader, SeekingReader
from mcap.records import Message
from mcap.stream_reader import StreamReader
from mcap_ros2.decoder import DecoderFactory

from message_field import pick

TOOL = sys.argv.pop(1)
COMPRESSIONS = ("", "lz4", "zstd")
NS = 10**-9


def tool(*arguments):
    return subprocess.run([TOOL, *arguments], check=True, capture_output=True, text=True).stdout


def decoded(path, reader_type=SeekingReader, **options):
    """{(topic, time): message} and the number of messages."""
    found, count = {}, 0
    with open(path, "rb") as stream:
        reader = reader_type(stream, decoder_factories=[DecoderFactory()], **options)
        for _, channel, message, ros in reader.iter_decoded_messages():
            assert message.publish_time == message.log_time
            found[channel.topic, message.log_time] = ros
            count += 1
    return found, count


def as_text(found):
    """The decoder makes its classes anew for each reader, so messages are compared as text."""
    return {key: repr(message) for key, message in found.items()}


def expectations(path):
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            topic, at, field, value = line.rstrip("\n").split(" ", 3)
            kind, text = value[0], value[2:]
            value = {"f": float.fromhex, "i": int, "s": str}[kind](text)
            yield topic, int(at), field, value


class ALog(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.log = os.path.join(folder.name, "log.mcap")
        self.other = os.path.join(folder.name, "other")

    def test_holds_every_value_to_the_bit(self):
        for compression in COMPRESSIONS:
            with self.subTest(compression=compression):
                tool("samples", self.log, self.other, compression)
                found, _ = decoded(self.log, validate_crcs=True)
                compared = 0
                for topic, at, field, value in expectations(self.other):
                    got = pick(found[topic, at], field)
                    # repr tells -0.0 from 0.0; floats print so that they read back the same.
                    got = int(got) if isinstance(got, bool) else got
                    self.assertEqual(repr(got), repr(value), (topic, at, field))
                    compared += 1
                self.assertEqual(compared, 200 * 18 + 20 * 8 + 4 * 6)
                self.assertEqual(len(found["/joint_states", 0].effort), 0)

    def test_is_the_same_by_index_and_from_start_to_end(self):
        for compression in COMPRESSIONS:
            with self.subTest(compression=compression):
                tool("samples", self.log, self.other, compression)
                by_index, count = decoded(self.log)
                streamed, streamed_count = decoded(self.log, NonSeekingReader)
                self.assertEqual(count, 224)
                self.assertEqual(streamed_count, 224)
                self.assertEqual(as_text(by_index), as_text(streamed))

    def test_counts_what_is_in_it(self):
        tool("samples", self.log, self.other, "lz4")
        with open(self.log, "rb") as stream:
            reader = SeekingReader(stream, validate_crcs=True)
            header, summary = reader.get_header(), reader.get_summary()
            attachments, metadata = list(reader.iter_attachments()), list(reader.iter_metadata())
        with open(self.log, "rb") as stream:
            records = list(StreamReader(stream, emit_chunks=True, validate_crcs=True).records)
        kinds = [type(record).__name__ for record in records]
        self.assertEqual(header.profile, "ros2")
        self.assertRegex(header.library, r"^jointrig \d+\.\d+\.\d+$")
        topics = {channel.topic: channel for channel in summary.channels.values()}
        statistics = summary.statistics
        self.assertEqual(
            {topic: statistics.channel_message_counts[c.id] for topic, c in topics.items()},
            {"/all_types": 200, "/joint_states": 20, "/events": 4})
        self.assertEqual(statistics.message_count, 224)
        self.assertEqual((statistics.schema_count, statistics.channel_count), (3, 3))
        self.assertEqual((statistics.attachment_count, statistics.metadata_count), (1, 1))
        self.assertEqual(statistics.chunk_count, kinds.count("Chunk"))
        self.assertGreater(statistics.chunk_count, 1)
        self.assertEqual(len(summary.chunk_indexes), statistics.chunk_count)
        self.assertEqual(statistics.message_start_time, 0)
        self.assertEqual(statistics.message_end_time, 199 * 10**6)
        # The registry of MCAP requires the second of every channel of the profile "ros2".
        self.assertEqual(topics["/all_types"].metadata,
                         {"joint": "elbow", "offered_qos_profiles": "[]"})
        for channel in summary.channels.values():
            self.assertIn("offered_qos_profiles", channel.metadata)
        self.assertEqual({s.name: s.encoding for s in summary.schemas.values()},
                         {"jointrig_msgs/msg/AllTypes": "ros2msg",
                          "sensor_msgs/msg/JointState": "ros2msg",
                          "rcl_interfaces/msg/Log": "ros2msg"})
        self.assertEqual(attachments[0].data, b"steps: []\n")
        self.assertEqual(attachments[0].name, "scenario.yaml")
        self.assertEqual(metadata[0].metadata, {"robot": "arm", "seed": "42"})

    def test_has_offsets_that_point_at_what_they_name(self):
        tool("samples", self.log, self.other, "lz4")
        with open(self.log, "rb") as stream:
            summary = SeekingReader(stream).get_summary()
            stream.seek(0)
            data = stream.read()
        messages = 0
        for chunk in summary.chunk_indexes:
            self.assertEqual(data[chunk.chunk_start_offset], 0x06)
            end = chunk.chunk_start_offset + chunk.chunk_length
            self.assertEqual(min(chunk.message_index_offsets.values()), end)
            for channel, offset in chunk.message_index_offsets.items():
                self.assertEqual(data[offset], 0x07)
                self.assertEqual(int.from_bytes(data[offset + 9:offset + 11], "little"), channel)
                messages += self.compare_index(data, chunk, channel, offset)
            self.assertIn(data[end + chunk.message_index_length], (0x06, 0x0F))
        self.assertEqual(messages, 224)
        self.assertEqual(data[summary.attachment_indexes[0].offset], 0x09)
        self.assertEqual(data[summary.metadata_indexes[0].offset], 0x0C)
        footer = data[-8 - 20:-8]
        start = int.from_bytes(footer[8:16], "little")
        groups = []
        while data[start] == 0x0E:
            opcode = data[start + 9]
            first = int.from_bytes(data[start + 10:start + 18], "little")
            length = int.from_bytes(data[start + 18:start + 26], "little")
            self.assertEqual(data[first], opcode)
            self.assertNotEqual(data[first + length], opcode)
            groups.append(opcode)
            start += 26
        self.assertEqual(groups, [0x03, 0x04, 0x0B, 0x08, 0x0A, 0x0D])

    def compare_index(self, data, chunk, channel, offset):
        """Each entry of a message index against the record that it points at."""
        start = chunk.chunk_start_offset + chunk.chunk_length - chunk.compressed_size
        records = lz4.frame.decompress(data[start:start + chunk.compressed_size])
        self.assertEqual(len(records), chunk.uncompressed_size)
        length = int.from_bytes(data[offset + 11:offset + 15], "little")
        entries = data[offset + 15:offset + 15 + length]
        for log_time, at in struct.iter_unpack("<QQ", entries):
            opcode, _, its_channel, _, its_time = struct.unpack_from("<BQHIQ", records, at)
            self.assertEqual((opcode, its_channel, its_time), (0x05, channel, log_time))
        return length // 16

    def test_is_readable_to_the_last_second_after_a_kill_and_whole_when_recovered(self):
        process = subprocess.Popen([TOOL, "endless", self.log], stdout=subprocess.PIPE, text=True)
        with process:
            last_written = 0
            while last_written * NS < 3.5:
                last_written = int(process.stdout.readline())
            process.send_signal(signal.SIGKILL)
            last_written = max([last_written] + [int(line) for line in process.stdout])
        self.assertEqual(process.returncode, -signal.SIGKILL)

        times = []
        with open(self.log, "rb") as stream:
            try:
                for record in StreamReader(stream).records:
                    if isinstance(record, Message):
                        times.append(record.log_time)
            except EndOfFile:
                pass
        self.assertGreater(last_written * NS, 2.0)
        # One second of a chunk's age, and what a loaded machine adds to it.
        self.assertGreater(times[-1] * NS, last_written * NS - 1.5)

        report = tool("recover", self.log, self.other)
        self.assertIn("kept", report)
        by_index, count = decoded(self.other, validate_crcs=True)
        streamed, _ = decoded(self.other, NonSeekingReader)
        self.assertEqual(as_text(by_index), as_text(streamed))
        self.assertGreaterEqual(count, len(times))
        per_topic = sorted(t for topic, t in by_index if topic == "/j/elbow")
        self.assertEqual(per_topic, [i * 10**6 for i in range(len(per_topic))])
        self.assertEqual(tool("recover", self.other, self.log + ".again"),
                         "the log is whole: nothing to recover\n")

    def test_gives_the_same_numbers_as_a_table(self):
        tool("samples", self.log, self.other, "lz4")
        found, _ = decoded(self.log)
        table = self.other + ".csv"
        tool("csv", self.log, table)
        with open(table, newline="", encoding="utf-8") as stream:
            rows = list(csv.reader(stream))
        names = rows[0]
        self.assertEqual(names[0], "time [s]")
        self.assertIn("/all_types.f64 [rad]", names)
        self.assertIn("/all_types.f32 [N·m]", names)
        self.assertIn("/all_types.force[2] [N]", names)
        self.assertEqual(len(rows) - 1, len({at for _, at in found}))
        compared = 0
        for row in rows[1:]:
            at = round(float(row[0]) * 1e9)
            for name, cell in zip(names[1:], row[1:]):
                column = name.split(" [")[0]
                topic, field = column.split(".", 1)
                message = found.get((topic, at))
                if message is None:
                    self.assertEqual(cell, "")
                    continue
                got = pick(message, field)
                if field.endswith("stamp"):
                    self.assertEqual(cell, f"{got.sec}.{got.nanosec:09d}")
                elif isinstance(got, str):
                    self.assertEqual(cell, got)
                elif field == "f32":
                    # As few digits as tell one float32 from the next: nearer than half a step.
                    self.assertLessEqual(abs(float(cell) - got), abs(got) * 2**-24)
                elif isinstance(got, float):
                    self.assertEqual(repr(float(cell)), repr(got))
                else:
                    self.assertEqual(int(cell), int(got))
                compared += 1
        self.assertEqual(compared, 200 * 17 + 20 * 8 + 4 * 7)


if __name__ == "__main__":
    unittest.main()
