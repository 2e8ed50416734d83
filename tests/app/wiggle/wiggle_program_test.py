"""Real drives are started once every joint has passed the wiggle test, and not before.

Drives are taken for real ones where nobody says that they are virtual: here `jointrig board` runs them by
its own clock, and the robot that is run doesn't know where to ask.
"""

import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from steadiness import attempts  # noqa: E402

PROGRAM = sys.argv[1]
# The drives stop where the host was silent for 20 of their periods of 5 ms; after 3 the stack holds a joint.
MOST = 3 * 0.005  # [s]

MODEL = """
<mujoco model="two_joints">
  <compiler angle="radian"/>
  <default><geom contype="0" conaffinity="0"/><joint damping="0.5"/></default>
  <worldbody>
    <body pos="0 0 1">
      <joint name="yaw" axis="0 0 1" range="-1.5 1.5"/>
      <geom type="capsule" fromto="0 0 0  0.2 0 0" size="0.04" mass="2"/>
      <body pos="0.2 0 0">
        <joint name="elbow" axis="0 0 1" range="-1 2.4"/>
        <geom type="capsule" fromto="0 0 0  0.25 0 0" size="0.03" mass="1"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="yaw" ctrlrange="-40 40"/>
    <motor joint="elbow" ctrlrange="-15 15"/>
  </actuator>
</mujoco>
"""

ROBOT = """
schema: 1
name: real
model: two_joints.xml
period: 5 ms
buses:
  wire: {{address: "socketcand:127.0.0.1:{port}/can0"}}
defaults:
  drive: {{bus: wire, encoder_increments: 65536, gear: {gear}, rated_torque: 0.5 Nm, life_counter: true,
          feed_forward: true}}
joints:
  yaw: {{drive: {{node: 1}}}}
  elbow: {{drive: {{node: 2}}}}
"""

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


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


folder = pathlib.Path(tempfile.mkdtemp(prefix="jointrig_wiggle_"))
(folder / "two_joints.xml").write_text(MODEL)
port = free_port()
robot = ROBOT.format(port=port, gear=100)
(folder / "real.yaml").write_text(robot)
(folder / "virtual.yaml").write_text(robot + f"virtual_boards: 127.0.0.1:{free_port()}\n")
(folder / "hold.yaml").write_text(SCENARIO)
environment = os.environ | {"XDG_STATE_HOME": str(folder / "state")}


def jointrig(*words: str, said: str = "") -> tuple[int, str]:
    done = subprocess.run([PROGRAM, *words], cwd=folder, env=environment, input=said, text=True,
                          capture_output=True, timeout=300, check=False)
    return done.returncode, done.stdout + done.stderr


def run(*more: str) -> tuple[int, str]:
    return jointrig("run", "hold.yaml", "--backend", "hw", "--out", "-", *more)


def expect(code: int, what: str, asked) -> None:
    """Of what is asked with nothing standing still meanwhile."""
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
                                         + f"virtual_boards: 127.0.0.1:{free_port()}\n")
    board = start_board()


board = start_board()
try:
    expect(2, "no joint of real has passed the wiggle test .*`jointrig wiggle real`", lambda: run())
    # Somebody who looks and doesn't see what should be.
    expect(1, "yaw was not seen to move as it was told", lambda: jointrig("wiggle", "real.yaml", said="n\n"))
    expect(2, "no joint of real has passed", lambda: run())
    expect(0, "1 of 2 joints passed", lambda: jointrig("wiggle", "real.yaml", "--joint", "yaw", said="y\n"))
    expect(2, "elbow of real has passed|of elbow", lambda: run())
    expect(0, "2 of 2 joints passed, kept in .*real-[0-9a-f]{16}.json",
           lambda: jointrig("wiggle", "real.yaml", "--unattended"))
    expect(0, "", lambda: run())
    # Another gear is another robot.
    (folder / "real.yaml").write_text(ROBOT.format(port=port, gear=101))
    expect(2, "no joint of real has passed", lambda: run())
    expect(0, "", lambda: run("--no-wiggle-check"))
    expect(2, "did you mean \"elbow\"", lambda: jointrig("wiggle", "real.yaml", "--joint", "elbw"))
finally:
    stop_board()
print("real drives want a passed wiggle test")
