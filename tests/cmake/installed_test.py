"""The result of `cmake --install`: another project finds it and drives a robot, the program finds its robots, and
each header compiles alone. The prefix is moved before anything is used.

    python installed_test.py BUILD SCRATCH COMPILER

With JOINTRIG_SHARE the headers that changed lately, and a sixteenth of the others (docs/ci.md).
"""

import concurrent.futures
import importlib.util
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
from share import turn_of  # noqa: E402
sys.path.insert(0, str(ROOT / "scripts"))
from tidy_units import changed_lately  # noqa: E402

BUILD, SCRATCH = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(2))
COMPILER = sys.argv.pop(1)
PREFIX, EXAMPLE = SCRATCH / "moved", SCRATCH / "drive_a_robot"


def run(*command, cwd: pathlib.Path = SCRATCH, code: int = 0) -> str:
    environment = {name: value for name, value in os.environ.items()
                   if name not in ("JOINTRIG_MODELS", "MUJOCO_DIR")}
    done = subprocess.run([str(word) for word in command], cwd=cwd, env=environment, text=True, timeout=300,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != code:
        raise AssertionError(f"{shlex.join(map(str, command))} ended with {done.returncode}\n{done.stdout}")
    return done.stdout


def setUpModule():
    shutil.rmtree(SCRATCH, ignore_errors=True)
    SCRATCH.mkdir(parents=True)
    run("cmake", "--install", BUILD, "--prefix", SCRATCH / "installed")
    (SCRATCH / "installed").rename(PREFIX)
    run("cmake", "-G", "Ninja", "-S", ROOT / "examples/drive_a_robot", "-B", EXAMPLE,
        "-D", f"CMAKE_CXX_COMPILER={COMPILER}", "-D", f"CMAKE_PREFIX_PATH={PREFIX}",
        "-D", "CMAKE_EXPORT_COMPILE_COMMANDS=ON")
    run("cmake", "--build", EXAMPLE)


class Installed(unittest.TestCase):
    def test_the_target_for_it_builds_each_installed_library_and_program(self):
        commands = run("ninja", "-C", BUILD, "-t", "commands", "jointrig_installed")
        built = [*(PREFIX / "lib").glob("libjointrig_*.a"), *(PREFIX / "lib/jointrig").glob("*.so"),
                 PREFIX / "bin/jointrig"]
        self.assertGreater(len(built), 20)
        self.assertEqual([file.name for file in built if f"/{file.name} " not in commands], [])

    def test_the_example_moves_its_robot(self):
        printed = run(EXAMPLE / "drive_a_robot")
        self.assertRegex(printed, r"at -2\.007\d rad, wanted -2\.007\d rad\n$")

    def test_it_takes_a_robot_by_its_path_and_says_what_is_wrong_with_it(self):
        run(EXAMPLE / "drive_a_robot", PREFIX / "share/jointrig/models/franka/robot.yaml")
        self.assertIn("there is no robot", run(EXAMPLE / "drive_a_robot", "frank", code=2))

    def test_a_law_of_ones_own_is_built_out_of_tree_and_runs_in_its_scenario(self):
        law = SCRATCH / "own_law"
        shutil.copytree(ROOT / "examples/own_law", law)
        run("cmake", "-G", "Ninja", "-S", law, "-B", law / "build", "-D", f"CMAKE_CXX_COMPILER={COMPILER}",
            "-D", f"CMAKE_PREFIX_PATH={PREFIX}")
        run("cmake", "--build", law / "build")
        run(PREFIX / "bin/jointrig", "run", law / "impedance.yaml", "--out", "-")

    def test_a_robot_is_held_by_a_program_of_ones_own_on_every_backend_as_its_page_shows(self):
        source = ROOT / "examples/robot_interface"
        self.assertIn(f"```cpp\n{(source / 'main.cpp').read_text()}```", (ROOT / "docs/robot.md").read_text())
        build = SCRATCH / "robot_interface"
        run("cmake", "-G", "Ninja", "-S", source, "-B", build, "-D", f"CMAKE_CXX_COMPILER={COMPILER}",
            "-D", f"CMAKE_PREFIX_PATH={PREFIX}")
        run("cmake", "--build", build)
        # 2/s for 0.5 s leave e^-1 of 0.05 rad: 0.032. The loop's delay and the ramps add a little.
        for backend, told in (("kinematic", "kinematic"), ("sim", "sim"), ("boards", "hw")):
            self.assertRegex(run(build / "robot_interface", backend), rf"^{told}: moved by 0\.03[0-9]\n$")
        self.assertIn("there is no backend \"simm\"", run(build / "robot_interface", "simm", code=2))
        robosuite = importlib.util.find_spec("robosuite")
        ur5e = pathlib.Path(robosuite.submodule_search_locations[0]) / "models/assets/robots/ur5e/robot.xml"
        self.assertRegex(run(build / "robot_interface", "sim", ur5e), r"^sim: moved by 0\.03[0-9]\n$")

    def test_the_program_finds_robots_scenes_and_scenarios_from_anywhere(self):
        program = PREFIX / "bin/jointrig"
        with tempfile.TemporaryDirectory() as folder:  # not below the sources, which have the same folders
            elsewhere = pathlib.Path(folder)
            self.assertIn("share/jointrig/models/franka", run(program, "inspect", "franka", cwd=elsewhere))
            self.assertIn("smoke", run(program, "run", "smoke", "--list", cwd=elsewhere))
            (elsewhere / "own.yaml").write_text("schema: 1\nscenario: own\nrobot: franka\n"
                                                "scene: table\nsteps: [wait: 0.1 s]\n")
            run(program, "run", "own.yaml", "--out", "-", cwd=elsewhere)

    def test_the_panel_is_loaded_and_finds_robots_from_anywhere(self):
        if not (BUILD / "app/libjointrig_panel.so").exists():
            self.skipTest("this build has no window")
        with tempfile.TemporaryDirectory() as folder:
            # It knows the robot, and then has no screen to show it on.
            self.assertIn("no window can be opened", run("env", "-u", "DISPLAY", "-u", "WAYLAND_DISPLAY",
                                                         PREFIX / "bin/jointrig", "gui", "franka", cwd=folder, code=2))

    def test_nothing_points_back_to_the_sources_or_the_build(self):
        for folder in ("lib/cmake", "include", "share"):
            for file in (PREFIX / folder).rglob("*"):
                if file.is_file():
                    text = file.read_text(errors="replace")
                    self.assertNotIn(str(BUILD), text, file)
                    self.assertNotIn(f"{ROOT}/", text, file)
        runpath = run("readelf", "-d", PREFIX / "bin/jointrig")
        self.assertIn("$ORIGIN/", runpath)
        self.assertNotIn(str(ROOT), runpath)

    def test_another_mujoco_than_the_one_it_was_built_with_is_refused(self):
        other = SCRATCH / "other_mujoco"
        (other / "include/mujoco").mkdir(parents=True, exist_ok=True)
        (other / "include/mujoco/mujoco.h").write_text("#define mjVERSION_HEADER 3018000\n")
        (other / "libmujoco.so.3.18.0").write_text("")
        printed = run("cmake", "-S", ROOT / "examples/drive_a_robot", "-B", SCRATCH / "refused", "-D",
                      f"CMAKE_PREFIX_PATH={PREFIX}", "-D", f"MUJOCO_DIR={other}", code=1)
        self.assertIn("jointrig was built with MuJoCo 3.17", " ".join(printed.split()))

    def test_each_header_compiles_alone(self):
        entry = json.loads((EXAMPLE / "compile_commands.json").read_text())[0]
        words = shlex.split(entry["command"])
        flags = words[:words.index("-o")]
        include = PREFIX / "include/jointrig"
        headers = sorted(str(path.relative_to(include)) for path in include.rglob("*.h"))
        self.assertGreater(len(headers), 100)

        def flaw_of(header: str) -> str:
            done = subprocess.run([*flags, "-fsyntax-only", "-x", "c++", "-"], text=True, cwd=SCRATCH,
                                  input=f'#include "{header}"\n', capture_output=True, timeout=120)
            return f"{header}:\n{done.stderr}" if done.returncode else ""

        chosen = set(turn_of(headers)) | (set(headers) & (changed_lately() or set()))
        self.assertGreater(len(chosen), len(headers) // 40)
        with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
            flaws = [flaw for flaw in pool.map(flaw_of, sorted(chosen)) if flaw]
        self.assertEqual(flaws, [], "\n".join(flaws))


if __name__ == "__main__":
    unittest.main()
