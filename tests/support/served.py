"""`jointrig serve` for tests whose first argument is the program."""

import functools
import re
import signal
import subprocess
import sys

import jointrig
from background import Background

PROGRAM = sys.argv.pop(1)


class Served:
    """`jointrig serve` in the background of a test, or of a class of tests."""

    def __init__(self, owner, *arguments, **process):
        self.process = Background(owner, [PROGRAM, "serve", *arguments, "--listen", "127.0.0.1:0"],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **process)

    @functools.cached_property
    def address(self):
        """As it tells when it listens; before that something else can be done."""
        first = self.process.stdout.readline()
        found = re.search(r'connect\("(.*?)"\)', first)
        assert found, first + self.process.stdout.read()
        return found[1]

    def connect(self, **options):
        return jointrig.connect(self.address, **options)

    def end(self):
        assert self.address  # it listens, so it heeds an interrupt
        self.process.send_signal(signal.SIGINT)
        self.said = self.process.stdout.read()
        self.process.stdout.close()
        return self.process.wait(timeout=30)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            assert self.end() == 0, self.said
