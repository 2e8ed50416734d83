"""Cases of a sweep on the nodes of a Ray cluster. `jointrig sweep --engine ray` starts this text with `python -c`.

Standard input has the sweep's header, then a case a line; standard output takes their ends (case_message.h). It ends
with its input. On each node an actor for each processor runs `jointrig sweep --worker`, which is the same program as
here, on files that were sent there; the folder of a case comes back as bytes and is written where the sweep wants it.
"""

import collections
import hashlib
import json
import os
import pathlib
import queue
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

NODES_EVERY = 2.0  # [s] between looks for new nodes
WAIT_FOR_NODES = 30.0  # [s] without any node before the engine gives up
MOST_TRIES = 5  # of a case whose worker dies each time


class Worker:
    """An actor: one process of the program on a node, which runs one case at a time."""

    def __init__(self, header: dict, sent: dict):
        import ray

        self.header = header
        self.node = node_name(ray.util.get_node_ip_address())
        self.base = pathlib.Path(tempfile.gettempdir(), f"jointrig-{os.getuid()}")
        self.base.mkdir(mode=0o700, exist_ok=True)
        self.root = self.unpacked(sent)
        self.work = self.base / "work" / str(os.getpid())
        self.child = None

    def unpacked(self, sent: dict) -> pathlib.Path:
        """The files that were sent, in a folder named by their contents: once for all workers of a node."""
        digest = hashlib.sha256()
        for name in sorted(sent):
            digest.update(f"{name} {len(sent[name])}\n".encode() + sent[name])
        place = self.base / digest.hexdigest()[:32]
        if not place.exists():
            fresh = pathlib.Path(tempfile.mkdtemp(dir=self.base))
            for name, content in sent.items():
                path = fresh / name.lstrip("/")
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            (fresh / self.header["cwd"].lstrip("/")).mkdir(parents=True, exist_ok=True)
            try:
                fresh.rename(place)
            except OSError:  # another worker was faster
                shutil.rmtree(fresh)
        return place

    def moved(self, path: str) -> str:
        """A path of the sweep's machine here; relative ones keep."""
        return str(self.root / path.lstrip("/")) if path.startswith("/") else path

    def greet(self) -> dict:
        """Starts the program: its version, or why it doesn't run."""
        self.remove_left_work()
        header, program = self.header, find_program(self.header["program"])
        if program is None:
            return {"node": self.node, "error": f"there is no {header['program']} and no jointrig on the PATH"}
        arguments = [program, "sweep", self.moved(header["scenario"]), "--worker", "--logs", header["logs"]]
        if header["robot"]:
            arguments += ["--robot", self.moved(header["robot"])]
        if header["backend"]:
            arguments += ["--backend", header["backend"]]
        if header["verbose"]:
            arguments += ["--verbose"]
        models = ":".join(self.moved(folder) for folder in header["models"])
        self.words = tempfile.TemporaryFile()
        try:
            self.child = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.words,
                                          cwd=self.moved(header["cwd"]), env=dict(os.environ, JOINTRIG_MODELS=models))
        except OSError as error:
            return {"node": self.node, "error": f"{program} does not run ({error.strerror})"}
        line = self.child.stdout.readline()
        if not line:
            return {"node": self.node, "error": f"{program} ended: {self.last_words()}"}
        return {"node": self.node, "path": program, **json.loads(line)}

    def last_words(self) -> str:
        self.child.wait(timeout=10)
        self.words.seek(0)
        said = self.words.read().decode(errors="replace").strip()
        return said or f"exit code {self.child.returncode}"

    def remove_left_work(self) -> None:
        """Halves of cases whose worker was killed."""
        for folder in (self.base / "work").glob("*"):
            if not pathlib.Path("/proc", folder.name).exists():
                shutil.rmtree(folder, ignore_errors=True)

    def run(self, order: dict) -> dict:
        """The end of a case, and its folder's files."""
        part = self.work / order["hash"]
        shutil.rmtree(part, ignore_errors=True)
        try:
            self.child.stdin.write((json.dumps(dict(order, part=str(part))) + "\n").encode())
            self.child.stdin.flush()
            line = self.child.stdout.readline()
        except OSError:
            line = b""
        if not line:
            return {"node": self.node, "died": self.last_words()}
        end = json.loads(line)["end"]
        files = {}
        if end["is_whole"]:
            here = str(self.root).encode()
            for path in sorted(part.rglob("*")):
                if path.is_file():
                    content = path.read_bytes()
                    if path.suffix in (".json", ".yaml", ".txt"):
                        content = content.replace(here, b"")  # paths as on the sweep's machine
                    files[str(path.relative_to(part))] = content
        shutil.rmtree(part, ignore_errors=True)
        return {"node": self.node, "end": end, "files": files}


