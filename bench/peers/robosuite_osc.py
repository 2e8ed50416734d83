#!/usr/bin/env python3
"""robosuite's OSC_POSE beside mode cartesian, on one compiled model of the Panda at 1 kHz.

    bench/peers/robosuite_osc.py --build build/release              prints the table
    bench/peers/robosuite_osc.py --build build/release --into README.md

The first call makes an environment of its own under the build directory, with robosuite 1.5.2, MuJoCo 3.4.0 and
numpy 1.26.4 from PyPI (some 300 MB); nothing of it is used elsewhere. Both go round the same circle (3 cm, once
a second) from the same pose, with 150 as stiffness (robosuite's acts on the tool's inertia, ours is in N/m) and a
damping ratio of 1: the model that robosuite has compiled is saved as MJCF and given to
jointrig_bench, each with the MuJoCo that it comes with. robosuite steps its Lift task without pictures, without
observables of objects and without noise; ours runs with every limit, all terms and a payload on.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import time

from environments import environment

PINS = ["robosuite==1.5.2", "mujoco==3.4.0", "numpy==1.26.4"]
START = "<!-- peers:start -->"
END = "<!-- peers:end -->"
GOAL = 15  # times as fast, for the whole step
RADIUS, TURN_PER_STEP = 0.03, 2e-3 * 3.141592653589793  # m; rad: once a second, as bench/take.cpp
ARM = [f"robot0_joint{i}" for i in range(1, 8)]
TOOL = "gripper0_right_grip_site"
KP = 150  # robosuite's default, 1/s² on the inertia of the tool; N/m and N·m/rad of ours


def run_quietly(command):
    """Output of the command is shown where it fails."""
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{done.stdout}{done.stderr}\nfailed with {done.returncode}: {' '.join(command)}")


def measure_robosuite(folder, steps):
    """Runs in the environment: writes panda.xml, robot.yaml and robosuite.json into the folder."""
    import numpy as np
    import robosuite
    import robosuite.utils.transform_utils as transforms
    from robosuite import macros
    from robosuite.controllers import load_composite_controller_config

    macros.SIMULATION_TIMESTEP = 0.001
    config = load_composite_controller_config(controller="BASIC", robot="Panda")
    right = config["body_parts"]["right"]
    right.update(type="OSC_POSE", kp=KP, damping_ratio=1, input_type="absolute")
    env = robosuite.make(
        "Lift", robots="Panda", controller_configs=config, control_freq=1000, horizon=10**9,
        has_renderer=False, has_offscreen_renderer=False, use_camera_obs=False, use_object_obs=False,
        initialization_noise=None, ignore_done=True)  # fmt: skip
    env.reset()
    robot = env.robots[0]
    osc = robot.part_controllers["right"]
    data = env.sim.data._data
    q_start = [float(data.joint(name).qpos[0]) for name in ARM]
    (folder / "panda.xml").write_text(env.sim.model.get_xml())
    (folder / "robot.yaml").write_text(robot_yaml(q_start))

    # Targets are in the frame of the robot's base.
    centre = osc.origin_ori.T @ (osc.ref_pos - osc.origin_pos)
    turn = transforms.quat2axisangle(transforms.mat2quat(osc.origin_ori.T @ osc.ref_ori_mat))
    whole, alone, along = [], [], []
    action = np.zeros(env.action_dim)
    for i in range(steps):
        angle = TURN_PER_STEP * i
        target = centre + RADIUS * np.array([np.sin(angle), 1 - np.cos(angle), 0])
        action[:3], action[3:6] = target, turn
        begin = time.perf_counter_ns()
        env.step(action)
        whole.append(time.perf_counter_ns() - begin)
        at = osc.origin_ori.T @ (data.site(TOOL).xpos - osc.origin_pos)
        along.append(float(at[0]))
    for _ in range(steps):
        begin = time.perf_counter_ns()
        robot.control(action, policy_step=True)
        alone.append(time.perf_counter_ns() - begin)
    # A critically damped spring of these gains follows a circle once a second with 0.8 of its size.
    width = max(along) - min(along)
    if not RADIUS < width < 3 * RADIUS:
        raise SystemExit(f"robosuite's tool went {1e3 * width:.0f} mm to and fro: it is on another path")
    (folder / "robosuite.json").write_text(json.dumps({
        "step_us": statistics.median(whole) / 1e3, "control_us": statistics.median(alone) / 1e3,
        "width_mm": 1e3 * width, "mujoco": __import__("mujoco").__version__}))  # fmt: skip


def robot_yaml(q_start):
    starts = "\n".join(f"  {name}: {{start: {q:.9f} rad}}" for name, q in zip(ARM, q_start))
    return f"""schema: 1
