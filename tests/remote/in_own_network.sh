#!/usr/bin/env bash
# in_own_network.sh PYTHON ARGUMENTS...: runs it in a fresh network namespace that has the loopback alone, so
# that no datagram leaves the machine and none comes in. 77: skipped.
set -euo pipefail
if [ ! -e "$(dirname "$1")/../installed" ]; then
  echo "skipped: there is no $1; scripts/setup.sh test installs it."
  exit 77
fi
kind=(--net)
[ "$(id -u)" -eq 0 ] || kind=(--user --map-root-user --net)
if ! unshare "${kind[@]}" true 2>/dev/null; then
  echo "skipped: this system gives no network namespace."
  exit 77
fi
export ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST
unset ROS_DOMAIN_ID
ROS_LOG_DIR="$(mktemp -d)"
export ROS_LOG_DIR
status=0
# shellcheck disable=SC2016  # expanded inside
unshare "${kind[@]}" "$1" -c '
import fcntl, os, socket, struct, sys
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
    fcntl.ioctl(any_socket, 0x8914, struct.pack("16sH14x", b"lo", 1 | 64))  # SIOCSIFFLAGS: up, running
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])' "${@:2}" || status=$?
rm -rf "$ROS_LOG_DIR"
exit "$status"
