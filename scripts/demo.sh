#!/usr/bin/env bash
# Builds jointrig and runs the demo scenario, headless; names the log and the report at the end.
#
#   bash scripts/demo.sh [OPTIONS OF 'jointrig run'...]
#
# Installs missing packages first (scripts/setup.sh): that needs root or sudo, once. Results go to
# runs/demo/. Further options are passed on, for example --set or --robot.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

case "${1:-}" in
  -h | --help)
    print_help_of "${BASH_SOURCE[0]}"
    exit 0
    ;;
esac

cd "$repo_root"
bash scripts/setup.sh run
say "Configuring build/release"
run_quietly build/release/configure.log cmake --preset release ||
  fail "CMake could not configure the build (above, and build/release/configure.log)."
say "Building"
cmake --build --preset release --target jointrig || fail "the build failed (above)."

say "Running scenarios/demo"
status=0
build/release/app/jointrig run scenarios/demo --overwrite --out runs/demo "$@" || status=$?

newest() { find runs/demo -name "$1" -printf '%T@ %p\n' | sort -n | tail -n 1 | cut -d' ' -f2-; }
log="$(newest '*.mcap')"
report="$(newest '*.html')"
if [ -z "$log" ] || [ -z "$report" ]; then
  fail "the run left no log or no report in runs/demo."
fi
say "Log:    $log   (PlotJuggler, Foxglove and Rerun open it)"
say "Report: $report   (open it in a browser)"
exit "$status"
