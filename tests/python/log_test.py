"""jointrig.Log against the packages mcap and mcap-ros2-support, pandas and matplotlib."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import jointrig
import numpy as np
from mcap_ros2.reader import read_ros2_messages

CYCLES = 2002  # two seconds, the first cycle and the step


class Log(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name, "run.mcap")
        with jointrig.Sim("franka", log=cls.path) as sim:
            sim.set_mode("arm", "position")
            sim.step()
            sim.move("panda_joint2", -0.5)
            sim.run(2.0)
            cls.joints = sim.joints
        cls.log = jointrig.Log(cls.path)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def messages(self, topic):
        return [message.ros_msg for message in read_ros2_messages(self.path, topics=[topic])]

    def test_a_name_gives_the_values_that_other_readers_give(self):
        messages = self.messages("/j/panda_joint2")
        self.assertEqual(len(messages), CYCLES)
        for field in ("q", "q_ref", "tau_cmd", "mode", "moving"):
            np.testing.assert_array_equal(self.log["panda_joint2." + field],
                                          [float(getattr(one, field)) for one in messages])
        np.testing.assert_allclose(self.log.time("panda_joint2.q"), np.arange(CYCLES) * 1e-3, atol=1e-12)
        self.assertEqual(self.log.unit("panda_joint2.tau"), "N·m")

    def test_a_field_alone_is_a_table_of_all_joints(self):
        self.assertEqual(self.log.joints, self.joints)
        table = self.log["q"]
        self.assertEqual(table.shape, (CYCLES, len(self.joints)))
        np.testing.assert_array_equal(table[:, 1], self.log["panda_joint2.q"])

    def test_any_topic_can_be_read(self):
        arms = self.messages("/arm/arm")
        np.testing.assert_array_equal(self.log["/arm/arm.position[2]"], [one.position[2] for one in arms])
        self.assertIn("position[2]", self.log.topics["/arm/arm"])

    def test_events_are_those_of_the_log(self):
        self.assertEqual([sentence for _, sentence in self.log.events], [one.msg for one in self.messages("/events")])

    def test_a_wrong_name_gets_the_nearest_one(self):
        for name, sentence in (("panda_jont2.q", 'no joint or topic "panda_jont2"; did you mean "panda_joint2"?'),
                               ("panda_joint2.q_reff", 'panda_joint2 has no number "q_reff"; did you mean "q_ref"?')):
            with self.assertRaises(jointrig.InputError) as raised:
                self.log[name]
            self.assertEqual(str(raised.exception), f"{self.path}: {sentence}")
        with self.assertRaisesRegex(jointrig.InputError, "no_such.mcap"):
            jointrig.Log("no_such.mcap")

    def test_a_log_that_was_cut_off_is_read_as_far_as_it_goes(self):
        cut = self.path.with_name("cut.mcap")
        whole = self.path.read_bytes()
        cut.write_bytes(whole[:len(whole) // 2])
        q = jointrig.Log(cut)["q"]
        self.assertTrue(0 < len(q) < CYCLES, len(q))
        np.testing.assert_array_equal(q, self.log["q"][:len(q)])

    def test_pandas_gets_a_row_for_each_cycle(self):
        table = self.log.to_pandas("panda_joint1.q", "panda_joint2.tau")
        self.assertEqual(list(table.columns), ["panda_joint1.q", "panda_joint2.tau"])
        self.assertEqual(table.shape, (CYCLES, 2))
        self.assertAlmostEqual(table.index[-1], 2.001)
        np.testing.assert_array_equal(table["panda_joint2.tau"], self.log["panda_joint2.tau"])
        everything = self.log.to_pandas()
        self.assertIn("panda_finger_joint1.tau_external", everything.columns)
        self.assertEqual(len(everything), CYCLES)

    def test_topics_of_other_rates_have_rows_of_their_own(self):
        table = self.log.to_pandas("panda_joint1.q", "/arm/arm.position[0]")
        self.assertEqual(len(table), CYCLES)
        self.assertTrue(table["/arm/arm.position[0]"].isna().any())

    def test_a_figure_has_a_row_for_each_unit(self):
        import matplotlib
        matplotlib.use("Agg")
        figure = self.log.plot("panda_joint1.q", "panda_joint2.q", "panda_joint2.tau")
        self.assertEqual([axes.get_ylabel() for axes in figure.axes], ["[rad]", "[N·m]"])
        self.assertEqual([len(axes.lines) for axes in figure.axes], [2, 1])
        np.testing.assert_array_equal(figure.axes[1].lines[0].get_ydata(), self.log["panda_joint2.tau"])
        figure.savefig(self.path.with_suffix(".png"))

    def test_neither_is_imported_before_it_is_asked_for(self):
        script = "import sys, jointrig; print([m for m in ('pandas', 'matplotlib', 'mcap') if m in sys.modules])"
        done = subprocess.run([sys.executable, "-B", "-c", script], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, "[]\n")


if __name__ == "__main__":
    unittest.main()
