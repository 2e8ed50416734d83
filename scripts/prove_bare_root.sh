#!/usr/bin/env bash
# Proves that the commands work on a machine with nothing on it: makes a bare Debian root with
# debootstrap, git and bash only, puts a clone of this repository into it, and runs there
#
#   demo.sh as a user without root or sudo (must refuse in one sentence, and install nothing)
#   demo.sh twice (the second must start at once), then test.sh
#
# or the command given instead.
#
#   sudo bash scripts/prove_bare_root.sh [--suite NAME] [--mirror URL] [--root DIR] [-- COMMAND...]
#
#   --suite   bookworm (the default) or another that debootstrap knows, for example noble
#   --mirror  where debootstrap gets it; default: the mirror that this machine's apt uses
#   --root    the folder of the root; default: a fresh one, removed at the end. An existing one is
#             used as it is, with the clone made anew
#
# Tests committed files alone. Needs root, debootstrap and a network. Where this machine's
# apt, pip or certificates are set up specially, the root gets the same settings.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source=scripts/bare_root.sh
source "$(dirname "${BASH_SOURCE[0]}")/bare_root.sh"

command=()
while [ "$#" -gt 0 ]; do
  case "$1" in
    -h | --help)
      print_help_of "${BASH_SOURCE[0]}"
      exit 0
      ;;
    --suite) suite="$2" && shift ;;
    --mirror) mirror="$2" && shift ;;
    --root) root="$2" && shift ;;
    --)
      shift
      command=("$@")
      break
      ;;
    *) fail "'$1' is no option: --help tells which there are." ;;
  esac
  shift
done

timed() {
  local started=$SECONDS status=0
  say "In the root: $*"
  enter bash -c 'cd /home/jointrig && "$@"' run "$@" || status=$?
  say "took $((SECONDS - started)) s, exit code $status: $*"
  return "$status"
}

refuses_without_root() {
  local words status=0
  enter useradd --create-home visitor 2>/dev/null || true
  words="$(enter setpriv --reuid=visitor --regid=visitor --clear-groups --reset-env bash -c \
    'git clone --quiet /home/jointrig ~/clone && bash ~/clone/scripts/demo.sh' 2>&1)" || status=$?
  say "without root, exit code $status: $words"
  [ "$status" -ne 0 ] && [[ "$words" == *"only root can install"* ]]
}

open_root git
rm -rf --one-file-system "$root/home/jointrig"
git clone --quiet --no-hardlinks "$repo_root" "$root/home/jointrig"
git config --file "$root/etc/gitconfig" safe.directory '*' # another user clones from there
say "$(about_root), commit $(git -C "$repo_root" rev-parse --short HEAD)"

if [ "${#command[@]}" -gt 0 ]; then
  timed "${command[@]}"
  exit
fi
if [ "$fresh" = yes ]; then
  refuses_without_root || fail "demo.sh did not refuse as it should (above)."
fi
timed bash scripts/demo.sh || fail "demo.sh failed in the root."
timed bash scripts/demo.sh || fail "demo.sh failed when run again in the root."
timed bash scripts/test.sh || fail "test.sh failed in the root."
say "Proved: demo.sh, demo.sh again, test.sh"