def node_name(address: str) -> str:
    return f"{address} ({os.uname().nodename})"


def find_program(path: str):
    """The node's own: JOINTRIG_PROGRAM of the node, the path that it has on the sweep's machine, the PATH's, or that
    of Python's package."""
    import importlib.util

    for candidate in (os.environ.get("JOINTRIG_PROGRAM"), path, shutil.which("jointrig")):
        if candidate and os.access(candidate, os.X_OK):
            return candidate
    package = importlib.util.find_spec("jointrig")
    for folder in (package.submodule_search_locations or []) if package else []:
        if os.access(os.path.join(folder, "bin/jointrig"), os.X_OK):
            return os.path.join(folder, "bin/jointrig")
    return None


class Engine:
    """Hands cases to workers, one each; what a worker that died had in hand goes to another."""

    def __init__(self, ray, header: dict, say):
        self.ray, self.header, self.say = ray, header, say
        sent = {name: pathlib.Path(name).read_bytes() for name in header["files"]}
        self.sent = ray.put(sent)
        self.actor = ray.remote(Worker)
        self.orders = collections.deque()
        self.workers = {}  # actor: its node's id
        self.names = {}  # of nodes, by id
        self.refused = set()  # nodes that can't run these cases
        self.idle = collections.deque()
        self.pending = {}  # reference: (actor, order; None: a greeting)
        self.tries = collections.Counter()
        self.alone_since = time.monotonic()
        self.looked = 0.0
        self.told = None

    def look_for_nodes(self) -> None:
        """A worker for each free processor of each node, up to the number that was asked for."""
        if time.monotonic() - self.looked < NODES_EVERY:
            return
        self.looked = time.monotonic()
        alive = {}
        for node in self.ray.nodes():
            if node["Alive"]:
                alive[node["NodeID"]] = int(node["Resources"].get("CPU", 0))
                self.names[node["NodeID"]] = node_name_of(node)
        for lost in set(self.workers.values()) - set(alive):
            self.say({"note": f"node {self.names[lost]} is lost; its cases run elsewhere"})
            for actor in [actor for actor, node in self.workers.items() if node == lost]:
                self.forget(actor)
        for node, processors in alive.items():
            there = list(self.workers.values()).count(node)
            while node not in self.refused and there < processors and self.may_have_more():
                self.add_worker(node)
                there += 1
        if self.workers:
            self.alone_since = time.monotonic()
        self.tell()

    def may_have_more(self) -> bool:
        return self.header["jobs"] == 0 or len(self.workers) < self.header["jobs"]

    def add_worker(self, node: str) -> None:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy as OnNode

        actor = self.actor.options(num_cpus=1, scheduling_strategy=OnNode(node, soft=False)).remote(
            self.header, self.sent)
        self.workers[actor] = node
        self.pending[actor.greet.remote()] = (actor, None)

    def forget(self, actor) -> None:
        """Its case goes to the front of the line."""
        self.workers.pop(actor, None)
        if actor in self.idle:
            self.idle.remove(actor)
        for reference in [ref for ref, (one, _) in self.pending.items() if one is actor]:
            order = self.pending.pop(reference)[1]
            if order is not None:
                self.orders.appendleft(order)
        self.ray.kill(actor)

    def refuse(self, node: str, why: str) -> None:
        if node not in self.refused:
            self.refused.add(node)
            self.say({"note": f"node {self.names[node]} runs no case: {why}"})
        for actor in [actor for actor, one in self.workers.items() if one == node]:
            self.forget(actor)

    def step(self, wait: float) -> None:
        self.look_for_nodes()
        while self.orders and self.idle:
            order, actor = self.orders.popleft(), self.idle.popleft()
            self.pending[actor.run.remote(order)] = (actor, order)
        if not self.pending:
            time.sleep(min(wait, 0.05))
            return
        ready, _ = self.ray.wait(list(self.pending), num_returns=1, timeout=wait)
        if ready:  # and all others that are ready by now
            ready, _ = self.ray.wait(list(self.pending), num_returns=len(self.pending), timeout=0)
        for reference in ready:
            if reference in self.pending:  # not of a node that was refused meanwhile
                self.take(reference)

    def take(self, reference) -> None:
        actor, order = self.pending[reference]
        try:
            answer = self.ray.get(reference)
        except self.ray.exceptions.RayError as error:
            self.lost(actor, order, str(error).strip().splitlines()[0])
            return
        if "died" in answer:
            self.lost(actor, order, "the program ended: " + answer["died"])
            return
        del self.pending[reference]
        if order is None:
            self.welcome(actor, answer)
            return
        self.idle.append(actor)
        if answer["end"]["is_whole"]:
            self.write(order, answer["files"])
        self.say({"end": answer["end"]})

    def lost(self, actor, order, why: str) -> None:
        """A worker died: the case runs again, unless it is the case that brings its workers down."""
        node = self.names.get(self.workers.get(actor), "?")
        self.forget(actor)
        if order is None:
            return
        self.tries[order["hash"]] += 1
        if self.tries[order["hash"]] < MOST_TRIES:
            self.say({"note": f"a worker on node {node} is lost; its case runs again ({why})"})
            return
        self.orders.remove(order)
        why = f"its process ended {MOST_TRIES} times, at last on node {node}: {why}"
        self.say({"end": {"hash": order["hash"], "outcome": "could_not_run", "reason": why, "is_whole": False,
                          "lines": [f"ERROR {order['hash']}: {why}"]}})

    def welcome(self, actor, answer: dict) -> None:
        node = self.workers[actor]
        header = self.header
        if "error" in answer:
            self.refuse(node, answer["error"])
        elif answer["program"] != header["version"] or answer["mujoco"] != header["mujoco"]:
            self.refuse(node, f"its {answer['path']} is another build than this program ({answer['program']} with MuJoCo "
                        f"{answer['mujoco']}; here {header['version']} with {header['mujoco']}): install the same one")
        else:
            self.idle.append(actor)
            self.tell()

    def tell(self) -> None:
        greeting = sum(1 for _, order in self.pending.values() if order is None)
        state = (len(self.workers) - greeting, len(set(self.workers.values())))
        if state != self.told:
            self.told = state
            self.say({"status": f"{state[0]} workers on {state[1]} nodes"})

    def write(self, order: dict, files: dict) -> None:
        part = pathlib.Path(order["part"])
        shutil.rmtree(part, ignore_errors=True)
        for name, content in files.items():
            path = part / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)

    def is_given_up(self) -> bool:
        return not self.workers and time.monotonic() - self.alone_since > (0 if self.refused else WAIT_FOR_NODES)


