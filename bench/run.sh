#!/usr/bin/env bash
# Measures everything and renews the tables of README.md. Some ten minutes; on a machine with nothing else to do.
#
#   bash bench/run.sh [BUILD]      build/release unless named, with jointrig, jointrig_bench, jointrig_bus_bench, ik_bench and can_transport_rtt built
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${1:-build/release}
out=$build/bench/measured
mkdir -p "$out"

# Random interleaving spreads the repetitions over the whole run: a busy minute falls on all of them.
"$build/bench/jointrig_bench" --benchmark_repetitions=9 --benchmark_min_time=0.1 \
    --benchmark_enable_random_interleaving=true --benchmark_out="$out/cycle.json"
python3 bench/headless.py --build "$build" --hour --out "$out/headless.json"
python3 bench/boards.py --build "$build" --out "$out/boards.json"
"$build/bench/ik_bench" > "$out/ik.json"
rm -f "$out/doctor.json"
"$build/app/jointrig" doctor --json "$out/doctor.json" || true  # not zero where the machine can't hold 1 kHz
python3 bench/table.py "$out/cycle.json" --headless "$out/headless.json" --boards "$out/boards.json" \
    --doctor "$out/doctor.json" --ik "$out/ik.json" --into README.md
echo "measured: $out and README.md"
