"""Writes what clang-tidy reads: the sources of the product as the build compiles them, some at a time.

    python tidy_units.py DATABASE FOLDER

DATABASE is the compile_commands.json of a build with JOINTRIG_UNITY. FOLDER gets a compile_commands.json
of its own and a copy of each unity file: in the folder UnifiedSource where the analyzer is to follow paths,
else in Units. That name matters: clang's analyzer follows paths through an included source only where the path
of the including file has this word, and takes it for a header otherwise. It costs most of clang-tidy's time, so
it is done for a share of the files (JOINTRIG_SHARE=K/N, docs/ci.md) and, without that, for all. Prints the
files, each with a NUL, the costliest first, so that no core waits for the last one.
"""

import json
import os
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]


def is_product(unit: pathlib.Path, build: pathlib.Path) -> bool:
    """In any folder of the top but tests and hidden ones, or in the build tree's folder of that name."""
    place = unit.relative_to(build if unit.is_relative_to(build) else ROOT).parts
    return len(place) > 1 and place[0] != "tests" and not place[0].startswith(".")


def sources_in(unit: pathlib.Path) -> list[str]:
    return re.findall(r'^#include "([^"]+\.cpp)"', unit.read_text(), re.MULTILINE)


def main() -> None:
    database, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    build = database.parent
    number, count = (int(part) for part in os.environ.get("JOINTRIG_SHARE", "0/1").split("/"))
    shutil.rmtree(folder, ignore_errors=True)
    for place in ("UnifiedSource", "Units"):
        (folder / place).mkdir(parents=True)
    units = []
    for entry in json.loads(database.read_text()):
        unit = pathlib.Path(entry["file"])
        if is_product(unit, build):
            sources = sources_in(unit) if unit.is_relative_to(build) else []
            units.append((sum(os.path.getsize(source) for source in sources or [unit]), entry, unit, sources))
    units.sort(key=lambda unit: (-unit[0], unit[1]["file"]))
    entries, costs = [], {}
    for i, (size, entry, unit, sources) in enumerate(units):
        is_followed = i % count == number or not sources
        if sources:
            place = folder / ("UnifiedSource" if is_followed else "Units")
            copy = place / str(unit.relative_to(build)).replace("/", "-")
            copy.write_text(unit.read_text())
            entry = dict(entry, file=str(copy), command=entry["command"].replace(str(unit), str(copy)))
        entries.append(entry)
        costs[entry["file"]] = size * (5 if is_followed else 1)
    (folder / "compile_commands.json").write_text(json.dumps(entries, indent=1))
    print("\0".join(sorted(costs, key=costs.get, reverse=True)), end="")


main()