def node_name_of(node: dict) -> str:
    return f"{node['NodeManagerAddress']} ({node['NodeManagerHostname']})"


def check_address(address: str) -> None:
    """Ray itself tries for minutes to reach a cluster that is not there."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not address or address == "auto":
        return
    if not host or not port.isdigit():
        raise SystemExit(f'--address is host:port, such as 10.0.0.5:6379; got "{address}"')
    try:
        socket.create_connection((host, int(port)), timeout=5).close()
    except OSError as error:
        raise SystemExit(f"no Ray cluster answers at {address}: {error.strerror or error}") from None


def connected(header: dict):
    """Ray with a cluster: that of the address; else the one that runs here, or one of this machine alone."""
    try:
        import ray
    except ImportError:
        raise SystemExit(f"the engine ray needs the Python package ray, which {sys.executable} has not: "
                         "'pip install ray==2.60.0' there, or name a Python that has it in JOINTRIG_PYTHON") from None
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    check_address(header["address"])
    try:
        ray.init(address=header["address"] or None, log_to_driver=False, logging_level="ERROR",
                 include_dashboard=None if header["address"] else False)
    except Exception as error:  # of many kinds
        where = f"the cluster at {header['address']}" if header["address"] else "a cluster"
        raise SystemExit(f"Ray does not connect to {where}: {str(error).strip().splitlines()[0]}") from None
    return ray


def main() -> None:
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what Ray prints is no message

    def say(message: dict) -> None:
        out.write(json.dumps(message) + "\n")
        out.flush()

    lines = queue.SimpleQueue()

    def read() -> None:  # always, so that the sweep never waits
        for line in sys.stdin:
            lines.put(line)
        lines.put(None)

    header = json.loads(sys.stdin.readline())
    threading.Thread(target=read, daemon=True).start()
    try:
        engine = Engine(connected(header), header, say)
        while True:
            while not lines.empty():
                line = lines.get()
                if line is None:
                    return
                engine.orders.append(json.loads(line))
            engine.step(wait=0.2)
            if engine.is_given_up():
                raise SystemExit("no node of the Ray cluster runs these cases")
    except SystemExit as error:
        say({"broken": str(error)})
    except OSError as error:
        say({"broken": f"{error.filename}: {error.strerror}" if error.filename else str(error)})
    except Exception as error:
        import traceback

        traceback.print_exc()
        say({"broken": f"Ray: {str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__}"})
    finally:
        out.flush()
        os._exit(0)  # the cluster takes the workers away


if __name__ == "__main__":
    main()
