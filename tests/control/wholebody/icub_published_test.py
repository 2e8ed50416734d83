"""models/icub against icub-models, through Pinocchio, which reads the published URDF by itself: masses,
inertia, axes, frames and limits, link by link and all together.

    python icub_published_test.py
"""

import pathlib
import sys
import unittest

import mujoco
import numpy as np
import pinocchio as pin

ROOT = pathlib.Path(__file__).resolve().parents[3]
OURS = ROOT / "models/icub/icub.xml"
PUBLISHED = pathlib.Path(sys.prefix) / "share/iCub/robots/iCubGazeboV2_5/model.urdf"
STATES = 20
CLOSE = 2e-6  # ours are written with seven digits, limits with six decimals
LEGS = ["hip_pitch", "hip_roll", "hip_yaw", "knee", "ankle_pitch", "ankle_roll"]


class Icub(unittest.TestCase):
    def setUp(self):
        self.ours = mujoco.MjModel.from_xml_path(str(OURS))
        self.data = mujoco.MjData(self.ours)
        self.theirs = pin.buildModelFromUrdf(str(PUBLISHED), pin.JointModelFreeFlyer())
        self.their_data = self.theirs.createData()
        self.joints = [self.ours.joint(j).name for j in range(1, self.ours.njnt)]
        self.random = np.random.default_rng(15)

    def test_has_the_published_joints_with_their_ranges(self):
        self.assertEqual(sorted(self.joints), sorted(self.theirs.names[2:]))
        for name in self.joints:
            at = self.theirs.joints[self.theirs.getJointId(name)].idx_q
            low, high = self.ours.joint(name).range
            self.assertAlmostEqual(low, self.theirs.lowerPositionLimit[at], delta=CLOSE, msg=name)
            self.assertAlmostEqual(high, self.theirs.upperPositionLimit[at], delta=CLOSE, msg=name)

    def test_has_the_published_torques_in_the_legs(self):
        for name in (f"{side}_{joint}" for side in "lr" for joint in LEGS):
            at = self.theirs.joints[self.theirs.getJointId(name)].idx_v
            self.assertEqual(self.ours.actuator(name).ctrlrange[1], self.theirs.effortLimit[at])

    def test_weighs_what_is_published(self):
        self.assertAlmostEqual(self.ours.body_mass.sum(), 33.0616727, delta=1e-6)
        self.assertAlmostEqual(self.ours.body_mass.sum(), pin.computeTotalMass(self.theirs), delta=1e-6)

    def random_state(self):
        """One pose for both, with the base anywhere."""
        q = pin.randomConfiguration(self.theirs, self.theirs.lowerPositionLimit.clip(-1, 1),
                                    self.theirs.upperPositionLimit.clip(-1, 1))
        x, y, z, w = q[3:7]
        self.data.qpos[:7] = *q[:3], w, x, y, z
        for name in self.joints:
            at = self.theirs.joints[self.theirs.getJointId(name)].idx_q
            self.data.joint(name).qpos[0] = q[at]
        mujoco.mj_forward(self.ours, self.data)
        return q

    def test_has_the_published_inertia_and_centre_of_mass_in_random_poses(self):
        pin.seed(15)
        order = [self.ours.joint(n).dofadr[0] for n in self.joints]
        their_order = [self.theirs.joints[self.theirs.getJointId(n)].idx_v for n in self.joints]
        for _ in range(STATES):
            q = self.random_state()
            inertia = np.zeros((self.ours.nv, self.ours.nv))
            mujoco.mj_fullM(self.ours, self.data, inertia)
            inertia -= np.diag(self.ours.dof_armature)
            theirs = pin.crba(self.theirs, self.their_data, q)
            theirs = np.triu(theirs) + np.triu(theirs, 1).T
            ours = inertia[np.ix_(order, order)]
            theirs = theirs[np.ix_(their_order, their_order)]
            self.assertLess(np.abs(ours - theirs).max(), CLOSE)
            com = pin.centerOfMass(self.theirs, self.their_data, q)
            self.assertLess(np.abs(com - self.data.subtree_com[1]).max(), CLOSE)

    def test_has_soles_and_palms_where_they_are_published(self):
        pin.seed(16)
        names = {"l_sole": "l_sole", "r_sole": "r_sole", "l_palm": "l_hand_dh_frame",
                 "r_palm": "r_hand_dh_frame", "head_imu": "head_imu_0", "l_foot_ft": "l_foot_ft"}
        for _ in range(STATES):
            q = self.random_state()
            pin.framesForwardKinematics(self.theirs, self.their_data, q)
            for ours, theirs in names.items():
                pose = self.their_data.oMf[self.theirs.getFrameId(theirs)]
                site = self.data.site(ours)
                self.assertLess(np.abs(site.xpos - pose.translation).max(), CLOSE, ours)
                self.assertLess(np.abs(site.xmat.reshape(3, 3) - pose.rotation).max(), CLOSE, ours)

    def test_stands_on_boxes_as_large_as_the_published_ones(self):
        for side in "lr":
            size = 2 * self.ours.geom(f"{side}_foot").size
            self.assertEqual(size[0], 0.16)
            self.assertEqual(size[1], 0.072)

    def test_starts_on_its_soles_with_its_weight_between_them(self):
        mujoco.mj_resetDataKeyframe(self.ours, self.data, 0)
        mujoco.mj_forward(self.ours, self.data)
        com = self.data.subtree_com[1]
        for side in "lr":
            foot = self.data.geom(f"{side}_foot")
            np.testing.assert_allclose(foot.xmat.reshape(3, 3)[:, 2], [0, 0, -1], atol=1e-9)
            self.assertAlmostEqual(foot.xpos[2] - 0.005, 0.0, delta=1e-4)
            self.assertLess(abs(com[0] - foot.xpos[0]), 0.04)
        self.assertAlmostEqual(com[1], 0.0, delta=0.005)


if __name__ == "__main__":
    unittest.main()
