"""Torques of the whole-body controller against Pinocchio's inverse dynamics of the accelerations and
contact forces that it solved for. Pinocchio reads the model's file by itself.

    python inverse_dynamics_test.py PROGRAM [unittest options]
"""

import json
import os
import pathlib
import subprocess
import sys
import unittest
import xml.etree.ElementTree

import numpy as np

try:
    import pinocchio as pin
except ImportError:
    pin = None

ROOT = pathlib.Path(__file__).resolve().parents[3]
ICUB = ROOT / "models/icub/icub.xml"
STATES = int(os.environ.get("JOINTRIG_DYNAMICS_STATES", "1000"))
PROGRAM = sys.argv.pop(1) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else ""


def dampings():
    """Damping of each joint [N·m·s/rad], as the model's file has them: inverse dynamics knows none."""
    root = xml.etree.ElementTree.parse(ICUB).getroot()
    of_class = {}

    def read(default, inherited):
        here = dict(inherited)
        for joint in default.findall("joint"):
            here.update(joint.attrib)
        of_class[default.get("class")] = here
        for inner in default.findall("default"):
            read(inner, here)

    for default in root.findall("default"):
        read(default, {})
    found = {}

    def walk(body, childclass):
        childclass = body.get("childclass", childclass)
        for joint in body.findall("joint"):
            settings = {**of_class.get(joint.get("class", childclass), {}), **joint.attrib}
            found[joint.get("name")] = float(settings.get("damping", 0.0))
        for inner in body.findall("body"):
            walk(inner, childclass)

    walk(root.find("worldbody"), None)
    return found


@unittest.skipIf(pin is None, "pinocchio is not installed: bash scripts/setup.sh test")
class InverseDynamics(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        lines = subprocess.run([PROGRAM, str(STATES)], capture_output=True, text=True, check=True,
                               cwd=ROOT).stdout.splitlines()
        cls.joints, *cls.solutions = [json.loads(line) for line in lines]
        cls.model = pin.buildModelFromMJCF(str(ICUB))
        cls.data = cls.model.createData()
        cls.damping = dampings()

    def places(self, attribute):
        return [getattr(self.model.joints[self.model.getJointId(name)], attribute) for name in self.joints]

    def state(self, one):
        """q, v and a with the base's velocities along its own axes, and its orientation."""
        w, x, y, z = one["orientation"]
        turn = pin.Quaternion(w, x, y, z).toRotationMatrix()
        q, v, a = np.zeros(self.model.nq), np.zeros(self.model.nv), np.zeros(self.model.nv)
        q[:3], q[3:7], q[self.places("idx_q")] = one["position"], [x, y, z, w], one["q"]
        linear, angular = turn.T @ one["linear_velocity"], np.array(one["angular_velocity"])
        v[:3], v[3:6], v[self.places("idx_v")] = linear, angular, one["v"]
        a[:3] = turn.T @ one["acceleration"][:3] - np.cross(angular, linear)
        a[3:6], a[self.places("idx_v")] = one["acceleration"][3:6], one["acceleration"][6:]
        return q, v, a

    def on_joints(self, one):
        """Contact forces as wrenches on the joints, along their own axes."""
        on = [pin.Force.Zero() for _ in range(self.model.njoints)]
        for sole, points in one["forces"].items():
            frame = self.model.frames[self.model.getFrameId(sole)]
            place, joint = self.data.oMf[self.model.getFrameId(sole)], frame.parentJoint
            for point in points:
                force = np.array(point["force"])
                at = place.act(np.array(point["point"]))
                on[joint] += self.data.oMi[joint].actInv(pin.Force(force, np.cross(at, force)))
        return on

    def missing(self, one):
        """Torques of the controller less those that its motion takes; of the base: all that is missing."""
        q, v, a = self.state(one)
        pin.framesForwardKinematics(self.model, self.data, q)
        needed = pin.rnea(self.model, self.data, q, v, a, self.on_joints(one)).copy()
        given = np.zeros(self.model.nv)
        given[self.places("idx_v")] = np.array(one["torque"]) - [self.damping[n] for n in self.joints] * np.array(one["v"])
        return (needed - given), np.linalg.norm(needed)

    def test_torques_are_those_that_the_motion_takes(self):
        self.assertEqual(len(self.solutions), STATES)
        for number, one in enumerate(self.solutions):
            missing, size = self.missing(one)
            self.assertLess(np.abs(missing).max(), 1e-9 * max(1.0, size), f"state {number}")

    def test_a_force_or_a_torque_that_is_a_little_off_is_seen(self):
        one = json.loads(json.dumps(self.solutions[0]))
        one["torque"][3] += 1e-6
        self.assertGreater(np.abs(self.missing(one)[0]).max(), 0.9e-6)
        one = json.loads(json.dumps(self.solutions[0]))
        one["forces"]["l_sole"][0]["force"][2] += 1e-5
        self.assertGreater(np.abs(self.missing(one)[0]).max(), 0.9e-5)


if __name__ == "__main__":
    unittest.main()
