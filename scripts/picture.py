"""Draws a run: the robot at chosen moments, and one joint's position and torque beside its limits,
its modes behind them in the colours of the iCub's GUI.

    python scripts/picture.py RUN OUT.png --joint r_elbow --at "2.5: pushed" --at "8: it gives way"

RUN is the folder of one scenario in a run's folder (log.mcap in it, result.json beside it). The robot
is posed from the log and drawn by MuJoCo without a screen; what the scenario's obstacles are is read
from the log as well. In a moment's text {name} stands for the value of that metric.

Needs, beyond the project's own packages (none of this is needed to build or run):

    apt-get install libosmesa6 fonts-dejavu-core
    .deps/venv/bin/python -m pip install pillow pyyaml
"""

import argparse
import json
import os
import pathlib
import re
import sys

os.environ.setdefault("MUJOCO_GL", "osmesa")

try:
    import mujoco
    import numpy as np
    import yaml
    from mcap.reader import make_reader
    from mcap_ros2.reader import read_ros2_messages
    from PIL import Image, ImageDraw, ImageFont
except ImportError as error:
    sys.exit(f"picture.py: {error}; see --help for what it needs")

WIDTH, HEIGHT = 1600, 760
SCENES_HEIGHT = 384
GAP = 12
LEFT, RIGHT = 156, 20  # of the plots
OVERSAMPLE = 2  # lines are drawn twice as large and scaled down: smooth edges

BACKGROUND = (255, 255, 255)
TEXT, SOFT, GRID = (30, 34, 40), (104, 112, 122), (228, 231, 235)
MEASURED, REFERENCE, LIMIT, BADGE = (22, 92, 190), (226, 120, 20), (190, 30, 30), (30, 34, 40)
OBSTACLE, ARROW = (0.90, 0.49, 0.13, 1.0), (0.80, 0.10, 0.10, 1.0)
ARROW_LENGTH = 0.2  # [m]

# The iCub's motor GUI shows a joint's mode by these.
MODE_COLOURS = {
    "idle": (249, 236, 141),
    "position": (149, 221, 186),
    "position_direct": (119, 206, 111),
    "mixed": (150, 205, 220),
    "velocity": (150, 190, 255),
    "torque": (219, 166, 171),
    "openloop": (236, 236, 236),
    "cartesian": (200, 170, 235),
    "hw_fault": (255, 50, 50),
}
OTHER_MODE = (220, 220, 220)
SHAPES = {"box": mujoco.mjtGeom.mjGEOM_BOX, "sphere": mujoco.mjtGeom.mjGEOM_SPHERE,
          "cylinder": mujoco.mjtGeom.mjGEOM_CYLINDER, "capsule": mujoco.mjtGeom.mjGEOM_CAPSULE}


