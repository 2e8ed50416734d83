#!/usr/bin/env python3
"""A served robot: round trips beside a bare echo of gRPC, the loop under eight clients, and what misuse leaves behind.

    PYTHONPATH=build/release/python .deps/venv/bin/python bench/remote.py                   some three minutes
    PYTHONPATH=build/release/python .deps/venv/bin/python bench/remote.py --quick           half a minute, fewer of each
    ... --out remote.json       also as JSON

`remote_bench` is the server, a bare echo of gRPC in the same process, and the clients in C++. All takes turns in rounds,
on the loopback; a ratio is taken within a round, and the median of the rounds is shown.

    echo       a message there and back by gRPC alone, on one stream
    stream     a sign of life until its answer, by our client in C++
    python     the same from Python, with the call
    none       the loop at 1 kHz that nobody is connected to
    eight      the same while eight clients get each cycle's state, one of which streams a position with each
    reconnect  clients that connect and leave, half of them with the lease
    frames     frames of HTTP/2 with anything in them, and commands of any content

After misuse the robot has to stand where it stood, in the same modes, and the server to have the memory and the threads of
before: it ends with 1 otherwise, and says so.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import time

import jointrig

GOALS_US = {"stream": 150.0, "python": 600.0}
# After misuse. A robot at rest under gravity compensation moves by less; the memory is a choice, some 10 bytes for each
# of a million frames would be seen.
MOST_MOVED = 1e-3  # [rad or m]
MOST_GROWN_KB = 8000


class Server:
    def __init__(self, program, robot):
        self.program = program
        self.process = subprocess.Popen([program, "server", robot], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)
        self.ports = json.loads(self.process.stdout.readline())

    def ask(self):
        self.process.stdin.write("summary\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def reset(self):
        self.process.stdin.write("reset\n")
        self.process.stdin.flush()

    def part(self, name, *words):
        port = self.ports["echo_port" if name == "echo" else "port"]
        done = subprocess.run([self.program, name, str(port), *map(str, words)], capture_output=True, text=True,
                              check=False)
        if done.returncode != 0:
            raise SystemExit(f"remote_bench {name}: {done.stderr.strip()}")
        return json.loads(done.stdout)

    def end(self):
        self.process.stdin.close()
        return self.process.wait(timeout=30)


def python_round_trips(port, count):
    times = []
    with jointrig.connect(f"127.0.0.1:{port}", watch=True, rate=10.0) as robot:
        for _ in range(count + count // 10):
            begin = time.perf_counter()
            robot.round_trip()
            times.append((time.perf_counter() - begin) * 1e6)
    percent = statistics.quantiles(times[count // 10:], n=100)
    return {"count": count, "p50_us": percent[49], "p99_us": percent[98]}


def measure(server, rounds, count, seconds):
    taken = {"echo": [], "stream": [], "python": [], "none": [], "eight": []}
    for _ in range(rounds):
        taken["echo"].append(server.part("echo", count))
        taken["stream"].append(server.part("stream", count))
        taken["python"].append(python_round_trips(server.ports["port"], count))
        server.reset()
        time.sleep(seconds)
        taken["none"].append(server.ask())
        load = subprocess.Popen([server.program, "load", str(server.ports["port"]), "8", str(seconds + 2)],
                                stdout=subprocess.PIPE, text=True)
        time.sleep(1.0)  # all are connected
        server.reset()
        time.sleep(seconds)
        taken["eight"].append(server.ask() | {"load": json.loads(load.communicate()[0])})
    return taken


def pose_of(server):
    """Positions and modes of the robot that is served."""
    with jointrig.connect(f"127.0.0.1:{server.ports['port']}", watch=True) as robot:
        return robot.q.tolist(), list(robot.modes)


def settled(server, threads):
    """Its figures, once the threads of clients that have gone have ended; as they are after ten seconds."""
    for _ in range(100):
        figures = server.ask()
        if figures["threads"] <= threads:
            break
        time.sleep(0.1)
    return figures


def misuse(server, reconnects, frames, longest):
    server.part("reconnect", reconnects // 10, longest)  # what is allocated once
    server.part("frames", frames // 10, longest)
    time.sleep(1.0)
    pose, before = pose_of(server), server.ask()
    threads = before["threads"]
    figures = {"before": before}
    figures["reconnect"] = server.part("reconnect", reconnects, longest)
    figures["after_reconnect"] = settled(server, threads)
    figures["frames"] = server.part("frames", frames, longest)
    figures["after_frames"] = settled(server, threads)
    figures["pose"] = {"before": pose, "after": pose_of(server)}
    with jointrig.connect(f"127.0.0.1:{server.ports['port']}") as robot:
        figures["takes_commands"] = robot.speed_override == 1.0 and robot.set_speed_override(1.0) > 0
    return figures


def wrong_after(figures):
    """Sentences on what misuse has changed."""
    before, wrong = figures["before"], []
    (q, modes), (q_after, modes_after) = figures["pose"]["before"], figures["pose"]["after"]
    moved = max(abs(a - b) for a, b in zip(q, q_after))
    if moved > MOST_MOVED:
        wrong.append(f"a joint has moved by {moved:.2g} rad or m, and may by {MOST_MOVED:g}")
    if modes != modes_after:
        wrong.append(f"modes were {modes}, and are {modes_after}")
    for name in ("after_reconnect", "after_frames"):
        grown = figures[name]["rss_kB"] - before["rss_kB"]
        if grown > MOST_GROWN_KB:
            wrong.append(f"{name}: {grown} kB of memory more than before, at most {MOST_GROWN_KB} are good")
        if figures[name]["threads"] > before["threads"]:
            wrong.append(f"{name}: {figures[name]['threads']} threads, and {before['threads']} before")
    if not figures["takes_commands"]:
        wrong.append("the server takes no commands any more")
    return wrong


def median(taken, key):
    return statistics.median(one[key] for one in taken)


def ratio(above, below, key):
    return statistics.median(a[key] / b[key] for a, b in zip(above, below))


def table(figures):
    taken = figures["rounds"]
    lines = ["| round trip | p50 | p99 | p99 of the echo's | goal of p99 |", "| --- | ---: | ---: | ---: | ---: |"]
    for name in ("echo", "stream", "python"):
        goal = f"{GOALS_US[name]:.0f} µs" if name in GOALS_US else ""
        lines.append(f"| {name} | {median(taken[name], 'p50_us'):.0f} µs | {median(taken[name], 'p99_us'):.0f} µs | "
                     f"{ratio(taken[name], taken['echo'], 'p99_us'):.2f} | {goal} |")
    lines += ["", "| loop | cycle p50 | cycle p99 | late p99 | cycle p99 of none's | goal |",
              "| --- | ---: | ---: | ---: | ---: | ---: |"]
    for name in ("none", "eight"):
        lines.append(f"| {name} | {median(taken[name], 'cycle_p50_us'):.1f} µs | "
                     f"{median(taken[name], 'cycle_p99_us'):.1f} µs | {median(taken[name], 'late_p99_us'):.0f} µs | "
                     f"{ratio(taken[name], taken['none'], 'cycle_p99_us'):.2f} | {'1.05' if name == 'eight' else ''} |")
    return "\n".join(lines)


def misuse_text(figures):
    wrong, before = figures["misuse"], figures["misuse"]["before"]
    again, frames = wrong["reconnect"], wrong["frames"]
    lines = []
    for name, what in (("after_reconnect", f"{again['reconnects']} reconnects, {again['leases']} of them with the lease, "
                                           f"in {again['seconds']:.0f} s"),
                       ("after_frames", f"{frames['raw_frames']} frames of HTTP/2 and {frames['messages']} commands of any "
                                        f"content, in {frames['seconds']:.0f} s")):
        lines.append(f"- {what}: {wrong[name]['rss_kB'] / 1000:.1f} MB and {wrong[name]['threads']} threads, before all "
                     f"{before['rss_kB'] / 1000:.1f} MB and {before['threads']}")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--robot", default="franka")
    parser.add_argument("--quick", action="store_true", help="fewer rounds, reconnects and frames")
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    program = str((options.build / "bench" / "remote_bench").resolve())
    server = Server(program, options.robot)
    figures = {"priority": server.ports["priority"], "load_average": os.getloadavg()[0], "cores": os.cpu_count()}
    figures["rounds"] = measure(server, *((2, 1000, 3.0) if options.quick else (5, 4000, 8.0)))
    figures["misuse"] = misuse(server, *((500, 50_000, 10.0) if options.quick else (10_000, 1_000_000, 150.0)))
    if server.end() != 0:
        raise SystemExit("the server did not end well")
    scheduling = f"SCHED_FIFO {figures['priority']}" if figures["priority"] else "ordinary scheduling"
    print(f"{table(figures)}\n\n{misuse_text(figures)}\n\nloop: {scheduling}; {figures['cores']} cores, load average "
          f"{figures['load_average']:.1f} at the start")
    if options.out:
        options.out.write_text(json.dumps(figures, indent=2) + "\n")
    wrong = wrong_after(figures["misuse"])
    if wrong:
        raise SystemExit("after misuse: " + "; ".join(wrong))


if __name__ == "__main__":
    main()
