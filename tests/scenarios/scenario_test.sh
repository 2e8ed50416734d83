#!/usr/bin/env bash
# One scenario as a test: judged, and of a share of them run twice to equal states. A contact that it doesn't speak
# of fails it.
#
#   bash scenario_test.sh PROGRAM FILE OUT PYTHON
#
# JOINTRIG_SHARE=K/N in the environment: one of N scenarios, by its name, is run twice; without it all.
set -euo pipefail
program="$1" file="$2" out="$3" python="$4"

again=(--repeat 2 --check-hash)
if [ -n "${JOINTRIG_SHARE:-}" ]; then
  number="$(printf '%s' "$file" | cksum | cut -d' ' -f1)"
  [ $((number % ${JOINTRIG_SHARE#*/})) -eq "${JOINTRIG_SHARE%/*}" ] || again=()
fi
"$program" run "$file" "${again[@]}" --no-report --overwrite --logs failed --out "$out"
exec "$python" -B tests/scenarios/unexpected_contact.py "$out/result.json"
