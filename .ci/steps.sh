# Sourced by .ci/run: steps with a budget each, and their summary at the end.
# shellcheck shell=bash

# Wanted from where it is sourced: .ci/budgets and a folder build/ci, both in the working directory.
summary=()
failures=0
: >build/ci/steps.tsv
SECONDS=0

# step NAME WHAT COMMAND...: NAME is that of .ci/budgets. A step that fails does not end the run.
step() {
  local name="$1" what="$2" started=$SECONDS verdict=passed took may
  shift 2
  printf '\n##### %s: %s\n' "$name" "$what"
  "$@" || verdict=FAILED
  took=$((SECONDS - started))
  may="$(awk -v name="$name" '$1 == name {print $2}' .ci/budgets)"
  if [ -z "$may" ]; then
    echo "error: .ci/budgets has no line for the step '$name'." >&2
    verdict=FAILED
  elif [ "$verdict" = passed ] && [ "$took" -gt "$may" ]; then
    echo "error: the step '$name' took $took s and may take $may s (.ci/budgets): make it faster," \
      "or move what is not needed at each change to --full." >&2
    verdict="TOO SLOW"
  fi
  [ "$verdict" = passed ] || failures=$((failures + 1))
  summary+=("$(printf '%-8s %4d s of %4s  %-10s %s' "$verdict" "$took" "${may:-?}" "$name" "$what")")
  printf '%s\t%s\t%s\t%s\n' "$name" "$took" "${may:-0}" "$what" >>build/ci/steps.tsv
  [ "$verdict" = passed ]
}

# Names the failed steps and tests, and fails if there are any, in the last lines of the output.
close_up() {
  local failed
  printf '\n##### summary, %d s in all\n' "$SECONDS"
  printf '%s\n' "${summary[@]}"
  echo "disk: $(du -sh --total build .deps 2>/dev/null | tail -n 1 | cut -f 1) in build and .deps, $(df -h --output=avail . | tail -n 1 | tr -d ' ') free"
  for failed in build/*/Testing/Temporary/LastTestsFailed.log; do
    [ -s "$failed" ] && sed "s|^[0-9]*:|failed in ${failed%%/Testing*}: |" "$failed"
  done
  echo "$((${#summary[@]} - failures)) passed, $failures failed"
  [ "$failures" -eq 0 ]
}
