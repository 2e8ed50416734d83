#!/usr/bin/env python3
"""Inverse kinematics of placo and mink beside ours, on the same reachable poses of the same arms.

    bench/peers/ik_peers.py --build build/release                 prints its table, some ten minutes
    bench/peers/ik_peers.py --build build/release --poses 1000    a tenth of it

The first call makes an environment of its own under the build directory, with placo 0.10.2 and mink 1.3.0 (its solver:
daqp) from PyPI; nothing of it is used elsewhere. ik_bench writes its 10,000 poses of each arm, with the limits and the start of the
joints, and measures itself before and after the others. mink reads the arm's MJCF, placo gets the chain from the world
to the tool as URDF, written here; before anything is measured, both must place the tool where ik_bench has it.

Both are differential: a step is theirs, the loop around it is ours. They step from where the robot starts until
the tool is within 1 um and 1 urad of its pose, as ik_bench asks of itself; after 100 steps, from positions at random
within the limits, nine times at most. A time is that of all steps of a pose, from Python, without the setting up.
"""

import argparse
import json
import math
import pathlib
import statistics
import subprocess
import sys
import time

from environments import environment

PINS = ["placo==0.10.2", "mink==1.3.0", "mujoco==3.17.0", "daqp==0.11.0", "numpy==2.3.5"]
NEAR, TURNED = 1e-6, 1e-6  # m, rad
STEPS, STARTS = 100, 10
CHECKED_POSES = 1000  # for the same forward kinematics


class Mink:
    """Its FrameTask, with the damping of its examples, on the arm's MJCF."""

    def __init__(self, arm):
        import mink
        import mujoco
        import numpy as np

        self.model = model_of(arm)
        self.mink = mink
        self.dofs = [int(self.model.joint(name).dofadr[0]) for name in arm["joints"]]
        for name, low, high in zip(arm["joints"], arm["low"], arm["high"]):
            joint = self.model.joint(name)
            self.model.jnt_limited[joint.id] = 1
            self.model.jnt_range[joint.id] = low, high
        self.configuration = mink.Configuration(self.model)
        frame = arm["tool"]
        is_site = mujoco.mj_name2id(self.model, mujoco.mjtObj.mjOBJ_SITE, frame) >= 0
        self.task = mink.FrameTask(frame, "site" if is_site else "body", 1.0, 1.0, lm_damping=1.0)
        self.limits = [mink.ConfigurationLimit(self.model, gain=0.95)]
        self.goal = np.eye(4)

    def begin(self, q, position=None, rotation=None):
        import numpy as np

        start = np.empty(self.model.nq)
        start[self.dofs] = q  # hinges and slides alone: a dof is a place in q
        self.configuration.update(start)
        if position is not None:
            self.goal[:3, :3], self.goal[:3, 3] = rotation, position
            self.task.set_target(self.mink.SE3.from_matrix(self.goal))

    def error(self):
        return self.task.compute_error(self.configuration)

    def step(self):
        velocity = self.mink.solve_ik(self.configuration, [self.task], 1.0, "daqp", 1e-12, limits=self.limits)
        self.configuration.integrate_inplace(velocity, 1.0)

    def joints(self):
        return self.configuration.q[self.dofs]

    def tool(self):
        pose = self.configuration.get_transform_frame_to_world(self.task.frame_name, self.task.frame_type)
        return pose.as_matrix()


class Placo:
    """Its frame task with joint limits, and a regularization as its examples have it."""

    def __init__(self, arm):
        import numpy as np
        import placo

        self.robot = placo.RobotWrapper("", placo.Flags.ignore_collisions, urdf_of(arm))
        self.names = arm["joints"]
        self.solver = placo.KinematicsSolver(self.robot)
        self.solver.mask_fbase(True)
        self.solver.enable_joint_limits(True)
        self.task = self.solver.add_frame_task("tool", np.eye(4))
        self.task.configure("tool", "soft", 1.0, 1.0)
        self.solver.add_regularization_task(1e-6)
        self.goal = np.eye(4)
        self.first = self.robot.get_joint_offset(self.names[0])

    def begin(self, q, position=None, rotation=None):
        for name, value in zip(self.names, q):
            self.robot.set_joint(name, float(value))
        self.robot.update_kinematics()
        if position is not None:
            self.goal[:3, :3], self.goal[:3, 3] = rotation, position
            self.task.T_world_frame = self.goal

    def error(self):
        import numpy as np

        return np.concatenate([self.task.position().error(), self.task.orientation().error()])

    def step(self):
        self.solver.solve(True)
        self.robot.update_kinematics()

    def joints(self):
        return [self.robot.get_joint(name) for name in self.names]

    def tool(self):
        return self.robot.get_T_world_frame("tool")


