"""Writes what clang-tidy reads: the sources of the product as the build compiles them, some at a time.

    python tidy_units.py DATABASE FOLDER

DATABASE is the compile_commands.json of a build with JOINTRIG_UNITY. FOLDER gets a compile_commands.json
of its own and a copy of each unity file: in the folder UnifiedSource where the analyzer is to follow paths,
else in Units. That name matters: clang's analyzer follows paths through an included source only where the path
of the including file has this word, and takes it for a header otherwise. Prints the files, each with a NUL, the
costliest first, so that no core waits for the last one.

Without JOINTRIG_SHARE these are all files, and the analyzer follows paths through all of them, which is most of
the cost. JOINTRIG_SHARE=K/N (docs/ci.md) leaves, with paths, one file of N; and without paths, what changed in
the four hours up to the last commit: each file with a changed source, and for each changed header one that reads it.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parents[1]
LATELY_S = 4 * 3600  # what lands was made in that time; what lands in between was read when it did


@dataclass
class Unit:
    path: pathlib.Path
    entry: dict
    size: int
    is_unity: bool
    reads: set[str] = field(default_factory=set)  # files of the project, from its top


def is_product(unit: pathlib.Path, build: pathlib.Path) -> bool:
    """In any folder of the top but tests and hidden ones, or in the build tree's folder of that name."""
    place = unit.relative_to(build if unit.is_relative_to(build) else ROOT).parts
    return len(place) > 1 and place[0] != "tests" and not place[0].startswith(".")


def sources_in(unit: pathlib.Path) -> list[str]:
    return re.findall(r'^#include "([^"]+\.cpp)"', unit.read_text(), re.MULTILINE)


def output_of(entry: dict) -> str:
    found = re.search(r" -o (\S+)", entry["command"])
    return found[1] if found else ""


def read_by_object(build: pathlib.Path) -> dict[str, set[str]]:
    """Files of the project that the last build of each object read; empty where nothing was built."""
    done = subprocess.run(["ninja", "-C", str(build), "-t", "deps"], capture_output=True, text=True)
    reads, current = {}, set()
    for line in done.stdout.splitlines():
        if ": #deps" in line:
            current = reads.setdefault(line.split(":")[0], set())
        else:  # as the compiler was called: from the top, or from the build's folder, as ccache has it
            path = pathlib.Path(os.path.normpath(build / line.strip()))
            if path.is_relative_to(ROOT):
                current.add(str(path.relative_to(ROOT)))
    return reads


def git(*arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def changed_lately() -> set[str] | None:
    """Files that differ from four hours before the last commit; None where git doesn't know, or the checks changed."""
    last = git("log", "-1", "--format=%ct")
    before = last and git("rev-list", "-1", f"--before={int(last) - LATELY_S}", "HEAD")
    if not before:
        return None
    files = set(git("diff", "--name-only", before).splitlines())
    return None if ".clang-tidy" in files else files


def without_paths(units: list[Unit], followed: set[int], changed: set[str] | None) -> set[int]:
    """The units to read beside those that the analyzer follows."""
    if changed is None or any(not unit.reads for unit in units):
        return set(range(len(units))) - followed
    sources = {file for file in changed if file.endswith(".cpp")}
    chosen = {i for i, unit in enumerate(units) if unit.reads & sources}
    read = set().union(*(units[i].reads for i in chosen | followed))
    for header in sorted(file for file in changed if file.endswith(".h")):
        readers = [i for i, unit in enumerate(units) if header in unit.reads]
        if readers and header not in read:
            least = min(readers, key=lambda i: units[i].size)
            chosen.add(least)
            read |= units[least].reads
    return chosen - followed


def units_of(database: pathlib.Path) -> list[Unit]:
    build = database.parent
    reads = read_by_object(build)
    units = []
    for entry in json.loads(database.read_text()):
        path = pathlib.Path(entry["file"])
        if is_product(path, build):
            sources = sources_in(path) if path.is_relative_to(build) else []
            size = sum(os.path.getsize(source) for source in sources or [path])
            units.append(Unit(path, entry, size, bool(sources), reads.get(output_of(entry), set())))
    return sorted(units, key=lambda unit: (-unit.size, str(unit.path)))


def main() -> None:
    database, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    number, count = (int(part) for part in os.environ.get("JOINTRIG_SHARE", "0/1").split("/"))
    shutil.rmtree(folder, ignore_errors=True)
    for place in ("UnifiedSource", "Units"):
        (folder / place).mkdir(parents=True)
    units = units_of(database)
    followed = set(range(number, len(units), count))
    entries, costs = [], {}
    for i in sorted(followed | without_paths(units, followed, changed_lately())):
        unit, entry = units[i], units[i].entry
        if unit.is_unity:
            copy = folder / ("UnifiedSource" if i in followed else "Units")
            copy = copy / str(unit.path.relative_to(database.parent)).replace("/", "-")
            copy.write_text(unit.path.read_text())
            entry = dict(entry, file=str(copy), command=entry["command"].replace(str(unit.path), str(copy)))
        entries.append(entry)
        costs[entry["file"]] = unit.size * (5 if i in followed or not unit.is_unity else 1)
    (folder / "compile_commands.json").write_text(json.dumps(entries, indent=1))
    print("\0".join(sorted(costs, key=costs.get, reverse=True)), end="")


if __name__ == "__main__":
    main()
