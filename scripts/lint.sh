#!/usr/bin/env bash
# Checks what tools can settle: the format of sources, and what static analysis finds in them.
#
#   bash scripts/lint.sh [format|tidy|shell]...
#
#   format   clang-format on every C++ file (.clang-format)
#   tidy     clang-tidy on all of the product and bench (.clang-tidy); not on tests, where the
#            analyzer takes GoogleTest's ways for leaks. Wants build/release configured
#   shell    shellcheck on the scripts, where it is installed
#
# Without a name: all of them. Only files known to git are looked at.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

need() { command -v "$1" >/dev/null || fail "there is no $1: run 'bash scripts/setup.sh ci'."; }

check_format() {
  need clang-format
  local unformatted
  unformatted="$(git ls-files -z '*.cpp' '*.h' |
    xargs -0 --no-run-if-empty clang-format --dry-run 2>&1 | sed -n 's/:[0-9]*:[0-9]*: .*//p' |
    sort -u | paste -sd' ')"
  [ -z "$unformatted" ] || fail "not formatted, run: clang-format -i $unformatted"
}

check_tidy() {
  need clang-tidy
  [ -f build/release/compile_commands.json ] ||
    fail "build/release is not configured: run 'cmake --preset release'."
  # The database has options of GCC. Findings are printed, not the counts of suppressed warnings.
  # The largest first: the last ones to be looked at are small, and no core waits for long.
  git ls-files -z 'control/*.cpp' 'sim/*.cpp' 'hw/*.cpp' 'gui/*.cpp' 'scenarios/*.cpp' 'app/*.cpp' \
    'bench/*.cpp' |
    xargs -0 --no-run-if-empty ls -S --zero |
    xargs -0 --no-run-if-empty --max-args=1 --max-procs="$(nproc)" \
      clang-tidy -p build/release --quiet --extra-arg=-Wno-unknown-warning-option 2>build/release/clang-tidy.log ||
    {
      # A crash or a file it can't read stands there and nowhere else.
      grep --before-context=2 --after-context=4 'Stack dump\|^Error\|terminated by' build/release/clang-tidy.log >&2 || true
      fail "clang-tidy has findings, or broke down (above; all that it said: build/release/clang-tidy.log)."
    }
}

check_shell() {
  if ! command -v shellcheck >/dev/null; then
    say "shellcheck is not installed: scripts not checked"
    return
  fi
  shellcheck --external-sources scripts/*.sh tests/gui/window/*.sh .ci/run || fail "shellcheck has findings (above)."
}

cd "$repo_root"
[ "$#" -gt 0 ] || set -- format tidy shell
for check in "$@"; do
  case "$check" in
    -h | --help) print_help_of "${BASH_SOURCE[0]}" ;;
    format | tidy | shell)
      say "Checking: $check"
      "check_$check"
      ;;
    *) fail "'$check' is no check: choose format, tidy or shell." ;;
  esac
done
