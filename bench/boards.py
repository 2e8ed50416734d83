#!/usr/bin/env python3
"""How fast the way to the joint boards is: rounds over it, whole cycles, a loop at 1 kHz against the clock.

    bench/boards.py                                    some minutes; the release build
    bench/boards.py --seconds 10 --out boards.json     a shorter loop

The boards run in a process of their own (`jointrig board`), on robots made here: so many single joints, each drive on
a wire of its own that takes the time of 1 Mbit/s. Only the standard library is needed.

    floor    one frame there and back between two threads, 1 kHz (can_transport_rtt)
    trip     orders of one joint sent, until the states of the SYNC that makes them act are read
    cycle    Loop::step: SYNC, states, the stack's cycle, orders, at 7, 14 and 41 joints over UDP
    loop     7 joints at 1 kHz against the clock, boards free running: lateness, cycle, what was missed, and how much of
             a core the driver's thread and the boards' process take
    driver   the driver of 7 joints alone: a cycle's wait, read and write, less what is spent in links
"""

import argparse
import contextlib
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
WHOLE_CYCLES = (7, 14, 41)
LOOP_JOINTS = 7
# SYNC 55 bits, one order and two states of 8 bytes 135 each, all stuffed at worst; at 1 Mbit/s.
WIRE_US = 55 + 3 * 135


class Problem(Exception):
    """A mistake of the user's, in a sentence."""


def free_ports(count, kind):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket(socket.AF_INET, kind)) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def make_robot(folder, joints, slcan=False):
    """Pendulums side by side, which hang: robot.yaml and model."""
    folder.mkdir(parents=True)
    bodies = "".join(
        f'<body pos="0 {0.2 * i:.1f} 1"><joint name="joint{i}" axis="0 1 0" range="-2 2" damping="0.5"'
        ' armature="0.1"/><geom type="capsule" fromto="0 0 0 0 0 -0.3" size="0.02" mass="0.5"/></body>\n'
        for i in range(joints)
    )
    motors = "".join(f'<motor joint="joint{i}" ctrlrange="-10 10"/>\n' for i in range(joints))
    (folder / "row.xml").write_text(
        '<mujoco><compiler angle="radian"/><default><geom contype="0" conaffinity="0"/></default>\n'
        f"<worldbody>{bodies}</worldbody><actuator>{motors}</actuator></mujoco>\n"
    )
    ports = free_ports(2 * joints, socket.SOCK_DGRAM)
    lines = ["schema: 1", f"name: row{joints}", "model: row.xml",
             f"virtual_boards: 127.0.0.1:{free_ports(1, socket.SOCK_STREAM)[0]}", "joints:"]  # fmt: skip
    for i in range(joints):
        drive = f"bus: wire{i}, node: 1, encoder_increments: 65536, gear: 48, rated_torque: 0.07 Nm, life_counter: true"
        lines.append(f"  joint{i}: {{velocity_max: 2 rad/s, drive: {{{drive}}}}}")
    lines.append("buses:")
    for i in range(joints):
        address = f"cannelloni-udp:127.0.0.1:{ports[2 * i]}:{ports[2 * i + 1]}"
        if slcan:
            address = f"slcan:{folder}/adapter{i}@1000000"
        lines.append(f'  wire{i}: {{address: "{address}"}}')
    (folder / "robot.yaml").write_text("\n".join(lines) + "\n")
    return folder / "robot.yaml"


def processor_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def boards(build, robot, *options):
    process = subprocess.Popen([build / "app/jointrig", "board", robot, *options],
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)  # fmt: skip
    said = ""
    try:
        for line in process.stdout:
            said += line
            if line.startswith("ready"):
                break
        else:
            raise Problem(f"the virtual boards did not come up:\n{said}")
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)


def said_by(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Problem(f"{' '.join(str(word) for word in command)} ended with {done.returncode}:\n{done.stderr}")
    return done.stdout


def floor(build, way, cycles):
    text = said_by(build / "tests/hw/can/can_transport_rtt", way, 1, cycles)
    found = re.search(r"p50 (\d+), p99 (\d+), max (\d+) us", text)
    if not found:
        raise Problem(f"not understood: {text}")
    return dict(zip(("p50", "p99", "max"), map(float, found.groups())))


def measure(options):
    build = options.build.resolve()
    tool = build / "bench/jointrig_bus_bench"
    report = {"load": [os.getloadavg()[0]], "wire_us": WIRE_US, "floor": {}, "trip": {}, "cycle": {}}

    def client(*words):
        return json.loads(said_by(tool, *words))

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for link in ("slcan", "udp"):
            print(f"one frame, one joint: {link}", file=sys.stderr)
            robot = make_robot(folder / link, 1, slcan=link == "slcan")
            report["floor"][link] = floor(build, link, options.cycles)
            with boards(build, robot):
                report["trip"][link] = client("trip", robot, options.cycles)
        for joints in WHOLE_CYCLES:
            print(f"{joints} joints", file=sys.stderr)
            robot = make_robot(folder / f"row{joints}", joints)
            with boards(build, robot):
                report["cycle"][str(joints)] = client("cycle", robot, options.cycles)
        robot = folder / f"row{LOOP_JOINTS}/robot.yaml"
        report["driver"] = client("driver", robot, options.cycles)
        print(f"{options.seconds} s against the clock", file=sys.stderr)
        with boards(build, robot, "--free") as process:
            before, begin = processor_seconds(process.pid), time.monotonic()
            report["loop"] = client("loop", robot, options.seconds)
            took = time.monotonic() - begin
            report["loop"]["boards_share"] = (processor_seconds(process.pid) - before) / took
    report["load"].append(os.getloadavg()[0])
    return report


def main(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--build", type=pathlib.Path, default=HERE.parent / "build/release")
    parser.add_argument("--cycles", type=int, default=5000, help="of each measurement")
    parser.add_argument("--seconds", type=int, default=60, help="of the loop against the clock")
    parser.add_argument("--out", type=pathlib.Path, help="write the figures here, for table.py")
    options = parser.parse_args(arguments)
    try:
        text = json.dumps(measure(options), indent=1)
        options.out.write_text(text, encoding="utf-8") if options.out else print(text)
    except (OSError, Problem, json.JSONDecodeError, subprocess.TimeoutExpired) as problem:
        print(f"boards.py: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
