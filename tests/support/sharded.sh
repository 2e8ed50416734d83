#!/usr/bin/env bash
# A GoogleTest program whose tests are run by shares: JOINTRIG_SHARE=K/N in the environment.
#
#   bash sharded.sh PROGRAM [ARGUMENTS...]
set -euo pipefail
if [ -n "${JOINTRIG_SHARE:-}" ]; then
  export GTEST_SHARD_INDEX="${JOINTRIG_SHARE%/*}" GTEST_TOTAL_SHARDS="${JOINTRIG_SHARE#*/}"
fi
exec "$@"
