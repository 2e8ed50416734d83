#!/usr/bin/env bash
# Installs the missing dependencies of jointrig; ends at once if none is missing.
#
#   bash scripts/setup.sh [run|test|ci|wheel]
#
#   run    to build and run the program (the default)
#   test   and to test it
#   ci     and for the format check and static analysis
#   wheel  to build and test the program, and to pack a wheel
#
# Distribution packages (scripts/packages.apt) are installed by apt-get, as root or with sudo, and
# only if one is missing. Python packages (scripts/requirements.txt) go into .deps/venv of this
# folder, those of ROS 2 for one test (scripts/requirements-ros2.txt) into .deps/ros2, those of campaigns
# (scripts/requirements-campaigns.txt) into .deps/campaigns, those of Rerun for one test
# (scripts/requirements-rerun.txt) into .deps/rerun where its share runs (docs/ci.md), and sources that the build
# compiles (scripts/requirements-source.txt) into .deps/source, and nowhere else.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# The sets, each with those it contains.
sections_of() {
  case "$1" in
    run) echo "run" ;;
    test) echo "run test" ;;
    ci) echo "run test ci" ;;
    wheel) echo "run test wheel" ;;
    *) fail "'$1' is no set of packages: choose run, test, ci or wheel." ;;
  esac
}

