"""The program `jointrig`, as the wheel carries it."""

import importlib.util
import os
import pathlib
import sys


def main() -> None:
    """Become the program: arguments, streams, signals and exit code are its own."""
    package = importlib.util.find_spec("jointrig")  # finds the folder, runs nothing of it
    if package is None or not package.submodule_search_locations:
        sys.exit("jointrig: the Python package jointrig is not here: install it again")
    program = pathlib.Path(package.submodule_search_locations[0], "bin/jointrig")
    os.environ.setdefault("JOINTRIG_PYTHON", sys.executable)  # for what it does in Python: Ray, Optuna
    try:
        os.execv(program, ["jointrig", *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"jointrig: {program} does not run ({error.strerror}): install the package jointrig again")
