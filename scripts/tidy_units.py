"""Writes what clang-tidy reads: the sources of the product as the build compiles them, some at a time.

    python tidy_units.py DATABASE FOLDER

DATABASE is the compile_commands.json of a build with JOINTRIG_UNITY. FOLDER gets a compile_commands.json
of its own and a copy of each unity file: in the folder UnifiedSource where the analyzer is to follow paths,
else in Units. That name matters: clang's analyzer follows paths through an included source only where the path
of the including file has this word, and takes it for a header otherwise. Prints the files, each with a NUL, the
costliest first, so that no core waits for the last one.

Without JOINTRIG_SHARE these are all files, and the analyzer follows paths through all of them, which is most of
the cost. JOINTRIG_SHARE=K/N (docs/ci.md) leaves, with paths, one file of N; and without paths, what changed in
the four hours up to the last commit: each changed source, and for each changed header the smallest source that reads it.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[1]
LATELY_S = 4 * 3600  # what lands was made in that time; what lands in between was read when it did


@dataclass
class Unit:
    path: pathlib.Path
    entry: dict
    size: int
    is_unity: bool
    sources: list[str]  # from the project's top


def is_product(unit: pathlib.Path, build: pathlib.Path) -> bool:
    """In any folder of the top but tests and hidden ones, or in the build tree's folder of that name."""
    place = unit.relative_to(build if unit.is_relative_to(build) else ROOT).parts
    return len(place) > 1 and place[0] != "tests" and not place[0].startswith(".")


def sources_in(unit: pathlib.Path) -> list[str]:
    return re.findall(r'^#include "([^"]+\.cpp)"', unit.read_text(), re.MULTILINE)


def read_by(source: str, known: dict[str, list[str]]) -> set[str]:
    """The source and every file of the project that it includes, through others too."""
    found, left = set(), [source]
    while left:
        file = left.pop()
        if file in found:
            continue
        found.add(file)
        if file not in known:
            text = (ROOT / file).read_text()
            known[file] = [name for name in re.findall(r'^#include "([^"]+)"', text, re.MULTILINE) if (ROOT / name).is_file()]
        left += known[file]
    return found


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


def to_read(units: list[Unit], followed: set[int], changed: set[str] | None) -> dict[int, list[str]]:
    """The sources to read in units that the analyzer doesn't follow."""
    others = {i: unit.sources for i, unit in enumerate(units) if i not in followed}
    if changed is None:
        return others
    known: dict[str, list[str]] = {}
    reads = {source: read_by(source, known) for unit in units for source in unit.sources}
    chosen = {source for sources in others.values() for source in sources if source in changed}
    read = set().union(*(reads[source] for i in followed for source in units[i].sources), *(reads[source] for source in chosen))
    by_size = sorted((source for sources in others.values() for source in sources), key=lambda source: (len(reads[source]), source))
    for header in sorted(file for file in changed if file.endswith(".h") and file not in read):
        least = next((source for source in by_size if header in reads[source]), None)
        if least and header not in read:
            chosen.add(least)
            read |= reads[least]
    left = {i: [source for source in sources if source in chosen] for i, sources in others.items()}
    return {i: sources for i, sources in left.items() if sources}


def units_of(database: pathlib.Path) -> list[Unit]:
    build = database.parent
    units = []
    for entry in json.loads(database.read_text()):
        path = pathlib.Path(entry["file"])
        if is_product(path, build):
            inner = sources_in(path) if path.is_relative_to(build) else []
            sources = inner or [str(path)]
            size = sum(os.path.getsize(source) for source in sources)
            own = [source for source in sources if pathlib.Path(source).is_relative_to(ROOT)]
            names = [str(pathlib.Path(source).relative_to(ROOT)) for source in own]
            units.append(Unit(path, entry, size, bool(inner), names))
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
    read = to_read(units, followed, changed_lately())
    for i in sorted(followed | read.keys()):
        unit, entry = units[i], units[i].entry
        if unit.is_unity:
            copy = folder / ("UnifiedSource" if i in followed else "Units")
            copy = copy / str(unit.path.relative_to(database.parent)).replace("/", "-")
            lines = [f'#include "{ROOT / source}"\n' for source in read.get(i, [])]
            copy.write_text(unit.path.read_text() if i in followed else "".join(lines))
            entry = dict(entry, file=str(copy), command=entry["command"].replace(str(unit.path), str(copy)))
        entries.append(entry)
        size = unit.size if i in followed else sum(os.path.getsize(ROOT / source) for source in read[i])
        costs[entry["file"]] = size * (5 if i in followed or not unit.is_unity else 1)
    (folder / "compile_commands.json").write_text(json.dumps(entries, indent=1))
    print("\0".join(sorted(costs, key=costs.get, reverse=True)), end="")


if __name__ == "__main__":
    main()
