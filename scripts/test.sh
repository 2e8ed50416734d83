#!/usr/bin/env bash
# Builds everything and runs every test through ctest, the scenarios among them.
#
#   bash scripts/test.sh [--preset NAME] [--target NAME]... [CTEST OPTIONS...]
#
#   --preset release   every test (the default)
#   --preset debug     every test, unoptimized
#   --preset asan      unit tests under the address and undefined-behaviour sanitizers
#   --preset tsan      tests with threads under the thread sanitizer
#   --target NAME      builds only that, for a choice of tests made by the options for ctest
#
# JOINTRIG_SHARE=K/N in the environment, K from 0: of the tests that take long a share, as in .ci/run.
# Further options go to ctest, for example: -R JointMode, -L scenario, --rerun-failed.
# Installs missing packages first (scripts/setup.sh): that needs root or sudo, once.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

preset=release
for_build=()
for_ctest=()
while [ "$#" -gt 0 ]; do
  case "$1" in
    -h | --help)
      print_help_of "${BASH_SOURCE[0]}"
      exit 0
      ;;
    --preset)
      [ "$#" -ge 2 ] || fail "--preset wants a name: release, debug, asan or tsan."
      preset="$2"
      shift
      ;;
    --preset=*) preset="${1#*=}" ;;
    --target)
      [ "$#" -ge 2 ] || fail "--target wants the name of a test program."
      for_build+=(--target "$2")
      shift
      ;;
    *) for_ctest+=("$1") ;;
  esac
  shift
done
case "$preset" in
  release | debug | asan | tsan) ;;
  *) fail "'$preset' is no preset: choose release, debug, asan or tsan." ;;
esac

# The thread sanitizer of GCC 12 and 13 stops where the kernel spreads addresses too widely.
fixed_addresses=()
if [ "$preset" = tsan ] && setarch "$(uname -m)" --addr-no-randomize true 2>/dev/null; then
  fixed_addresses=(setarch "$(uname -m)" --addr-no-randomize)
fi

cd "$repo_root"
bash scripts/setup.sh test
say "Configuring build/$preset"
run_quietly "build/$preset/configure.log" cmake --preset "$preset" ||
  fail "CMake could not configure the build (above, and build/$preset/configure.log)."
say "Building"
"${fixed_addresses[@]}" cmake --build --preset "$preset" "${for_build[@]}" || fail "the build failed (above)."
say "Testing"
"${fixed_addresses[@]}" ctest --preset "$preset" --parallel "$(nproc)" "${for_ctest[@]}"
