"""Python environments of peers: made where they aren't there yet."""

import subprocess
import sys


def environment(build, name, pins):
    """Python of the environment `name` with these packages, in the build folder."""
    if not (build / "bench").is_dir():
        sys.exit(f"{build}: there is no build; build it (bash scripts/test.sh), or name another one with --build")
    folder = build / "peers" / name
    python = folder / "bin" / "python"
    done = folder / "pins.txt"
    if not done.exists() or done.read_text().split() != pins:
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *pins], check=True)
        done.write_text("\n".join(pins))
    return python
