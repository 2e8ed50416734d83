#!/usr/bin/env bash
# Runs a program on a screen of its own, of 1920x1080, and ends that screen with it.
#
#   bash under_xvfb.sh PROGRAM [ARGUMENTS...]
#
# Exit code of the program; 77 where there is no Xvfb or no xdotool.
set -uo pipefail

for needed in Xvfb xdotool; do
  if ! command -v "$needed" >/dev/null; then
    echo "skipped: there is no $needed; install it (scripts/packages.apt, section test)"
    exit 77
  fi
done

numbers="$(mktemp -u)"
mkfifo "$numbers"
exec 3<>"$numbers"
rm "$numbers"
Xvfb -displayfd 3 -screen 0 1920x1080x24 -nolisten tcp -noreset >/dev/null 2>&1 &
screen=$!
trap 'kill "$screen" 2>/dev/null' EXIT
if ! read -r -t 20 number <&3; then
  echo "Xvfb did not start"
  exit 1
fi
exec 3>&-
DISPLAY=":$number" "$@"
