#!/usr/bin/env bash
# Builds the wheel that runs on a bare Debian or Ubuntu: program, panel, servers, Python package, robots,
# scenes, scenarios, and the libraries of this distribution that all of these need.
#
#   bash scripts/wheel.sh [FOLDER]
#
# FOLDER   where the wheel goes (default: dist)
#
# OpenGL and X11 are not in it: they belong to the driver of the machine that shows the panel.
# Installs missing packages first (scripts/setup.sh): that needs root or sudo, once.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

case "${1:-}" in
  -h | --help)
    print_help_of "${BASH_SOURCE[0]}"
    exit 0
    ;;
esac
[ "$#" -le 1 ] || fail "one folder for the wheel: --help tells the rest."
mkdir -p "${1:-dist}"
folder="$(cd "${1:-dist}" && pwd)"

cd "$repo_root"
bash scripts/setup.sh wheel
python=.deps/venv/bin/python
scratch=build/wheel-parts
rm -rf "$scratch"

say "Building"
run_quietly build/wheel.log "$python" -m pip wheel . --no-deps --no-build-isolation \
  --disable-pip-version-check --wheel-dir "$scratch/built" ||
  fail "the wheel could not be built (above, and build/wheel.log)."
say "Adding the libraries that it needs"
PATH="$repo_root/.deps/venv/bin:$PATH" run_quietly build/wheel-repair.log "$python" -m auditwheel repair \
  --wheel-dir "$scratch/repaired" "$scratch"/built/jointrig-*.whl ||
  fail "auditwheel could not make the wheel whole (above, and build/wheel-repair.log)."
"$python" -B scripts/finish_wheel.py "$scratch"/repaired/jointrig-*.whl "$folder" ||
  fail "the licences could not be added (above)."
