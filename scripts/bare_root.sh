# Sourced: a root with a bare Debian or Ubuntu in it, made by debootstrap, and commands in there.
# shellcheck shell=bash

# Variables that the user may set.
suite=bookworm
mirror=""
root=""

mirror_of_this_machine() {
  # shellcheck disable=SC2016  # names of apt, not of the shell
  apt-get indextargets --format '$(CODENAME) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
    awk -v suite="$suite" '$1 == suite && $2 == "main" {print $3; exit}'
}

# debootstrap knows releases by the name of a script; those that came after it are made by the script of all
# the others. Ubuntu keeps python3-venv and xvfb apart.
make_root() {
  local script="" ubuntu=() scripts=/usr/share/debootstrap/scripts
  [ -n "$mirror" ] || mirror="$(mirror_of_this_machine)"
  [ -n "$mirror" ] || fail "this machine's apt has no mirror of $suite: name one with --mirror."
  if [[ "$mirror" == *ubuntu* ]]; then
    ubuntu=("--components=main,universe")
    [ -e "$scripts/$suite" ] || script="$scripts/gutsy"
  fi
  say "Making a bare root of $suite in $root"
  run_quietly "$root.log" debootstrap --variant=minbase "${ubuntu[@]}" --include="$1" \
    "$suite" "$root" "$mirror" ${script:+"$script"} ||
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

# enter COMMAND...: as root, in there. It runs in a mount namespace of its own: its mounts end with it.
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

# open_root PACKAGES: makes the root, with these packages and no others, unless it is there; tells in
# `fresh` whether it was made. Without --root it is a temporary one.
open_root() {
  [ "$(id -u)" -eq 0 ] || fail "making a root needs root: run it with sudo."
  command -v debootstrap >/dev/null ||
    fail "there is no debootstrap: run 'apt-get install debootstrap'."
  if [ -z "$root" ]; then
    root="$(mktemp -d)/root"
    trap 'rm -rf --one-file-system "$(dirname "$root")"' EXIT
  fi
  fresh=no
  if [ ! -x "$root/bin/bash" ]; then
    # shellcheck disable=SC2034  # for those who source this
    fresh=yes
    make_root "$1"
  fi
  copy_network_settings
}

# The system's name and how much of it there is.
about_root() {
  # shellcheck disable=SC2016  # expanded inside
  echo "$(enter sh -c '. /etc/os-release; echo "$PRETTY_NAME"') with" \
    "$(enter dpkg-query --show | wc -l) packages"
}
