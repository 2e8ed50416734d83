"""scripts/finish_wheel.py on a wheel of a few bytes.

    finish_wheel_test.py SOURCE_TREE
"""

import base64
import csv
import hashlib
import importlib.util
import io
import pathlib
import stat
import sys
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(sys.argv.pop(1))
SPEC = importlib.util.spec_from_file_location("finish_wheel", ROOT / "scripts/finish_wheel.py")
finish_wheel = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(finish_wheel)


def wheel_with(folder, library):
    path = pathlib.Path(folder, "jointrig-0.1.0-cp311-abi3-manylinux_2_35_x86_64.whl")
    with zipfile.ZipFile(path, "w") as wheel:
        program = zipfile.ZipInfo("jointrig/bin/jointrig")
        program.external_attr = (stat.S_IFREG | 0o755) << 16
        wheel.writestr(program, b"a program")
        wheel.writestr(f"jointrig.libs/{library}", b"a library")
        wheel.writestr("jointrig-0.1.0.dist-info/RECORD",
                       "jointrig/bin/jointrig,,\njointrig-0.1.0.dist-info/RECORD,,\n")
    return path


class FinishWheel(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "finished").mkdir()

    def test_a_library_comes_with_the_licence_of_its_package_and_what_is_compiled_in_likewise(self):
        [soname] = {path.resolve().name for path in pathlib.Path("/usr/lib/x86_64-linux-gnu").glob("libyaml-cpp.so")}
        stem, rest = soname.split(".so")
        wheel = wheel_with(self.folder, f"{stem}-1a2b3c4d.so{rest}")
        made = finish_wheel.finish(wheel, self.folder / "finished")
        with zipfile.ZipFile(made) as finished:
            texts = {name: finished.read(name) for name in finished.namelist() if "/licenses/" in name}
            rows = {row[0]: row for row in csv.reader(io.StringIO(finished.read(
                "jointrig-0.1.0.dist-info/RECORD").decode()))}
            mode = finished.getinfo("jointrig/bin/jointrig").external_attr >> 16
        [text] = [text for name, text in texts.items() if "/licenses/libyaml-cpp" in name]
        self.assertIn(b"Jesse Beder", text)
        self.assertTrue([name for name in texts if name.endswith("/libeigen3-dev.txt")])
        self.assertIn(b"Bitstream", texts["jointrig-0.1.0.dist-info/licenses/fonts-dejavu-core.txt"])
        self.assertEqual(mode & 0o777, 0o755)
        for name, content in texts.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
            self.assertEqual(rows[name], [name, f"sha256={digest}", str(len(content))])
        self.assertIn("jointrig/bin/jointrig", rows)

    def test_a_library_of_no_package_is_refused(self):
        wheel = wheel_with(self.folder, "libunheard-of-1a2b3c4d.so.1")
        with self.assertRaisesRegex(LookupError, "there is no libunheard-of.so.1"):
            finish_wheel.finish(wheel, self.folder / "finished")
        self.assertEqual(list((self.folder / "finished").iterdir()), [])


if __name__ == "__main__":
    unittest.main()