class Run:
    """The columns of a log that a picture needs."""

    def __init__(self, folder: pathlib.Path, joint: str):
        self.log = str(folder / "log.mcap")
        with open(self.log, "rb") as file:
            reader = make_reader(file)
            meta = {m.name: dict(m.metadata) for m in reader.iter_metadata()}
            files = {a.name: a.data.decode() for a in reader.iter_attachments()}
            schemas = reader.get_summary().schemas.values()
        definition = next(s.data.decode() for s in schemas if s.name.endswith("/Joint"))
        self.mode_words = {int(value): word.lower() for word, value in
                           re.findall(r"^uint8 MODE_(\w+) *= *(\d+)", definition, re.MULTILINE)}
        self.robot = meta["robot"]
        self.scenario = yaml.safe_load(files["scenario.yaml"])
        limits = yaml.safe_load(files["robot.yaml"])["joints"][joint]
        self.bounds = {key: self._number(limits[key]) for key in
                       ("position_min", "position_max", "soft_margin", "torque_max")}
        result = json.loads((folder.parent / "result.json").read_text())
        name = self.scenario["scenario"]
        verdicts = next(r["verdicts"] for r in result["scenarios"] if r["scenario"] == name)
        self.metrics = {v["name"]: v["value"] for v in verdicts if v["kind"] == "metric"}
        self._read_joint(joint)

    @staticmethod
    def _number(value) -> float:
        if not isinstance(value, str):
            return float(value)
        number, unit = re.fullmatch(r"(\S+) *(.*)", value).groups()
        return np.radians(float(number)) if unit == "deg" else float(number)

    def _read_joint(self, joint: str):
        rows, modes = [], []
        for message in read_ros2_messages(self.log, topics=[f"/j/{joint}"]):
            m = message.ros_msg
            rows.append((message.log_time_ns * 1e-9, m.q, m.q_ref, m.tau))
            mode = (self.mode_words[m.mode], "compliant" if m.interaction else "stiff")
            if not modes or modes[-1][1] != mode:
                modes.append((rows[-1][0], mode))
        if not rows:
            sys.exit(f'picture.py: there is no joint "{joint}" in {self.log}')
        self.time, self.q, self.q_ref, self.tau = np.array(rows).T
        ends = [begin for begin, _ in modes[1:]] + [self.time[-1]]
        self.modes = [(begin, end, *mode) for (begin, mode), end in zip(modes, ends)]

    def poses(self, moments):
        """Joint positions by name at each of the moments."""
        poses, wanted = [], sorted(moments)
        for message in read_ros2_messages(self.log, topics=["/joint_states"]):
            while wanted and message.log_time_ns * 1e-9 >= wanted[0]:
                state = message.ros_msg
                poses.append(dict(zip(state.name, state.position)))
                wanted.pop(0)
        if wanted:
            sys.exit(f"picture.py: the log ends before {wanted[0]} s")
        return poses

    def obstacles(self):
        return [d["obstacle"] for d in self.scenario.get("disturbances", []) if "obstacle" in d]


class Stage:
    """The robot in its scene, ready to be posed and drawn."""

    def __init__(self, run: Run, width: int, height: int, view):
        robot = mujoco.MjSpec.from_file(run.robot["model"])
        if run.robot.get("scene"):
            scene = mujoco.MjSpec.from_file(run.robot["scene"])
            scene.attach(robot, frame=scene.worldbody.add_frame(), prefix="robot/")
            self.prefix = "robot/"
        else:
            scene, self.prefix = robot, ""
        for obstacle in run.obstacles():
            size = list(obstacle["size"]) + [0.0] * (3 - len(obstacle["size"]))
            scene.worldbody.add_geom(type=SHAPES[obstacle["shape"]], size=size, rgba=OBSTACLE,
                                     pos=obstacle["position"], quat=obstacle["orientation"])
        scene.visual.global_.offwidth = max(scene.visual.global_.offwidth, width * OVERSAMPLE)
        scene.visual.global_.offheight = max(scene.visual.global_.offheight, height * OVERSAMPLE)
        self.model = scene.compile()
        self.data = mujoco.MjData(self.model)
        self.size = (width, height)
        self.renderer = mujoco.Renderer(self.model, height * OVERSAMPLE, width * OVERSAMPLE)
        self.camera = mujoco.MjvCamera()
        self.camera.lookat = view[:3]
        self.camera.distance, self.camera.azimuth, self.camera.elevation = view[3:]

    def pose(self, positions):
        m, d = self.model, self.data
        if m.nkey:
            mujoco.mj_resetDataKeyframe(m, d, 0)
        for name, q in positions.items():
            joint = m.joint(self.prefix + name)
            d.qpos[joint.qposadr[0]] = q
        for i in range(m.neq):  # joints that follow others
            if m.eq_type[i] != mujoco.mjtEq.mjEQ_JOINT or not m.eq_active0[i]:
                continue
            follower, leader = m.eq_obj1id[i], m.eq_obj2id[i]
            at = m.jnt_qposadr[follower]
            x = 0.0
            if leader >= 0:
                lead = m.jnt_qposadr[leader]
                x = d.qpos[lead] - m.qpos0[lead]
            d.qpos[at] = m.qpos0[at] + np.polynomial.polynomial.polyval(x, m.eq_data[i, :5])
        mujoco.mj_forward(m, d)

    def draw(self, arrow=None) -> Image.Image:
        option = mujoco.MjvOption()
        option.geomgroup[3] = 0
        option.sitegroup[:] = 0
        self.renderer.update_scene(self.data, self.camera, option)
        if arrow is not None:
            self._add_arrow(*arrow)
        image = Image.fromarray(self.renderer.render())
        return image.resize(self.size, Image.LANCZOS)

    def _add_arrow(self, body: str, direction):
        scene = self.renderer.scene
        geom = scene.geoms[scene.ngeom]
        at = self.data.body(self.prefix + body).xpos
        way = np.array(direction) / np.linalg.norm(direction)
        mujoco.mjv_initGeom(geom, mujoco.mjtGeom.mjGEOM_ARROW, np.zeros(3), np.zeros(3), np.zeros(9),
                            np.array(ARROW, dtype=np.float32))
        mujoco.mjv_connector(geom, mujoco.mjtGeom.mjGEOM_ARROW, 0.012, at, at + ARROW_LENGTH * way)
        scene.ngeom += 1


