#!/usr/bin/env bash
# Measures, and renews the tables of README.md and docs/. On a machine with nothing else to do.
#
#   bash bench/run.sh                    every part, some two hours
#   bash bench/run.sh readme targets     those parts alone
#   bash bench/run.sh --list             the parts, what each measures, and where its figures go
#   BUILD=build/other bash bench/run.sh  with programs of another build; build/release unless named
#
# Programs are built by `cmake --build --preset release`. All that a part writes stays in $BUILD/bench/measured, also figures that no
# table has: those stand in sentences, and are put there by hand. A part that fails doesn't end the others.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
build=${BUILD:-build/release}
out=$build/bench/measured
python=.deps/venv/bin/python

# name | what it measures | where its figures go
parts=(
  "readme|a cycle, headless runs, joint boards, inverse kinematics, the machine: some twenty-five minutes|README.md"
  "targets|target_bench: reference stage of joints that go to targets|docs/motion.md"
  "planning|plan_bench: planning with its check for collisions|docs/motion.md"
  "completion|completion_bench and klampt's RobotInterfaceCompleter beside it (PyPI)|docs/robot.md"
  "ik-peers|placo and mink (PyPI) on all 10,000 poses of ik_bench: some ten minutes|docs/inverse-kinematics.md"
  "toppra|PyPI's toppra on our paths|docs/motion.md"
  "robosuite|robosuite's OSC_POSE (PyPI) beside mode cartesian|README.md"
  "wholebody|wholebody_bench: the core of whole-body control|docs/whole-body.md, by hand"
  "whole-body-peers|placo's dynamics solver and TSID (PyPI) beside the core of whole-body control, in the same states|docs/whole-body.md"
  "qp-peers|eiquadprog, ProxSuite and DAQP (PyPI) beside our solver, on the programs of whole-body control|docs/whole-body.md"
  "python|a cycle from Python|docs/python.md, by hand"
  "gym|Gymnasium environments beside mujoco.rollout|by hand"
  "remote|a served robot|docs/remote.md, by hand"
  "panel|panel_bench: the panel in a window, under Xvfb where there is no display|docs/panel.md, by hand"
  "replacements|10,000 plans replaced at random while they move: no time, a proof|docs/ci.md"
)

list() {
  local part name what where
  for part in "${parts[@]}"; do
    IFS='|' read -r name what where <<<"$part"
    printf '%-17s %s -> %s\n' "$name" "$what" "$where"
  done
}

readme() {
  # Random interleaving spreads the repetitions over the whole run: a busy minute falls on all of them.
  "$build/bench/jointrig_bench" --benchmark_repetitions=9 --benchmark_min_time=0.1 \
    --benchmark_enable_random_interleaving=true --benchmark_out="$out/cycle.json" &&
    python3 bench/headless.py --build "$build" --hour --out "$out/headless.json" &&
    python3 bench/boards.py --build "$build" --out "$out/boards.json" &&
    "$build/bench/ik_bench" >"$out/ik.json" || return
  rm -f "$out/doctor.json"
  "$build/app/jointrig" doctor --json "$out/doctor.json" || true # not zero where the machine can't hold 1 kHz
  python3 bench/table.py "$out/cycle.json" --headless "$out/headless.json" --boards "$out/boards.json" \
    --doctor "$out/doctor.json" --ik "$out/ik.json" --commit "$(git rev-parse --short=8 HEAD)" --into README.md
}
targets() {
  "$build/bench/target_bench" >"$out/targets.json" && bench/into.py docs/motion.md targets "$out/targets.json"
}
planning() {
  "$build/bench/plan_bench" | tee "$out/planning.txt" && bench/into.py docs/motion.md planning "$out/planning.txt"
}
completion() {
  "$build/bench/completion_bench" >"$out/completion.json" &&
    python3 bench/peers/klampt_completer.py --build "$build" | tee "$out/klampt.txt" &&
    bench/into.py docs/robot.md completion "$out/klampt.txt"
}
ik-peers() {
  python3 bench/peers/ik_peers.py --build "$build" | tee "$out/ik-peers.txt" &&
    bench/into.py docs/inverse-kinematics.md ik-peers "$out/ik-peers.txt"
}
toppra() {
  python3 bench/peers/toppra_paths.py --build "$build" | tee "$out/toppra.txt" &&
    bench/into.py docs/motion.md toppra "$out/toppra.txt"
}
robosuite() { bench/peers/robosuite_osc.py --build "$build" --into README.md; }
wholebody() { "$build/bench/wholebody_bench" --seconds 10 | tee "$out/wholebody.json"; }
whole-body-peers() {
  local peers=(python3 bench/peers/whole_body_peers.py --build "$build")
  "${peers[@]}" --robot icub | tee "$out/whole-body-icub.txt" &&
    bench/into.py docs/whole-body.md whole-body-icub "$out/whole-body-icub.txt" &&
    "${peers[@]}" --robot talos | tee "$out/whole-body-talos.txt" &&
    bench/into.py docs/whole-body.md whole-body-talos "$out/whole-body-talos.txt"
}
qp-peers() {
  python3 bench/peers/qp_peers.py --build "$build" | tee "$out/qp-peers.txt" &&
    bench/into.py docs/whole-body.md qp-peers "$out/qp-peers.txt"
}
python() { PYTHONPATH=$build/python "$python" bench/python.py --out "$out/python.json" | tee "$out/python.txt"; }
gym() { PYTHONPATH=$build/python "$python" bench/gym.py | tee "$out/gym.txt"; }
remote() {
  PYTHONPATH=$build/python "$python" bench/remote.py --build "$build" --out "$out/remote.json" | tee "$out/remote.txt"
}
panel() {
  local display=()
  [ -n "${DISPLAY:-}" ] || display=(tests/gui/window/under_xvfb.sh)
  setsid "${display[@]}" "$build/bench/panel_bench" </dev/null | tee "$out/panel.txt"
}
replacements() {
  JOINTRIG_REPLACEMENTS=10000 ctest --test-dir "$build" -R '^(plan_followers_test|replacements_test)$' --verbose \
    --timeout 0 | tee "$out/replacements.txt"
}

if [ "${1:-}" = --list ]; then
  list
  exit
fi
names=()
for part in "${parts[@]}"; do names+=("${part%%|*}"); done
for name in "$@"; do
  if [[ " ${names[*]} " != *" $name "* ]]; then
    echo "run.sh: there is no part \"$name\"; the parts are: ${names[*]}" >&2
    exit 2
  fi
done
mkdir -p "$out"
failed=()
[ $# -gt 0 ] || set -- "${names[@]}"
for name in "$@"; do
  echo "== $name"
  "$name" || failed+=("$name")
done
echo "measured: $out, and the tables of README.md and docs"
if [ ${#failed[@]} -gt 0 ]; then
  echo "run.sh: these parts failed: ${failed[*]}" >&2
  exit 1
fi
