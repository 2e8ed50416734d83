"""Adds the licences of what a wheel carries: of the distribution's libraries that auditwheel put into it, of those that
are compiled into ours, and of the fonts.

    python scripts/finish_wheel.py WHEEL FOLDER

The new wheel goes to FOLDER, by the same name. A text is what the distribution has in /usr/share/doc/PACKAGE/copyright;
a library without one is an error.
"""

import base64
import hashlib
import pathlib
import re
import subprocess
import sys
import zipfile

DOCUMENTS = pathlib.Path("/usr/share/doc")
# Archives and headers, by a file of their package; the fonts.
COMPILED_IN = ["/usr/include/boost/beast.hpp", "/usr/include/CLI/CLI.hpp", "/usr/include/eigen3/Eigen/Core",
               "/usr/include/imgui/imgui.h", "/usr/include/nlohmann/json.hpp", "/usr/include/valijson/validator.hpp",
               "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"]
# Python packages that are compiled in, too.
PYTHON_PACKAGES = ["nanobind"]


def original_of(name: str) -> pathlib.Path:
    """The library that auditwheel named libfmt-1a2b3c4d.so.9.1.0."""
    soname = re.sub(r"-[0-9a-f]{8}(?=\.so)", "", name)
    table = subprocess.run(["/sbin/ldconfig", "-p"], check=True, capture_output=True, text=True).stdout
    for line in table.splitlines():
        path = pathlib.Path(line.split(" => ")[-1])
        if soname in (path.name, path.resolve().name):
            return path.resolve()
    raise LookupError(f"{name}: there is no {soname} on this machine")


def package_of(file: pathlib.Path) -> str:
    """Debian's package with the file; it knows a file by /lib or by /usr/lib."""
    for path in (str(file), str(file).removeprefix("/usr"), f"/usr{file}"):
        done = subprocess.run(["dpkg-query", "--search", path], capture_output=True, text=True)
        if done.returncode == 0:
            return done.stdout.split(":")[0]
    raise LookupError(f"{file}: no package of the distribution has it")


def licences(names: list[str]) -> dict[str, bytes]:
    """Texts by the name of their package."""
    files = [original_of(name) for name in names]
    files += [pathlib.Path(file) for file in COMPILED_IN if pathlib.Path(file).exists()]
    texts = {package: (DOCUMENTS / package / "copyright").read_bytes() for package in map(package_of, files)}
    for package in PYTHON_PACKAGES:
        [text] = pathlib.Path(sys.prefix).glob(f"lib/python3*/site-packages/{package}-*.dist-info/licenses/LICENSE")
        texts[package] = text.read_bytes()
    return texts


def record_line(name: str, content: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


def finish(wheel: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    made = folder / wheel.name
    with zipfile.ZipFile(wheel) as old:
        names = old.namelist()
        [record] = [name for name in names if name.endswith(".dist-info/RECORD")]
        texts = licences([name.split("/")[-1] for name in names if re.match(r"jointrig\.libs/.+\.so", name)])
        lines = old.read(record).decode()
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as new:
            for entry in old.infolist():
                if entry.filename != record:
                    new.writestr(entry, old.read(entry))  # with its mode: programs stay programs
            for package, text in sorted(texts.items()):
                name = f"{pathlib.PurePosixPath(record).parent}/licenses/{package}.txt"
                new.writestr(name, text)
                lines += record_line(name, text)
            new.writestr(record, lines)
    print(f"{made}: {made.stat().st_size / 1e6:.1f} MB, licences of {len(texts)} packages")
    return made


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        finish(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
    except (LookupError, OSError) as error:
        sys.exit(f"finish_wheel.py: {error}")
