#!/usr/bin/env bash
# Without a display: one sentence, exit code 2.
#
#   bash no_display_test.sh JOINTRIG
set -uo pipefail

said="$(env -u DISPLAY -u WAYLAND_DISPLAY "$1" gui 2>&1)"
code=$?
echo "exit code $code: $said"
[ "$code" -eq 2 ] && [ "$(wc -l <<<"$said")" -eq 1 ] && [[ "$said" == "jointrig gui: "* ]]
