#!/usr/bin/env python3
"""placo's dynamics solver beside the core of whole-body control, on the standing iCub in the same states.

    bench/peers/whole_body_peers.py --build build/release                 prints its table, under a minute
    bench/peers/whole_body_peers.py --build build/release --states 500    fewer states

The first call makes an environment of its own under the build directory, with placo 0.10.2 from PyPI; nothing of it is
used elsewhere. The robot is models/icub without damping and armature, which a URDF doesn't have: wholebody_states reads
that MJCF, placo the same as URDF, written here. Before anything is measured both must agree on its mass.

Tasks, gains and weights of both: centre of mass, orientation of the chest, posture, both soles at rest, squares of torques
and of the soles' wrenches, torque limits. States are at random about the start pose, moving. A batch of ours is
followed by the same one of placo's, five times each, so that the machine's load falls on both; the median of a state's
five times is its time, and the 99th percentile is over states. A time is the thread's own, of the whole computation: model,
program, solution; of placo it is taken from Python, around two calls of C++. Torques that are apart by more than 1e-6
of the largest one end it with a sentence.
"""

import argparse
import json
import math
import pathlib
import re
import statistics
import subprocess
import sys
import time

from environments import environment

PINS = ["placo==0.10.2", "mujoco==3.17.0", "numpy==2.3.5"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
SOLES = {"l_sole": 1.0, "r_sole": -1.0}
SOLE = {"length": 0.16, "width": 0.072, "mu": 0.7}  # m
TORQUE_MAX = 60.0  # N m
SCALE = 1e4  # of all weights, as in wholebody_states: so large that what a solver adds of its own counts for nothing
BATCH, TURNS, AGREE = 100, 5, 1e-6
GOAL, TAIL = 0.61, 1.5


def bare(text):
    """The MJCF without damping and armature."""
    return re.sub(r'\s(damping|armature)="[^"]*"', "", text)


def numbers(values):
    return " ".join(f"{value:.17g}" for value in values)


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


def turned(quaternion):
    """Rotation matrix of w x y z."""
    import numpy as np

    w, x, y, z = quaternion
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + 2 * w * cross + 2 * cross @ cross


class Placo:
    def __init__(self, urdf, head):
        import numpy as np
        import placo

        self.robot = placo.RobotWrapper("", placo.Flags.ignore_collisions, urdf)
        self.q_at = [self.robot.get_joint_offset(name) for name in head["joints"]]
        self.v_at = [self.robot.get_joint_v_offset(name) for name in head["joints"]]
        self.solver = placo.DynamicsSolver(self.robot)
        self.solver.enable_torque_limits(True)
        self.solver.torque_cost = 1e-3 * SCALE
        zeros = [0.0] * len(head["joints"])
        self.place([*head["position"], *head["orientation"], 0, 0, 0, 0, 0, 0, *head["q"], *zeros])
        self.com = self.solver.add_com_task(self.robot.com_world())
        self.com.configure("com", "soft", SCALE)
        chest = self.solver.add_orientation_task("chest", self.robot.get_T_world_frame("chest")[:3, :3])
        chest.configure("chest", "soft", SCALE)
        posture = self.solver.add_joints_task()
        posture.set_joints(dict(zip(head["joints"], head["q"])))
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
        import numpy as np

        turn, joints = turned(state[3:7]), len(self.q_at)
        self.q, self.v = np.zeros(7 + joints), np.zeros(6 + joints)
        w, x, y, z = state[3:7]
        self.q[:7] = [*state[:3], x, y, z, w]
        self.q[self.q_at] = state[13 : 13 + joints]
        self.v[:3], self.v[3:6] = turn.T @ state[7:10], state[10:13]
        self.v[self.v_at] = state[13 + joints :]
        self.robot.state.q, self.robot.state.qd = self.q, self.v
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


def states_of(head, count):
    """About the start pose, moving."""
    import numpy as np

    random = np.random.default_rng(15)
    joints = len(head["joints"])
    for _ in range(count):
        orientation = np.array(head["orientation"]) + random.normal(0.0, 0.005, 4)
        yield np.concatenate([np.array(head["position"]) + random.normal(0.0, 0.001, 3),
                              orientation / np.linalg.norm(orientation), random.normal(0.0, 0.01, 6),
                              np.array(head["q"]) + random.normal(0.0, 0.005, joints), random.normal(0.0, 0.01, joints)])  # fmt: skip


def share(times, of):
    return sorted(times)[min(len(times) - 1, int(of * len(times)))]


def compare(build, count):
    import mujoco
    import numpy as np

    mjcf = build / "peers" / "whole_body.xml"
    mjcf.write_text(bare((ROOT / "models/icub/icub.xml").read_text()))
    ours = subprocess.Popen([str(build / "bench" / "wholebody_states"), str(mjcf)], stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, text=True)  # fmt: skip
    head = json.loads(ours.stdout.readline())
    placo = Placo(urdf_of(mujoco.MjModel.from_xml_path(str(mjcf))), head)
    if abs(placo.robot.total_mass() - head["mass"]) > 1e-9:
        sys.exit(f"placo's robot weighs {placo.robot.total_mass()} kg, ours {head['mass']}: this is another robot")
    states = list(states_of(head, count))
    times, apart = {"jointrig": [], "placo": []}, []
    for first in range(0, count, BATCH):
        batch = states[first : first + BATCH]
        own, other = ([[] for _ in batch] for _ in range(2))
        for _ in range(TURNS):
            ours.stdin.write(f"{len(batch)}\n" + "".join(numbers(state) + "\n" for state in batch))
            ours.stdin.flush()
            for i, state in enumerate(batch):
                took, solved, *torques = map(float, ours.stdout.readline().split())
                own[i].append(took)
                took, success, theirs = placo.solve(state)
                other[i].append(took)
                if not (solved and success):
                    sys.exit(f"no solution: of ours {solved}, of placo's {success}")
                apart.append(np.abs(np.array(torques) - theirs).max() / np.abs(theirs).max())
        times["jointrig"] += map(statistics.median, own)
        times["placo"] += map(statistics.median, other)
    ours.stdin.close()
    ours.wait()
    result = {name: {"p50": share(of, 0.5), "p99": share(of, 0.99)} for name, of in times.items()}
    print(json.dumps({**result, "apart": max(apart)}))


def require_agreement(result):
    if not result["apart"] <= AGREE:
        sys.exit(f"torques are {result['apart']:.3g} of the largest one apart, {AGREE} is allowed: {result}")


def table(result):
    own = result["jointrig"]["p50"]
    print("| iCub on both soles | median | p99 | p99 over median | goal | median of placo's | goal |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name in ("jointrig", "placo"):
        p50, p99 = result[name]["p50"], result[name]["p99"]
        goals = (f"{TAIL}", f"{own / result['placo']['p50']:.2f}", f"{GOAL}") if name == "jointrig" else ("", "1", "")
        print(f"| {name} | {p50:.0f} µs | {p99:.0f} µs | {p99 / p50:.2f} | {goals[0]} | {goals[1]} | {goals[2]} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--states", type=int, default=5_000)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.inside:
        compare(arguments.build, arguments.states)
        return
    python = environment(arguments.build, "whole_body", PINS)
    done = subprocess.run([str(python), __file__, "--inside", "--build", str(arguments.build), "--states",
                           str(arguments.states)], check=True, stdout=subprocess.PIPE, text=True)  # fmt: skip
    result = json.loads(done.stdout.splitlines()[-1])
    require_agreement(result)
    print(f"Torques of both are the same to {result['apart']:.1g} of the largest one, in {arguments.states} states.")
    table(result)


if __name__ == "__main__":
    main()
