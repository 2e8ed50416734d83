"""Tests of one's own, beside the scenarios: the robot in this process."""

import pathlib

import jointrig

ROBOT = str(pathlib.Path(__file__).parents[1] / "robot/robot.yaml")


def test_a_stop_in_the_middle_of_a_move_holds_the_arm():
    sim = jointrig.Sim(ROBOT)
    sim.set_mode("arm", "position")
    sim.step()
    sim.move("yaw", 1.2, speed=1.5)
    sim.run(0.5)
    assert sim.v[0] > 1.0
    sim.stop("all")
    sim.run(0.5)
    stood = sim.q[0]
    sim.run(1.0)
    assert abs(sim.v[0]) < 1e-3
    assert abs(sim.q[0] - stood) < 1e-3
