#!/usr/bin/env bash
# bash without_shares.sh NAME COMMAND...
#
# Runs a test that takes minutes: with .ci/run --full or by hand, where JOINTRIG_SHARE is not in the environment. A
# skipped test ends with 77: ctest wants SKIP_RETURN_CODE 77.
set -euo pipefail
name="$1"
shift
if [ -n "${JOINTRIG_SHARE:-}" ]; then
  echo "$name takes minutes, and runs where no share is asked for"
  exit 77
fi
exec "$@"