name: panda
model: panda.xml
parts: {{arm: [{", ".join(ARM)}]}}
joints:
{starts}
arms:
  arm:
    part: arm
    tool: {TOOL}
    stiffness: [{", ".join([str(KP)] * 6)}]
    stiffness_max: [{", ".join([str(KP)] * 6)}]
    damping_ratio: 1
"""


def measure_ours(build, folder, repetitions):
    """Median of the repetitions of each. [µs]"""
    out = folder / "jointrig.json"
    run_quietly(
        [str(build / "bench" / "jointrig_bench"), "--robot", f"panda={folder / 'robot.yaml'}",
         "--benchmark_filter=panda_cartesian/(mj_step|cycle|loop_step)$",
         f"--benchmark_repetitions={repetitions}", "--benchmark_enable_random_interleaving=true",
         f"--benchmark_out={out}"])  # fmt: skip
    report = json.loads(out.read_text())
    times = {}
    for entry in report["benchmarks"]:
        if entry["run_type"] != "iteration":
            continue
        what = entry["run_name"].split("/")[1]
        scale = {"ns": 1e-3, "us": 1.0}[entry["time_unit"]]
        times.setdefault(what, []).append(entry["cpu_time"] * scale)
    return {what: statistics.median(all_of_it) for what, all_of_it in times.items()}, report["context"]


def table(peer, ours, context):
    def row(name, theirs, mine, goal=""):
        return f"| {name} | {theirs:.1f} µs | {mine:.2f} µs | {theirs / mine:.1f} | {goal} |"

    return "\n".join([
        "| of a step at 1 kHz | robosuite OSC_POSE | mode cartesian | ratio | goal |",
        "| --- | ---: | ---: | ---: | ---: |",
        row("whole: physics, boards, sensors, controller, limits", peer["step_us"], ours["loop_step"],
            f"at least {GOAL}"),
        row("controller alone", peer["control_us"], ours["cycle"]),
        "",
        f"One compiled model of the Panda, the same circle, 150 as stiffness (1/s² there, N/m here), medians. robosuite 1.5.2 on MuJoCo "
        f"{peer['mujoco']}, its Lift task without observables of objects; ours on MuJoCo {context['mujoco']} (bare "
        f"`mj_step` {ours['mj_step']:.1f} µs), all limits, terms and a payload on. {context['cpu']}, "
        f"{context['num_cpus']} cores. Again: `bench/peers/robosuite_osc.py --build build/release --into README.md`",
    ])  # fmt: skip


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--repetitions", type=int, default=9)
    parser.add_argument("--into", type=pathlib.Path, help="Markdown file with the two markers")
    parser.add_argument("--inside", type=pathlib.Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        measure_robosuite(options.inside, options.steps)
        return
    build = options.build.resolve()
    folder = build / "peers" / "panda"
    folder.mkdir(parents=True, exist_ok=True)
    python = environment(build, "robosuite", PINS)
    run_quietly([str(python), str(pathlib.Path(__file__).resolve()), "--inside", str(folder),
                 "--steps", str(options.steps)])  # fmt: skip
    ours, context = measure_ours(build, folder, options.repetitions)
    text = table(json.loads((folder / "robosuite.json").read_text()), ours, context)
    if options.into is None:
        print(text)
        return
    old = options.into.read_text(encoding="utf-8")
    start, end = old.find(START), old.find(END)
    if start < 0 or end < start:
        sys.exit(f"{options.into}: the lines {START} and {END} are missing, or in the wrong order")
    options.into.write_text(
        old[: start + len(START)] + "\n" + text + "\n" + old[end:], encoding="utf-8")


if __name__ == "__main__":
    main()
