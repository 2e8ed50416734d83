# Sourced by the commands of this folder: words to the terminal, and long commands made quiet.
# shellcheck shell=bash

# shellcheck disable=SC2034  # for those who source this
repo_root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"

say() { printf '==> %s\n' "$*"; }

# One sentence, and out.
fail() {
  printf 'error: %s\n' "$*" >&2
  exit "${exit_code:-2}"
}

# The comment at the top of a script, between its first line and the first line of code.
print_help_of() { sed -n '2,/^[^#]/{s/^# \{0,1\}//;t print;d;:print;p}' "$1"; }

# run_quietly LOG COMMAND...: output goes to LOG; a terminal shows its last line while it runs.
# On failure the end of LOG is printed and the command's status returned.
run_quietly() {
  local log="$1" status=0 shown
  shift
  mkdir -p "$(dirname "$log")"
  "$@" >"$log" 2>&1 </dev/null &
  local pid=$!
  if [ -t 1 ]; then
    while kill -0 "$pid" 2>/dev/null; do
      shown="$(tail -n 1 "$log" 2>/dev/null | tr -d '\r' | cut -c1-90)"
      printf '\r\033[K    %s' "$shown"
      sleep 0.5
    done
    printf '\r\033[K'
  fi
  wait "$pid" || status=$?
  if [ "$status" -ne 0 ]; then
    tail -n 25 "$log" >&2
  fi
  return "$status"
}
