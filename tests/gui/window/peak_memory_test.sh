#!/usr/bin/env bash
# Most memory that the panel ever has [VmHWM], in its first seconds with 41 joints, the 3D view and
# OpenGL computed by the processor. The record of the plots grows for a minute after that; what it
# may take is in tests/gui/plot.
#
#   bash peak_memory_test.sh JOINTRIG
set -uo pipefail

most_MB=220 # 181 measured; 614 while memory that nobody uses was locked, too

export XDG_CONFIG_HOME=peak-memory # the layout as it is shipped
"$1" gui --screenshot peak-memory.png --seconds 8 &
panel=$!
peak_kB=0
while read -r _ peak _ < <(grep VmHWM "/proc/$panel/status" 2>/dev/null); do
  peak_kB="$peak"
  sleep 0.2
done
wait "$panel" || exit 1
echo "peak memory of the panel: $((peak_kB / 1000)) MB, at most $most_MB MB"
[ "$peak_kB" -gt 0 ] && [ "$peak_kB" -lt $((most_MB * 1000)) ]
