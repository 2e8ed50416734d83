#!/usr/bin/env bash
# Proves that a wheel runs on a machine with nothing on it: makes a bare Debian root with debootstrap,
# Python and no compiler, lets a user of it 'pip install' the wheel, and runs what it brings:
#
#   the program (a scenario, the check of a model of one's own), `import jointrig`, a served robot,
#   then, with OpenGL and a screen (libgl1, xvfb), the panel, whose picture lands beside the wheel
#
#   sudo bash scripts/prove_wheel.sh [--suite NAME] [--mirror URL] [--root DIR] WHEEL
#
#   --suite   bookworm (the default) or another that debootstrap knows, for example noble
#   --mirror  where debootstrap gets it; default: the mirror that this machine's apt uses
#   --root    the folder of the root; default: a fresh one, removed at the end. An existing one is
#             used as it is
#
# Needs root, debootstrap and a network: pip gets numpy and nanobind-backend. Where this machine's apt,
# pip or certificates are set up specially, the root gets the same settings.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source=scripts/bare_root.sh
source "$(dirname "${BASH_SOURCE[0]}")/bare_root.sh"

most_seconds=60 # of the installation
wheel=""
while [ "$#" -gt 0 ]; do
  case "$1" in
    -h | --help)
      print_help_of "${BASH_SOURCE[0]}"
      exit 0
      ;;
    --suite) suite="$2" && shift ;;
    --mirror) mirror="$2" && shift ;;
    --root) root="$2" && shift ;;
    -*) fail "'$1' is no option: --help tells which there are." ;;
    *) wheel="$1" ;;
  esac
  shift
done
[ -f "$wheel" ] || fail "name a wheel: 'bash scripts/wheel.sh' makes one in dist/."

# A user without rights, in its home, with its environment's programs on the PATH.
as_user() {
  # shellcheck disable=SC2016  # expanded inside
  enter setpriv --reuid=visitor --regid=visitor --clear-groups bash -ec '
    export HOME=/home/visitor PATH="/home/visitor/venv/bin:$PATH"
    cd; eval "$1"' as_user "$1"
}

# proved WORDS COMMANDS: what a user types must end well.
proved() {
  local started=$SECONDS
  as_user "$2" >"$root/tmp/said" 2>&1 || {
    cat "$root/tmp/said" >&2
    fail "$1: did not work (above)."
  }
  say "$1 ($((SECONDS - started)) s): $(tail -n 1 "$root/tmp/said" | cut -c1-100)"
}

# A model of the user's own, and Python as its page shows it.
write_files() {
  cat >"$root/home/visitor/arm.xml" <<'XML'
<mujoco model="arm">
  <worldbody>
    <body name="upper" pos="0 0 1">
      <joint name="shoulder" axis="0 1 0" range="-90 90"/>
      <geom type="capsule" size="0.04" fromto="0 0 0 0.3 0 0" mass="1.5"/>
      <body name="lower" pos="0.3 0 0">
        <joint name="elbow" axis="0 1 0" range="-100 100"/>
        <geom type="capsule" size="0.03" fromto="0 0 0 0.25 0 0" mass="0.8"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="shoulder" forcerange="-60 60"/>
    <motor joint="elbow" forcerange="-25 25"/>
  </actuator>
</mujoco>
XML
  cat >"$root/home/visitor/drive.py" <<'PYTHON'
import jointrig

sim = jointrig.Sim("franka")
sim.set_mode("arm", "position")
sim.step()
sim.move("panda_joint1", 0.5, speed=1.0)
sim.run(2.0)
assert abs(sim.q[0] - 0.5) < 1e-3
print("panda_joint1 at", sim.q[0])
PYTHON
  cat >"$root/home/visitor/served.py" <<'PYTHON'
import subprocess

import jointrig

server = subprocess.Popen(["jointrig", "serve", "franka", "--listen", "127.0.0.1:0", "--viewers", "127.0.0.1:0"],
                          stdout=subprocess.PIPE, text=True)
try:
    robot = jointrig.connect(server.stdout.readline().split('"')[1])
    robot.set_mode("arm", "position")
    robot.run(0.2)
    robot.move("panda_joint1", 0.3, speed=1.0)
    robot.run(1.5)
    assert abs(robot.q[0] - 0.3) < 1e-2
    print("served panda_joint1 at", robot.q[0])
    robot.close()
finally:
    server.terminate()
    server.wait()
PYTHON
  cat >"$root/home/visitor/panel.sh" <<'SHELL'
# A screen of its own, ended with this.
mkfifo numbers
exec 3<>numbers
Xvfb -displayfd 3 -screen 0 1920x1080x24 -nolisten tcp >xvfb.log 2>&1 &
screen=$!
trap 'kill "$screen"' EXIT
read -r -t 20 number <&3
DISPLAY=":$number" jointrig gui icub_upper_body --screenshot panel.png --seconds 4
[ "$(stat -c %s panel.png)" -gt 50000 ]  # an empty window packs into a few kB
echo "a picture of $(stat -c %s panel.png) bytes"
SHELL
  enter chown --recursive visitor: /home/visitor
}

# No OpenGL yet: one sentence tells what to install, and nothing else needs it.
tells_what_the_panel_wants() {
  local words status=0
  words="$(as_user "jointrig gui franka" 2>&1)" || status=$?
  say "the panel without OpenGL, exit code $status: $words"
  [ "$status" -eq 2 ] && [[ "$words" == *"install OpenGL and X11, libgl1"* ]]
}

install_screen() {
  # shellcheck disable=SC2016  # a sentence
  enter sh -c 'apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install --yes \
    --no-install-recommends libgl1 xvfb' >"$root.apt.log" 2>&1 ||
    fail "apt-get could not install libgl1 and xvfb in the root ($root.apt.log)."
}

open_root python3,python3-venv
enter useradd --create-home --shell /bin/bash visitor 2>/dev/null || true
install -m 644 "$wheel" "$root/tmp/"
write_files
say "$(about_root), $(basename "$wheel") of $(stat -c %s "$wheel") bytes"
for compiler in cc c++ gcc g++ clang; do
  ! enter sh -c "command -v $compiler" >/dev/null || fail "the root is not bare: it has $compiler."
done

proved "an environment" "rm -rf venv; python3 -m venv venv"
started=$SECONDS
proved "pip install" "pip install --no-cache-dir /tmp/$(basename "$wheel")"
seconds=$((SECONDS - started))
[ "$seconds" -le "$most_seconds" ] ||
  fail "pip install took $seconds s, and may take $most_seconds s."
proved "jointrig --version" "jointrig --version"
proved "jointrig --help" "jointrig --help"
proved "jointrig gui --help" "jointrig gui --help"
proved "jointrig run" "jointrig run retarget --out -"
proved "jointrig check" "jointrig check arm.xml --out check --overwrite"
proved "import jointrig" "python drive.py"
proved "jointrig serve, jointrig.connect" "python served.py"
# shellcheck disable=SC2016  # expanded inside
proved "Fast DDS" 'python -c "import ctypes, sys; ctypes.CDLL(sys.argv[1])" venv/lib/python3*/site-packages/jointrig/bin/libjointrig_ros2.so'
if ! enter ldconfig -p | grep -q 'libGL\.so\.1'; then
  tells_what_the_panel_wants || fail "the panel without OpenGL: not the words expected (above)."
fi
install_screen
proved "jointrig gui" "rm -f numbers panel.png; bash -e panel.sh"
cp "$root/home/visitor/panel.png" "$(dirname "$wheel")/panel.png"
say "Proved: $(basename "$wheel") runs on $(about_root); the panel: $(dirname "$wheel")/panel.png"
