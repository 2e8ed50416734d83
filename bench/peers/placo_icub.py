"""placo's dynamics solver on the iCub of models/, for whole_body_peers.py.

The robot is without damping and armature, which a URDF doesn't have: wholebody_states reads that MJCF, placo the same as
URDF, written here.
"""

import math
import pathlib
import re
import time

from whole_body_states import SCALE, at_rest, coordinates, numbers

NAME, ROBOT, TITLE = "placo", "icub", "iCub on both soles"
PINS = ["placo==0.10.2", "mujoco==3.17.0", "numpy==2.3.5"]
GOAL = 0.61  # of its median
REACHES = (1,)  # further away friction counts, and the pyramids differ
ROOT = pathlib.Path(__file__).resolve().parents[2]
SOLES = {"l_sole": 1.0, "r_sole": -1.0}
SOLE = {"length": 0.16, "width": 0.072, "mu": 0.7}  # m
TORQUE_MAX = 60.0  # N m


def bare(text):
    """The MJCF without damping and armature."""
    return re.sub(r'\s(damping|armature)="[^"]*"', "", text)


def urdf_of(model):
    """The whole robot. A link's frame is at its joint's anchor, turned as its body."""
    import mujoco
    import numpy as np

    data = mujoco.MjData(model)
    data.qpos[:] = model.qpos0
    mujoco.mj_kinematics(model, data)
    poses, links, joints = {}, [], []

    def origin(parent, pose):
        relative = np.linalg.inv(parent) @ pose
        return f"<origin xyz='{numbers(relative[:3, 3])}' rpy='{numbers(angles_of(relative[:3, :3]))}'/>"

    def fixed(name, parent, pose, inertial=""):
        links.append(f"<link name='{name}'>{inertial}</link>")
        joints.append(f"<joint name='{name}_fixed' type='fixed'><parent link='{model.body(parent).name}'/>"
                      f"<child link='{name}'/>{origin(poses[parent], pose)}</joint>")

    for body in range(1, model.nbody):
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = data.xmat[body].reshape(3, 3), data.xpos[body]
        moved = [j for j in range(model.njnt) if model.jnt_bodyid[j] == body]
        free = bool(moved) and model.jnt_type[moved[0]] == mujoco.mjtJoint.mjJNT_FREE
        if moved and not free:
            pose[:3, 3] = data.xanchor[moved[0]]
        poses[body] = pose
        inertial = np.eye(4)
        inertial[:3, :3], inertial[:3, 3] = data.ximat[body].reshape(3, 3), data.xipos[body]
        ixx, iyy, izz = model.body_inertia[body]
        inertia = (f"<inertial>{origin(pose, inertial)}<mass value='{model.body_mass[body]:.17g}'/><inertia ixx='{ixx:.17g}' "
                   f"iyy='{iyy:.17g}' izz='{izz:.17g}' ixy='0' ixz='0' iyz='0'/></inertial>")  # fmt: skip
        name, parent = model.body(body).name, int(model.body_parentid[body])
        if not moved and parent != 0:
            fixed(name, parent, pose, inertia)
            continue
        links.append(f"<link name='{name}'>{inertia}</link>")
        if not free and moved:
            joints.append(f"<joint name='{model.joint(moved[0]).name}' type='revolute'><parent link='{model.body(parent).name}'/>"
                          f"<child link='{name}'/>{origin(poses[parent], pose)}<axis xyz='{numbers(model.jnt_axis[moved[0]])}'/>"
                          f"<limit lower='-10' upper='10' effort='{TORQUE_MAX}' velocity='1000'/></joint>")  # fmt: skip
    for sole, outward in SOLES.items():
        site = model.site(sole).id
        pose = np.eye(4)
        pose[:3, :3] = data.site_xmat[site].reshape(3, 3)
        pose[:3, 3] = data.site_xpos[site] + pose[:3, :3] @ [0.0265, 0.005 * outward, -0.0105]
        fixed(f"{sole}_middle", int(model.site_bodyid[site]), pose)
    return f"<robot name='icub'>{''.join(links)}{''.join(joints)}</robot>"


def angles_of(rotation):
    """Roll, pitch and yaw of URDF."""
    flat = math.hypot(rotation[0][0], rotation[1][0])
    pitch = math.atan2(-rotation[2][0], flat)
    if flat < 1e-9:
        return math.atan2(-rotation[1][2], rotation[1][1]), pitch, 0.0
    return math.atan2(rotation[2][1], rotation[2][2]), pitch, math.atan2(rotation[1][0], rotation[0][0])


def model_file(folder):
    path = folder / "icub.xml"
    path.write_text(bare((ROOT / "models/icub/icub.xml").read_text()))
    return path


def home(head):
    return at_rest(head["position"], head["orientation"], head["q"])


class Solver:
    def __init__(self, path, head, home):
        import mujoco
        import numpy as np
        import placo

        urdf = urdf_of(mujoco.MjModel.from_xml_path(str(path)))
        self.robot = placo.RobotWrapper("", placo.Flags.ignore_collisions, urdf)
        self.q_at = [self.robot.get_joint_offset(name) for name in head["joints"]]
        self.v_at = [self.robot.get_joint_v_offset(name) for name in head["joints"]]
        self.solver = placo.DynamicsSolver(self.robot)
        self.solver.enable_torque_limits(True)
        self.solver.torque_cost = 1e-3 * SCALE
        self.mass = self.robot.total_mass()
        self.place(home)
        self.com = self.solver.add_com_task(self.robot.com_world())
        self.com.configure("com", "soft", SCALE)
        chest = self.solver.add_orientation_task("chest", self.robot.get_T_world_frame("chest")[:3, :3])
        chest.configure("chest", "soft", SCALE)
        posture = self.solver.add_joints_task()
        posture.set_joints(dict(zip(head["joints"], home[13:])))
        posture.configure("posture", "soft", 0.1 * SCALE)
        self.soles = {}
        for sole in SOLES:
            task = self.solver.add_frame_task(f"{sole}_middle", np.eye(4))
            task.configure(sole, "hard")
            contact = self.solver.add_planar_contact(task)
            contact.length, contact.width, contact.mu = SOLE["length"], SOLE["width"], SOLE["mu"]
            contact.weight_forces, contact.weight_moments, contact.weight_tangentials = 1e-4 * SCALE, 1e-2 * SCALE, 0.0
            self.soles[f"{sole}_middle"] = task
        self.solver.set_kp(100.0)
        self.solver.set_kd(20.0)

    def place(self, state):
        self.robot.state.q, self.robot.state.qd = coordinates(state, self.q_at, self.v_at)
        self.robot.update_kinematics()

    def solve(self, state):
        """Time [us], whether it was solved, torques."""
        self.place(state)
        for frame, task in self.soles.items():  # rest is wanted, not a place
            task.T_world_frame = self.robot.get_T_world_frame(frame)
        begun = time.thread_time_ns()
        self.robot.update_kinematics()
        result = self.solver.solve()
        took = 1e-3 * (time.thread_time_ns() - begun)
        return took, result.success, result.tau[self.v_at]

    def violation(self, _):
        return 0.0  # in these states none is active
