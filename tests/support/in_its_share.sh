#!/usr/bin/env bash
# A test that is one piece and takes long: it runs in one share of N, and is skipped in the others.
#
#   bash in_its_share.sh NAME PROGRAM [ARGUMENTS...]
#
# JOINTRIG_SHARE=K/N in the environment; without it the test runs. NAME selects the share. A skipped test ends
# with 77: ctest wants SKIP_RETURN_CODE 77.
set -euo pipefail
name="$1"
shift
if [ -n "${JOINTRIG_SHARE:-}" ]; then
  number="$(printf '%s' "$name" | cksum | cut -d' ' -f1)"
  if [ $((number % ${JOINTRIG_SHARE#*/})) -ne "${JOINTRIG_SHARE%/*}" ]; then
    echo "$name runs in another share than $JOINTRIG_SHARE"
    exit 77
  fi
fi
exec "$@"
