"""The controller's model and the laws of an arm against Pinocchio, on random states: the same robot
through a URDF that is written here from the MJCF, and every law again from its equation.

    python pinocchio_test.py ARM_TERMS_TOOL
"""

import json
import pathlib
import subprocess
import sys
import unittest

import mujoco
import numpy as np
import pinocchio as pin

TOOL_PROGRAM = sys.argv.pop(1)
ROOT = pathlib.Path(__file__).resolve().parents[3]
STATES = 40
CLOSE = 1e-9  # relative to the largest entry

ARMS = {
    "franka": ("models/franka/franka.xml", "tool_centre_point",
               [f"panda_joint{i}" for i in range(1, 8)]),
    "icub_left": ("models/icub_upper_body/icub_upper_body.xml", "l_hand",
                  ["l_shoulder_pitch", "l_shoulder_roll", "l_shoulder_yaw", "l_elbow",
                   "l_wrist_prosup", "l_wrist_pitch", "l_wrist_yaw"]),
}


def numbers(values) -> str:
    return " ".join(f"{value:.17g}" for value in values)


def rpy(quaternion) -> str:
    w, x, y, z = quaternion
    return numbers(pin.rpy.matrixToRpy(pin.Quaternion(w, x, y, z).normalized().toRotationMatrix()))


def urdf_of(m: mujoco.MjModel, site: str) -> str:
    """Bodies as links, those with several joints behind links without mass; joints at the origins of
    their bodies; the site as a link at the end."""
    out = ['<robot name="r"><link name="world"/>']
    for body in range(1, m.nbody):
        name = f"link {m.body(body).name or body}"  # a joint may be called as a body
        principal = m.body_inertia[body]
        out.append(
            f'<link name="{name}"><inertial><origin xyz="{numbers(m.body_ipos[body])}" '
            f'rpy="{rpy(m.body_iquat[body])}"/><mass value="{m.body_mass[body]:.17g}"/>'
            f'<inertia ixx="{principal[0]:.17g}" iyy="{principal[1]:.17g}" izz="{principal[2]:.17g}" '
            'ixy="0" ixz="0" iyz="0"/></inertial></link>')
        up = m.body_parentid[body]
        parent = "world" if up == 0 else f"link {m.body(up).name or up}"
        kind, joint, extra = "fixed", f"fix_{name}", ""
        origin = f'xyz="{numbers(m.body_pos[body])}" rpy="{rpy(m.body_quat[body])}"'
        count = m.body_jntnum[body]
        for i in range(count):
            j = m.body_jntadr[body] + i
            assert np.allclose(m.jnt_pos[j], 0.0)
            kind = {mujoco.mjtJoint.mjJNT_HINGE: "continuous",
                    mujoco.mjtJoint.mjJNT_SLIDE: "prismatic"}[mujoco.mjtJoint(m.jnt_type[j])]
            joint = m.joint(j).name
            extra = f'<axis xyz="{numbers(m.jnt_axis[j])}"/>'
            if kind == "prismatic":
                extra += '<limit lower="-9" upper="9" effort="9" velocity="9"/>'
            if i == count - 1:
                break  # the last one carries the body
            between = f"{name}_{i}"
            out.append(f'<link name="{between}"/><joint name="{joint}" type="{kind}"><parent link="{parent}"/>'
                       f'<child link="{between}"/><origin {origin}/>{extra}</joint>')
            parent, origin = between, 'xyz="0 0 0" rpy="0 0 0"'
        out.append(f'<joint name="{joint}" type="{kind}"><parent link="{parent}"/><child link="{name}"/>'
                   f'<origin {origin}/>{extra}</joint>')
    s = m.site(site)
    out.append(f'<link name="the_tool"/><joint name="to_tool" type="fixed">'
               f'<parent link="link {m.body(m.site_bodyid[s.id]).name}"/><child link="the_tool"/>'
               f'<origin xyz="{numbers(s.pos)}" rpy="{rpy(s.quat)}"/></joint></robot>')
    return "".join(out)


def root_of(matrix):
    values, vectors = np.linalg.eigh(0.5 * (matrix + matrix.T))
    return vectors @ np.diag(np.sqrt(values)) @ vectors.T


