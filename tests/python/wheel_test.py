"""Contents of a wheel (pyproject.toml), put into a folder and used from another one.

    wheel_test.py BUILD_TREE
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import unittest
import xml.etree.ElementTree as xml

from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile

BUILD = sys.argv.pop(1)
ROOT = pathlib.Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())

# On every Linux of the kind (PEP 600).
EVERYWHERE = re.compile(r"ld-linux-x86-64\.so\.2|lib(c|m|dl|rt|pthread|util|gcc_s|stdc\+\+|z)\.so\.\d+")
# Libraries that show the panel belong to the machine.
SCREEN = re.compile(r"lib(GL|X11|Xext)\.so\.\d+")
# Libraries that scripts/wheel.sh puts into the wheel, each with its licence. Another library here is another
# licence to read.
CARRIED = re.compile(r"lib(fmt|yaml-cpp|tinyxml2|lz4|zstd|deflate|glfw|stb|png16|grpc(\+\+)?|gpr|protobuf|absl_\w+"
                     r"|fastrtps|fastcdr|ssl|crypto)\.so\.[\d.]+")


def elf_files(folder):
    files = [file for file in sorted(folder.rglob("*")) if file.is_file()]
    return [file for file in files if file.open("rb").read(4) == b"\x7fELF"]


def needs_of(file):
    """Names of the libraries that an ELF file asks for."""
    with file.open("rb") as stream:
        dynamic = [part for part in ELFFile(stream).iter_sections() if isinstance(part, DynamicSection)]
        return [tag.needed for part in dynamic for tag in part.iter_tags() if tag.entry.d_tag == "DT_NEEDED"]


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        first, cls.site = pathlib.Path(cls.folder.name, "first"), pathlib.Path(cls.folder.name, "moved/site")
        subprocess.run(["cmake", "--install", BUILD, "--component", "python", "--prefix", first], check=True,
                       capture_output=True)
        cls.site.parent.mkdir()
        first.rename(cls.site)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def python(self, program, *arguments):
        environment = {**os.environ, "PYTHONPATH": str(self.site)}
        return subprocess.run([sys.executable, "-B", "-c", program, *arguments], cwd=self.folder.name, env=environment,
                              capture_output=True, text=True)

    def test_a_robot_is_found_and_runs_far_from_the_source_tree(self):
        done = self.python("import jointrig; sim = jointrig.Sim('franka'); sim.run(0.1);"
                           "print(jointrig.__file__, sim.cycle, jointrig.run_scenario('retarget').outcome)")
        self.assertEqual(done.stdout.split(), [str(self.site / "jointrig/__init__.py"), "100", "passed"], done.stderr)

    def test_the_program_is_in_it_with_its_arguments_and_exit_code(self):
        module, function = PROJECT["project"]["scripts"]["jointrig"].split(":")
        start = f"from {module} import {function}; {function}()"
        done = self.python(start, "run", "retarget", "--out", "-")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("1 passed", done.stdout)
        self.assertEqual(self.python(start, "run", "no_such_scenario").returncode, 2)
        self.assertIn(str(self.site / "jointrig/share/jointrig/models/franka"), self.python(start, "list", "robots").stdout)

    def check_repository(self, top):
        """ci.sh of an example's copy, as its CI calls it after the wheel is installed."""
        programs = pathlib.Path(self.folder.name, "bin")
        programs.mkdir(exist_ok=True)
        module, function = PROJECT["project"]["scripts"]["jointrig"].split(":")
        (programs / "jointrig").write_text(f"#!{sys.executable} -B\nfrom {module} import {function}\n{function}()\n")
        (programs / "python3").write_text(f'#!/bin/sh\nexec "{sys.executable}" -B "$@"\n')
        for program in programs.iterdir():
            program.chmod(0o755)
        plugin = PROJECT["project"]["entry-points"]["pytest11"]["jointrig"]
        environment = {**os.environ, "PYTHONPATH": str(self.site), "PATH": f"{programs}:{os.environ['PATH']}",
                       "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": f"-p {plugin} -p no:cacheprovider"}
        return subprocess.run(["sh", "ci.sh"], cwd=top, env=environment, capture_output=True, text=True)

    def test_a_repository_of_ones_own_is_tested_by_its_ci_and_keeps_results_reports_and_logs(self):
        top = pathlib.Path(self.folder.name, "own")
        shutil.copytree(ROOT / "examples/robot-repository", top)
        workflow = (top / ".github/workflows/robot.yml").read_text()
        self.assertIn("sh ci.sh", workflow)
        # Every library that the wheel needs is in it: the next test but one.
        [packages] = re.findall(r"apt-get install -y (.*)", workflow)
        self.assertEqual([name for name in packages.split() if not name.startswith("python3-")], [])
        done = self.check_repository(top)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        names = [case.get("name") for case in xml.parse(top / "out/junit.xml").iter("testcase")]
        self.assertIn("goes_to_the_bin[pace=0.5rad/s]", names)
        self.assertIn("test_a_stop_in_the_middle_of_a_move_holds_the_arm", names)
        self.assertEqual(len(list(top.glob("out/scenarios/*/*/log.mcap"))), 3)
        self.assertTrue((top / "out/check/report.html").exists())

        urdf = top / "robot/picker.urdf"
        weaker = urdf.read_text().replace('effort="60"', 'effort="6"')
        self.assertNotEqual(weaker, urdf.read_text())
        urdf.write_text(weaker)
        done = self.check_repository(top)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stdout, "FAIL +move +error of shoulder")

    def test_mujoco_is_its_own(self):
        for file in (self.site / "jointrig/bin/jointrig", *self.site.glob("jointrig/_core*.so")):
            told = subprocess.run(["ldd", file], check=True, capture_output=True, text=True).stdout
            [mujoco] = [line for line in told.splitlines() if "libmujoco" in line]
            self.assertIn("jointrig/", mujoco.split("=>")[1])
            self.assertIn(str(self.site), mujoco)

    def test_each_library_that_it_needs_is_in_it_or_carried_by_the_finished_wheel_or_everywhere(self):
        files = elf_files(self.site)
        self.assertGreater(len(files), 4)
        own = {file.name for file in files}
        unknown = {f"{file.name} needs {library}" for file in files for library in needs_of(file)
                   if library not in own and not EVERYWHERE.fullmatch(library) and not CARRIED.fullmatch(library)
                   and not (file.name == "libjointrig_panel.so" and SCREEN.fullmatch(library))}
        self.assertEqual(unknown, set())

    def test_the_program_and_the_module_need_neither_screen_nor_server(self):
        for file in (self.site / "jointrig/bin/jointrig", *self.site.glob("jointrig/_core*.so")):
            loaded = subprocess.run(["ldd", file], check=True, capture_output=True, text=True).stdout
            self.assertIn("libmujoco", loaded)
            self.assertNotRegex(loaded, r"lib(GL|X11|Xext|glfw|imgui|png|grpc|protobuf|fastrtps|ssl)")

    def test_the_module_keeps_to_the_stable_abi(self):
        modules = [file.name for file in elf_files(self.site) if file.parent.name == "jointrig"]
        self.assertIn("_core.abi3.so", modules)
        self.assertEqual([name for name in modules if not name.endswith(".abi3.so")], [])
        self.assertEqual(PROJECT["tool"]["scikit-build"]["wheel"]["py-api"], "cp311")

    def test_the_panels_text_is_in_it(self):
        fonts = self.site / "jointrig/share/jointrig/fonts"
        self.assertEqual([file.name for file in sorted(fonts.iterdir())], ["DejaVuSans-Bold.ttf", "DejaVuSans.ttf"])

    def test_types_and_methods_are_in_it(self):
        stub = (self.site / "jointrig/_core.pyi").read_text()
        self.assertIn("class Result:", stub)
        self.assertIn("def step(self, n: int = 1) -> None:", stub)
        self.assertIn("def set_mode(", (self.site / "jointrig/commands.py").read_text())
        self.assertTrue((self.site / "jointrig/py.typed").exists())

    def test_the_version_is_that_of_the_program(self):
        done = self.python("import jointrig; print(jointrig.__version__)")
        self.assertEqual(done.stdout.strip(), PROJECT["project"]["version"])

    def test_pins_are_those_of_the_other_list(self):
        pins = {line.split("#")[0].strip() for line in (ROOT / "scripts/requirements.txt").read_text().splitlines()}
        for pin in PROJECT["build-system"]["requires"]:
            if not pin.startswith("scikit-build-core"):
                self.assertIn(pin, pins)


if __name__ == "__main__":
    unittest.main()
