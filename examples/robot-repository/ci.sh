#!/bin/sh
# Run by CI, and by you before a push. Wants `jointrig` on the PATH: pip install jointrig-*.whl pytest
#
# Leaves in out/: junit.xml, and a folder with log and report of each scenario.
set -eu
cd "$(dirname "$0")"
rm -rf out
mkdir out
jointrig inspect robot/robot.yaml >out/inspect.txt || { cat out/inspect.txt; exit 1; }
jointrig check robot/robot.yaml --only hold,move,stop --out out/check
python3 -m pytest --junit-xml=out/junit.xml --jointrig-out=out/scenarios "$@"
