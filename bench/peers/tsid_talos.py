"""TSID on Talos as example-robot-data has it, for whole_body_peers.py.

Both read the same URDF, without shapes and without friction and damping of joints, which pinocchio doesn't count. All tasks
are those of TSID's own examples, and so are its friction pyramids and the corners of the soles; a sole wants rest, not a
place. TSID is called by its Python bindings: its time is that of two calls of C++, computeProblemData and solve, and of
reading the torques.
"""

import pathlib
import sys
import time
import xml.etree.ElementTree

from whole_body_states import SCALE, at_rest, coordinates

NAME, ROBOT, TITLE = "TSID", "talos", "Talos on both soles"
# Built against each other: libraries of other releases have other names.
PINS = ["tsid==1.7.1", "pin==3.4.0", "eiquadprog==1.2.9", "cmeel-urdfdom==4.0.1", "cmeel-tinyxml2==10.0.0",
        "cmeel-boost==1.87.0.1", "cmeel-console-bridge==1.0.2.3", "example-robot-data==6.0.0", "numpy==2.3.5"]  # fmt: skip
GOAL = 0.5  # of its median
REACHES = (1, 6)
SOLES = ("left_sole_link", "right_sole_link")
LENGTH, WIDTH, MU, FORCE_MAX = 0.2, 0.13, 0.3, 1000.0  # m, m, , N
STIFFNESS, DAMPING = 100.0, 20.0  # 1/s², 1/s


def data_folder():
    return pathlib.Path(sys.prefix) / "lib/python3.11/site-packages/cmeel.prefix/share/example-robot-data/robots/talos_data"


def bare(text):
    """The URDF without shapes, and without friction and damping of joints."""
    robot = xml.etree.ElementTree.fromstring(text)
    for part in [*robot.iter("link"), *robot.iter("joint")]:
        for child in [child for child in part if child.tag in ("visual", "collision", "dynamics")]:
            part.remove(child)
    return robot


def afloat(robot):
    """Ours wants the joint of the base in the file; pinocchio is given it."""
    links = {link.get("name") for link in robot.iter("link")}
    root = links - {child.get("link") for child in robot.iter("child")}
    joint = xml.etree.ElementTree.SubElement(robot, "joint", name="base", type="floating")
    xml.etree.ElementTree.SubElement(robot, "link", name="world")
    xml.etree.ElementTree.SubElement(joint, "parent", link="world")
    xml.etree.ElementTree.SubElement(joint, "child", link=root.pop())
    return robot


def write(robot, path):
    path.write_bytes(xml.etree.ElementTree.tostring(robot))
    return path


def model_file(folder):
    return write(afloat(bare((data_folder() / "robots/talos_reduced.urdf").read_text())), folder / "talos.urdf")


def home(head):
    """The pose half_sitting."""
    poses = xml.etree.ElementTree.parse(data_folder() / "srdf/talos.srdf").getroot().iter("group_state")
    pose = next(pose for pose in poses if pose.get("name") == "half_sitting")
    values = {joint.get("name"): list(map(float, joint.get("value").split())) for joint in pose}
    x, y, z, w = values["root_joint"][3:]
    return at_rest(values["root_joint"][:3], (w, x, y, z), [values.get(name, [0.0])[0] for name in head["joints"]])


class Solver:
    def __init__(self, path, head, home):
        import numpy as np
        import pinocchio
        from tsid import tsid_pywrap as tsid

        urdf = write(bare((data_folder() / "robots/talos_reduced.urdf").read_text()), path.with_name("talos_bound.urdf"))
        self.robot = tsid.RobotWrapper(str(urdf), pinocchio.StdVec_StdString(), pinocchio.JointModelFreeFlyer(), False)
        model = self.robot.model()
        self.mass = pinocchio.computeTotalMass(model)
        joints = [model.joints[model.getJointId(name)] for name in head["joints"]]
        self.q_at, self.v_at = [joint.idx_q for joint in joints], [joint.idx_v for joint in joints]
        self.program = tsid.InverseDynamicsFormulationAccForce("tsid", self.robot, False)
        q, v = coordinates(home, self.q_at, self.v_at)
        self.program.computeProblemData(0.0, q, v)
        data = self.program.data()
        self.add_soles(tsid, data)
        six, three = np.full(6, 1.0), np.full(3, 1.0)

        com = tsid.TaskComEquality("com", self.robot)
        com.setKp(STIFFNESS * three)
        com.setKd(DAMPING * three)
        com.setReference(tsid.TrajectoryEuclidianConstant("com", self.robot.com(data)).computeNext())
        self.program.addMotionTask(com, SCALE, 1, 0.0)

        torso = tsid.TaskSE3Equality("torso", self.robot, "torso_2_link")
        torso.setKp(STIFFNESS * six)
        torso.setKd(DAMPING * six)
        torso.setMask(np.array([0.0, 0.0, 0.0, 1.0, 1.0, 1.0]))
        pose = self.robot.framePosition(data, model.getFrameId("torso_2_link"))
        torso.setReference(tsid.TrajectorySE3Constant("torso", pose).computeNext())
        self.program.addMotionTask(torso, SCALE, 1, 0.0)

        posture = tsid.TaskJointPosture("posture", self.robot)
        posture.setKp(STIFFNESS * np.ones(self.robot.na))
        posture.setKd(DAMPING * np.ones(self.robot.na))
        posture.setReference(tsid.TrajectoryEuclidianConstant("posture", q[7:]).computeNext())
        self.program.addMotionTask(posture, 0.1 * SCALE, 1, 0.0)

        self.tasks = [com, torso, posture]  # the program keeps no hold of them
        self.solver = tsid.SolverHQuadProgFast("solver")
        self.solver.resize(self.program.nVar, self.program.nEq, self.program.nIn)

    def add_soles(self, tsid, data):
        import numpy as np

        signs = np.array([[-1.0, -1.0, 1.0, 1.0], [-1.0, 1.0, -1.0, 1.0], [0.0] * 4])
        corners = signs * np.array([[LENGTH / 2.0], [WIDTH / 2.0], [0.0]])
        up, six = np.array([0.0, 0.0, 1.0]), np.full(6, 1.0)
        self.soles = []
        for name in SOLES:
            sole = tsid.Contact6d(name, self.robot, name, corners, up, MU, 0.0, FORCE_MAX)
            sole.setKp(0.0 * six)
            sole.setKd(DAMPING * six)
            sole.setReference(self.robot.framePosition(data, self.robot.model().getFrameId(name)))
            sole.setRegularizationTaskWeightVector(np.array([1.0, 1.0, 1.0, 10.0, 10.0, 10.0]))
            self.program.addRigidContact(sole, 1e-4 * SCALE, 1.0, False)
            self.soles.append(sole)  # the program keeps no hold of it

    def solve(self, state):
        """Time [us], whether it was solved, torques."""
        q, v = coordinates(state, self.q_at, self.v_at)
        begun = time.thread_time_ns()
        solution = self.solver.solve(self.program.computeProblemData(0.0, q, v))
        torques = self.program.getActuatorForces(solution)
        took = 1e-3 * (time.thread_time_ns() - begun)
        return took, solution.status == 0, torques[[at - 6 for at in self.v_at]]

    def violation(self, state):
        """By how much its solution leaves a friction pyramid or the range of a sole's force [N]."""
        data = self.program.computeProblemData(0.0, *coordinates(state, self.q_at, self.v_at))
        solution, program = self.solver.solve(data), self.solver.retrieveQPData(data)
        return max(0.0, -(program.CI @ solution.x + program.ci0).min())
