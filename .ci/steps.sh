# Sourced by .ci/run: steps with a budget each, and their summary at the end.
# shellcheck shell=bash

# Wanted from where it is sourced: .ci/budgets and a folder build/ci, both in the working directory.
summary=()
failures=0
: >build/ci/steps.tsv
SECONDS=0

# How slow the machine is now, 1.00 to 2.00; 1.00 where nothing can measure it.
pace() {
  local slow=1.00
  [ ! -f .ci/pace ] || slow="$(bash .ci/pace 2>/dev/null)"
  awk -v slow="${slow:-1}" 'BEGIN {printf "%.2f\n", (slow < 1 ? 1 : (slow > 2 ? 2 : slow))}'
}

# The pace before and after a step says how slow the machine was on the whole, give or take a fifth: within one
# minute it was 1.59 and 1.95.
give_or_take=1.2

# step NAME WHAT COMMAND...: NAME is that of .ci/budgets. A step that fails does not end the run. A step over
# its budget is looked at once more: on a machine that is slow before and after it, it may take as much longer.
step() {
  local name="$1" what="$2" slow="" started verdict=passed took may allowed
  shift 2
  printf '\n##### %s: %s\n' "$name" "$what"
  may="$(awk -v name="$name" '$1 == name {print $2}' .ci/budgets)"
  [ "${may:-0}" -lt 400 ] || slow="$(pace)" # it takes some seconds itself
  started=$SECONDS
  "$@" || verdict=FAILED
  took=$((SECONDS - started))
  if [ -z "$may" ]; then
    echo "error: .ci/budgets has no line for the step '$name'." >&2
    verdict=FAILED
  elif [ "$verdict" = passed ] && [ "$took" -gt "$may" ]; then
    slow="$(awk -v before="$slow" -v after="$(pace)" 'BEGIN {printf "%.2f\n", before == "" ? after : (before + after) / 2}')"
    allowed="$(awk -v may="$may" -v slow="$slow" -v margin="$give_or_take" 'BEGIN {printf "%d\n", may * slow * margin}')"
    if [ "$took" -gt "$allowed" ]; then
      echo "error: the step '$name' took $took s and may take $may s (.ci/budgets), $allowed s on a machine" \
        "that is $slow times as slow as usual: make it faster, or move what is not needed at each change to --full." >&2
      verdict="TOO SLOW"
    else
      echo "the step '$name' took $took s, more than its $may s; the machine is $slow times as slow as usual"
    fi
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