class Canvas:
    """Drawing in the picture's own pixels, on an image that is larger."""

    def __init__(self):
        self.image = Image.new("RGB", (WIDTH * OVERSAMPLE, HEIGHT * OVERSAMPLE), BACKGROUND)
        self.pen = ImageDraw.Draw(self.image)

    @staticmethod
    def _scaled(points):
        return [(x * OVERSAMPLE, y * OVERSAMPLE) for x, y in points]

    @staticmethod
    def font(size: int, bold: bool = False):
        try:
            return ImageFont.truetype("DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf",
                                      size * OVERSAMPLE)
        except OSError:
            sys.exit("picture.py: there is no font DejaVu; see --help for what it needs")

    def text(self, x, y, words, size=20, colour=TEXT, anchor="la", bold=False):
        self.pen.text((x * OVERSAMPLE, y * OVERSAMPLE), words, colour, self.font(size, bold), anchor)

    def width_of(self, words, size, bold=False) -> float:
        return self.font(size, bold).getlength(words) / OVERSAMPLE

    def box(self, left, top, right, bottom, colour, radius=0):
        corners = self._scaled([(left, top), (right, bottom)])
        self.pen.rounded_rectangle(corners, radius * OVERSAMPLE, colour)

    def line(self, points, colour, width=2.0, dash=None):
        points = self._scaled(points)
        wide = round(width * OVERSAMPLE)
        if dash is None:
            self.pen.line(points, colour, wide, joint="curve")
            return
        on, period = dash[0] * OVERSAMPLE, sum(dash) * OVERSAMPLE
        (x0, y0), (x1, y1) = points
        length = np.hypot(x1 - x0, y1 - y0)
        for begin in np.arange(0.0, length, period):
            a, b = begin / length, min(begin + on, length) / length
            self.pen.line([(x0 + a * (x1 - x0), y0 + a * (y1 - y0)),
                           (x0 + b * (x1 - x0), y0 + b * (y1 - y0))], colour, wide)

    def badge(self, x, y, number):
        self.pen.ellipse(self._scaled([(x - 15, y - 15), (x + 15, y + 15)]), BADGE)
        self.text(x, y, str(number), 19, (255, 255, 255), "mm", bold=True)

    def paste(self, image, x, y):
        size = (image.width * OVERSAMPLE, image.height * OVERSAMPLE)
        self.image.paste(image.resize(size, Image.NEAREST), (x * OVERSAMPLE, y * OVERSAMPLE))

    def save(self, path):
        image = self.image.resize((WIDTH, HEIGHT), Image.LANCZOS)
        image.save(path, optimize=True)