class Peer:
    """The arm in Pinocchio: joints that aren't the arm's stand at 0, as the tool has them."""

    def __init__(self, path: str, site: str, joints: list[str]):
        mj = mujoco.MjModel.from_xml_path(str(ROOT / path))
        whole = pin.buildModelFromXML(urdf_of(mj, site))
        others = [whole.getJointId(name) for name in whole.names[1:] if name not in joints]
        # A continuous joint has cosine and sine for its position: neutral() is 0.
        self.model = pin.buildReducedModel(whole, others, pin.neutral(whole))
        self.model.gravity.linear = np.array(mj.opt.gravity)
        self.order = [self.model.joints[self.model.getJointId(name)].idx_v for name in joints]
        for name, place in zip(joints, self.order):
            self.model.armature[place] = mj.dof_armature[mj.joint(name).dofadr[0]]
        self.data = self.model.createData()
        self.tool = self.model.getFrameId("the_tool")

    def terms(self, q, v):
        angle, speed = np.empty(len(q)), np.empty(len(q))
        angle[self.order], speed[self.order] = q, v
        place = pin.integrate(self.model, pin.neutral(self.model), angle)
        order = np.array(self.order)
        none = np.zeros(len(q))
        mass = np.array(pin.crba(self.model, self.data, place))
        mass = np.triu(mass) + np.triu(mass, 1).T
        gravity = pin.rnea(self.model, self.data, place, none, none).copy()
        bias = pin.rnea(self.model, self.data, place, speed, none).copy()
        coriolis = np.array(pin.computeCoriolisMatrix(self.model, self.data, place, speed))
        jacobian = pin.computeFrameJacobian(self.model, self.data, place, self.tool,
                                            pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
        pin.framesForwardKinematics(self.model, self.data, place)
        pose = self.data.oMf[self.tool]
        return {"gravity": gravity[order], "coriolis": (bias - gravity)[order],
                "mass": mass[np.ix_(order, order)],
                "momentum": (mass @ speed)[order],
                "energy_gradient": (coriolis.T @ speed)[order], "jacobian": jacobian[:, order],
                "position": pose.translation.copy(), "rotation": pose.rotation.copy()}


class Laws(unittest.TestCase):
    def close(self, ours, theirs, what):
        ours = np.array(ours).reshape(np.shape(theirs))
        scale = max(1.0, np.abs(theirs).max())
        self.assertLess(np.abs(ours - theirs).max() / scale, CLOSE, what)

    def compare(self, path, site, joints):
        peer = Peer(path, site, joints)
        printed = subprocess.run([TOOL_PROGRAM, str(ROOT / path), site, "7", str(STATES), *joints],
                                 check=True, capture_output=True, text=True).stdout
        regular = 0
        states = [json.loads(line) for line in printed.splitlines()]
        self.assertEqual(len(states), STATES)
        for state in states:
            q, v = np.array(state["q"]), np.array(state["v"])
            terms = peer.terms(q, v)
            for name, value in terms.items():
                self.close(state[name], value, name)
            jacobian, mass = terms["jacobian"], terms["mass"]
            stiffness = np.array(state["stiffness"]).reshape(6, 6)
            turn = np.array(state["target_rotation"]).reshape(3, 3) @ terms["rotation"].T
            error = np.concatenate([state["target_position"] - terms["position"], pin.log3(turn)])
            self.close(state["spring"], jacobian.T @ stiffness @ error, "spring")
            if state["least_mobility"][0] < 0.01:
                continue  # damping and projector are bounded there: cartesian_laws_test
            regular += 1
            # D = 2 ζ times the geometric mean of inertia and stiffness.
            inertia = np.linalg.inv(jacobian @ np.linalg.solve(mass, jacobian.T))
            half = root_of(inertia)
            unhalf = np.linalg.inv(half)
            damping = 2.0 * state["ratio"][0] * half @ root_of(unhalf @ stiffness @ unhalf) @ half
            self.close(state["damper"], -jacobian.T @ damping @ jacobian @ v, "damper")
            pull = 10.0 * (np.array(state["posture_target"]) - q) - 3.0 * v
            consistent = pull - jacobian.T @ inertia @ jacobian @ np.linalg.solve(mass, pull)
            self.close(state["consistent"], consistent, "dynamically consistent posture")
            if np.linalg.svd(jacobian, compute_uv=False)[-1] ** 2 > 1e-3:
                kinematic = pull - np.linalg.pinv(jacobian) @ jacobian @ pull
                self.close(state["kinematic"], kinematic, "kinematic posture")
        self.assertGreater(regular, STATES // 4)

    def test_franka_arm(self):
        self.compare(*ARMS["franka"])

    def test_arm_of_the_icub(self):
        self.compare(*ARMS["icub_left"])


if __name__ == "__main__":
    unittest.main()
