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

suite=bookworm
mirror=""
root=""
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
[ "$(id -u)" -eq 0 ] || fail "making a root needs root: run it with sudo."
command -v debootstrap >/dev/null || fail "there is no debootstrap: run 'apt-get install debootstrap'."

mirror_of_this_machine() {
  # shellcheck disable=SC2016  # names of apt, not of the shell
  apt-get indextargets --format '$(CODENAME) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
    awk -v suite="$suite" '$1 == suite && $2 == "main" {print $3; exit}'
}

make_root() {
  [ -n "$mirror" ] || mirror="$(mirror_of_this_machine)"
  [ -n "$mirror" ] || fail "this machine's apt has no mirror of $suite: name one with --mirror."
  say "Making a bare root of $suite in $root"
  run_quietly "$root.log" debootstrap --variant=minbase --include=git "$suite" "$root" "$mirror" ||
    fail "debootstrap failed (above, and $root.log)."
}

# The ways to the package registries, as this machine has them.
copy_network_settings() {
  cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
  apt-config dump | grep -E '^Acquire::(Check|https?::Proxy|https?::CA)' \
    >"$root/etc/apt/apt.conf.d/99-of-the-host" || true
  if [ -f /etc/ssl/certs/ca-certificates.crt ]; then
    install -D -m 644 /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/host.crt"
  fi
}

# Everything below runs in a mount namespace of its own: its mounts end with it.
enter() {
  local environment=(HOME=/root TERM="${TERM:-dumb}" LANG=C.UTF-8
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin)
  local name
  for name in http_proxy https_proxy no_proxy PIP_INDEX_URL PIP_DEFAULT_TIMEOUT; do
    [ -z "${!name:-}" ] || environment+=("$name=${!name}")
  done
  [ -z "${PIP_CERT:-}" ] || environment+=(PIP_CERT=/etc/ssl/certs/host.crt)
  # shellcheck disable=SC2016  # expanded inside
  unshare --mount --pid --fork --kill-child bash -euc '
    root="$1"; shift
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    exec chroot "$root" /usr/bin/env -i "$@"' enter "$root" "${environment[@]}" "$@"
}

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

if [ -z "$root" ]; then
  root="$(mktemp -d)/root"
  trap 'rm -rf --one-file-system "$(dirname "$root")"' EXIT
fi
fresh=no
if [ ! -x "$root/bin/bash" ]; then
  fresh=yes
  make_root
fi
copy_network_settings
rm -rf --one-file-system "$root/home/jointrig"
git clone --quiet --no-hardlinks "$repo_root" "$root/home/jointrig"
git config --file "$root/etc/gitconfig" safe.directory '*' # another user clones from there
# shellcheck disable=SC2016  # expanded inside
system="$(enter sh -c '. /etc/os-release; echo "$PRETTY_NAME"')"
packages="$(enter dpkg-query --show | wc -l)"
say "$system with $packages packages, commit $(git -C "$repo_root" rev-parse --short HEAD)"

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
