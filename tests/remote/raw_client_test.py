"""A client in another language, by gRPC alone and the definition of the service: what docs/remote.md tells of it, and the
limits that our own clients never meet.

    raw_client_test.py PATH_TO_THE_PROGRAM
"""

import pathlib
import queue
import subprocess
import sys
import tempfile
import unittest

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
from served import Served  # noqa: E402

PATIENCE = 30.0  # [s] for an answer on a busy machine
LARGEST = 64 * 1024  # bytes of a message to the server


def messages_of(definition):
    """The messages of a .proto file, by their names."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder, "set")
        subprocess.run(["protoc", f"--proto_path={definition.parent}", f"--descriptor_set_out={out}", definition.name],
                       check=True)
        files = descriptor_pb2.FileDescriptorSet.FromString(out.read_bytes())
    return message_factory.GetMessages(files.file, pool=descriptor_pool.DescriptorPool())


TYPES = {name.rpartition(".")[2]: kind for name, kind in messages_of(ROOT / "remote/robot.proto").items()}
SERVICE = "/jointrig.remote.v1.Robot/"


class Control:
    """The one stream of a client."""

    def __init__(self, channel):
        self._wishes = queue.Queue()
        call = channel.stream_stream(SERVICE + "Control", request_serializer=lambda wish: wish.SerializeToString(),
                                     response_deserializer=TYPES["Reply"].FromString)
        self.replies = call(iter(self._wishes.get, None), timeout=4 * PATIENCE)

    def send(self, **what):
        self._wishes.put(TYPES["Wish"](**what))

    def next(self, kind):
        """The next reply of a kind."""
        for reply in self.replies:
            if reply.WhichOneof("what") == kind:
                return getattr(reply, kind)
        raise AssertionError(f"no {kind} came")

    def hello(self):
        self.send(hello={"name": "raw"})
        self.number = self.next("welcome").last_number

    def take(self):
        self.send(take={})
        while not (lease := self.next("lease")).is_answer:
            pass
        assert lease.is_yours, lease.refusal
        return lease.epoch

    def command(self, kind, epoch=0, **fields):
        self.number += 1
        self.send(command={"epoch": epoch, "number": self.number, "kind": kind, "joints": ["all"] * (kind == "stop"),
                           "fields": [{"name": name, "numbers": [number]} for name, number in fields.items()]})

    def answer(self, kind, **fields):
        """Answer to a command of the holder. A process that got no time for a while has lost the lease, and takes it again."""
        while True:
            self.command(kind, self.take(), **fields)
            answer = self.next("answer")
            if answer.reason not in ("no_lease", "stale_epoch"):
                return answer

    def end(self):
        self._wishes.put(None)
        self.replies.cancel()


class RawClient(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.served = Served(cls, "franka")
        cls.addClassCleanup(cls.served.__exit__)
        assert cls.served.address
        cls.channel = grpc.insecure_channel(cls.served.address)
        cls.addClassCleanup(cls.channel.close)

    def control(self):
        control = Control(self.channel)
        self.addCleanup(control.end)
        return control

    def call(self, name, request, answer):
        return self.channel.unary_unary(SERVICE + name, request_serializer=lambda message: message.SerializeToString(),
                                        response_deserializer=TYPES[answer].FromString)(request, timeout=PATIENCE)

    def test_it_learns_what_there_is_takes_the_lease_and_commands(self):
        robot = self.call("Describe", TYPES["DescribeRequest"](), "Description")
        self.assertEqual([robot.name, robot.joints[0].name], ["franka", "panda_joint1"])
        kinds = {command.name: [field.name for field in command.fields] for command in robot.commands}
        self.assertEqual(kinds["set_speed_override"], ["factor"])
        control = self.control()
        control.hello()
        answer = control.answer("set_speed_override", factor=0.5)
        self.assertEqual((answer.number, answer.accepted), (control.number, True), answer.sentence)
        answer = control.answer("set_speed_override", factor=7.0)
        self.assertEqual((answer.accepted, answer.reason), (False, "out_of_range"))
        self.assertIn("7", answer.sentence)
        self.assertTrue(control.answer("set_speed_override", factor=1.0).accepted)

    def test_a_message_that_is_too_large_ends_its_call_alone(self):
        other = self.control()
        other.hello()
        large = "a" * (LARGEST + 6 * 1024)
        control = self.control()
        control.send(hello={"name": large})
        with self.assertRaises(grpc.RpcError) as ended:
            control.next("welcome")
        self.assertEqual(ended.exception.code(), grpc.StatusCode.RESOURCE_EXHAUSTED)
        for name, request, answer in (("Plan", TYPES["Trajectory"](joints=[large]), "PlanTicket"),
                                      ("Stop", TYPES["StopRequest"](name=large), "Answer")):
            with self.subTest(name), self.assertRaises(grpc.RpcError) as ended:
                self.call(name, request, answer)
            self.assertEqual(ended.exception.code(), grpc.StatusCode.RESOURCE_EXHAUSTED)
        self.assertTrue(other.answer("set_speed_override", factor=1.0).accepted)


if __name__ == "__main__":
    unittest.main()