def model_of(arm):
    """The arm's MJCF with no joint beside those that ik_bench moves, the others where the MJCF has them."""
    import mujoco

    spec = mujoco.MjSpec.from_file(arm["model"])
    for more in (spec.keys, spec.sensors, spec.actuators, spec.tendons, spec.equalities):
        for element in list(more):
            spec.delete(element)
    for joint in list(spec.joints):
        if joint.name not in arm["joints"]:
            spec.delete(joint)
    return spec.compile()


def numbers(values):
    return " ".join(f"{value:.17g}" for value in values)


def urdf_of(arm):
    """The chain of bodies from the world to the tool. A link's frame is at its joint's anchor, turned as its body."""
    import mujoco
    import numpy as np

    model = model_of(arm)
    data = mujoco.MjData(model)
    data.qpos[:] = model.qpos0
    mujoco.mj_kinematics(model, data)
    site = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_SITE, arm["tool"])
    body = int(model.site_bodyid[site]) if site >= 0 else model.body(arm["tool"]).id
    chain = []
    while body != 0:
        chain.insert(0, body)
        body = int(model.body_parentid[body])
    inertia = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"
    links, joints = [f"<link name='base'>{inertia}</link>"], []
    parent, at = "base", np.eye(4)

    def joint(name, kind, child, pose, more=""):
        relative = np.linalg.inv(at) @ pose
        roll, pitch, yaw = angles_of(relative[:3, :3])
        joints.append(f"<joint name='{name}' type='{kind}'><parent link='{parent}'/><child link='{child}'/>"
                      f"<origin xyz='{numbers(relative[:3, 3])}' rpy='{numbers((roll, pitch, yaw))}'/>{more}</joint>")
        links.append(f"<link name='{child}'>{inertia}</link>")

    for body in chain:
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = data.xmat[body].reshape(3, 3), data.xpos[body]
        moved = [j for j in range(model.njnt) if model.jnt_bodyid[j] == body]
        name = f"body{body}"
        if len(moved) > 1:
            sys.exit(f"{arm['model']}: a body with several joints can't be written as URDF")
        if moved:
            k = arm["joints"].index(model.joint(moved[0]).name)
            pose[:3, 3] = data.xanchor[moved[0]]
            slides = model.jnt_type[moved[0]] == mujoco.mjtJoint.mjJNT_SLIDE
            joint(arm["joints"][k], "prismatic" if slides else "revolute", name, pose,
                  f"<axis xyz='{numbers(model.jnt_axis[moved[0]])}'/><limit lower='{arm['low'][k]:.17g}' "
                  f"upper='{arm['high'][k]:.17g}' effort='1000' velocity='1000'/>")
        else:
            joint(name + "_fixed", "fixed", name, pose)
        parent, at = name, pose
    tool = np.eye(4)
    if site >= 0:
        tool[:3, :3], tool[:3, 3] = data.site_xmat[site].reshape(3, 3), data.site_xpos[site]
    else:
        tool[:3, :3], tool[:3, 3] = data.xmat[chain[-1]].reshape(3, 3), data.xpos[chain[-1]]
    joint("tool_fixed", "fixed", "tool", tool)
    return f"<robot name='arm'>{''.join(links)}{''.join(joints)}</robot>"


def angles_of(rotation):
    """Roll, pitch and yaw of URDF."""
    pitch = math.atan2(-rotation[2][0], math.hypot(rotation[0][0], rotation[1][0]))
    if math.hypot(rotation[0][0], rotation[1][0]) < 1e-9:
        return math.atan2(-rotation[1][2], rotation[1][1]), pitch, 0.0
    return (math.atan2(rotation[2][1], rotation[2][2]), pitch, math.atan2(rotation[1][0], rotation[0][0]))


def rotation_of(pose):
    """ik_bench writes column by column."""
    import numpy as np

    return np.array(pose["rotation"]).reshape(3, 3).T


def same_robot(peer, arm, name):
    """Ends with a sentence where the peer has the tool elsewhere than ik_bench."""
    import numpy as np

    for pose in arm["poses"][:CHECKED_POSES]:
        peer.begin(pose["q"])
        tool = peer.tool()
        off = max(np.abs(tool[:3, 3] - pose["position"]).max(),
                  np.abs(tool[:3, :3] - rotation_of(pose)).max())
        if off > 1e-8:
            sys.exit(f"{name} has the tool {off:.3g} elsewhere than ik_bench: this is another robot")


def measure(peer, arm):
    """Shares solved, from the first start and from all, and the median time of a pose [us]."""
    import numpy as np

    low, high, start = (np.array(arm[key]) for key in ("low", "high", "start"))
    random = np.random.default_rng(1)
    solved, at_first, times = 0, 0, []
    for pose in arm["poses"]:
        position, rotation = np.array(pose["position"]), rotation_of(pose)
        starts = [start] + [random.uniform(low, high) for _ in range(STARTS - 1)]
        begin = time.perf_counter_ns()
        tries = attempts(peer, starts, position, rotation)
        times.append(1e-3 * (time.perf_counter_ns() - begin))
        if not tries:
            continue
        # A solution is judged by what it moves, and by its limits.
        q = np.array(peer.joints())
        if (q < low - 1e-6).any() or (q > high + 1e-6).any():
            continue
        solved += 1
        at_first += tries == 1
    times.sort()
    return {"solved_percent": 100 * solved / len(times), "first_percent": 100 * at_first / len(times),
            "p50": times[len(times) // 2], "p90": times[len(times) * 9 // 10]}


def attempts(peer, starts, position, rotation):
    """How many starts it took; 0: none led to the pose."""
    for number, q in enumerate(starts, 1):
        peer.begin(q, position, rotation)
        for _ in range(STEPS):
            try:
                peer.step()
            except Exception:  # a program without a solution: the next start
                break
            error = peer.error()
            if math.dist(error[:3], (0, 0, 0)) < NEAR and math.dist(error[3:], (0, 0, 0)) < TURNED:
                return number
    return 0


def compare(folder):
    results = {}
    for file in sorted(folder.glob("*.json")):
        arm = json.loads(file.read_text())
        for name, kind in (("placo", Placo), ("mink", Mink)):
            peer = kind(arm)
            same_robot(peer, arm, name)
            results.setdefault(file.stem, {})[name] = measure(peer, arm)
            print(f"{file.stem}: {name} is done", file=sys.stderr)
    print(json.dumps(results))


def table(ours, theirs):
    print("| arm | solver | solved | from the robot's start alone | p50 | p90 | p50 over ours |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for arm, others in theirs.items():
        runs = [run[arm] for run in ours]
        own = statistics.median(run["p50"] for run in runs)
        print(f"| {arm} | jointrig | {runs[0]['solved_percent']:.2f} % | | {own:.1f} us "
              f"| {statistics.median(run['p90'] for run in runs):.1f} us | 1 |".replace(" us", " µs"))
        for name, of in others.items():
            print(f"| {arm} | {name} | {of['solved_percent']:.2f} % | {of['first_percent']:.2f} % | {of['p50']:.0f} µs "
                  f"| {of['p90']:.0f} µs | {of['p50'] / own:.0f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--poses", type=int, default=10_000, help="of each arm")
    parser.add_argument("--inside", type=pathlib.Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.inside:
        compare(arguments.inside)
        return
    python = environment(arguments.build, "ik", PINS)
    folder = arguments.build / "peers" / "ik_poses"
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.json"):
        old.unlink()

    def our_own():
        done = subprocess.run([str(arguments.build / "bench" / "ik_bench"), "--poses", str(arguments.poses), "--write",
                               str(folder)], check=True, stdout=subprocess.PIPE, text=True)
        return json.loads(done.stdout)

    before = our_own()
    done = subprocess.run([str(python), __file__, "--inside", str(folder)], check=True, stdout=subprocess.PIPE, text=True)
    table([before, our_own()], json.loads(done.stdout.splitlines()[-1]))


if __name__ == "__main__":
    main()
