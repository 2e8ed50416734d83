#!/usr/bin/env bash
# Checks by tools: the format of sources, and static analysis.
#
#   bash scripts/lint.sh [format|tidy|shell]...
#
#   format   clang-format on every C++ file (.clang-format)
#   tidy     clang-tidy on all of the product and bench (.clang-tidy); not on tests, where the
#            analyzer takes GoogleTest's ways for leaks. Wants build/release configured
#   shell    shellcheck on the scripts
#
# Without a name: all of them. Only files known to git are looked at. The tools are those that
# 'bash scripts/setup.sh ci' installs.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

tools=.deps/venv/bin

need() { command -v "$1" >/dev/null || fail "there is no $1: run 'bash scripts/setup.sh ci'."; }

check_format() {
  need "$tools/clang-format"
  local unformatted
  unformatted="$(git ls-files -z '*.cpp' '*.h' |
    xargs -0 --no-run-if-empty "$tools/clang-format" --dry-run 2>&1 |
    sed -n 's/:[0-9]*:[0-9]*: .*//p' | sort -u | paste -sd' ')"
  [ -z "$unformatted" ] || fail "not formatted, run: $tools/clang-format -i $unformatted"
}

check_tidy() {
  need "$tools/clang-tidy"
  [ -f build/release/compile_commands.json ] ||
    fail "build/release is not configured: run 'cmake --preset release'."
  "$tools/python" scripts/tidy_units.py build/release/compile_commands.json build/tidy >build/tidy-units ||
    fail "what the build compiles could not be read (above)."
  [ -s build/tidy-units ] || fail "the build in build/release has no source of the product."
  # The database has options of GCC. Findings are printed, not the counts of suppressed warnings.
  xargs -0 --max-args=1 --max-procs="$(nproc)" \
    "$tools/clang-tidy" -p build/tidy --quiet --extra-arg=-Wno-unknown-warning-option \
    --extra-arg=-Wno-unused-command-line-argument \
    <build/tidy-units 2>build/tidy/clang-tidy.log ||
    {
      # A crash or a file it can't read stands there and nowhere else.
      grep --before-context=2 --after-context=4 'Stack dump\|^Error\|terminated by' build/tidy/clang-tidy.log >&2 || true
      fail "clang-tidy has findings, or broke down (above; all that it said: build/tidy/clang-tidy.log)."
    }
}

check_shell() {
  need shellcheck
  git ls-files -z "*.sh" .ci/run .ci/pace | xargs -0 shellcheck --external-sources || fail "shellcheck has findings (above)."
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
