#!/usr/bin/env bash
# Makes the generated parts of docs/ again.
#
#   bash scripts/docs.sh [tables|modes|pictures|panel|panel-cost]...
#
#   tables     keys, faults, events in docs/robots.md and docs/scenarios.md, commands in
#              docs/commands.md, from the program and the sources
#   modes      docs/mode-switches.md: every switch from mode to mode, measured
#   pictures   docs/images/: the demo as scripts/picture.py draws it, and a report in a browser
#   panel      docs/images/panel-*.png: the motor panel as its test leaves it, on a screen of its own
#   panel-cost tables in docs/panel.md: cost of a frame, and its effect on the loop
#
# Without a name: all of them. Wants build/release configured (bash scripts/test.sh) and builds in it.
# Only the pictures need these packages:
#
#   apt-get install libosmesa6 fonts-dejavu-core chromium
#   .deps/venv/bin/python -m pip install pillow pyyaml
#
# PYTHON names another Python than .deps/venv's, BUILD another folder than build/release.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$repo_root"
build="${BUILD:-build/release}"
python="${PYTHON:-.deps/venv/bin/python}"
program="$(realpath --canonicalize-missing "$build/app/jointrig")"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

build_target() {
  [ -f "$build/build.ninja" ] || fail "$build is not configured: run 'cmake --preset release'."
  run_quietly "$build/docs.log" cmake --build "$build" --target "$1" ||
    fail "the build failed (above, and $build/docs.log)."
}

make_tables() {
  build_target jointrig
  build_target command_table
  "$python" tests/docs/documents.py --write "$program"
}

make_modes() {
  build_target mode_switch_table
  "$build/tests/control/stack/mode_switch_table" >"$scratch/modes.md"
  mv "$scratch/modes.md" docs/mode-switches.md
}

draw_demo() {
  "$program" run scenarios/icub/bimanual.yaml --no-report --out "$scratch/demo"
  "$python" scripts/picture.py "$scratch/demo/bimanual" docs/images/demo.png \
    --joint r_shoulder_roll \
    --at "1.9: the left arm is led, the right follows" \
    --at "4.4: stiff: up to {stiff peak:.0f} N on the wall" \
    --at "8.9: compliant: up to {compliant peak:.0f} N" \
    --arrow "1 l_hand 0 1 0" --view 0.12 0 0.78 1 180 -12
}

# The run of docs/scenarios.md that fails.
show_report() {
  command -v chromium >/dev/null || fail "there is no chromium: see --help."
  ln -s "$repo_root/models" "$repo_root/scenes" "$scratch/"
  "$python" tests/docs/documents.py --files "$scratch"
  local status=0
  (cd "$scratch" && "$program" run soft.yaml --out soft) || status=$?
  [ "$status" -eq 1 ] || fail "soft.yaml of docs/scenarios.md was to fail with 1, got $status."
  run_quietly "$scratch/chromium.log" chromium --headless --no-sandbox --disable-gpu \
    --hide-scrollbars --window-size=1300,1130 --virtual-time-budget=15000 \
    --screenshot="$repo_root/docs/images/report.png" "file://$scratch/soft/report.html" ||
    fail "chromium could not draw the report (above)."
}

make_pictures() {
  build_target jointrig
  mkdir -p docs/images
  draw_demo
  show_report
}

# The pictures that the test of the window takes, with 128 colours in place of millions.
make_panel() {
  build_target gui_window_test
  build_target gui_boards_test
  build_target jointrig
  build_target gui_connect_test
  build_target remote_holder
  local name folder program jointrig test="$repo_root/tests/gui/window/under_xvfb.sh"
  folder="$(realpath "$build")"
  program="$folder/tests/gui/window/gui_window_test"
  jointrig="$folder/app/jointrig"
  (cd "$scratch" && JOINTRIG_MODELS="$repo_root/models" \
    run_quietly "$scratch/panel.log" bash "$test" "$program") ||
    fail "the window's test failed (above): it wants Xvfb and xdotool."
  (cd "$scratch" && JOINTRIG="$jointrig" JOINTRIG_MODELS="$repo_root/models" \
    run_quietly "$scratch/boards.log" bash "$test" "${program%/*}/gui_boards_test") ||
    fail "the test of the panel on boards failed (above)."
  (cd "$scratch" && JOINTRIG="$jointrig" JOINTRIG_MODELS="$repo_root/models" \
    JOINTRIG_HOLDER="$folder/tests/remote/remote_holder" \
    run_quietly "$scratch/connected.log" bash "$test" "${program%/*}/gui_connect_test") ||
    fail "the test of the panel on a served robot failed (above)."
  for name in boards:virtual-boards waiting:waiting-for-boards kept:kept-windows all:all-joints-home full:left-arm-in-full fault:fault plots:cursors scene:pulled \
    step:step-response cartesian:cartesian body:body sequence:sequence motion:motion motion-refused:motion-refused scenario:scenario-held parameters:parameters recording:recording stop:stopped connected:connected-moving; do
    "$python" - "$scratch/${name#*:}.png" "docs/images/panel-${name%%:*}.png" <<'PYTHON'
import sys
from PIL import Image
Image.open(sys.argv[1]).quantize(128).save(sys.argv[2], optimize=True)
PYTHON
  done
}

make_panel_cost() {
  build_target view_cost
  build_target panel_bench
  local folder
  folder="$(realpath "$build")"
  {
    "$folder/tests/gui/view/view_cost"
    echo
    bash tests/gui/window/under_xvfb.sh "$folder/bench/panel_bench"
  } >"$scratch/cost.md" || fail "the panel could not be measured: it wants Xvfb and xdotool."
  "$python" - "$scratch/cost.md" docs/panel.md <<'PYTHON'
import pathlib, re, sys
tables, page = (pathlib.Path(p) for p in sys.argv[1:])
marks = re.compile(r"(<!-- measured: panel cost -->\n).*?(<!-- end of measured -->)", re.DOTALL)
page.write_text(marks.sub(lambda m: m[1] + tables.read_text() + m[2], page.read_text()))
PYTHON
}

[ "$#" -gt 0 ] || set -- tables modes pictures panel panel-cost
for part in "$@"; do
  case "$part" in
    -h | --help) print_help_of "${BASH_SOURCE[0]}" ;;
    tables | modes | pictures | panel | panel-cost)
      say "Making: $part"
      "make_${part//-/_}"
      ;;
    *) fail "'$part' is nothing to make: choose tables, modes, pictures, panel or panel-cost." ;;
  esac
done
