"""Real drives are started once every joint has passed the wiggle test, and not before.

Drives are taken for real ones where nobody says that they are virtual: here `jointrig board` runs them by
its own clock, and the robot that is run doesn't know where to ask.
"""

import atexit
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from free_ports import free_ports  # noqa: E402
from small_robot import write_small_robot  # noqa: E402
from steadiness import attempts  # noqa: E402

PROGRAM = sys.argv[1]
# The drives stop where the host was silent for 20 of their periods of 5 ms; after 3 the stack holds a joint.
MOST = 3 * 0.005  # [s]

SCENARIO = """
schema: 1
scenario: hold
about: Holds.
robot: real.yaml
steps:
  - set_mode: {joints: all, mode: position}
  - {expect: "speed_override == 0.1", name: a run on real drives starts slowly}
  - wait: 0.3 s
"""


folder = pathlib.Path(tempfile.mkdtemp(prefix="jointrig_wiggle_"))
atexit.register(shutil.rmtree, folder, ignore_errors=True)
port, side_line = free_ports(2)
write_small_robot(folder, "real.yaml", port)
write_small_robot(folder, "virtual.yaml", port, more=f"virtual_boards: 127.0.0.1:{side_line}\n")
(folder / "hold.yaml").write_text(SCENARIO)
environment = os.environ | {"XDG_STATE_HOME": str(folder / "state")}


def jointrig(*words: str, said: str = "") -> tuple[int, str]:
    done = subprocess.run([PROGRAM, *words], cwd=folder, env=environment, input=said, text=True,
                          capture_output=True, timeout=300, check=False)
    return done.returncode, done.stdout + done.stderr


def run(*more: str) -> tuple[int, str]:
    return jointrig("run", "hold.yaml", "--backend", "hw", "--out", "-", *more)


def expect(code: int, what: str, asked) -> None:
    """Asks until the machine stood still in no answer, and holds that one to code and text."""
    def checked():
        answer = asked()
        assert answer[0] == code and re.search(what, answer[1]), f"expected {code}, {what}:\n{answer}"
    attempts(checked, MOST, what, again=restart_board)


def start_board() -> subprocess.Popen:
    board = subprocess.Popen([PROGRAM, "board", "virtual.yaml", "--free"], cwd=folder,
                             stdout=subprocess.PIPE, text=True)
    for line in board.stdout:
        if "ready" in line:
            break
    return board


def stop_board() -> None:
    board.terminate()
    board.wait(timeout=60)
    board.stdout.close()


def restart_board() -> None:
    """Drives that were left alone are in a fault, as real ones would be."""
    global board
    stop_board()
    (folder / "virtual.yaml").write_text((folder / "real.yaml").read_text()
                                         + f"virtual_boards: 127.0.0.1:{free_ports()[0]}\n")
    board = start_board()


board = start_board()
try:
    expect(2, "no joint of small has passed the wiggle test .*`jointrig wiggle small`", lambda: run())
    # Somebody who looks and doesn't see what should be.
    expect(1, "yaw was not seen to move as it was told", lambda: jointrig("wiggle", "real.yaml", said="n\n"))
    expect(2, "no joint of small has passed", lambda: run())
    expect(0, "1 of 2 joints passed", lambda: jointrig("wiggle", "real.yaml", "--joint", "yaw", said="y\n"))
    expect(2, "elbow of small has passed|of elbow", lambda: run())
    expect(0, "2 of 2 joints passed, kept in .*small-[0-9a-f]{16}.json",
           lambda: jointrig("wiggle", "real.yaml", "--unattended"))
    expect(0, "", lambda: run())
    # Another gear is another robot.
    write_small_robot(folder, "real.yaml", port, gear=101)
    expect(2, "no joint of small has passed", lambda: run())
    expect(0, "", lambda: run("--no-wiggle-check"))
    expect(2, "did you mean \"elbow\"", lambda: jointrig("wiggle", "real.yaml", "--joint", "elbw"))
finally:
    stop_board()
print("real drives want a passed wiggle test")