# lines_of FILE SET: the entries of the set's sections, without comments.
lines_of() {
  awk -v sections=" $2 " '
    match($0, /^(# )?\[[a-z]+\]$/) { name = $NF; gsub(/[][]/, "", name); next }
    { sub(/#.*/, ""); gsub(/[ \t]+/, "") }
    $0 != "" && index(sections, " " name " ") { print }' "$1"
}

missing_packages() {
  local package
  while read -r package; do
    case "$(dpkg-query --show --showformat='${db:Status-Abbrev}' "$package" 2>/dev/null)" in
      ?i*) ;;
      *) echo "$package" ;;
    esac
  done < <(lines_of scripts/packages.apt "$1")
}

install_packages() {
  if ! command -v dpkg-query >/dev/null; then
    say "This is neither Debian nor Ubuntu: what scripts/packages.apt lists has to be there already."
    return
  fi
  local missing as_root=()
  mapfile -t missing < <(missing_packages "$1")
  if [ "${#missing[@]}" -eq 0 ]; then
    return
  fi
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null ||
      fail "packages are missing and only root can install them: run" \
        "'apt-get install ${missing[*]}' as root, then this command again."
    as_root=(sudo)
    sudo -v || fail "sudo refused: ask an administrator to 'apt-get install ${missing[*]}'."
  fi
  say "Installing ${#missing[@]} packages: ${missing[*]}"
  run_quietly .deps/apt-update.log "${as_root[@]}" apt-get update ||
    fail "apt-get could not update its lists (above, and .deps/apt-update.log): is there a network?"
  run_quietly .deps/apt-install.log "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install --yes --no-install-recommends "${missing[@]}" ||
    fail "apt-get could not install the packages (above, and .deps/apt-install.log)."
}

# The distribution's own Python first: python3-venv belongs to it.
find_python() {
  if [ -x /usr/bin/python3 ]; then echo /usr/bin/python3; else command -v python3 || true; fi
}

# Content of a set's mark while the set is installed: changes with the list and with Python.
mark_of() { echo "$("$1" -V) $(lines_of scripts/requirements.txt "$2" | sha256sum)"; }

install_python_packages() {
  local python section venv=.deps/venv set="" compile=--compile
  python="$(find_python)"
  [ -n "$python" ] || fail "there is no python3: install it and run this command again."
  if [ "$(cat "$venv/installed-${1##* }" 2>/dev/null)" = "$(mark_of "$python" "$1")" ]; then
    return
  fi
  lines_of scripts/requirements.txt "$1" >.deps/wanted.txt
  say "Installing $(wc -l <.deps/wanted.txt) Python packages into $venv"
  if [ "$("$venv/bin/python" -V 2>/dev/null)" != "$("$python" -V)" ] ||
    ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
    run_quietly .deps/venv.log "$python" -m venv --clear "$venv" ||
      fail "could not make $venv (above, and .deps/venv.log)."
  fi
  # Python imports nothing of the set "run": the build takes files out of it.
  [ "$1" != run ] || compile=--no-compile
  run_quietly .deps/pip.log "$venv/bin/python" -m pip install "$compile" --no-deps --only-binary :all: \
    --disable-pip-version-check --requirement .deps/wanted.txt ||
    fail "pip could not install the packages (above, and .deps/pip.log): is there a network?"
  for section in $1; do
    set="${set:+$set }$section"
    mark_of "$python" "$set" >"$venv/installed-$section"
  done
}

# An environment of its own, for tests: install_apart NAME WHAT PYTHONS SET, from the list
# scripts/requirements-NAME.txt into .deps/NAME. Without wheels for this version of Python its tests are skipped.
install_apart() {
  local python list="scripts/requirements-$1.txt" place=".deps/$1" mark
  python="$(find_python)"
  mark="$("$python" -V) $(lines_of "$list" "$4" | sha256sum)"
  lines_of "$list" "$4" >".deps/wanted-$1.txt"
  if [ ! -s ".deps/wanted-$1.txt" ] || [ "$(cat "$place/installed" 2>/dev/null)" = "$mark" ]; then
    return
  fi
  if [[ ! "$mark" =~ ^Python\ ($3)\. ]]; then
    say "$2 has no wheels for $("$python" -V): its tests are skipped."
    return
  fi
  say "Installing $(wc -l <".deps/wanted-$1.txt") packages of $2 into $place"
  run_quietly ".deps/venv-$1.log" "$python" -m venv --clear "$place" ||
    fail "could not make $place (above, and .deps/venv-$1.log)."
  run_quietly ".deps/pip-$1.log" "$place/bin/python" -m pip install --no-compile --no-deps --only-binary :all: \
    --disable-pip-version-check --requirement ".deps/wanted-$1.txt" ||
    fail "pip could not install $2 (above, and .deps/pip-$1.log): is there a network?"
  echo "$mark" >"$place/installed"
}

# Source packages, unpacked and not built. pip makes their metadata as it takes them: its own tools for that go into
# a folder of its own, which it removes.
install_sources() {
  local list=scripts/requirements-source.txt place=.deps/source archives=.deps/archives archive mark names
  mark="$(sha256sum <"$list")"
  if [ "$(cat "$place/installed" 2>/dev/null)" = "$mark" ]; then
    return
  fi
  names="$(sed -n 's/^\([a-z0-9_-]*\)==.*/\1/p' "$list" | paste -s -d ,)"
  say "Getting the sources of $names into $place"
  rm -rf "$place" "$archives"
  mkdir -p "$place"
  run_quietly .deps/pip-source.log .deps/venv/bin/python -m pip download --no-deps --no-binary "$names" \
    --disable-pip-version-check --require-hashes --dest "$archives" --requirement "$list" ||
    fail "pip could not get the sources (above, and .deps/pip-source.log): is there a network?"
  for archive in "$archives"/*.tar.gz; do
    tar --extract --gzip --no-same-owner --file "$archive" --directory "$place"
  done
  echo "$mark" >"$place/installed"
}

case "${1:-run}" in
  -h | --help)
    print_help_of "${BASH_SOURCE[0]}"
    exit 0
    ;;
esac
[ "$#" -le 1 ] || fail "one set of packages at a time: run, test, ci or wheel."
sections="$(sections_of "${1:-run}")"

cd "$repo_root"
mkdir -p .deps
exec 9>.deps/lock
flock 9 # two commands started together install once
install_packages "$sections"
install_python_packages "$sections"
install_sources
install_apart ros2 "ROS 2" "3\.11" "$sections"
install_apart campaigns Ray "3\.1[123]" "$sections"
if bash tests/support/in_its_share.sh python_rerun_test true >/dev/null; then
  install_apart rerun Rerun "3\.1[1-9]" "$sections"
fi
