"""Ports of this machine that nobody uses just now."""

import socket


def free_ports(count=1, kind=socket.SOCK_STREAM):
    """Distinct ports: all are held until the last is found."""
    sockets = [socket.socket(socket.AF_INET, kind) for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports
