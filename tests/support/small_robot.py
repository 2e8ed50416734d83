"""A robot of two joints in a horizontal plane, whose drives sit on one bus behind a socket.

    write_small_robot(folder, "real.yaml", port)    also writes the model beside it; returns the path
"""

import pathlib

MODEL = """\
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

ROBOT = """\
schema: 1
name: small
model: two_joints.xml
period: 5 ms
buses:
  wire: {{address: "socketcand:127.0.0.1:{port}/can0"}}
defaults:
  drive: {{bus: wire, encoder_increments: 65536, gear: {gear}, rated_torque: 0.5 Nm, life_counter: true,
          feed_forward: true}}
joints:
  yaw: {{drive: {{node: 1}}}}
  elbow: {{drive: {{node: 2{of_elbow}}}}}
"""


def write_small_robot(folder, name, port, gear=100, of_elbow="", more=""):
    """`of_elbow`: further keys of its drive, ", serial: 77"; `more`: further keys of the robot."""
    folder = pathlib.Path(folder)
    (folder / "two_joints.xml").write_text(MODEL)
    (folder / name).write_text(ROBOT.format(port=port, gear=gear, of_elbow=of_elbow) + more)
    return str(folder / name)
