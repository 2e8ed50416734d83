#!/usr/bin/env python3
"""Others' solvers of quadratic programs beside ours, on the programs of whole-body control.

    bench/peers/qp_peers.py --build build/release                  prints its table, some three minutes
    bench/peers/qp_peers.py --build build/release --programs 100   fewer programs

eiquadprog 1.3.2, ProxSuite 0.8.0 (dense backend, vectorised) and DAQP 0.11.0, all from PyPI. The first call makes an
environment of its own under the build directory: headers of the first two from their wheels, DAQP's source package, and
qp_solvers.cpp built against them with -O3 -march=native; ours has the build's own flags. All are called from C++, so that no
binding counts. Nothing of it is used elsewhere.

wholebody_programs makes the programs: the iCub in 1,000 random states, and in as many cycles of a motion with two pushes. All
solve the same ones in nine turns, one solver after the other in each; a program's time is the median of its turns, the table
has median and 99th percentile over programs. A time is the thread's own. The others are given H; ours makes it of its rows. A
warm start is from the program's own solution in random states, from that of the cycle before in a motion. A solution of a
solver that is exact by its method, and is apart from ours by more than 1e-6, ends it with a sentence.
"""

import argparse
import math
import pathlib
import statistics
import subprocess
import sys
import tarfile

from environments import environment

PINS = ["eiquadprog==1.3.2", "proxsuite==0.8.0", "cmeel-simde==0.8.2"]
DAQP = "0.11.0"
DAQP_FLAGS = ["-fassociative-math", "-fno-signed-zeros", "-fno-trapping-math"]  # of its own build
FLAGS = ["-O3", "-march=native"]
KINDS = {"random": "at random", "motion": "in a motion"}
SOLVERS = {"eiquadprog": "eiquadprog 1.3.2", "daqp": f"DAQP {DAQP}", "proxsuite-1e-6": "ProxSuite 0.8.0, to 1e-6",
           "proxsuite-1e-9": "ProxSuite 0.8.0, to 1e-9"}  # fmt: skip
EXACT = ("eiquadprog", "daqp")
TURNS, AGREE = 9, 1e-6
HERE = pathlib.Path(__file__).resolve().parent


def built(build):
    """qp_solvers, built against the others' headers and sources."""
    python = environment(build, "qp", PINS)
    folder = build / "peers" / "qp"
    program = folder / "qp_solvers"
    source = HERE / "qp_solvers.cpp"
    if program.exists() and program.stat().st_mtime > source.stat().st_mtime:
        return program
    subprocess.run([str(python), "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "--dest", str(folder),
                    f"daqp=={DAQP}"], check=True)  # fmt: skip
    with tarfile.open(folder / f"daqp-{DAQP}.tar.gz") as archive:
        archive.extractall(folder, filter="data")
    daqp = folder / f"daqp-{DAQP}" / "csrc"
    objects = []
    for unit in sorted((daqp / "src").glob("*.c")):
        objects.append(str(folder / f"{unit.stem}.o"))
        subprocess.run(["gcc", *FLAGS, *DAQP_FLAGS, f"-I{daqp / 'include'}", "-c", str(unit), "-o", objects[-1]], check=True)
    site = subprocess.run([str(python), "-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])"], check=True,
                          stdout=subprocess.PIPE, text=True).stdout.strip()  # fmt: skip
    eigen = subprocess.run(["pkg-config", "--variable=includedir", "eigen3"], stdout=subprocess.PIPE, text=True).stdout.strip()
    subprocess.run(["g++", "-std=c++17", *FLAGS, "-DPROXSUITE_VECTORIZE", f"-I{daqp / 'include'}", "-isystem",
                    f"{site}/cmeel.prefix/include", "-isystem", eigen or "/usr/include/eigen3", str(source), *objects, "-o",
                    str(program)], check=True)  # fmt: skip
    return program


def lines_of(command):
    done = subprocess.run(list(map(str, command)), check=True, stdout=subprocess.PIPE, text=True)
    return [list(map(float, line.split())) for line in done.stdout.splitlines()]


def share(values, of):
    return sorted(values)[min(len(values) - 1, int(of * len(values)))]


def column(turns, place):
    """Median of each program's turns."""
    return [statistics.median(turn[i][place] for turn in turns) for i in range(len(turns[0]))]


def row_of(turns):
    """Median and 99th percentile, cold and warm (none: negative times), and how far off the first turn's solutions are."""
    cold, warm = column(turns, 0), column(turns, 1)
    row = {"cold": (share(cold, 0.5), share(cold, 0.99))}
    if min(warm) >= 0:
        row["warm"] = (share(warm, 0.5), share(warm, 0.99))
    if len(turns[0][0]) == 5:
        row["apart"] = max(max(line[2], line[3]) for line in turns[0])
        row["violated"] = max(line[4] for line in turns[0])
    return row


def measure(build, count):
    program, ours = built(build), build / "bench" / "wholebody_programs"
    rows = {}
    for kind, states in KINDS.items():
        path = build / "peers" / "qp" / f"{kind}.programs"
        again = ["again"] if kind == "random" else []
        turns = {name: [] for name in ("jointrig", *SOLVERS)}
        for turn in range(TURNS):
            turns["jointrig"].append(lines_of([ours, kind, count, *([path] if turn == 0 else [])]))
            for name in SOLVERS:
                turns[name].append(lines_of([program, path, name, *again]))
        path.unlink()
        for name, of in turns.items():
            rows[SOLVERS.get(name, name), states] = row_of(of)
            require_agreement(name, rows[SOLVERS.get(name, name), states])
    return rows


def require_agreement(name, row):
    if name in EXACT and not row["apart"] <= AGREE:
        sys.exit(f"{name}: its solutions are apart from ours by {row['apart']:.3g}, {AGREE} is allowed")


def table(rows):
    print("| solver | programs | cold: median | p99 | warm: median | p99 | apart from ours | constraints violated by |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for (name, states), row in rows.items():
        cells = [name, states]
        for start in ("cold", "warm"):
            cells += [f"{time:.0f} µs" for time in row[start]] if start in row else ["none", ""]
        if "apart" in row:
            cells += ["not solved" if math.isinf(row["apart"]) else f"{row['apart']:.0e}", f"{row['violated']:.0e}"]
        else:
            cells += ["", ""]
        print(f"| {' | '.join(cells)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--programs", type=int, default=1_000)
    arguments = parser.parse_args()
    table(measure(arguments.build, arguments.programs))


if __name__ == "__main__":
    main()