class Plots:
    """The strip of modes and the panels below it, on one axis of time."""

    def __init__(self, canvas: Canvas, run: Run, top: int):
        self.canvas, self.run, self.top = canvas, run, top
        self.end = run.time[-1]

    def x(self, time):
        return LEFT + (WIDTH - LEFT - RIGHT) * time / self.end

    def modes(self, top, bottom, panels_end):
        for begin, end, mode, interaction in self.run.modes:
            colour = MODE_COLOURS.get(mode, OTHER_MODE)
            tint = tuple(round(255 - 0.22 * (255 - c)) for c in colour)
            left, right = self.x(begin), self.x(end)
            self.canvas.box(left, bottom, right, panels_end, tint)
            self.canvas.box(left, top, right, bottom, colour)
            for words in (f"{mode} · {interaction}", mode):
                if self.canvas.width_of(words, 19) < right - left - 8:
                    self.canvas.text((left + right) / 2, (top + bottom) / 2, words, 19, anchor="mm")
                    break
            self.canvas.line([(left, top), (left, panels_end)], (255, 255, 255), 1.5)

    def panel(self, top, bottom, name, unit, ticks, span, curves, bounds):
        low, high = span

        def y(value):
            return bottom - (bottom - top) * (value - low) / (high - low)

        for tick in ticks:
            self.canvas.line([(LEFT, y(tick)), (WIDTH - RIGHT, y(tick))], GRID, 1)
            self.canvas.text(LEFT - 8, y(tick), f"{tick:g}", 17, SOFT, "rm")
        self.canvas.text(14, (top + bottom) / 2 - 12, name, 19, anchor="lm", bold=True)
        self.canvas.text(14, (top + bottom) / 2 + 12, unit, 17, SOFT, "lm")
        for value, words in bounds:
            if not low <= value <= high:
                continue
            self.canvas.line([(LEFT, y(value)), (WIDTH - RIGHT, y(value))], LIMIT, 1.8, (9, 6))
            below = value > (low + high) / 2
            self.canvas.text(LEFT + 8, y(value) + (4 if below else -4), words, 17, LIMIT,
                             "la" if below else "ld")
        for values, colour, width in curves:
            self.canvas.line(self.thinned(values, y), colour, width)
        self.canvas.line([(LEFT, bottom), (WIDTH - RIGHT, bottom)], SOFT, 1)

    def thinned(self, values, y):
        """Least and most of each pixel's span: nothing short is lost."""
        spans = np.array_split(np.arange(len(values)), min(len(values), WIDTH - LEFT - RIGHT))
        points = []
        for span in spans:
            part = values[span]
            first, last = sorted((span[np.argmin(part)], span[np.argmax(part)]))
            points += [(self.x(self.run.time[i]), y(values[i])) for i in (first, last)]
        return points

    def time_axis(self, bottom):
        step = 1 if self.end <= 15 else 5
        for second in range(0, int(self.end - 0.2 * step) + 1, step):
            self.canvas.text(self.x(second), bottom + 6, f"{second} s", 17, SOFT, "ma")

    def legend(self, x, y, entries):
        for words, colour in entries:
            self.canvas.line([(x, y), (x + 30, y)], colour, 4)
            self.canvas.text(x + 38, y, words, 17, TEXT, "lm")
            x += 62 + self.canvas.width_of(words, 17)


def nice_ticks(low, high, about):
    raw = (high - low) / about
    power = 10.0 ** np.floor(np.log10(raw))
    step = power * min((1, 2, 2.5, 5, 10), key=lambda s: abs(s * power - raw))
    return np.arange(np.ceil(low / step) * step, high + 1e-9, step)


def draw_plots(canvas, run, joint, moments, top):
    plots = Plots(canvas, run, top)
    strip, first, middle, bottom = top + 34, top + 68, top + 196, HEIGHT - 34
    canvas.text(14, top + 2, joint, 21, bold=True)
    plots.legend(LEFT + 180, top + 15, [("measured", MEASURED), ("reference", REFERENCE),
                                         ("limit", LIMIT)])
    plots.modes(strip, first, bottom)
    q, q_ref = np.degrees(run.q), np.degrees(run.q_ref)
    low, high = min(q.min(), q_ref.min()), max(q.max(), q_ref.max())
    pad = 0.08 * (high - low)
    span = (low - pad, high + pad)
    limits = [(np.degrees(run.bounds["position_min"]), "hard limit"),
              (np.degrees(run.bounds["position_max"]), "hard limit")]
    plots.panel(first + 6, middle - 6, "position", "deg", nice_ticks(*span, 4), span,
                [(q_ref, REFERENCE, 2.4), (q, MEASURED, 2.6)], limits)
    most = run.bounds["torque_max"]
    peak = np.abs(run.tau).max()
    reach = 1.12 * most if peak > 0.6 * most else 1.1 * peak
    low = -reach if run.tau.min() < -0.05 * reach else -0.1 * reach
    high = reach if run.tau.max() > 0.05 * reach else 0.15 * reach
    plots.panel(middle + 6, bottom, "torque", "N·m", nice_ticks(low, high, 3), (low, high),
                [(run.tau, MEASURED, 2.6)],
                [(bound, f"limit {bound:g} N·m") for bound in (-most, most)])
    plots.time_axis(bottom)
    for number, (time, _) in enumerate(moments, 1):
        x = plots.x(time)
        canvas.line([(x, first), (x, bottom)], BADGE, 1.4, (4, 4))
        canvas.badge(x, first + 20, number)


def draw_scenes(canvas, run, moments, arrows, view):
    width = (WIDTH - (len(moments) - 1) * GAP) // len(moments)
    stage = Stage(run, width, SCENES_HEIGHT, view)
    poses = run.poses([time for time, _ in moments])
    for number, ((_, words), pose) in enumerate(zip(moments, poses), 1):
        stage.pose(pose)
        x = (number - 1) * (width + GAP)
        canvas.paste(stage.draw(arrows.get(number)), x, 0)
        canvas.box(x, SCENES_HEIGHT - 44, x + width, SCENES_HEIGHT, (255, 255, 255))
        canvas.badge(x + 20, SCENES_HEIGHT - 20, number)
        canvas.text(x + 44, SCENES_HEIGHT - 20, words, 22, anchor="lm")


def moment(text: str):
    time, _, words = text.partition(":")
    return float(time), words.strip()


def arrow(text: str):
    number, body, *direction = text.split()
    return int(number), (body, [float(x) for x in direction])


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--joint", required=True, help="whose curves are drawn")
    parser.add_argument("--at", type=moment, action="append", required=True,
                        help="a moment and its words, as '2.5: pushed with {metric:.0f} N'")
    parser.add_argument("--arrow", type=arrow, action="append", default=[],
                        help="'1 l_hand 0 0 1': in the first moment, on a body, that way")
    parser.add_argument("--view", type=float, nargs=6, default=[0.1, 0, 0.85, 1.3, 150, -10],
                        metavar=("X", "Y", "Z", "DISTANCE", "AZIMUTH", "ELEVATION"),
                        help="where the camera looks and from where [m, deg]")
    options = parser.parse_args()

    run = Run(options.run, options.joint)
    moments = [(time, words.format_map(run.metrics)) for time, words in sorted(options.at)]
    canvas = Canvas()
    draw_scenes(canvas, run, moments, dict(options.arrow), options.view)
    draw_plots(canvas, run, options.joint, moments, SCENES_HEIGHT + 8)
    canvas.save(options.out)
    print(f"wrote {options.out}, {options.out.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
